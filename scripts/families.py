#!/usr/bin/env python3
"""Does an earlier study of a like arena help a new one, and does an unrelated one harm it?
usage: families.py TOOL OUT.csv [SEEDS]

A pair is an arena of the suite and a change of it: a wall moved, another wind, another start, another number of
subgoals. Its earlier study has the arena's whole budget. The new study has a share of its own budget, with the earlier
study as a source (warm), with that of another arena (unrelated), or alone (cold). What the table says:

steps     tested on 1000 fresh instances, the mean over seeds
share     of the cold budget at which warm is as good as cold is at the end, within 2 %; the smallest that was tried
Rows that OUT.csv has are not made again; with 0 SEEDS the table of what is there is printed."""
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

tool, out = sys.argv[1:3]
seeds = range(1, 1 + int(sys.argv[3] if len(sys.argv) > 3 else 2))
root = pathlib.Path(__file__).resolve().parent.parent
SHARES = [0.0625, 0.125, 0.25, 0.5, 1]
TEST = 1000

# name, arena, budget, what changes, edits of the text (old, new), an unrelated arena
PAIRS = [
    ("rooms-wind", "rooms", 840000, "wind", [("wind: [0, 0.02]", "wind: [0.03, 0.06]")], "storm"),
    ("rooms-start", "rooms", 840000, "start", [("  S....j.....", "  .S...j....."), ], "storm"),
    ("rooms-wall", "rooms", 840000, "wall", [("  #c#ab#fe##d", "  c##ab#fe#d#")], "storm"),
    ("rooms-number", "rooms", 840000, "number", [("subgoals: 2", "subgoals: 3")], "storm"),
    ("storm-wind", "storm", 700000, "wind", [("wind: [0.1, 0.2]", "wind: [0, 0.1]")], "keys"),
    ("storm-wall", "storm", 700000, "wall", [("  aaaaaaa...", "  aaaaaa...."), ("  ...bbbbbbb", "  ....bbbbbb")], "keys"),
    ("storm-start", "storm", 700000, "start", [("  S.........", "  ...S......")], "keys"),
    ("storm-number", "storm", 700000, "number", [("subgoals: 2", "subgoals: 3")], "keys"),
    ("keys-wall", "keys", 420000, "wall", [("  #######DDD", "  ######DDD#")], "goals"),
    ("keys-start", "keys", 420000, "start", [("  S.........", "  ..S.......")], "goals"),
    ("oneway-wind", "oneway", 700000, "wind", [("wind: [0, 0.02]", "wind: [0.03, 0.05]")], "storm"),
    ("goals-wall", "goals", 560000, "wall", [("  ##..######", "  ####..####")], "oneway"),
]


def run(domain, budget, seed, study, source=None):
    command = [tool, "run", domain, "--budget", str(round(budget)), "--seed", str(seed), "--study", study, "--json",
               "--quiet", "--test", str(TEST), "--threads", "1"] + (["--from", source] if source else [])
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer["test"]["mean"], answer["trials"], (answer.get("sources") or [{}])[0].get("likeness")


rows = list(csv.DictReader(open(out))) if os.path.exists(out) else []
done = {(r["pair"], r["seed"], r["kind"], r["share"]) for r in rows}
FIELDS = ["pair", "change", "seed", "kind", "share", "steps", "trials", "likeness"]


def keep(row):
    is_new = not os.path.exists(out)
    with open(out, "a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        if is_new:
            writer.writeheader()
        writer.writerow(row)
    rows.append({k: str(v) for k, v in row.items()})


with tempfile.TemporaryDirectory() as folder:
    for name, arena, budget, change, edits, other in PAIRS:
        text = (root / "suite/develop" / f"{arena}.yaml").read_text()
        for old, new in edits:
            assert old in text, (name, old)
            text = text.replace(old, new)
        new_arena = pathlib.Path(folder) / f"{name}.yaml"
        new_arena.write_text(text)
        for seed in seeds:
            jobs = [("cold", 1, None), ("cold", 0.25, None)] + [("warm", s, arena) for s in SHARES]
            jobs += [("unrelated", s, other) for s in (0.25, 1)]
            for kind, share, source in jobs:
                if (name, str(seed), kind, str(share)) in done:
                    continue
                path = f"{folder}/{source}-{seed}.besd"
                if source and not os.path.exists(path):
                    run(str(root / "suite/develop" / f"{source}.yaml"), budget, seed + 100, path)
                steps, trials, likeness = run(str(new_arena), share * budget, seed,
                                              f"{folder}/{name}-{seed}-{kind}-{share}.besd",
                                              path if source else None)
                keep({"pair": name, "change": change, "seed": seed, "kind": kind, "share": share, "steps": steps,
                      "trials": trials, "likeness": "" if likeness is None else round(likeness, 3)})


def mean(pair, kind, share):
    found = [float(r["steps"]) for r in rows if (r["pair"], r["kind"], float(r["share"])) == (pair, kind, share)]
    return sum(found) / len(found) if found else float("nan")


complete = [p for p in PAIRS if sum(r["pair"] == p[0] for r in rows) >= len(SHARES) + 4]
print(f"Steps, means over up to {max(int(r['seed']) for r in rows)} seeds; the last column is the share of the budget at which a study with the source\n"
      "is as good as one without is at the end of its budget, within 2 %.\n")
print("| arena, what changed | alone, 1/4 | alone | " + " | ".join(f"source, {s:g}" for s in SHARES) +
      " | unrelated, 1/4 | unrelated | share |")
print("|---|" + "---|" * (len(SHARES) + 5))
reached = []
for name, arena, _, change, _, _ in complete:
    cold = mean(name, "cold", 1)
    good = [s for s in SHARES if mean(name, "warm", s) <= 1.02 * cold]
    reached.append(good[0] if good else float("inf"))
    cells = [mean(name, "cold", 0.25), cold] + [mean(name, "warm", s) for s in SHARES]
    cells += [mean(name, "unrelated", s) for s in (0.25, 1)]
    print(f"| {arena}, {change} | " + " | ".join(f"{c:.1f}" for c in cells) +
          f" | {good[0] if good else 'none'} |")
print(f"\nThe median share of {len(reached)} pairs is {statistics.median(reached):g}. {len(PAIRS) - len(reached)} pairs are not "
      "complete and left out.")
likeness = {kind: [float(r["likeness"]) for r in rows if r["kind"] == kind and r["likeness"]] for kind in ("warm", "unrelated")}
for kind, values in likeness.items():
    print(f"Likeness of {kind} sources: mean {statistics.mean(values):.2f} over {len(values)} studies.")
