#!/usr/bin/env python3
"""besd's final recommendations of docs/results on instances that the comparison has not seen, and how much
a thousand instances of KEY2 differ among themselves. usage: recheck.py [besd]"""
import csv
import json
import lzma
import subprocess
import sys

besd = sys.argv[1] if len(sys.argv) > 1 else "build/besd"


def train(domain, tau, instances, seed, theta=None):
    design = ["--theta=" + ",".join(f"{t:.9g}" for t in theta)] if theta else ["--no-subgoals"]
    out = subprocess.run([besd, "train", domain, *design, "--tau", str(tau), "--instances", str(instances), "--seed",
                          str(seed), "--json"], capture_output=True, text=True, check=True).stdout
    return json.loads(out)["mean"]


last = {}
for row in csv.DictReader(lzma.open("docs/results/curves.csv.xz", "rt")):
    if row["method"] == "besd" and row["mean"] and row["domain"] in ("tr", "key2"):
        last[row["domain"], row["replication"]] = [float(row[f"theta_{i}"]) for i in range(1, 5)]
for domain, tau in (("tr", 2000), ("key2", 5000)):
    means = [train(domain, tau, 8000, 4242, theta) for (name, _), theta in last.items() if name == domain]
    mean, plain = sum(means) / len(means), train(domain, tau, 8000, 4242)
    print(f"{domain}: {mean:.2f} after {tau} interactions over {len(means)} designs, without subgoals {plain:.2f}, ratio {mean / plain:.3f}")
best = next([float(t) for t in r["theta"].split()] for r in csv.DictReader(open("docs/results/oracle.csv")) if r["domain"] == "key2")
means = sorted(train("key2", 1000, 1000, seed, best) for seed in range(1, 41))
print(f"key2, best of brute force, a thousand instances of the seeds 1 to 40: {means[0]:.1f} to {means[-1]:.1f} steps, mean {sum(means) / 40:.1f}")
