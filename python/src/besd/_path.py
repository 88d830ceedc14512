"""Designs that are paths, and what replications say of their legs: besd/besd.h for Python."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Floats, doubles, integer, integers, number, vector
from ._besd import ffi, lib
from ._errors import InvalidError

Row = Sequence[float | None] | Floats | None
"""A time for every point and one for the end; None: it was not reached. None instead: nothing is known."""
Rows = Sequence[Row] | Floats

_UNKNOWN = -math.inf  # of a first leg


def _place(name: str, value: Any, coordinates: int) -> tuple[float, ...] | None:
    return None if value is None else tuple(vector(name, value, coordinates).tolist())


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Says that theta is a path: points of a space that are visited one after the other."""

    points: int
    """theta is points * coordinates numbers, point after point."""
    cap: float
    """A replication ends at this time, with or without success."""
    coordinates: int = 2
    cell: float = 0.0
    """Points in one cube of this side count as the same; 0: none do."""
    origin: Sequence[float] | None = None
    """A corner of one of the cubes; None: all coordinates 0."""
    from_: Sequence[float] | None = None
    """Where it starts; None: not known, or not fixed."""
    to: Sequence[float] | None = None
    fewest: int | None = None
    """The number of points is to be chosen, from so many up: a point in the cell of the one before it, or in its
    very place, is none. None: all points are visited."""
    price: float = 0.0
    """By so much a score is worse, to the study, for every point that is visited."""
    labels: int | None = None
    """The kinds of instances that replications are labelled with, such as 2 for a key left or right; None: they are
    not labelled."""

    def __post_init__(self) -> None:
        def settle(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        most = int(lib.BESD_MAX_DIMENSION)
        settle("points", integer("points", self.points, 1, most))
        settle("coordinates", integer("coordinates", self.coordinates, 1, int(lib.BESD_MAX_COORDINATES)))
        for name in ("cap", "cell", "price"):
            settle(name, number(name, getattr(self, name)))
        if self.fewest is not None:
            settle("fewest", integer("fewest", self.fewest, 1, self.points))
        if self.labels is not None:
            settle("labels", integer("labels", self.labels, 2, int(lib.BESD_MAX_LABELS)))
        for name in ("from_", "to", "origin"):
            settle(name, _place(name, getattr(self, name), self.coordinates))


def declare(call: Callable[..., int], path: Any) -> None:
    """Makes theta of a study this path."""
    if not isinstance(path, Path):
        raise TypeError(f"theta_path: expected a besd.Path, got {type(path).__name__}")
    p = ffi.new("besd_path *")
    lib.besd_path_fill(p)
    p.points, p.coordinates, p.cell, p.cap = path.points, path.coordinates, path.cell, path.cap
    p.fewest, p.price, p.labels = path.fewest or 0, path.price, path.labels or 0
    for i in range(path.coordinates):
        if path.from_ is not None:
            _from(p)[i] = path.from_[i]
        if path.to is not None:
            p.to[i] = path.to[i]
        if path.origin is not None:
            p.origin[i] = path.origin[i]
    call(lib.besd_study_set_path, p)


def declared(handle: Any) -> Path | None:
    """The path that theta of a study is."""
    p = ffi.new("besd_path *")
    lib.besd_study_get_path(handle, p)
    if not p.points:
        return None

    def place(numbers: Any) -> tuple[float, ...] | None:
        known = tuple(float(numbers[i]) for i in range(p.coordinates))
        return None if any(map(math.isnan, known)) else known

    return Path(
        points=p.points,
        cap=p.cap,
        coordinates=p.coordinates,
        cell=p.cell,
        origin=place(p.origin) if any(p.origin) else None,
        from_=place(_from(p)),
        to=place(p.to),
        fewest=p.fewest or None,
        price=p.price,
        labels=p.labels or None,
    )


def _from(p: Any) -> Any:
    return getattr(p, "from")  # a word of Python's


def visited(handle: Any, theta: Floats, most: int) -> list[int]:
    """The numbers of the points that are visited, from 0."""
    indices = ffi.new("size_t[]", most)
    count = lib.besd_study_visited(handle, doubles(theta), indices)
    return [int(indices[i]) for i in range(count)]


def _rows(name: str, value: Any, reps: int, lengths: Sequence[int]) -> list[list[float] | None]:
    """One list of numbers for every replication, nan where there is none; all of one of these lengths."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name}: expected a list for every replication, got {type(value).__name__}")
    given = list(value)
    if len(given) != reps:
        raise InvalidError(f"{name}: expected {reps} lists, one for every replication, got {len(given)}")
    rows: list[list[float] | None] = []
    for i, row in enumerate(given):
        if row is None:
            rows.append(None)
            continue
        if isinstance(row, (str, bytes)) or not hasattr(row, "__iter__"):
            raise TypeError(f"{name}[{i}]: expected a list or None, got {type(row).__name__}")
        rows.append([math.nan if x is None else number(f"{name}[{i}][{k}]", x) for k, x in enumerate(row)])
    length = next((len(row) for row in rows if row is not None and len(row) in lengths), lengths[0])
    for i, row in enumerate(rows):
        if row is not None and len(row) != length:
            raise InvalidError(f"{name}[{i}]: expected {length} numbers, for every point and the end, got {len(row)}")
    return rows


def _spread(row: list[float], seen: list[int], points: int, *, repeat: bool) -> list[float]:
    """All points, from those that are visited: another is reached with the one before it, and earns nothing."""
    if len(row) == points + 1:
        return row
    known = dict(zip(seen, row, strict=False))
    full: list[float] = []
    for k in range(points):
        full.append(known.get(k, full[-1] if repeat and full else 0.0))
    return [*full, row[-1]]


def _labels(value: Any, most: int | None, reps: int) -> list[int]:
    """One for every replication; all 0 where there are none."""
    if value is None and most is None:
        return [0] * reps
    if most is None:
        raise InvalidError("labels: the path of this study has none; create it with besd.Path(labels=...)")
    if value is None:
        raise InvalidError(f"labels: expected that of every replication beside legs, because the path has {most}")
    given = integers("labels", value, 0, most - 1)
    if len(given) != reps:
        raise InvalidError(f"labels: expected {reps}, one for every replication, got {len(given)}")
    return given


def told_legs(
    study: Any, theta: Floats, legs: Rows | None, earned: Rows | None, labels: Any, reps: int
) -> Any:
    """Legs of a design for besd_outcome; study: a `Study`, whose lock is held."""
    path: Path | None = study.theta_path
    if path is None:
        raise InvalidError("legs: theta of this study is no path; create it with theta_path=besd.Path(...)")
    if legs is None:
        raise InvalidError(f"{'labels' if earned is None else 'earned'}: it belongs to legs, which are missing")
    if earned is None and study.options["direction"] == "maximize":
        raise InvalidError("earned: expected what every leg earned beside legs, because the study maximises")
    seen = visited(study._alive(), theta, path.points)
    lengths = (len(seen) + 1, path.points + 1)
    times = _rows("legs", legs, reps, lengths)
    gains: list[list[float] | None] = [None] * reps if earned is None else _rows("earned", earned, reps, lengths)
    kinds = _labels(labels, path.labels, reps)
    array = ffi.new("besd_leg[]", reps * (path.points + 1))
    for i, (row, gain) in enumerate(zip(times, gains, strict=True)):
        first = i * (path.points + 1)
        if row is None and gain is not None:
            raise InvalidError(f"earned[{i}]: expected None, as in legs, got a list")
        reached = [_UNKNOWN] + [math.nan] * path.points if row is None else _spread(row, seen, path.points, repeat=True)
        if row is not None and any(map(math.isinf, row)):
            raise InvalidError(f"legs[{i}]: expected finite times, got {row}; None says that a point was not reached")
        worth = [math.nan] * len(reached) if gain is None else _spread(gain, seen, path.points, repeat=False)
        for k in range(path.points + 1):
            array[first + k].reached, array[first + k].earned = reached[k], worth[k]
            array[first + k].label = kinds[i]
    return array


def check_ends(path: Path | None, direction: str, scores: Floats, legs: Any) -> None:
    """Minimised scores are taken for times: one of a replication that never arrived cannot be below the cap, and one that
    did cannot be at the cap."""
    if path is None or direction != "minimize" or legs is None:
        return
    for i, (score, row) in enumerate(zip(scores, legs, strict=False)):
        if row is None or not hasattr(row, "__len__") or len(row) == 0:
            continue
        end, times = row[-1], [x for x in row if x is not None and not math.isnan(x)]
        if times != sorted(times) or any(not 0 <= x <= path.cap for x in times):
            continue  # the library says what is wrong with them
        arrived = end is not None and not math.isnan(end)
        if arrived and end < path.cap <= score:
            raise InvalidError(f"legs[{i}]: they say that the end was reached at {end:g}, but the score is {score:g}, the cap")
        if not arrived and score < path.cap and times:
            raise InvalidError(
                f"legs[{i}]: they say that the end was not reached, but the score is {score:g}, less than the cap of {path.cap:g}"
            )


def _legs_of(study: Any, trial_id: int, points: int) -> tuple[Any, range]:
    """The legs of a trial, and where those of every replication begin."""
    capacity = len(study.trial(trial_id).scores) * (points + 1)
    array, count = ffi.new("besd_leg[]", capacity + 1), ffi.new("size_t *")
    study._call(lib.besd_study_legs, trial_id, array, capacity, count)
    return array, range(0, count[0], points + 1)


def shown_labels(study: Any, trial_id: int) -> list[int] | None:
    """What was told; None: nothing was."""
    path: Path | None = study.theta_path
    if path is None or path.labels is None:
        return None
    array, firsts = _legs_of(study, trial_id, path.points)
    return [int(array[first].label) for first in firsts] or None


def shown_legs(study: Any, trial_id: int, *, earned: bool) -> list[list[float | None] | None] | None:
    """What was told, in the shape in which it is told; None: nothing was."""
    path: Path | None = study.theta_path
    if path is None:
        return None
    array, firsts = _legs_of(study, trial_id, path.points)
    if not firsts:
        return None
    rows: list[list[float | None] | None] = []
    for first in firsts:
        numbers = [array[first + k].earned if earned else array[first + k].reached for k in range(path.points + 1)]
        unknown = array[first].reached == _UNKNOWN
        rows.append(None if unknown else [None if math.isnan(x) else float(x) for x in numbers])
    return rows


def points_of(study: Any, theta: npt.ArrayLike) -> Floats:
    """The points of a design that are visited, one in a row."""
    path: Path | None = study.theta_path
    if path is None:
        raise InvalidError("theta_path: theta of this study is no path")
    design = vector("theta", theta, path.points * path.coordinates)
    return np.array(design.reshape(path.points, -1)[visited(study._alive(), design, path.points)])


class EpisodeLegs:
    """The legs of one test episode, noted step by step.

    >>> legs = EpisodeLegs(points=2)
    >>> legs.step(stage=0)             # on the way to the first point
    >>> legs.step(stage=1, reward=1)   # there
    >>> legs.step(stage=1, success=True)  # the end came on the way to the second
    >>> legs.times, legs.earned
    ([2.0, None, 3.0], [1.0, 0.0, 0.0])
    """

    def __init__(self, points: int) -> None:
        self._times: list[float | None] = [None] * (points + 1)
        self._earned = [0.0] * (points + 1)
        self._stage = 0
        self._steps = 0

    def step(self, stage: int, reward: float = 0.0, success: bool = False) -> None:
        """After a step of the episode: how many points have been reached so far, what the step earned, and whether
        the episode succeeded with it."""
        self._steps += 1
        self._earned[self._stage] += float(reward)
        if not self._stage <= stage < len(self._times):
            raise InvalidError(f"stage: expected {self._stage} to {len(self._times) - 1} points, got {stage}")
        for point in range(self._stage, stage):
            self._times[point] = float(self._steps)
        self._stage = stage
        if success and self._times[-1] is None:
            self._times[-1] = float(self._steps)

    @property
    def times(self) -> list[float | None]:
        """A row of `legs`."""
        return list(self._times)

    @property
    def earned(self) -> list[float]:
        """A row of `earned`."""
        return list(self._earned)
