"""When a subgoal is reached, by the names of the protocol and of `--set`: reach, cell_size, origin, radius."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import numbers
from ._errors import InvalidError
from ._plan import Cell, Reached, is_number

_WIDTH_OF_THE_PAPER = 10.0  # of a potential, where a cell has side 1


def reaching_of(
    reached: Any, cell_size: npt.ArrayLike | None, origin: npt.ArrayLike | None, radius: float | None
) -> Any:
    """One `Reached` of the four; None: nothing was said."""
    cells = {name: value for name, value in (("cell_size", cell_size), ("origin", origin)) if value is not None}
    if reached is not None and not (isinstance(reached, str) and reached in ("cell", "radius")):
        for name in (*cells, *(() if radius is None else ("radius",))):
            raise InvalidError(f"{name}: expected with reached='cell' or reached='radius', got {reached!r}")
        return reached
    if cells and radius is not None:
        raise InvalidError(f"radius: {next(iter(cells))} goes with reached='cell', and this not; say one of the two")
    if radius is not None:
        if reached == "cell":
            raise InvalidError("radius: it goes with reached='radius', but reached is 'cell'")
        if not is_number(radius) or not 0 < float(radius) < math.inf:
            raise InvalidError(f"radius: expected a number above 0, got {radius!r}")
        return float(radius)
    if reached == "radius":
        if cells:
            raise InvalidError(f"{next(iter(cells))}: it goes with reached='cell', but reached is 'radius'")
        raise InvalidError("radius: expected a number above 0 with reached='radius', got none")
    if not cells:
        return reached
    return Cell(0.0 if origin is None else origin, 1.0 if cell_size is None else cell_size)


def width_for(reached: Reached, dimension: int) -> float:
    """A potential as wide, against the places that subgoals are, as the paper's is on cells of side 1."""
    square: Any = 1.0
    if isinstance(reached, Cell):
        square = np.mean(numbers("cell_size", reached.size) ** 2)
    elif is_number(reached):
        radius: Any = reached
        square = (2 * radius) ** 2 / dimension
    sound = math.isfinite(square) and square > 0  # what is not is refused by its own name
    return _WIDTH_OF_THE_PAPER * (float(square) if sound else 1.0)


def members_of(reached: Any, cell_size: Any, origin: Any, radius: Any, dimension: int) -> dict[str, Any]:
    """The same as members of the protocol's spec."""
    said = reaching_of(reached, cell_size, origin, radius)
    if said is None:
        return {"reach": "cell"}
    if isinstance(said, Cell):
        sides, corner = numbers("cell_size", said.size), numbers("origin", said.origin)
        if sides.shape != () and (sides != sides.flat[0]).any():
            raise InvalidError(f"cell_size: expected one number for all coordinates, got {said.size!r}")
        if corner.shape not in ((), (dimension,)):
            raise InvalidError(f"origin: expected {dimension} numbers, got {said.origin!r}")
        return {
            "reach": "cell",
            "cell_size": float(sides.flat[0]),
            "origin": np.broadcast_to(corner, (dimension,)).tolist(),
        }
    if is_number(said):
        return {"reach": "radius", "radius": float(said)}
    if isinstance(said, str):
        return {"reach": said}
    raise InvalidError(f"reached: expected 'cell', 'cross', a radius or a besd.Cell, got {said!r}; a function stays here")
