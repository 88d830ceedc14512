#!/usr/bin/env python3
"""`besd run` with one seed after the other: what is tested on average, how far runs differ, and how many of the printed
90 % intervals contain what is tested.

usage: seeds.py BESD FIRST..LAST DOMAIN [option of besd run ...]
for example seeds.py build/besd 1..20 gw10
            seeds.py build/besd 101..120 key2 --set subgoals=1..4 --budget 800000 --test 4000"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

if len(sys.argv) < 4:
    sys.exit(__doc__)
if any("subgoal_price" in word for word in sys.argv):
    sys.exit("seeds.py: what is expected includes the price of subgoals, what is tested does not")
tool, seeds, *wanted = sys.argv[1:]
first, last = map(int, seeds.split(".."))
tested, inside = [], 0
with tempfile.TemporaryDirectory() as folder:
    for seed in range(first, last + 1):
        study = pathlib.Path(folder) / f"{seed}.besd"
        said = subprocess.run([tool, "run", *wanted, "--seed", str(seed), "--study", study, "--quiet", "--json"],
                              check=True, capture_output=True, text=True).stdout
        run = json.loads(said)
        mean = run["test"]["mean"]
        tested.append(mean)
        known = run["low"] is not None
        inside += known and run["low"] <= mean <= run["high"]
        interval = f"[{run['low']:.4g}, {run['high']:.4g}]" if known else "[not known]"
        print(f"seed {seed}: {mean:.4g}, expected {run['value']:.4g} {interval}", flush=True)
se = statistics.stdev(tested) / len(tested) ** 0.5 if len(tested) > 1 else float("nan")
print(f"{len(tested)} seeds: mean {statistics.mean(tested):.4g} +- {se:.2g}, from {min(tested):.4g} to {max(tested):.4g}; "
      f"{inside} intervals contain what is tested")
