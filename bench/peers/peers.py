#!/usr/bin/env python3
"""Runs other people's optimisers, and besd, on the problem of `besd run DOMAIN`; adds one row per run to a CSV.

usage: peers.py BESD ROWS.csv [--domains gw10 ... | --list suite/validate.txt] [--budgets 100000 ...] [--seeds 3 | 4-10]
                [--methods tpe ...]

A list of the suite (bench/suite.c) has domains and budgets of its own; those that need settings or are no domains are left
out. What has a row is not done again. `make peers` calls this in a venv with everything that it needs.
"""

import argparse
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

from ledger import Ledger
from methods import METHODS, version
from problem import Problem, Tool, assess, read_list

CELLS = {
    "gw10": (100_000, 300_000, 800_000),
    "key2": (200_000, 400_000, 800_000),
    "key3": (400_000, 800_000),
    "tr": (200_000, 600_000, 1_200_000),
    "gw20": (4_000_000, 8_000_000),
}
TEST_INSTANCES = 1000


def seeds(text):
    """3 means 1 to 3; 4-10 means that."""
    first, _, last = text.rpartition("-")
    return range(int(first or 1), int(last) + 1)


def sources():
    """The commit that last changed besd itself, marked when there are changes besides."""
    at = dict(cwd=Path(__file__).parents[2], capture_output=True, text=True)
    commit = subprocess.run(["git", "log", "-1", "--format=%h", "--", "src", "include"], **at).stdout.strip()
    dirty = subprocess.run(["git", "status", "--porcelain", "--", "src", "include"], **at).stdout.strip()
    return (commit or "unknown") + ("+" if dirty else "")


def run(tool, domain, budget, method, seed, besd):
    """One row."""
    problem = Problem(tool, domain, budget, seed)
    begun = time.monotonic()
    theta = METHODS[method][0](problem)
    seconds = time.monotonic() - begun
    mean, se = assess(tool, domain, theta, seed, TEST_INSTANCES)
    return {
        "domain": domain.name, "budget": budget, "method": method, "seed": seed,
        "mean": f"{mean:.6g}", "se": f"{se:.3g}", "instances": TEST_INSTANCES,
        "spent": f"{problem.spent:.12g}", "trials": problem.trials, "seconds": f"{seconds:.1f}",
        "theta": " ".join(f"{x:.6g}" for x in theta or ()), "version": version(method), "besd": besd,
    }  # fmt: skip


def listed(path):
    """Domains and budgets of a list of the suite."""
    return {
        words[1]: (int(words[2]),)
        for words in read_list(path)
        if len(words) == 5 and words[1].endswith(".yaml")
    }  # fmt: skip


def jobs(wanted):
    """Cell by cell and seed by seed, so that what is finished can be compared at any moment."""
    for domain, budgets in wanted.cells.items():
        for budget in wanted.budgets or budgets:
            for seed in wanted.seeds:
                for method in wanted.methods:
                    yield domain, budget, method, seed


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("besd")
    parser.add_argument("rows")
    parser.add_argument("--domains", nargs="+", choices=CELLS, default=list(CELLS))
    parser.add_argument("--list", type=listed, dest="cells", metavar="FILE", help="of the suite, instead of domains")
    parser.add_argument("--budgets", nargs="+", type=int, help="default: those of the table")
    parser.add_argument("--seeds", type=seeds, default=seeds("10"))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    wanted = parser.parse_args(arguments)
    wanted.cells = wanted.cells or {name: CELLS[name] for name in wanted.domains}
    return wanted


def main(arguments):
    wanted = parse(arguments)
    tool, ledger, besd = Tool(wanted.besd), Ledger(wanted.rows), sources()
    for method in [m for m in wanted.methods if version(m) is None]:
        print(f"{method} is left out: {METHODS[method][1]} is not installed", file=sys.stderr)
        wanted.methods.remove(method)
    domains = {name: tool.domain(name) for name in wanted.cells}
    failed = 0
    warnings.simplefilter("ignore")  # of the packages, about each other
    for domain, budget, method, seed in jobs(wanted):
        if ledger.has(domain, budget, method, seed, besd=besd if method == "besd" else None):
            continue
        print(f"{domain} {budget} {method} {seed}:", end=" ", flush=True)
        try:
            row = run(tool, domains[domain], budget, method, seed, besd)
        except Exception:
            failed += 1
            print("failed", flush=True)
            traceback.print_exc()
            continue
        ledger.add(row)
        print(f"{row['mean']} +- {row['se']}, {row['trials']} trials, {row['seconds']} s", flush=True)
    if failed:
        print(f"{failed} runs failed and have no row", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
