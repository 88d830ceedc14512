"""The arena with subgoals and the ways of test episodes: a picture where matplotlib is, otherwise letters."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arguments import Floats

Cells = tuple[Sequence[str], Floats, Floats, bool]
"""Rows, the top one first, the corners of the map, and whether y grows downwards."""
_WIDE = 48


def _walls(cells: Cells | None) -> list[tuple[float, float, float, float]]:
    """Left, low, width and height of every cell that is a wall."""
    if cells is None or not cells[0]:
        return []
    rows, low, high, downwards = cells
    dx, dy = (high[0] - low[0]) / len(rows[0]), (high[1] - low[1]) / len(rows)
    found: list[tuple[float, float, float, float]] = []
    for y, row in enumerate(rows):
        at = low[1] + (y if downwards else len(rows) - 1 - y) * dy
        found += [(float(low[0] + x * dx), float(at), float(dx), float(dy)) for x, sign in enumerate(row) if sign == "#"]
    return found


def in_text(box: tuple[Floats, Floats], subgoals: Floats, ways: Sequence[Any], cells: Cells | None) -> str:
    """# walls, * where test episodes went, digits the subgoals; y as in the environment's own drawings."""
    low, high = box
    if len(low) != 2:
        return ""
    side = (high[0] - low[0]) / _WIDE
    tall = max(1, min(_WIDE, round((high[1] - low[1]) / side / 2)))
    letters = [[" "] * _WIDE for _ in range(tall)]
    upside = cells is not None and cells[3]

    def put(place: Any, letter: str) -> None:
        x = int((place[0] - low[0]) / (high[0] - low[0]) * _WIDE)
        y = int((place[1] - low[1]) / (high[1] - low[1]) * tall)
        if 0 <= x <= _WIDE and 0 <= y <= tall:
            row = min(y, tall - 1)
            letters[row if upside else tall - 1 - row][min(x, _WIDE - 1)] = letter

    for left, bottom, wide, high_ in _walls(cells):
        for x in np.arange(left + side / 2, left + wide, side / 2):
            for y in np.arange(bottom + side / 2, bottom + high_, side / 2):
                put((x, y), "#")
    for way in ways:
        for place in way:
            put(place, "*")
    for i, place in enumerate(subgoals, 1):
        put(place, str(i % 10))
    edge = "+" + "-" * _WIDE + "+"
    return "\n".join([edge, *("|" + "".join(row) + "|" for row in letters), edge])


def draw(file: str, box: tuple[Floats, Floats], subgoals: Floats, ways: Sequence[Any], cells: Cells | None) -> str:
    """The file, or letters where there is no matplotlib."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ImportError:
        return in_text(box, subgoals, ways, cells)
    if len(box[0]) != 2:
        return ""
    figure: Any = Figure(figsize=(6, 6 * float((box[1] - box[0])[1] / (box[1] - box[0])[0]) + 0.4), layout="constrained")
    axes = figure.subplots()
    for left, bottom, wide, tall in _walls(cells):
        axes.add_patch(Rectangle((left, bottom), wide, tall, color="0.3", linewidth=0))
    for way in ways:
        axes.plot(*np.transpose(way), color="tab:blue", alpha=0.5, linewidth=1)
    for i, place in enumerate(subgoals, 1):
        axes.plot(*place, "o", color="tab:orange", markersize=14, clip_on=False)
        axes.annotate(str(i), place, ha="center", va="center", annotation_clip=False)
    axes.set_xlim(box[0][0], box[1][0])
    axes.set_ylim(*((box[1][1], box[0][1]) if cells is not None and cells[3] else (box[0][1], box[1][1])))
    axes.set_aspect("equal")
    figure.savefig(file)
    return file
