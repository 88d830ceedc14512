"""Figures of a study, by matplotlib (`pip install besd[plot]`):

>>> besd.plot.best_so_far(study)
>>> besd.plot.slices(study)
>>> besd.plot.paths(study, "gw10")
>>> besd.plot.levers(study)

Each draws into the axes that it is given, or into a new figure, and returns the axes. Colours can be told apart
by those who do not see all of them, and in grey.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from ._errors import InvalidError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._base import StudyBase
    from ._records import Recommendation, Trial

__all__ = ["best_so_far", "levers", "paths", "slices"]

_BLUE, _VERMILLION, _GREY, _PALE = "#0072b2", "#d55e00", "#767676", "#dadada"
_MARKERS = ("o", "^", "x", "s", "D", "v", "P", "*")


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("besd.plot needs matplotlib: pip install besd[plot]") from None
    return pyplot


def _axes(ax: "Axes | None", size: tuple[float, float] = (6.4, 4.0)) -> Any:
    return ax if ax is not None else _pyplot().subplots(figsize=size, layout="constrained")[1]


def _told(study: "StudyBase") -> list["Trial"]:
    told = [t for t in study.trials() if t.state == "told"]
    if not told:
        raise InvalidError("plot: expected a study with told trials, got none")
    return told


def _shades(values: Sequence[Any], name: str = "viridis") -> dict[Any, Any]:
    """A colour for every level, darker for larger ones."""
    from matplotlib import colormaps

    return dict(zip(values, colormaps[name](np.linspace(0.85, 0.1, len(values))), strict=True))


def _plain(axis: Any) -> None:
    """Numbers of a logarithmic axis as people write them, also between powers of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(ScalarFormatter())
    axis.set_minor_formatter(NullFormatter())


def _score_axis(study: "StudyBase", ax: Any) -> None:
    options = study.options
    if options["transform"] == "log":
        ax.set_yscale("log")
        _plain(ax.yaxis)
    ax.set_ylabel("score (less is better)" if options["direction"] == "minimize" else "score")


def _label(study: "StudyBase", i: int) -> str:
    unit = (study.options["units"] or [""] * len(study.names))[i]
    return f"{study.names[i]} ({unit})" if unit else study.names[i]


def _recommended(ax: Any, x: float, r: "Recommendation") -> None:
    """What the recommendation is expected to score, with its 90 % interval."""
    low, high = (r.value - r.low, r.high - r.value) if np.isfinite([r.low, r.high]).all() else (0.0, 0.0)
    ax.errorbar([x], [r.value], [[low], [high]], fmt="D", markersize=5, color=_VERMILLION, capsize=4, zorder=4,
                label="recommendation, 90 %")  # fmt: skip


def best_so_far(study: "StudyBase", ax: "Axes | None" = None) -> "Axes":
    """The mean score of every trial over what had been spent, the best so far at the largest tau, and what is to be
    expected of the recommendation, with its 90 % interval.

    The best so far is a lucky one among many; the recommendation is what the model makes of all.
    """
    told, axis = _told(study), _axes(ax)
    minimize = study.options["direction"] == "minimize"
    ended = sorted((t for t in study.trials() if t.ended is not None), key=lambda t: (t.ended, t.id))
    cost = dict(zip([t.id for t in ended], np.cumsum([t.cost for t in ended]), strict=True))
    taus = sorted({t.tau for t in told})
    colours = _shades(taus)
    for tau in taus:
        at = [t for t in told if t.tau == tau]
        axis.scatter([cost[t.id] for t in at], [t.mean for t in at], s=18, color=colours[tau], label=f"tau {tau}")
    judged = sorted((t for t in told if t.tau == study.tau_max), key=lambda t: cost[t.id])
    if judged:
        best = (np.minimum if minimize else np.maximum).accumulate([t.mean for t in judged])
        x = [cost[t.id] for t in judged] + [max(cost.values())]
        axis.step(x, [*best, best[-1]], where="post", color=_BLUE, linewidth=1.6, label=f"best so far at tau {study.tau_max}")
    _recommended(axis, max(cost.values()) * 1.03, study.recommend())
    failed = [t for t in ended if t.state == "failed"]
    if failed:
        axis.plot([cost[t.id] for t in failed], [0.02] * len(failed), "x", color=_GREY, transform=axis.get_xaxis_transform(),
                label="failed")  # fmt: skip
    _score_axis(study, axis)
    axis.set_xlabel("cost")
    axis.set_xlim(left=0)
    axis.legend(fontsize="small", frameon=False)
    return cast("Axes", axis)


def slices(study: "StudyBase", points: int = 41, axes: "Sequence[Axes] | None" = None) -> "list[Axes]":
    """What a design would score at the largest tau, along each coordinate through the recommendation, with 90 %
    intervals, and the trials at that tau beside it.

    Trials lie elsewhere in the other coordinates: the nearer, the darker.
    """
    told, best, options = _told(study), study.recommend(), study.options
    low, high = options["low"], options["high"]
    count = len(low)
    figure: Any = None
    if axes is None:
        figure, made = _pyplot().subplots(
            1, count, figsize=(max(5.0, min(3.2 * count, 16)), 3.4), sharey=True, squeeze=False, layout="constrained"
        )
        axes = list(made[0])
    if len(axes) != count:
        raise InvalidError(f"axes: expected {count}, one for each coordinate, got {len(axes)}")
    judged = [t for t in told if t.tau == study.tau_max]
    panels: list[Any] = list(axes)
    for i, ax in enumerate(panels):
        x: npt.NDArray[np.float64] = np.unique([*np.linspace(float(low[i]), float(high[i]), points), float(best.theta[i])])
        designs = np.repeat(best.theta[None], len(x), axis=0)
        designs[:, i] = x
        expected = [study.forecast(design) for design in designs]
        ax.fill_between(x, [f.low for f in expected], [f.high for f in expected], color=_PALE, linewidth=0, label="90 %")
        ax.plot(x, [f.value for f in expected], color=_BLUE, label="expected")
        if judged:
            away = np.array([(t.theta - best.theta) / (high - low) for t in judged])
            away[:, i] = 0
            near = np.exp(-4 * np.linalg.norm(away, axis=1))
            ax.scatter([t.theta[i] for t in judged], [t.mean for t in judged], s=16, color="black",
                       alpha=0.15 + 0.85 * near, label="trials", zorder=3)  # fmt: skip
        _recommended(ax, best.theta[i], best)
        ax.set_xlabel(_label(study, i))
        ax.set_xlim(low[i], high[i])
    _score_axis(study, panels[0])
    if options["transform"] != "log":
        panels[0].set_ylim(*_room([t.mean for t in judged] + [best.value, best.low, best.high]))
    if figure is None:
        panels[-1].legend(fontsize="small", frameon=False)
    else:
        figure.legend(*panels[0].get_legend_handles_labels(), fontsize="small", frameon=False, loc="outside lower center",
                      ncols=4)  # fmt: skip
    return panels


def _room(values: Sequence[float]) -> tuple[float, float]:
    """Limits with some space around these; a model may be unsure enough to drown them."""
    finite = [v for v in values if np.isfinite(v)]
    low, high = min(finite), max(finite)
    margin = 0.1 * (high - low or abs(high) or 1.0)
    return low - margin, high + margin


def _walls(ax: Any, domain: str, parameters: dict[str, float], instances: int = 60) -> None:
    """Walls dark where they always are and light where they sometimes are; start blue, goal red; arrows in cells
    that are entered in one direction only."""
    from .domains import DomainEnv

    env = DomainEnv(domain, render_mode="ansi", **parameters)
    seen: list[list[list[str]]] = []
    for i in range(instances):
        env.reset(options={"instance": i})
        seen.append([list(row) for row in env.cells or []])
    cells = np.array(seen)
    height, width = cells.shape[1:]
    for kind, colour in (("#", "0.25"), ("D", "#966a3e"), ("S", "#6baed6"), ("G", "#d63c3c"), ("K", "#f0c83c"), ("T", "#f0c83c")):
        share = (cells == kind).mean(axis=0)
        for y, x in zip(*np.nonzero(share), strict=True):
            ax.add_patch(_pyplot().Rectangle((x, y), 1, 1, facecolor=colour, alpha=0.25 + 0.75 * share[y, x], linewidth=0))
    for kind, arrow in zip("^>V<", "↑→↓←", strict=True):
        for y, x in zip(*np.nonzero((cells == kind).any(axis=0)), strict=True):
            ax.text(x + 0.5, y + 0.5, arrow, ha="center", va="center", color="#3d3575")
    ax.set_xticks(range(0, width + 1, max(1, width // 10)))
    ax.set_yticks(range(0, height + 1, max(1, height // 10)))
    env.close()


def paths(
    study: "StudyBase", domain: str | None = None, ax: "Axes | None" = None, count: int | None = None, **parameters: float
) -> "Axes":
    """Where the trials put their subgoals, light to dark as time goes on, and the path of the recommended ones:
    circle, triangle, cross, ... for the first, second, third, ...

    domain: a built-in grid or a YAML file, whose map is drawn below; parameters are its constants.
    count: of subgoals, when the positions have not two coordinates as they have on maps.
    """
    told, best, options = _told(study), study.recommend(), study.options
    dimension = len(options["low"])
    k = count or dimension // 2
    width = dimension // k if k and dimension % k == 0 else 0
    if width not in (1, 2):
        raise InvalidError(f"count: expected subgoals of one or two coordinates, got {dimension} numbers for {k} subgoals")
    axis = _axes(ax, (5.2, 5.0) if width == 2 else (6.4, 3.2))
    designs = np.array([t.theta for t in told]).reshape(len(told), k, width)
    goals = best.theta.reshape(k, width)
    if domain is not None and width == 2:
        _walls(axis, domain, parameters)
    shade = np.linspace(0.25, 0.9, len(told))
    from matplotlib import colormaps

    colours = colormaps["Greys"](shade)

    def place(positions: npt.NDArray[np.float64], order: Any) -> tuple[Any, Any]:
        return (positions[:, 0], positions[:, 1]) if width == 2 else (order, positions[:, 0])

    order = np.arange(1, len(told) + 1)
    for i in range(k):
        marker = _MARKERS[i % len(_MARKERS)]
        axis.scatter(*place(designs[:, i], order), s=22, c=colours, marker=marker, linewidths=1)
    x, y = place(goals, np.full(k, len(told) + 1))
    axis.plot(x, y, color=_VERMILLION, linewidth=1.5, zorder=4)
    for i in range(k):
        axis.scatter(x[i], y[i], s=90, color=_VERMILLION, marker=_MARKERS[i % len(_MARKERS)], linewidths=2, zorder=5,
                   label=f"subgoal {i + 1}, recommended")  # fmt: skip
    low, high = options["low"], options["high"]
    if width == 2:
        axis.set_xlim(low[::2].min(), high[::2].max())
        axis.set_ylim(low[1::2].min(), high[1::2].max())
        axis.set_aspect("equal")
        axis.set_xlabel("x")
        axis.set_ylabel("y")
    else:
        axis.set_ylim(low.min(), high.max())
        axis.set_xlabel("trial")
        axis.set_ylabel("position")
    axis.legend(fontsize="small", frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=min(k, 3))
    return cast("Axes", axis)


def levers(study: "StudyBase", ax: "Axes | None" = None, bins: int = 10) -> "Axes":
    """Which training lengths and replications the study pays for as cost grows: shares of what was spent. Darker is
    longer; hatched has more replications."""
    told = [t for t in _told(study) if t.reason != "added"]  # what others paid for is no choice of the study
    options = study.options
    pairs = [(tau, reps) for reps in sorted(options["reps"]) for tau in sorted(options["taus"])]
    if not told:
        raise InvalidError("levers: expected trials that the study asked for, got none")
    used = [p for p in pairs if any((t.tau, t.reps) == p for t in told)]
    ends = np.cumsum([t.cost for t in told])
    if not ends[-1] > 0:
        raise InvalidError("levers: expected trials that cost something, got none")
    edges: npt.NDArray[np.float64] = np.linspace(0.0, float(ends[-1]), bins + 1)
    bin_of = np.minimum(np.searchsorted(edges, ends - np.array([t.cost for t in told]) / 2, side="right") - 1, bins - 1)
    share = np.zeros((len(used), bins))
    for t, b in zip(told, bin_of, strict=True):
        share[used.index((t.tau, t.reps)), b] += t.cost
    share /= np.maximum(share.sum(axis=0), 1e-300)
    axis = _axes(ax)
    colours = _shades(sorted(options["taus"]), "cividis")
    hatches = dict(zip(sorted(options["reps"]), ("", "///", "xxx", "...", "\\\\\\", "++"), strict=False))
    below = np.zeros(bins)
    for row, (tau, reps) in zip(share, used, strict=True):
        axis.bar(edges[:-1], row, np.diff(edges), below, align="edge", color=colours[tau], hatch=hatches.get(reps, "oo"),
               edgecolor="white", linewidth=0.5, label=f"tau {tau}, reps {reps}")  # fmt: skip
        below += row
    axis.set_xlim(0, ends[-1])
    axis.set_ylim(0, 1)
    axis.set_xlabel("cost")
    axis.set_ylabel("share of the cost")
    axis.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return cast("Axes", axis)
