"""Observations as rows of numbers, as `gymnasium.spaces.flatten` makes them, and several times faster.

Texts are left out: MiniGrid's mission is one, and no network reads it from its letters. What else has no
fixed number of numbers is refused.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._errors import InvalidError

Row = npt.NDArray[np.float32]
_Put = Callable[[Any, Row], None]


def numeric(space: spaces.Space[Any]) -> spaces.Space[Any] | None:
    """The space without its texts; None when nothing is left."""
    if space.dtype is not None and space.dtype.kind == "U":
        return None
    if isinstance(space, spaces.Dict):
        parts: dict[str, spaces.Space[Any]] = dict(cast(Any, space).items())
        members = {key: kept for key, part in parts.items() if (kept := numeric(part)) is not None}
        return spaces.Dict(members) if members else None
    return space


def _leaf(space: spaces.Space[Any], name: str, at: int) -> tuple[int, _Put, _Put]:
    """The end of its numbers, and how one observation and a batch of them are put there."""
    if isinstance(space, spaces.Discrete):
        start, end = at - int(space.start), at + int(space.n)

        def put_one(value: Any, row: Row) -> None:
            row[start + int(value)] = 1

        def put_many(value: Any, rows: Row) -> None:
            rows[np.arange(len(rows)), start + np.asarray(value)] = 1

        return end, put_one, put_many
    if isinstance(space, spaces.MultiDiscrete):
        shape = cast(Any, space)
        sizes: npt.NDArray[np.int64] = np.ravel(shape.nvec).astype(np.int64)
        starts = at + np.concatenate([[0], np.cumsum(sizes)[:-1]]) - np.ravel(shape.start)

        def put_several(value: Any, row: Row) -> None:
            row[starts + np.ravel(value)] = 1

        def put_several_many(value: Any, rows: Row) -> None:
            rows[np.arange(len(rows))[:, None], starts + np.reshape(value, (len(rows), -1))] = 1

        return at + int(sizes.sum()), put_several, put_several_many
    if isinstance(space, (spaces.Box, spaces.MultiBinary)):
        end = at + int(np.prod(space.shape))

        def put_numbers(value: Any, row: Row) -> None:
            row[at:end] = np.asarray(value).reshape(-1)

        def put_numbers_many(value: Any, rows: Row) -> None:
            rows[:, at:end] = np.asarray(value).reshape(len(rows), -1)

        return end, put_numbers, put_numbers_many
    what = " ".join(str(space).split())
    raise InvalidError(f"flatten: expected an observation with a fixed number of numbers, got {what}{name}")


def _branch(space: spaces.Space[Any], name: str, at: int) -> tuple[int, _Put, _Put]:
    if not isinstance(space, (spaces.Dict, spaces.Tuple)):
        return _leaf(space, name, at)
    whole = cast(Any, space)
    keys: list[Any] = list(whole.keys()) if isinstance(space, spaces.Dict) else list(range(len(whole)))
    parts: list[tuple[Any, _Put, _Put]] = []
    for key in keys:
        at, one, many = _branch(whole[key], f" in {key!r}", at)
        parts.append((key, one, many))

    def put_one(value: Any, row: Row) -> None:
        for key, one, _ in parts:
            one(value[key], row)

    def put_many(value: Any, rows: Row) -> None:
        for key, _, many in parts:
            many(value[key], rows)

    return at, put_one, put_many


class Flattener:
    """From observations of a space to `size` numbers."""

    def __init__(self, space: spaces.Space[Any]) -> None:
        kept = numeric(space)
        if kept is None:
            raise InvalidError(f"flatten: expected an observation with numbers, got {space}")
        self.size, self.put, self.put_many = _branch(kept, "", 0)
        flat = cast(Any, spaces).flatten_space(kept)
        self.low: Row = flat.low.astype(np.float32)
        self.high: Row = flat.high.astype(np.float32)
        self._space = space

    def __reduce__(self) -> Any:
        return type(self), (self._space,)
