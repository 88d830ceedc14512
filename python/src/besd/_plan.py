"""A design as a plan: K subgoals in strict order, what is paid on the way, and when each is reached (paper
section 3.2). What the wrappers of one environment and of many share.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._arguments import Floats, integer, number, numbers
from ._errors import InvalidError

Completes = Callable[[Floats, Floats, Floats], bool]
_Place = Sequence[float]
_Test = Callable[[_Place, _Place, int], bool]
_TestMany = Callable[[Floats, Floats, npt.NDArray[np.intp]], npt.NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Cell:
    """A subgoal is reached by a move that ends in its cell: boxes of this size, one of which begins at the
    origin. Both are one number, or one for each coordinate."""

    origin: npt.ArrayLike = 0.0
    size: npt.ArrayLike = 1.0


Reached = Literal["cell", "cross", "radius"] | float | Cell | Completes

_SLACK = 1e-9  # of a cell: a box of 0.6 has three cells of 0.2, although 0.6 / 0.2 is not quite 3


def finite_number(name: str, value: Any, low: float, high: float, what: str) -> float:
    found = number(name, value)
    if not low <= found <= high:
        raise InvalidError(f"{name}: expected {what}, got {found:g}")
    return found


def is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, float, np.number))


def _spread(name: str, value: npt.ArrayLike, dimension: int) -> Floats:
    array = numbers(name, value)
    if array.shape not in ((), (dimension,)) or not np.isfinite(array).all():
        raise InvalidError(f"{name}: expected one finite number or {dimension} of them, got {value!r}")
    return np.broadcast_to(array, (dimension,)).astype(np.float64)


class Plan:
    """Checked once; used at every step."""

    def __init__(
        self, targets: Floats, reached: Reached, height: float, width: float, gamma: float, upper: Floats | None
    ) -> None:
        """upper: of the box of subgoals, where a coordinate on the border belongs to the last cell."""
        biggest = float(np.finfo(np.float64).max)
        self.targets = targets
        self.count, self.dimension = targets.shape
        self.height = finite_number("height", height, -biggest, biggest, "a finite number")
        self.width = finite_number("width", width, float(np.nextafter(0, 1)), biggest, "a number above 0")
        self.gamma = finite_number("gamma", gamma, 0, 1, "a number in [0, 1]")
        self._rows: list[list[float]] = targets.tolist()
        self._made_of = targets, reached, height, width, gamma, upper
        self.completes, self.completed = self._rule(reached, upper)

    def __reduce__(self) -> Any:
        return type(self), self._made_of

    def potential(self, place: _Place, stage: int) -> float:
        """Phi of the subgoal that is looked for at this stage, which must exist."""
        distance = math.dist(place, self._rows[stage])
        return self.height * math.exp(-0.5 * distance * distance / self.width)

    def potentials(self, places: Floats, stages: npt.NDArray[np.intp]) -> Floats:
        """The same for many, and 0 at the last stage."""
        if self.count == 0:
            return np.zeros(len(places))
        differences = places - self.targets[np.minimum(stages, self.count - 1)]
        squares = np.einsum("ij,ij->i", differences, differences)
        return np.where(stages < self.count, self.height * np.exp(-0.5 * squares / self.width), 0.0)

    def _rule(self, reached: Reached, upper: Floats | None) -> tuple[_Test, _TestMany]:
        if isinstance(reached, Cell):
            return self._cell(reached, upper) if self.count else self._radius(1.0)  # nothing to reach
        if isinstance(reached, str):
            if reached == "cell":
                return self._cell(Cell(), upper)
            if reached == "cross":
                return self._cross()
        elif callable(reached):
            return self._own(reached)
        elif is_number(reached):
            return self._radius(float(reached))
        near = get_close_matches(reached, ("cell", "cross", "radius"), 1) if isinstance(reached, str) else []
        raise InvalidError(
            f"reached: expected 'cell', 'cross', 'radius', a radius, a besd.Cell or a function, got {reached!r}"
            + "".join(f"; did you mean {name!r}?" for name in near)
        )

    def _cell(self, cell: Cell, upper: Floats | None) -> tuple[_Test, _TestMany]:
        origin, size = _spread("origin", cell.origin, self.dimension), _spread("size", cell.size, self.dimension)
        if not (size > 0).all():
            raise InvalidError(f"size: expected a cell larger than 0, got {cell.size!r}")
        cells, beyond = np.floor((self.targets - origin) / size), self.targets
        if upper is not None:
            last = np.ceil((upper - origin) / size - _SLACK) - 1
            cells = np.minimum(cells, last)
            beyond = np.where(cells == last, upper, self.targets)  # an agent that is stopped there is in the last
        low = np.minimum(origin + cells * size, self.targets)
        high = np.maximum(origin + (cells + 1) * size, np.nextafter(beyond, np.inf))
        rows = [list(zip(l, h, strict=True)) for l, h in zip(low.tolist(), high.tolist(), strict=True)]

        def test(before: _Place, after: _Place, stage: int) -> bool:
            for x, (begin, end) in zip(after, rows[stage]):  # noqa: B905
                if not begin <= x < end:
                    return False
            return True

        def test_many(before: Floats, after: Floats, stages: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
            return np.asarray(((low[stages] <= after) & (after < high[stages])).all(axis=1))

        return test, test_many

    def _cross(self) -> tuple[_Test, _TestMany]:
        if self.count and self.dimension != 1:
            raise InvalidError("reached: 'cross' needs positions of one coordinate")

        def test(before: _Place, after: _Place, stage: int) -> bool:
            return min(before[0], after[0]) <= self._rows[stage][0] <= max(before[0], after[0])

        def test_many(before: Floats, after: Floats, stages: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
            targets = self.targets[stages]
            return np.asarray(((before - targets) * (after - targets) <= 0).all(axis=1))

        return test, test_many

    def _radius(self, radius: float) -> tuple[_Test, _TestMany]:
        if not 0 < radius < math.inf:
            raise InvalidError(f"reached: expected a radius above 0, got {radius:g}")

        most = radius * radius

        def test(before: _Place, after: _Place, stage: int) -> bool:
            squares = 0.0
            for x, target in zip(after, self._rows[stage]):  # noqa: B905
                squares += (x - target) * (x - target)
            return squares <= most

        def test_many(before: Floats, after: Floats, stages: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
            differences = after - self.targets[stages]
            return np.asarray((differences * differences).sum(axis=1) <= most)

        return test, test_many

    def _own(self, reached: Completes) -> tuple[_Test, _TestMany]:
        def test(before: _Place, after: _Place, stage: int) -> bool:
            return bool(reached(np.array(before), np.array(after), self.targets[stage]))

        def test_many(before: Floats, after: Floats, stages: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
            return np.array(
                [bool(reached(b, a, t)) for b, a, t in zip(before, after, self.targets[stages], strict=True)], np.bool_
            )

        return test, test_many


def targets_of(subgoals: npt.ArrayLike, count: int | None, box: tuple[Floats, Floats] | None) -> Floats:
    """K rows. The positions of a besd domain have a known width, and lie in its box."""
    targets = numbers("subgoals", subgoals)
    if targets.size == 0 and not count:
        return np.zeros((0, len(box[0]) if box else 1))
    if targets.ndim == 1:
        targets = _rows(targets, count, None if box is None else len(box[0]))
    if targets.ndim != 2 or targets.shape[1] == 0:
        raise InvalidError(
            f"subgoals: expected one row per subgoal, got an array of shape {targets.shape}; "
            "with count=K the theta of a trial will do"
        )
    if count is not None and len(targets) != integer("count", count, 0, 10**6):
        raise InvalidError(f"subgoals: expected {count} rows, got {len(targets)}")
    if not np.isfinite(targets).all():
        raise InvalidError("subgoals: expected finite numbers")
    if box is not None:
        _check_box(targets, *box)
    return targets.copy()


def _rows(theta: Floats, count: int | None, width: int | None) -> Floats:
    if width is not None:
        if theta.size % width:
            raise InvalidError(f"subgoals: expected positions of {width} numbers, got {theta.size} numbers")
        return theta.reshape(-1, width)
    if count is None:
        return theta  # refused: nobody says how long a row is
    rows = integer("count", count, 1, 10**6)
    if theta.size % rows:
        raise InvalidError(f"subgoals: expected {rows} positions of equal length, got {theta.size} numbers")
    return theta.reshape(rows, -1)


def _check_box(targets: Floats, low: Floats, high: Floats) -> None:
    if targets.shape[1] != len(low):
        raise InvalidError(f"subgoals: expected positions of {len(low)} numbers, got {targets.shape[1]}")
    outside = (targets < low) | (targets > high)
    if outside.any():
        raise InvalidError(
            f"subgoals: expected positions from {low} to {high}, got {targets[outside.any(axis=1)][0]}"
        )
