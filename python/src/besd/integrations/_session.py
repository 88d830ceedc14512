"""A study that somebody else's loop asks and tells: its trials by the names that the loop has for them."""

import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .._errors import InvalidError
from .._options import Direction, StudyOptions
from .._records import Recommendation, Trial
from .._steps import StudySteps
from .._study import Study

Space = Mapping[str, tuple[float, float]]


class Session:
    """The study is made when it is first needed, because only then the loop knows its direction."""

    def __init__(
        self,
        space: Space,
        taus: Sequence[int],
        reps: Sequence[int],
        path: str | os.PathLike[str] | None,
        options: StudyOptions,
    ) -> None:
        if not space:
            raise InvalidError("space: expected at least one name with its interval, got none")
        self.space = {name: (float(low), float(high)) for name, (low, high) in space.items()}
        self.taus, self.reps, self.options = list(taus), list(reps), options
        self.path = None if path is None else os.path.abspath(path)
        self.under_way: dict[str, Trial] = {}
        self._lock = threading.Lock()
        self._study: Study | None = None
        self._steps: StudySteps | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Without the open study, which is opened again; one in memory cannot be."""
        return {**self.__dict__, "_lock": None, "_study": None, "_steps": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def study(self, direction: Direction | None = None) -> Study:
        if self._study is None:
            if direction is not None:
                self.options = {**self.options, "direction": direction}
            low, high = zip(*self.space.values(), strict=True)
            options: Any = self.options
            self._study = Study.create(self.path, low, high, self.taus, self.reps, names=list(self.space), **options)
        return self._study

    def begin(self, key: str, direction: Direction | None) -> Trial | None:
        """The next trial, known as `key` from here on; None when there is nothing more to do."""
        with self._lock:
            study = self.study(direction)
            if self._steps is None:
                self._steps = study._steps(worker=None, lease=None, resume=True, most=None, failures=1)
            trial = self._steps.next()
            if trial is not None:
                self.under_way[key] = trial
            return trial

    def tell(self, key: str, scores: npt.ArrayLike, cost: float | None = None, note: str = "") -> None:
        """What is refused is recorded as failed, and then raised."""
        trial = self.under_way.pop(key, None)
        if trial is None:
            return
        try:
            self.study().tell(trial, scores, cost=cost)
        except (InvalidError, TypeError) as error:
            self.study().fail(trial, f"{type(error).__name__}: {error}"[:400])
            self._release(trial)
            raise
        self._release(trial)
        if note:
            self.study().set_trial_note(trial, note)

    def fail(self, key: str, note: str) -> None:
        trial = self.under_way.pop(key, None)
        if trial is not None:
            self.study().fail(trial, note.replace("\0", "\ufffd")[:400])
            self._release(trial)

    def _release(self, trial: Trial) -> None:
        if self._steps is not None:
            self._steps.give_back(trial)

    def is_spent(self) -> bool:
        """Can no trial be paid for any more?"""
        o = self.study().options
        cheapest = min(o["taus"]) * min(o["reps"]) * o["interaction_price"] + o["setup_cost"]
        return bool(self.study().spent + cheapest > o["budget"])

    def recommend(self) -> Recommendation:
        return self.study().recommend()


def mean_of(scores: npt.ArrayLike) -> float:
    return float(np.mean(np.asarray(scores, dtype=np.float64)))
