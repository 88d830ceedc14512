"""docs/results/deep.md from the rows of the deep suite: nothing in its tables was typed by hand."""

from collections.abc import Sequence

import numpy as np

STARTS = ("none", "random", "by hand", "sketch", "coarse sketch", "wrong sketch", "best known")

HEAD = """# Subgoals for agents whose trainings are few

`make deep` writes `deep.csv`, a row for every tested design, and this page. A problem is an arena, a maze, a room of MiniGrid
or a table of Gymnasium (`python/bench/deep_problems.py`); success is the share of test episodes that reach the goal, 20 for
each fresh agent, after one training of fixed length. *By hand* is what a person chose before any search. A *sketch* is a
drawing of the arena in cells, in which besd's own agents are trained, so it costs no real training; *coarse* has cells of
twice the side, *wrong* has its walls mirrored. Defaults are chosen on the develop half, with one exception: that a sketch
in which nothing is learnt is trained for longer, and that its agents get the potential of the real ones, was found on
arena-3 and hook of the validate half, whose numbers are therefore no test of it. The problems themselves were set up after
looking: FrozenLake and Taxi got longer trainings, and the mazes shorter episodes, after tests with four agents, and the
subgoals by hand of fourrooms and multiroom were chosen by somebody who had read their maps. A *wrong* FrozenLake is no worse
than the right one, so nothing is shown there. With 20 real trainings these problems are too easy: no gain of a sketch is
shown. A sketch of MiniGrid's DoorKey or MultiRoom in coarse cells has no way to its goal, so there is
none.

"""


def cell(rows: Sequence[dict[str, str]]) -> str:
    """The mean over designs; two standard errors, of the designs where there are several."""
    if not rows:
        return "–"
    means = [float(row["success"]) for row in rows]
    error = np.std(means, ddof=1) / len(means) ** 0.5 if len(means) > 1 else float(rows[0]["error"])
    return f"{np.mean(means):.2f} ± {2 * error:.2f}" + (f" ({len(means)})" if len(means) > 1 else "")


def table(rows: Sequence[dict[str, str]], methods: Sequence[str]) -> list[str]:
    known = [m for m in methods if any(row["method"] == m for row in rows)]
    lines = [f"| problem | half | {' | '.join(known)} |", "|---" * (len(known) + 2) + "|"]
    for problem in dict.fromkeys(row["problem"] for row in rows):
        own = [row for row in rows if row["problem"] == problem]
        cells = (cell([row for row in own if row["method"] == m]) for m in known)
        lines.append(f"| {problem} | {own[0]['half']} | {' | '.join(cells)} |")
    return lines


def summary(rows: Sequence[dict[str, str]]) -> list[str]:
    """How the sketch does against a person, and the mean over problems that have all of the columns."""
    def mean(problem: str, method: str) -> float | None:
        found = [float(row["success"]) for row in rows if (row["problem"], row["method"]) == (problem, method)]
        return float(np.mean(found)) if found else None

    problems = [p for p in dict.fromkeys(row["problem"] for row in rows) if mean(p, "sketch") is not None]
    both = [(mean(p, "sketch"), mean(p, "by hand")) for p in problems if mean(p, "by hand") is not None]
    level = sum(a is not None and b is not None and a >= b for a, b in both)
    lines = ["", f"The sketch's design is at least as good as the person's on {level} of {len(both)} problems. Means over the problems "
             "that have a number in the column:", ""]  # fmt: skip
    for method in STARTS:
        known = [value for p in problems if (value := mean(p, method)) is not None]
        if known:
            lines.append(f"- {method}: {np.mean(known):.2f} ({len(known)} problems)")
    return lines


def page(rows: Sequence[dict[str, str]]) -> str:
    starts = [row for row in rows if row["trainings"] == "0" or row["method"] == "best known"]
    lines = [HEAD + "## No real training\n", *table(starts, STARTS), *summary(starts)]
    agents = sorted({int(row["agents"]) for row in starts})
    lines += ["", f"± is two standard errors, over {' or '.join(map(str, agents))} agents of one design, or over so many designs of "
              "sketches with other seeds as the number in brackets says."]  # fmt: skip
    for trainings in sorted({int(row["trainings"]) for row in rows} - {0, 300}):
        own = [row for row in rows if int(row["trainings"]) == trainings]
        lines += ["", f"## {trainings} real trainings", "", *table(own, list(dict.fromkeys(row["method"] for row in own))), "",
                  "In brackets: studies, each with a seed of its own. `+sketch` begins with the sketch's best designs: besd until "
                  "two trainings have shown something, the others with all ten of them."]  # fmt: skip
    seconds = sum(float(row["seconds"]) for row in rows)
    designs, agents_in_all = len(rows), sum(int(row["agents"]) for row in rows)
    lines += ["", f"{designs} rows, {agents_in_all} fresh agents, {seconds / 60:.0f} minutes of one core, those of the searches "
              "among them. What the tables lack has not been run; `make deep` goes on with it."]  # fmt: skip
    return "\n".join(lines) + "\n"
