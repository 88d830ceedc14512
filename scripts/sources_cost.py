#!/usr/bin/env python3
"""What sources cost: seconds of processor time of `besd ask` with 60 told trials, with no source and with some.
usage: sources_cost.py TOOL [ASKS]

A landscape of four coordinates in a made-up unit; every earlier study has 150 results. The first ask draws the
hyperparameters anew, later asks go on with them; of the later ones the median is told."""
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

tool = sys.argv[1]
asks = int(sys.argv[2]) if len(sys.argv) > 2 else 5
SPEC = """theta: [{name: a, low: 0, high: 1}, {name: b, low: 0, high: 1}, {name: c, low: 0, high: 1}, {name: d, low: 0, high: 1}]
tau: [500, 1000, 2000]
reps: [1, 5, 20]
targets: 1000
seed: 7
"""


def score(theta, tau, chance):
    return sum(math.sin(5 * x + i) for i, x in enumerate(theta)) * tau / 2000 + 0.2 * chance.gauss(0, 1)


def call(*arguments):
    """The answer, and the seconds that it took of a processor."""
    process = subprocess.Popen([tool, *map(str, arguments)], stdout=subprocess.PIPE,
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return out, usage.ru_utime + usage.ru_stime


def add(study, count, chance):
    results = study.with_suffix(".jsonl")
    with open(results, "w") as file:
        for _ in range(count):
            theta, tau = [chance.random() for _ in range(4)], chance.choice([500, 1000, 2000])
            scores = [score(theta, tau, chance) for _ in range(2)]
            print(json.dumps({"theta": dict(zip("abcd", theta)), "tau": tau, "scores": scores}), file=file)
    call("add", study, "--from", results, "--json")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    spec = folder / "spec.yaml"
    spec.write_text(SPEC)
    print("| sources | first ask, s | later asks, s |\n|---|---|---|")
    for sources in (0, 1, 2):
        given = []
        for i in range(sources):
            old = folder / f"old{i}.besd"
            if not old.exists():
                call("create", old, "--spec", spec)
                add(old, 150, random.Random(i))
            given += ["--from", old]
        study, chance, times = folder / f"new{sources}.besd", random.Random(100), []
        call("create", study, "--spec", spec, *given)
        add(study, 60, chance)
        for _ in range(asks + 1):
            out, seconds = call("ask", study, "--json")
            times.append(seconds)
            trial = json.loads(out)
            scores = [score(trial["theta_array"], trial["tau"], chance) for _ in range(trial["reps"])]
            call("tell", study, trial["trial"], "--scores", ",".join(map(str, scores)))
        print(f"| {sources} | {times[0]:.2f} | {statistics.median(times[1:]):.2f} |", flush=True)
