#!/usr/bin/env python3
"""Writes docs/results/peers.md from the rows of peers.py.
usage: report.py ROWS.csv OUTPUT.md"""

import statistics
import sys
import textwrap
from collections import Counter, defaultdict
from pathlib import Path

from ledger import rows_of
from methods import METHODS
from peers import CELLS

RETURNS = {"tr"}  # more is better

HEAD = """# besd and other people's optimisers
The problem is that of `besd run DOMAIN`: find the subgoals with which an agent learns best, where a trial of a design
trains `reps` agents for `tau` interactions each, on fresh instances, and costs tau * reps. Every optimiser has the same
budget of interactions, is stopped by the first trial that it can no longer pay, and recommends one design by its own
rule. That design is tested at the largest tau on {instances} fresh instances, the same for everybody with the same seed.
Steps to the goal, less is better; for TR the discounted return, more is better. Mean ± standard deviation over seeds,
best mean in bold among those that have run all seeds of a cell (*2 of 3* means that one is missing, – that all are);
{built}.

"""

TAIL = """
## Who does what
| | trials | recommends |
|---|---|---|
| besd | the command line, all defaults: tau and reps are its own choice | its own recommendation |
| Optuna TPE, Optuna GP | largest tau, fewest reps | best trial |
| Optuna TPE + Hyperband | fewest reps; tau is the resource, a trial goes on from level to level until it is pruned and costs what it has trained | best trial that was not pruned |
| pycma, noise handling | largest tau, fewest reps; up to 30 re-evaluations; a drawn start, sigma 0.3 of the box | mean of the distribution |
| Nevergrad TBPSA | largest tau, fewest reps | its recommendation, a mean |
| SMAC3 black box | largest tau, fewest reps; up to 3 trials of a design, its default under noise | incumbent |
| SMAC3 multi-fidelity | fewest reps; fidelities rounded to the levels of tau, every one trained afresh; reduction factor 2, since with 3 most domains have a single fidelity | incumbent |
| BoTorch qLogNEI | largest tau, fewest reps; 2 (d + 1) Sobol designs first, at most half of the trials | tried design with the best posterior mean |

All other settings are the packages' own. They see the unit cube and the logarithm of the mean number of steps (TR: minus
the mean return): ranks do not notice, surfaces are easier to fit.

## What to keep in mind
- The defaults of besd were chosen with these domains in view; the settings of the others were not. `docs/results/suite.md`
  has problems that besd was not tuned on, with most of these peers.
- `besd run` knows more than the others do: it solves the domain to learn what no design can surpass, which costs no
  interactions, and pays for a measurement without subgoals out of its budget.
- The fewest reps are a choice. With more, peers would have fewer and less noisy trials.
- The torch that PyPI has for Linux brings CUDA along; here it computed on one processor thread. SMAC gives the same
  designs again only if Python's hashes are fixed, which `scripts/peers.sh` does.
- Standard deviations are over seeds. Where few seeds ran, the order of neighbours in a cell is not to be trusted: bold is
  the best mean, not a proof.
"""


def cells_of(rows):
    cells = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        cells[row["domain"], int(row["budget"])][row["method"]][int(row["seed"])] = row
    order = [(domain, budget) for domain, budgets in CELLS.items() for budget in budgets]
    return {at: cells.get(at, {}) for at in order + sorted(set(cells) - set(order))}


def mean_of(runs):
    return statistics.mean(float(r["mean"]) for r in runs.values())


def compared(cell, methods):
    """The cell with the seeds that at least three quarters of the methods have; {} if there are none."""
    held = Counter(seed for runs in cell.values() for seed in runs)
    seeds = sorted(s for s, count in held.items() if 4 * count >= 3 * len(methods))
    return {m: {s: cell[m][s] for s in seeds if s in cell.get(m, {})} for m in methods} if seeds else {}


def seeds_of(cell):
    return max(map(len, cell.values()))


def order_of(domain, cell):
    """The optimisers that have all seeds of a cell, the best first."""
    sign = -1 if domain in RETURNS else 1
    whole = [m for m in cell if m != "none" and len(cell[m]) == seeds_of(cell)]
    return sorted(whole, key=lambda m: sign * mean_of(cell[m]))


def entry(runs, seeds, best):
    values = [float(r["mean"]) for r in runs.values()]
    if not values:
        return "–"
    text = f"{statistics.mean(values):.4g}"
    text = f"**{text}**" if best else text
    text += f" ± {statistics.stdev(values):.2g}" if len(values) > 1 else ""
    return text if len(values) == seeds else f"{text} ({len(values)} of {seeds})"


def title(at):
    return f"{at[0].upper()} {at[1] / 1e6:g} M"


def table(cells):
    """Methods down, cells across."""
    yield "| | " + " | ".join(map(title, cells)) + " |"
    yield "|---|" + "---|" * len(cells)
    yield "| seeds | " + " | ".join(str(seeds_of(c)) for c in cells.values()) + " |"
    for method in next(iter(cells.values())):
        entries = [entry(c[method], seeds_of(c), method in order_of(at[0], c)[:1]) for at, c in cells.items()]
        yield f"| {METHODS[method][2]} | " + " | ".join(entries) + " |"


def ranks(cells):
    """Per method: its ranks in the cells that have it."""
    found = defaultdict(list)
    for (domain, _), cell in cells.items():
        for place, method in enumerate(order_of(domain, cell), 1):
            found[method].append(place)
    return found


def summary(cells):
    times = defaultdict(list)
    for cell in cells.values():
        for method, runs in cell.items():
            times[method] += [float(r["seconds"]) for r in runs.values()]
    yield "| | best mean | mean rank in its cells | seconds per run |"
    yield "|---|---|---|---|"
    for method, places in sorted(ranks(cells).items(), key=lambda item: statistics.mean(item[1])):
        yield (
            f"| {METHODS[method][2]} | {places.count(1)} of {len(places)} cells | {statistics.mean(places):.1f} "
            f"| {statistics.mean(times[method]):.1f} |"
        )


def ahead_on_some(cells):
    """Where an optimiser that lacks seeds of a cell is ahead of besd on those that it has."""
    for at, cell in cells.items():
        sign = -1 if at[0] in RETURNS else 1
        for method, runs in cell.items():
            both = [s for s in runs if s in cell.get("besd", {})]
            if method in ("besd", "none") or not both or len(runs) == seeds_of(cell):
                continue
            its, ours = (mean_of({s: cell[m][s] for s in both}) for m in (method, "besd"))
            if sign * its < sign * ours:
                yield f"{METHODS[method][2]} in {title(at)} ({its:.4g}, besd {ours:.4g}; {len(both)} seeds)"


def machine():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    found = {name.strip(): value.strip() for name, _, value in (text.partition(":") for text in lines)}
    kind = " ".join(found.get("model name", "an unknown processor").replace("(R)", "").split())
    return f"one core of {kind}, family {found.get('cpu family', '?')}, model {found.get('model', '?')}"


def built(rows):
    commits = sorted({r["besd"] for r in rows if r["method"] == "besd"})
    return f"besd as of {', '.join(commits)}" if commits else "no rows of besd"


def how(rows):
    versions = sorted({r["version"] for r in rows if r["version"] != "-"})
    return textwrap.fill(
        f"(`make peers`, from the rows of `docs/results/peers.csv`; {', '.join(versions)}; {machine()}, at nice 15 and shared "
        "with other work, so that seconds are rough; training is a small part of them. The same command goes on where rows "
        "are missing; DOMAINS, BUDGETS, SEEDS and METHODS choose: `make peers DOMAINS=gw10 SEEDS=3 METHODS='besd tpe'`.)",
        120, break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def write(rows, path):
    cells = cells_of(rows)
    methods = [m for m in METHODS if any(m in cell for cell in cells.values())]
    done = {at: c for at, cell in cells.items() if (c := compared(cell, methods))}
    missing = [title(at) for at in cells if at not in done]
    absent = [METHODS[m][2] for m in METHODS if m not in methods]
    with open(path, "w") as out:
        out.write(HEAD.format(instances=" or ".join(sorted({r["instances"] for r in rows})), built=built(rows)))
        for domain in dict.fromkeys(at[0] for at in done):
            out.write("\n".join(table({at: c for at, c in done.items() if at[0] == domain})) + "\n\n")
        if missing:
            out.write(textwrap.fill(f"Not run yet: {', '.join(missing)}.", 120) + "\n\n")
        if absent:
            out.write(f"Left out, since nothing of theirs ran: {', '.join(absent)}.\n\n")
        if some := list(ahead_on_some(done)):
            out.write(textwrap.fill("Ahead of besd on the seeds that they have run, of cells that they have not run wholly: "
                                    f"{', '.join(some)}.", 120) + "\n\n")
        out.write("\n".join(summary(done)) + "\n\n" + how(rows) + "\n" + TAIL)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(list(rows_of(sys.argv[1]).values()), sys.argv[2])
