"""What an agent sees of the environment and of its stage, the number of subgoals that it has completed: three
ways to put the two together, for one observation and for a batch.
"""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._errors import InvalidError
from ._flatten import Flattener, numeric

Flatten = bool | Literal["dict"]
StageForm = Literal["index", "one-hot"]

_Stages = npt.NDArray[np.intp]


class Nested:
    """{"observation": as it came, "subgoal": the stage}."""

    def __init__(self, space: spaces.Space[Any], count: int, form: StageForm) -> None:
        self._unit = np.eye(count + 1, dtype=np.float32) if form == "one-hot" else None
        self.space: spaces.Space[Any] = spaces.Dict({"observation": space, "subgoal": self._stages(count)})

    def _stages(self, count: int) -> spaces.Space[Any]:
        if self._unit is None:
            return spaces.Discrete(count + 1)
        return spaces.Box(0, 1, (count + 1,), np.float32)

    def _stage(self, stage: Any) -> Any:
        return stage if self._unit is None else self._unit[stage].copy()  # no row of the table itself

    def one(self, observation: Any, stage: int) -> Any:
        return {"observation": observation, "subgoal": self._stage(stage)}

    def many(self, observations: Any, stages: _Stages) -> Any:
        return {"observation": observations, "subgoal": self._stage(stages.copy())}


class FlatDict(Nested):
    """The members of the observation, and "subgoal" beside them."""

    def __init__(self, space: spaces.Space[Any], count: int, form: StageForm) -> None:
        super().__init__(space, count, form)
        kept = numeric(space)
        if kept is None:
            raise InvalidError(f"flatten: expected an observation with numbers, got {space}")
        parts: Any = kept
        self._keys: list[str] | None = list(parts.keys()) if isinstance(kept, spaces.Dict) else None
        members: dict[str, Any] = {"observation": kept} if self._keys is None else dict(parts.items())
        if "subgoal" in members:
            raise InvalidError("flatten: expected an observation without 'subgoal', which is the stage; got one with it")
        self.space = spaces.Dict({**members, "subgoal": self._stages(count)})

    def _members(self, observation: Any) -> dict[str, Any]:
        if self._keys is None:
            return {"observation": observation}
        return {key: observation[key] for key in self._keys}

    def one(self, observation: Any, stage: int) -> Any:
        return {**self._members(observation), "subgoal": self._stage(stage)}

    def many(self, observations: Any, stages: _Stages) -> Any:
        return {**self._members(observations), "subgoal": self._stage(stages.copy())}


class Flat:
    """One row of numbers, the stage last."""

    def __init__(self, space: spaces.Space[Any], count: int, form: StageForm) -> None:
        self._flattener = Flattener(space)
        self._at = self._flattener.size
        self._one_hot = form == "one-hot"
        self._size = self._at + (count + 1 if self._one_hot else 1)
        low = np.concatenate([self._flattener.low, np.zeros(self._size - self._at, np.float32)])
        last = np.full(self._size - self._at, 1 if self._one_hot else count, np.float32)
        self.space: spaces.Space[Any] = spaces.Box(low, np.concatenate([self._flattener.high, last]), dtype=np.float32)

    def one(self, observation: Any, stage: int) -> Any:
        row = np.zeros(self._size, np.float32)
        self._flattener.put(observation, row)
        if self._one_hot:
            row[self._at + stage] = 1
        else:
            row[self._at] = stage
        return row

    def many(self, observations: Any, stages: _Stages) -> Any:
        rows = np.zeros((len(stages), self._size), np.float32)
        self._flattener.put_many(observations, rows)
        if self._one_hot:
            rows[np.arange(len(stages)), self._at + stages] = 1
        else:
            rows[:, self._at] = stages
        return rows


def staged(space: spaces.Space[Any], count: int, flatten: Any, form: Any) -> Nested | Flat:
    """flatten: False, True or 'dict'; form: None means one-hot in flat observations and an index otherwise."""
    if form is None:
        form = "one-hot" if flatten else "index"
    if form not in ("index", "one-hot"):
        raise InvalidError(f"stage: expected 'index' or 'one-hot', got {form!r}")
    if flatten is False:
        return Nested(space, count, form)
    if flatten is True:
        return Flat(space, count, form)
    if flatten == "dict":
        return FlatDict(space, count, form)
    raise InvalidError(f"flatten: expected True, False or 'dict', got {flatten!r}")
