#!/usr/bin/env python3
"""Runs besd and other people's optimisers on public functions (problems.py); adds one row per run to a CSV.

usage: run.py ROWS.csv --python-package PATH [--label NAME] [--option NAME=VALUE ...] [--half develop] [--problems branin ...]
              [--methods besd tpe ...] [--budgets 30 ...] [--seeds 10 | 4-10] [--jobs 2] [--minutes 60]

What has a row is not done again, so the same command goes on where it was. PATH, or BESD_PYTHON, is a folder that has
besd's Python package (pip install --target PATH ./python). A variant of besd, by package or options, gets a label, under
which its rows stand beside those of the others. Rows of besd count only for the build and the options that they were made
with. Budgets are in trainings at the largest tau, one replication each. `make public` calls this in a venv that has everything.
"""

import argparse
import multiprocessing
import os
import sys
import time
import traceback
import warnings
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

import numpy as np
from optimisers import OPTIMISERS, SLOW, besd, besd_package, build_of
from problems import HALVES, NAMES, PublicProblem, family_of, half_of

from ledger import Ledger
from methods import installed
from peers import seeds

COLUMNS = (
    "problem", "half", "budget", "method", "seed", "regret", "found", "low", "high", "mean", "held", "value", "tried",
    "spent", "trials", "seconds", "theta", "version", "besd",
)  # fmt: skip
BUDGETS = (30, 60, 120)


def run(name, budget, method, seed, ours):
    """One row. `ours` is (path, options, version, build) of besd, None for the others. `mean` is the mean score that the
    printed interval is about, `held` whether it lies inside; `value` is the same without noise."""
    problem = PublicProblem(name, budget, seed)
    begun = time.monotonic()
    theta = besd(problem, *ours[:2]) if ours else OPTIMISERS[method][0](problem)
    seconds = time.monotonic() - begun
    low, high = getattr(problem, "interval", (np.nan, np.nan))
    of, found = problem.of, problem.tool.found
    mean = of.mean_score(theta)
    return {
        "problem": name, "half": half_of(name), "budget": budget, "method": method, "seed": seed,
        "regret": f"{of.regret(theta):.6g}", "found": f"{found:.6g}",
        "low": f"{low:.8g}" if ours else "", "high": f"{high:.8g}" if ours else "", "mean": f"{mean:.8g}",
        "held": int(low <= mean <= high) if ours else "", "value": f"{of.value(theta):.8g}",
        "tried": problem.tried if ours else "", "spent": f"{problem.spent:.12g}", "trials": problem.trials,
        "seconds": f"{seconds:.1f}", "theta": " ".join(f"{x:.6g}" for x in theta),
        "version": ours[2] if ours else installed(OPTIMISERS[method][1]), "besd": ours[3] if ours else "-",
    }  # fmt: skip


def quiet():
    warnings.simplefilter("ignore")  # of the packages, about each other


def option(text):
    name, _, value = text.partition("=")
    if not value:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got '{text}'")
    known = {"true": True, "false": False}
    if value.lower() in known:
        return name, known[value.lower()]
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            pass
    return name, value


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows")
    parser.add_argument("--python-package", default=os.environ.get("BESD_PYTHON"), metavar="PATH")
    parser.add_argument("--label", default="besd", help="of besd's rows")
    parser.add_argument("--option", type=option, nargs="+", default=[], dest="options", help="of besd's study")
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--problems", nargs="+", choices=NAMES)
    parser.add_argument("--methods", nargs="+", choices=["besd", *OPTIMISERS])
    parser.add_argument("--budgets", nargs="+", type=int, default=BUDGETS)
    parser.add_argument("--seeds", type=seeds, default=seeds("10"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing after that")
    wanted = parser.parse_args(arguments)
    wanted.problems = wanted.problems or list(HALVES[wanted.half] if wanted.half else NAMES)
    wanted.methods = wanted.methods or ["besd", *(m for m in OPTIMISERS if m not in SLOW)]
    if wanted.label in OPTIMISERS:
        parser.error(f"--label: '{wanted.label}' is somebody else")
    if "besd" in wanted.methods and not wanted.python_package:
        parser.error("--python-package: besd is to run, expected the folder of its package")
    return wanted


def runs(wanted):
    """Seed by seed, so that what is finished can be compared at any moment."""
    for seed in wanted.seeds:
        for budget in wanted.budgets:
            for name in wanted.problems:
                for method in wanted.methods:
                    if method == "besd":
                        yield name, budget, wanted.label, seed
                    elif family_of(name) in OPTIMISERS[method][3]:
                        yield name, budget, method, seed


def besd_of(wanted):
    if "besd" not in wanted.methods:
        return None
    package, options = besd_package(wanted.python_package), dict(wanted.options)
    said = "".join(f" {name}={value}" for name, value in sorted(options.items()))
    return (
        wanted.python_package, options, f"besd {package.__version__}{said}", build_of(wanted.python_package) + said,
    )  # fmt: skip


def settle(ledger, job, future):
    """Adds a row; False if the run failed."""
    what = " ".join(map(str, job[:4]))
    try:
        row = future.result()
    except Exception:
        print(f"{what}: failed", flush=True)
        traceback.print_exc()
        return False
    ledger.add(row)
    print(f"{what}: regret {row['regret']}, found {row['found']}, {row['trials']} trials, {row['seconds']} s", flush=True)
    return True


def main(arguments):
    wanted = parse(arguments)
    ledger, ours = Ledger(wanted.rows, COLUMNS), besd_of(wanted)
    for method in [m for m in wanted.methods if m != "besd" and installed(OPTIMISERS[m][1]) is None]:
        print(f"{method} is left out: {OPTIMISERS[method][1]} is not installed", file=sys.stderr)
        wanted.methods.remove(method)
    end, failed, under_way = time.monotonic() + 60 * wanted.minutes, 0, {}
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(wanted.jobs, mp_context=spawn, initializer=quiet) as pool:

        def finish(most):
            nonlocal failed
            while len(under_way) > most:
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    failed += not settle(ledger, under_way.pop(future), future)

        for job in runs(wanted):
            own = ours if job[2] == wanted.label else None
            if ledger.has(*job, besd=own and own[3]):
                continue
            finish(wanted.jobs - 1)
            if time.monotonic() > end:
                print("the minutes are over; the same command goes on", file=sys.stderr)
                break
            under_way[pool.submit(run, *job, own)] = job
        finish(0)
    if failed:
        print(f"{failed} runs failed and have no row", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
