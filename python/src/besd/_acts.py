"""What people do to a study in a file besides asking and telling. Every act is an event in the file."""

import json
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy.typing as npt

from ._arguments import Floats, doubles, integer, number, scores_of, text, vector
from ._base import INT64_MAX, INT_MAX, StudyBase, id_of, paid, seconds_of
from ._besd import ffi, lib
from ._errors import InvalidError
from ._lock import Lock
from ._looking import time_of
from ._path import Rows, check_ends, told_legs
from ._records import Event, Explanation, Trial, explanation_of
from ._results import Result, theta_of

_AT_ONCE = 1000  # events, because no act can be done while they are read
_LOOK_AGAIN = 0.5


@ffi.def_extern()  # type: ignore[untyped-decorator]
def besd_python_visit(context: Any, event: Any) -> bool:
    """A visitor of besd_study_events, declared in build_ffi.py."""
    found: list[Event] = ffi.from_handle(context)
    detail = ffi.string(event.detail).decode("utf-8", "replace")
    found.append(
        Event(
            id=int(event.id),
            at=time_of(event.at),
            who=ffi.string(event.who).decode("utf-8", "replace"),
            what=ffi.string(event.what).decode(),
            trial=int(event.trial) or None,
            detail=json.loads(detail) if detail else {},
        )
    )
    return len(found) < _AT_ONCE


class Outcome:
    """besd_outcome, and what it points to."""

    def __init__(self, scores: Floats, legs: Any, cost: float | None) -> None:
        spent = paid(cost)
        self._kept = scores, legs, ffi.NULL if spent is None else ffi.new("double *", spent)
        self.pointer = ffi.new(
            "besd_outcome *",
            {"scores": doubles(scores), "count": len(scores), "legs": legs, "cost": self._kept[2]},
        )


class Acts(StudyBase):
    """Part of `Study`."""

    _lock: Lock

    @abstractmethod
    def _call(self, function: Callable[..., int], *arguments: Any) -> int: ...

    def _set_who(self, who: str | None) -> None:
        if who is not None:
            with self._lock:
                self._call(lib.besd_study_set_who, text("who", who))

    def renew(self, trial: Trial | int, lease: float, *, worker: str | None = None) -> None:
        if worker is None and isinstance(trial, Trial):
            worker = trial.worker or None
        name = ffi.NULL if worker is None else text("worker", worker)
        with self._lock:
            self._call(lib.besd_study_renew, id_of(trial), name, ffi.new("double *", seconds_of(lease)))

    def void(self, trial: Trial | int, why: str = "") -> None:
        with self._lock:
            self._call(lib.besd_study_void, id_of(trial), text("why", why))

    def replace(
        self,
        trial: Trial | int,
        scores: npt.ArrayLike,
        *,
        cost: float | None = None,
        legs: Rows | None = None,
        earned: Rows | None = None,
        labels: Sequence[int] | None = None,
        why: str = "",
    ) -> None:
        with self._lock:
            outcome = self._outcome(trial, scores, cost=cost, legs=legs, earned=earned, labels=labels)
            self._call(lib.besd_study_replace, id_of(trial), outcome.pointer, text("why", why))

    def _outcome(
        self, trial: Trial | int, scores: npt.ArrayLike, *, cost: Any, legs: Any, earned: Any, labels: Any
    ) -> Outcome:
        """What came of a trial; the lock must be held."""
        values, told = scores_of("scores", scores), ffi.NULL
        if legs is not None or earned is not None or labels is not None:
            told = told_legs(self, self.trial(id_of(trial)).theta, legs, earned, labels, len(values))
            check_ends(self.theta_path, self.options["direction"], values, legs)
        return Outcome(values, told, cost)

    def restore(self, trial: Trial | int) -> None:
        with self._lock:
            self._call(lib.besd_study_restore, id_of(trial))

    def _add(self, results: list[Result]) -> int:
        array, kept = ffi.new("besd_result[]", len(results)), list[Any]()
        first = ffi.new("int64_t *")
        with self._lock:
            for c, result in zip(array, results, strict=True):
                theta, scores = doubles(result.theta), doubles(result.scores)
                note = ffi.new("char[]", text("note", result.note)) if result.note else ffi.NULL
                c.theta, c.tau, c.scores, c.count = theta, result.tau, scores, len(result.scores)
                c.cost, c.note = result.cost, note
                kept += [theta, scores, note]
                if result.legs is not None or result.earned is not None or result.labels is not None:
                    kept.append(self._legs_of(result))  # what c.legs gives back owns nothing
                    c.legs = kept[-1]
            self._call(lib.besd_study_add, array, len(results), first)
        return int(first[0])

    def _legs_of(self, result: Result) -> Any:
        try:
            return told_legs(self, result.theta, result.legs, result.earned, result.labels, len(result.scores))
        except InvalidError as error:
            raise InvalidError(f"{result.place}: {error}") from None

    def enqueue(
        self,
        theta: npt.ArrayLike | Mapping[str, float],
        tau: int | None = None,
        reps: int | None = None,
        *,
        note: str = "",
    ) -> Trial:
        design: Floats = theta_of(theta, self.names)
        level = 0 if tau is None else integer("tau", tau, 1, INT64_MAX)
        count = 0 if reps is None else integer("reps", reps, 1, INT_MAX)
        found = ffi.new("int64_t *")
        with self._lock:
            self._call(lib.besd_study_enqueue, doubles(design), level, count, text("note", note), found)
            return self.trial(int(found[0]))

    def set_budget(self, budget: float | None) -> None:
        with self._lock:
            self._call(lib.besd_study_set_budget, float("inf") if budget is None else number("budget", budget))

    def tag(self, trial: Trial | int, *tags: str) -> None:
        self._tag(trial, tags, on=True)

    def untag(self, trial: Trial | int, *tags: str) -> None:
        self._tag(trial, tags, on=False)

    def _tag(self, trial: Trial | int, tags: tuple[str, ...], on: bool) -> None:
        with self._lock:
            for tag in tags:
                self._call(lib.besd_study_tag, id_of(trial), text("tag", tag), on)

    def events(self, after: int = 0, *, follow: bool = False) -> Iterator[Event]:
        seen = integer("after", after, 0, INT64_MAX)
        while True:
            found: list[Event] = []
            context = ffi.new_handle(found)
            with self._lock:
                self._call(lib.besd_study_events, seen, lib.besd_python_visit, context)
            yield from found
            seen = found[-1].id if found else seen
            if len(found) < _AT_ONCE:
                if not follow:
                    return
                time.sleep(_LOOK_AGAIN)

    def explain(self) -> tuple[Trial, Explanation] | None:
        newest = None
        for event in self.events():
            if event.what == "asked" and event.detail:
                newest = event
        if newest is None or newest.trial is None:
            return None
        return self.trial(newest.trial), explanation_of(newest.detail)
