"""The loop of Study.optimize: ask, train somewhere else, tell.

Only the calling thread asks and tells, and a thread for the leases renews those (_leases.py). Trainings run wherever the
crew does (_crew.py).
"""

import inspect
import json
import logging
import re
import reprlib
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ._besd import lib
from ._crew import Crew, Submits, crew, wait_for_one
from ._errors import BesdError, InvalidError, TrainError
from ._leases import Leases, own_name
from ._progress import progress as show_progress
from ._record import Finished, holds_records
from ._steps import Settled, Steps

if TYPE_CHECKING:
    from ._base import StudyBase
    from ._path import Path
    from ._records import Trial

Train = Callable[["Trial"], object]

_log = logging.getLogger("besd")


class _Result:
    """What a trainer may return: scores, or a mapping that has them, perhaps the cost and legs, and whatever else
    it wants to be kept with the trial."""

    def __init__(self, returned: Any, trial: "Trial", path: "Path | None") -> None:
        if returned is None:
            raise TypeError("train: expected scores, got None")
        if holds_records(returned):
            returned = trial.finish(returned)
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
        if isinstance(returned, Finished) and path is None:
            self.legs = self.earned = None  # nobody asked for them
        if path is not None and path.labels is not None:
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


class _Telling:
    """Tells what came of trainings, and gives up when too many in a row have failed."""

    def __init__(self, study: "StudyBase", steps: Steps, workers: Crew) -> None:
        self._study, self._steps, self._workers = study, steps, workers

    def settle(self, trial: "Trial", future: Any) -> None:
        """Tells the result of a training, or records that it failed."""
        try:
            returned = future.result()
        except (Exception, SystemExit) as error:
            is_own = isinstance(error, Exception)
            known = self._workers.error(future, error) if is_own else RuntimeError(f"it exited: {error}")
            return self.fail(trial, known, _where(error))
        try:
            result = _Result(returned, trial, self._study.theta_path)
            told = {"cost": result.cost, "legs": result.legs, "earned": result.earned, "labels": result.labels}
            settled = self._steps.tell(trial, result.scores, note=result.note, **told)
        except (InvalidError, TypeError) as error:
            return self.fail(trial, error, got=returned)
        if settled.verdict == "told":
            known_trial = self._study.trial(trial.id)
            _log.info("trial %d told: mean score %.6g, cost %.12g", trial.id, known_trial.mean, known_trial.cost)
        else:
            if settled.verdict == "failed":
                self._study.set_trial_note(trial, _with_values(settled.why, returned))
            self._mind(trial, settled, InvalidError(settled.why))

    def fail(self, trial: "Trial", error: Exception, where: str = "", *, got: Any = None) -> None:
        sentence = str(error) if isinstance(error, InvalidError) else f"{type(error).__name__}: {error}"
        note = _with_values(sentence, got).replace("\0", "\ufffd")
        self._mind(trial, self._steps.fail(trial, note[:400]), error, where)

    def _mind(self, trial: "Trial", settled: Settled, error: Exception, where: str = "") -> None:
        if settled.verdict == "kept":
            _log.warning("trial %d was told by somebody else; this training of it counts for nothing", trial.id)
            return
        _log.warning("trial %d failed: %s: %s%s", trial.id, type(error).__name__, error, where)
        _log.debug("trial %d failed", trial.id, exc_info=error)
        if settled.hopeless:
            raise TrainError(
                f"{settled.in_a_row} trainings in a row failed, the last one of trial {trial.id} with "
                f"{type(error).__name__}: {error}"
            ) from error


def _with_values(sentence: str, returned: Any) -> str:
    """What was refused is kept: it may be all that is left of a long training."""
    return sentence if returned is None else f"{sentence}; returned: {reprlib.repr(returned)}".encode("utf-8", "replace").decode()


def _where(error: BaseException) -> str:
    """The file and line that raised it; a worker process sends its traceback as the cause, a text."""
    lines = traceback.format_tb(error.__traceback__)
    if type(error.__cause__).__name__ == "_RemoteTraceback":
        lines = str(error.__cause__).splitlines()
    found = re.findall(r'^ *File "(.*)", line (\d+)', "\n".join(lines), re.M)
    return f" ({found[-1][0]}:{found[-1][1]})" if found else ""


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
    workers = crew(n_jobs, processes, executor, timeout is not None)
    deadlines = _Deadlines(timeout, workers)
    running: dict[Any, Trial] = {}
    name = own_name() if worker is None and lease is not None else worker
    leases = Leases(study, name, lease)
    shown = show_progress(study, progress, max_trials)
    looking = _FirstLook(study)
    steps: Steps | None = None

    def over(future: Any) -> None:
        trial = running.pop(future)
        workers.release(future)
        if callback:
            callback(study, study.trial(trial.id))

    try:
        workers.check(train)
        own = resume and name == worker
        steps = study._steps(worker=name, lease=lease, resume=own, most=max_trials, failures=max_failures)
        telling = _Telling(study, steps, workers)
        while True:
            while len(running) < workers.room() and (trial := steps.next()) is not None:
                _log_trial(trial)
                looking.before(trial)
                leases.hold(trial)
                running[workers.submit(train, trial)] = trial
            shown.show(len(running))
            if not running and steps.others:
                time.sleep(lib.BESD_RUN_LOOK_AROUND / 1000)  # another process has the last trials, and may leave them to us
                continue
            if not running:
                _log.info("%s", study.stop_message or f"{study.trial_count} trials")
                return
            for future in wait_for_one(running, deadlines.left(running)):
                leases.release(running[future])
                telling.settle(running[future], future)
                over(future)
            for future in deadlines.late(running):
                leases.release(running[future])
                what = workers.end(future)
                error = TimeoutError(f"the training {what} after its time-out of {timeout:g} seconds")
                telling.fail(running[future], error)
                over(future)
    except KeyboardInterrupt:
        for future, trial in running.items():
            if future.done() and _is_fine(future):
                telling.settle(trial, future)
        raise
    finally:
        shown.close()
        workers.stop()  # what is left of them stays asked in the study
        leases.close()
        if steps is not None:
            steps.close()


class _FirstLook:
    """Once, when the initial design is over: warns while there is a budget if all trials so far have scored the same."""

    def __init__(self, study: "StudyBase") -> None:
        self._study, self._done = study, False

    def before(self, trial: "Trial") -> None:
        if self._done or trial.reason == "initial":
            return
        try:
            best = self._study.recommend()
        except BesdError:  # nothing is told yet
            return
        self._done = best.trials > 1
        if best.warning:
            warnings.warn(best.warning, stacklevel=4)


def _log_trial(trial: "Trial") -> None:
    if trial.state != "asked":
        return
    design = ", ".join(f"{name} = {value:.6g}" for name, value in trial.params.items())
    _log.info("trial %d asked (%s): %s, tau %d, reps %d", trial.id, trial.reason, design, trial.tau, trial.reps)


def _is_fine(future: Any) -> bool:
    try:
        future.result()
    except BaseException:
        return False
    return True
