"""The loop of Study.optimize: ask, train somewhere else, tell.

Only the calling thread asks and tells, and a thread for the leases renews those (_leases.py). Trainings run wherever the
crew does (_crew.py).
"""

import inspect
import json
import logging
import re
import time
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ._claims import Claims
from ._crew import Crew, Submits, crew, wait_for_one
from ._errors import InvalidError, TrainError
from ._leases import Leases, own_name
from ._progress import progress as show_progress

if TYPE_CHECKING:
    from ._base import StudyBase
    from ._records import Trial

Train = Callable[["Trial"], Any]

_log = logging.getLogger("besd")


class _Failures:
    """Counts failures in a row and gives up when there are too many: two of a kind before anything
    was told, which is a mistake in the trainer and not bad luck."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0
        self.told = False
        self.last: tuple[type, str] | None = None

    def succeed(self) -> None:
        self.count = 0
        self.told = True

    def add(self, trial: "Trial", error: Exception, where: str) -> None:
        self.count += 1
        kind = type(error), str(error).replace(f"trial {trial.id} ", "trial ")
        again = kind == self.last and not self.told
        self.last = kind
        _log.warning("trial %d failed: %s: %s%s", trial.id, type(error).__name__, error, where)
        _log.debug("trial %d failed", trial.id, exc_info=error)
        if self.count >= self.most or again:
            raise TrainError(
                f"{self.count} trainings in a row failed, the last one of trial {trial.id} with "
                f"{type(error).__name__}: {error}"
            ) from error


class _Result:
    """What a trainer may return: scores, or a mapping that has them, perhaps the cost and legs, and whatever else
    it wants to be kept with the trial."""

    def __init__(self, returned: Any, *, labelled: bool) -> None:
        if returned is None:
            raise TypeError("train: expected scores, got None")
        self.cost: float | None = None
        self.legs: Any = None
        self.earned: Any = None
        self.labels: Any = None
        self.note = ""
        self.scores: Any = returned
        if not isinstance(returned, Mapping):
            return
        answer: dict[str, Any] = {str(key): value for key, value in _items(returned)}
        if "scores" not in answer:
            raise InvalidError(f"train: expected 'scores' and perhaps 'cost', got {sorted(answer)}")
        self.scores, self.cost = answer.pop("scores"), answer.pop("cost", None)
        self.legs, self.earned = answer.pop("legs", None), answer.pop("earned", None)
        if labelled:
            self.labels = answer.pop("labels", None)
        others = answer
        if others.keys() == {"note"} and isinstance(others["note"], str):
            self.note = others["note"]
        elif others:
            self.note = json.dumps(others, default=_plain)


def _items(mapping: Any) -> list[tuple[Any, Any]]:
    return list(mapping.items())


def _plain(value: Any) -> Any:
    """Arrays and tensors as lists, anything else as its text."""
    return value.tolist() if callable(getattr(value, "tolist", None)) else str(value)


def _settle(study: "StudyBase", trial: "Trial", future: Any, workers: Crew, failures: _Failures) -> None:
    """Tells the result of a training, or records that it failed."""
    try:
        returned = future.result()
    except (Exception, SystemExit) as error:
        known = workers.error(future, error) if isinstance(error, Exception) else RuntimeError(f"it exited: {error}")
        return _fail(study, trial, known, failures, _where(error))
    try:
        result = _Result(returned, labelled=study.theta_path is not None and study.theta_path.labels is not None)
        told = {"cost": result.cost, "legs": result.legs, "earned": result.earned, "labels": result.labels}
        study.tell(trial, result.scores, **told)
    except (InvalidError, TypeError) as error:
        return _fail(study, trial, error, failures)
    if result.note:
        study.set_trial_note(trial, result.note)
    failures.succeed()
    told = study.trial(trial.id)
    _log.info("trial %d told: mean score %.6g, cost %.12g", trial.id, told.mean, told.cost)


def _where(error: BaseException) -> str:
    """The file and line that raised it; a worker process sends its traceback as the cause, a text."""
    lines = traceback.format_tb(error.__traceback__)
    if type(error.__cause__).__name__ == "_RemoteTraceback":
        lines = str(error.__cause__).splitlines()
    found = re.findall(r'^ *File "(.*)", line (\d+)', "\n".join(lines), re.M)
    return f" ({found[-1][0]}:{found[-1][1]})" if found else ""


def _fail(study: "StudyBase", trial: "Trial", error: Exception, failures: _Failures, where: str = "") -> None:
    if study.trial(trial.id).state in ("told", "voided"):  # by somebody else, whose scores stay
        _log.warning("trial %d was told by somebody else; this training of it counts for nothing", trial.id)
        return
    note = f"{type(error).__name__}: {error}".replace("\0", "\ufffd")
    study.fail(trial, note[:400])
    failures.add(trial, error, where)


def _check_signature(train: Train) -> None:
    if not callable(train):
        raise TypeError(f"train: expected a function, got {type(train).__name__}")
    try:
        signature = inspect.signature(train)
    except (TypeError, ValueError):  # some functions in C have none
        return
    try:
        signature.bind(None)
    except TypeError as error:
        raise TypeError(f"train: expected a function of one trial, got one of {signature}: {error}") from None


class Trials:
    """What to train next: first what nobody trains any more, then what the study asks for.

    Nobody trains what this worker has asked, or, when it has no name, what nobody in particular has for good; unless
    somebody has claimed it."""

    def __init__(
        self,
        study: "StudyBase",
        claimed: Claims,
        resume: bool,
        most: int | None,
        worker: str | None = None,
        lease: float | None = None,
    ) -> None:
        self._study = study
        self._claimed = claimed
        self._worker, self._lease = worker, lease
        self._begun_before = [t for t in study.trials("asked") if self._is_own(t)] if resume else []
        self._left = most

    def _is_own(self, trial: "Trial") -> bool:
        return trial.worker == self._worker if self._worker else not trial.worker and trial.lease_until is None

    def next(self) -> "Trial | None":
        if self._left == 0:
            return None
        trial = self._resumed() or self._asked()
        if trial is not None and self._left is not None:
            self._left -= 1
        return trial

    def _resumed(self) -> "Trial | None":
        while self._begun_before:
            trial = self._begun_before.pop(0)
            if self._claimed.take(trial.id):
                if self._study.trial(trial.id).state == "asked" and self._is_still_ours(trial):
                    _log.info("trial %d was under way when its training ended: once more", trial.id)
                    return trial
                self._claimed.release(trial.id)
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

    def _asked(self) -> "Trial | None":
        while (trial := self._study.ask(worker=self._worker, lease=self._lease)) is not None:
            if self._claimed.take(trial.id):  # else another call took it for one that was left behind
                design = ", ".join(f"{name} = {value:.6g}" for name, value in trial.params.items())
                _log.info("trial %d asked (%s): %s, tau %d, reps %d", trial.id, trial.reason, design, trial.tau, trial.reps)
                return trial
        return None


class _Deadlines:
    """When the trainings under way are to be over; counted from when they begin."""

    def __init__(self, timeout: float | None, workers: Crew) -> None:
        self.timeout = timeout
        self._workers = workers
        self._begun: dict[Any, float] = {}

    def left(self, running: Mapping[Any, "Trial"]) -> float | None:
        """Seconds until the next one."""
        if self.timeout is None:
            return None
        now = time.monotonic()
        self._begun = {f: t for f, t in self._begun.items() if f in running}
        for future in running:
            if future not in self._begun and self._workers.has_begun(future):
                self._begun[future] = now
        waits = [begun + self.timeout - now for begun in self._begun.values()]
        if len(self._begun) < len(running):
            waits.append(0.1)  # look again whether the others have begun
        return max(0.0, min(waits))

    def late(self, running: Mapping[Any, "Trial"]) -> list[Any]:
        if self.timeout is None:
            return []
        now = time.monotonic()
        return [f for f, begun in self._begun.items() if f in running and not f.done() and now - begun >= self.timeout]


def run(
    study: "StudyBase",
    train: Train,
    *,
    n_jobs: int | None,
    processes: bool,
    executor: Submits | None,
    timeout: float | None,
    progress: bool,
    max_trials: int | None,
    resume: bool,
    max_failures: int,
    callback: Callable[[Any, "Trial"], None] | None,
    worker: str | None,
    lease: float | None,
) -> None:
    _check_signature(train)
    failures = _Failures(max_failures)
    workers = crew(n_jobs, processes, executor, timeout is not None)
    deadlines = _Deadlines(timeout, workers)
    running: dict[Any, Trial] = {}
    claimed = study.claim_trials()
    name = own_name() if worker is None and lease is not None else worker
    leases = Leases(study, name, lease)
    shown = show_progress(study, progress, max_trials)

    def over(future: Any) -> None:
        trial = running.pop(future)
        workers.release(future)
        claimed.release(trial.id)
        if callback:
            callback(study, study.trial(trial.id))

    try:
        workers.check(train)
        trials = Trials(study, claimed, resume and name == worker, max_trials, name, lease)
        while True:
            while len(running) < workers.room() and (trial := trials.next()) is not None:
                leases.hold(trial)
                running[workers.submit(train, trial)] = trial
            shown.show(len(running))
            if not running:
                _log.info("%s", study.stop_message or f"{study.trial_count} trials")
                return
            for future in wait_for_one(running, deadlines.left(running)):
                leases.release(running[future])
                _settle(study, running[future], future, workers, failures)
                over(future)
            for future in deadlines.late(running):
                leases.release(running[future])
                what = workers.end(future)
                error = TimeoutError(f"the training {what} after its time-out of {timeout:g} seconds")
                _fail(study, running[future], error, failures)
                over(future)
    except KeyboardInterrupt:
        for future, trial in running.items():
            if future.done() and _is_fine(future):
                _settle(study, trial, future, workers, failures)
        raise
    finally:
        shown.close()
        workers.stop()  # what is left of them stays asked in the study
        leases.close()
        claimed.close()


def _is_fine(future: Any) -> bool:
    try:
        future.result()
    except BaseException:
        return False
    return True
