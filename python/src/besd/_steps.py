"""The steps of a run, which `Study.optimize` and the integrations take: the next trial, and what became of it.

Of a study in a file or in memory they are besd/run.h's: claims, left-overs, failures and waiting for others are decided
there, as for `besd run`. Over the network the service and its leases decide who has which trial (`RemoteSteps`).
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ._besd import ffi, lib
from ._errors import InvalidError, check

if TYPE_CHECKING:
    from ._base import StudyBase
    from ._records import Trial
    from ._study import Study

_log = logging.getLogger("besd")


class Claims(Protocol):
    """Which trials this object trains; others leave them alone."""

    def take(self, trial: int) -> bool:
        """False when somebody else has it."""
        ...

    def release(self, trial: int) -> None: ...

    def close(self) -> None: ...


class StudyClaims:
    """besd_claims of a study."""

    def __init__(self, study: "Study") -> None:
        self._study = study
        handle, error = ffi.new("besd_claims **"), ffi.new("besd_error *")
        with study._lock:
            check(lib.besd_claims_open(handle, study._alive(), error), error)
        self._handle = handle[0]

    def take(self, trial: int) -> bool:
        with self._study._lock:
            return bool(lib.besd_claims_take(self._handle, trial))

    def release(self, trial: int) -> None:
        with self._study._lock:
            lib.besd_claims_leave(self._handle, trial)

    def close(self) -> None:
        self._handle = _closed(self._study, lib.besd_claims_close, self._handle)


def _closed(study: "Study", close: Callable[[Any], None], handle: Any) -> Any:
    """Closes what belongs to a study; the claims of one in memory have gone with it."""
    if study._lock.is_here and (study.path is not None or study._handle is not None):
        with study._lock:
            close(handle)
    return ffi.NULL


class Settled(Protocol):
    """How a trial ended for this run."""

    verdict: str  # told, failed, kept
    why: str  # it failed
    hopeless: bool  # too many failures in a row
    in_a_row: int


class _Settled:
    def __init__(self, verdict: str, why: str = "", hopeless: bool = False, in_a_row: int = 0) -> None:
        self.verdict, self.why, self.hopeless, self.in_a_row = verdict, why, hopeless, in_a_row


class Steps(Protocol):
    others: int
    """How many trials other runs train, when `next` has looked last."""

    def next(self) -> "Trial | None":
        """What to train now; None: nothing, unless one of the others ends."""
        ...

    def tell(self, trial: "Trial", scores: Any, **told: Any) -> Settled: ...

    def fail(self, trial: "Trial", note: str) -> Settled: ...

    def give_back(self, trial: "Trial") -> None: ...

    def close(self) -> None: ...


class StudySteps:
    """besd_run of a study."""

    def __init__(
        self, study: "Study", *, worker: str | None, lease: float | None, resume: bool, most: int | None, failures: int
    ) -> None:
        self._study, self.others = study, 0
        self._ended = most == 0
        options = ffi.new("besd_run_options *")
        lib.besd_run_options_fill(options, ffi.sizeof("besd_run_options"))
        self._worker = ffi.NULL if worker is None else ffi.new("char[]", worker.encode())
        options.worker = self._worker
        seconds = ffi.NULL if lease is None else ffi.new("double *", lease)
        options.lease = seconds
        options.most_trials = most or 0
        options.most_failures, options.most_alike = failures, lib.BESD_RUN_MOST_ALIKE
        options.leave_old = not resume
        handle, error = ffi.new("besd_run **"), ffi.new("besd_error *")
        with study._lock:
            check(lib.besd_run_open(handle, study._alive(), options, error), error)
        self._handle = handle[0]

    def next(self) -> "Trial | None":
        t, others, error = ffi.new("besd_trial *"), ffi.new("int64_t *"), ffi.new("besd_error *")
        with self._study._lock:
            self._study._alive()
            if self._ended or self._look().end == lib.BESD_RUN_ENOUGH:
                self.others = 0
                return None
            done = check(lib.besd_run_next(self._handle, t, others, error), error)
            self.others = others[0]
            self._study._stop_message = ffi.string(error.message).decode() if done else None
            return None if done else self._study._trial(t, with_scores=False)

    def _look(self) -> Any:
        result = ffi.new("besd_run_result *")
        lib.besd_run_look(self._handle, 1, result)  # places: the limit is given
        return result

    def _settle(self, training: Any) -> _Settled:
        verdict, error = ffi.new("besd_run_verdict *"), ffi.new("besd_error *")
        with self._study._lock:
            self._study._alive()
            check(lib.besd_run_settle(self._handle, training, verdict, error), error)
            now = self._look()
        name = {lib.BESD_RUN_TOLD: "told", lib.BESD_RUN_FAILED: "failed"}.get(verdict[0], "kept")
        why = ffi.string(now.why).decode("utf-8", "replace") if name == "failed" else ""
        return _Settled(name, why, now.end == lib.BESD_RUN_HOPELESS, now.failed_in_a_row)

    def tell(self, trial: "Trial", scores: Any, **told: Any) -> _Settled:
        note = told.pop("note", "")
        with self._study._lock:
            outcome = self._study._outcome(trial, scores, **told)
            text = ffi.new("char[]", note.encode())
            training = ffi.new(
                "besd_training *", {"trial": trial.id, "outcome": outcome.pointer[0], "note": text}
            )
            return self._settle(training)

    def fail(self, trial: "Trial", note: str) -> _Settled:
        text = ffi.new("char[]", note.encode())
        end = lib.BESD_TRAINING_FAILED
        return self._settle(ffi.new("besd_training *", {"trial": trial.id, "end": end, "note": text}))

    def give_back(self, trial: "Trial") -> None:
        with self._study._lock:
            lib.besd_run_give_back(self._handle, trial.id)

    def close(self) -> None:
        self._handle = _closed(self._study, lib.besd_run_close, self._handle)


class RemoteClaims:
    """What this object trains; what others do is known by their leases."""

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def take(self, trial: int) -> bool:
        known = trial in self._taken
        self._taken.add(trial)
        return not known

    def release(self, trial: int) -> None:
        self._taken.discard(trial)

    def close(self) -> None:
        self._taken.clear()


class RemoteSteps:
    """The same over the network: first the worker's own trials, while their leases can be renewed, then new ones."""

    others = 0

    def __init__(
        self, study: "StudyBase", *, worker: str | None, lease: float | None, resume: bool, most: int | None, failures: int
    ) -> None:
        self._study, self._worker, self._lease, self._left = study, worker, lease, most
        self._most, self._failed, self._alike, self._told, self._last = failures, 0, 0, False, ""
        self._begun_before = [t for t in study.trials("asked") if self._is_own(t)] if resume else []

    def _is_own(self, trial: "Trial") -> bool:
        return trial.worker == self._worker if self._worker else not trial.worker and trial.lease_until is None

    def next(self) -> "Trial | None":
        if self._left == 0:
            return None
        trial = self._resumed() or self._study.ask(worker=self._worker, lease=self._lease)
        if trial is not None and self._left is not None:
            self._left -= 1
        return trial

    def _resumed(self) -> "Trial | None":
        while self._begun_before:
            trial = self._begun_before.pop(0)
            if self._study.trial(trial.id).state == "asked" and self._is_still_ours(trial):
                return trial
        return None

    def _is_still_ours(self, trial: "Trial") -> bool:
        """Of a lease that has ended an ask decides who is next."""
        if self._worker is None:
            return True
        try:
            self._study.renew(trial, float("inf") if self._lease is None else self._lease, worker=self._worker)
        except InvalidError:
            return False
        return True

    def tell(self, trial: "Trial", scores: Any, **told: Any) -> _Settled:
        note = told.pop("note", "")
        try:
            self._study.tell(trial, scores, **told)
        except InvalidError as error:
            return self.fail(trial, str(error))
        if note:
            self._study.set_trial_note(trial, note)
        self._told, self._failed = True, 0
        return _Settled("told")

    def fail(self, trial: "Trial", note: str) -> _Settled:
        if self._study.trial(trial.id).state in ("told", "voided"):
            return _Settled("kept")
        self._study.fail(trial, note)
        reason = note.replace(f"trial {trial.id} ", "trial ")
        self._alike = self._alike + 1 if reason == self._last else 1
        self._last, self._failed = reason, self._failed + 1
        hopeless = self._failed >= self._most or (self._alike >= lib.BESD_RUN_MOST_ALIKE and not self._told)
        return _Settled("failed", note, hopeless, self._failed)

    def give_back(self, trial: "Trial") -> None:
        pass

    def close(self) -> None:
        pass
