#!/usr/bin/env python3
"""What besd's final recommendations in docs/results do, in the words of the paper's figures of paths."""
import csv
import lzma
import math
import pathlib
import sys

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "docs/results")


def near(point, place, distance=1.5):
    return math.dist(point, place) <= distance


def gw10(a, b):
    return "round the wall on the right, then to the goal" if a[0] >= 6 and b[0] <= 3 and b[1] >= 7 else "other"


def gw20(a, b):
    if b[1] < 16:
        return "other"
    return "first subgoal below the second wall, second past it" if a[1] < 12 else "both past the second wall's first row"


def tr(a, b):
    return "treasure first, then the goal" if a[0] >= 6.5 and a[1] <= 3.5 and b[0] >= 8 and b[1] >= 7 else "other"


def key2(a, b):
    if a[1] > 5:
        return "first beyond the door, then the goal" if b[1] >= 8 and b[0] <= 5 else "other"
    return "first a key place, then beyond the door"


def key3(a, b, c):
    left, right = (1, 3), (9, 3)
    places = [near(p, left) for p in (a, b)] + [near(p, right) for p in (a, b)]
    goal = c[1] >= 8 and c[0] <= 3
    if goal and any(places[:2]) and any(places[2:]):
        return "both key places, then the goal"
    if goal and any(places[:2]) and b[0] >= 6:
        return "left key place, then past the right one to beyond the door, then the goal"
    return "first beyond the door, as in KEY2" if a[1] > 5 else "other"


def mc(a, b):
    return "opposite sides of the start" if min(a[0], b[0]) < -0.6 and max(a[0], b[0]) > -0.4 else "other"


last = {}
for row in csv.DictReader(lzma.open(folder / "curves.csv.xz", "rt")):
    if row["method"] == "besd" and row["mean"]:
        key = row["domain"], int(row["replication"])
        if key not in last or float(row["cost"]) > float(last[key]["cost"]):
            last[key] = row
counts = {}
for (domain, _), row in last.items():
    numbers = [float(row[k]) for k in row if k.startswith("theta") and row[k]]
    size = 1 if domain == "mc" else 2
    points = [numbers[i:i + size] for i in range(0, len(numbers), size)]
    behaviour = globals()[domain](*points)
    seen = counts.setdefault(domain, {}).setdefault(behaviour, [])
    seen.append(float(row["mean"]))
print("| domain | what the subgoals do | runs | their mean |\n|---|---|---|---|")
for domain in ("gw10", "gw20", "tr", "key2", "key3", "mc"):
    for behaviour, means in sorted(counts.get(domain, {}).items(), key=lambda item: -len(item[1])):
        print(f"| {domain.upper()} | {behaviour} | {len(means)} | {sum(means) / len(means):.4g} |")
