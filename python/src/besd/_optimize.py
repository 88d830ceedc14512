"""The loop of Study.optimize: ask, train somewhere else, tell.

Only the calling thread touches the study. Trainings run in an executor with one worker per job; with
a single job and no processes they run right here, so that a debugger and an interrupt reach them.
"""

import inspect
import logging
import multiprocessing
import re
import signal
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, Any

from ._errors import InvalidError, TrainError

if TYPE_CHECKING:
    from ._study import Study, Trial

Train = Callable[["Trial"], Any]

_log = logging.getLogger("besd")


class _Here(Executor):
    """Runs at once, in the calling thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _leave_interrupts_to_parent() -> None:
    # Control-C reaches the whole group. A worker that dies of it between taking a lock of the pool
    # and giving it back leaves the others, and the parent's exit, waiting for ever.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Workers:
    """An executor that is replaced when a worker has died and broken it."""

    def __init__(self, n_jobs: int, processes: bool) -> None:
        self.n_jobs = n_jobs
        self.processes = processes
        self.executor = self._start()

    def _start(self) -> Executor:
        if self.processes:
            # Fresh processes: a forked one would inherit the open database and the threads of BLAS.
            return ProcessPoolExecutor(
                self.n_jobs,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_leave_interrupts_to_parent,
            )
        if self.n_jobs == 1:
            return _Here()
        return ThreadPoolExecutor(self.n_jobs, thread_name_prefix="besd-train")

    def check(self, train: Train) -> None:
        """Refuses what a process cannot be given, before a trial is spent on it."""
        if not self.processes:
            return
        try:
            ForkingPickler.dumps(train)
            self.executor.submit(callable, train).result()  # a worker must find it, too
        except Exception as error:
            name = getattr(train, "__qualname__", type(train).__name__)
            raise TypeError(
                "train: expected a function that other processes can import, at the top of a module or of a "
                f"script that works under 'if __name__ == \"__main__\":', got {name} ({error})"
            ) from error

    def submit(self, train: Train, trial: "Trial") -> "Future[Any]":
        try:
            return self.executor.submit(train, trial)
        except BrokenExecutor:
            self.executor.shutdown(wait=False)
            self.executor = self._start()
            return self.executor.submit(train, trial)

    def stop(self, under_way: bool) -> None:
        """What has not begun never does. Processes under way end now; threads cannot be ended and
        are not waited for."""
        processes = list((getattr(self.executor, "_processes", None) or {}).values())
        self.executor.shutdown(wait=not under_way, cancel_futures=True)
        for process in processes if under_way else []:
            process.terminate()


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


def _settle(study: "Study", trial: "Trial", future: "Future[Any]", failures: _Failures) -> None:
    """Tells the result of a training, or records that it failed."""
    try:
        result = future.result()
    except Exception as error:
        return _fail(study, trial, error, failures, _where(error))
    try:
        scores, cost = _unpack(result)
        study.tell(trial, scores, cost=cost)
    except (InvalidError, TypeError) as error:
        return _fail(study, trial, error, failures)
    failures.succeed()


def _unpack(result: Any) -> tuple[Any, float | None]:
    if result is None:
        raise TypeError("train: expected scores, got None")
    if not isinstance(result, Mapping):
        return result, None
    if "scores" not in result or set(result) - {"scores", "cost"}:
        raise InvalidError(f"train: expected 'scores' and perhaps 'cost', got {sorted(map(str, result))}")
    return result["scores"], result.get("cost")


def _where(error: Exception) -> str:
    """The file and line that raised it; a worker process sends its traceback as the cause, a text."""
    lines = traceback.format_tb(error.__traceback__)
    if type(error.__cause__).__name__ == "_RemoteTraceback":
        lines = str(error.__cause__).splitlines()
    found = re.findall(r'^ *File "(.*)", line (\d+)', "\n".join(lines), re.M)
    return f" ({found[-1][0]}:{found[-1][1]})" if found else ""


def _fail(study: "Study", trial: "Trial", error: Exception, failures: _Failures, where: str = "") -> None:
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


def run(
    study: "Study",
    train: Train,
    *,
    n_jobs: int,
    processes: bool,
    max_trials: int | None,
    resume: bool,
    max_failures: int,
    callback: Callable[["Study", "Trial"], None] | None,
) -> None:
    _check_signature(train)
    failures = _Failures(max_failures)
    begun_before = study.trials("asked") if resume else []
    running: dict[Future[Any], Trial] = {}
    started = 0
    workers = _Workers(n_jobs, processes)
    try:
        workers.check(train)
        while True:
            while len(running) < n_jobs and (max_trials is None or started < max_trials):
                trial = begun_before.pop(0) if begun_before else study.ask()
                if trial is None:
                    break
                started += 1
                running[workers.submit(train, trial)] = trial
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                trial = running[future]
                _settle(study, trial, future, failures)
                del running[future]
                if callback:
                    callback(study, study.trial(trial.id))
    except KeyboardInterrupt:
        for future, trial in running.items():
            if future.done() and future.exception() is None:
                _settle(study, trial, future, failures)
        raise
    finally:
        workers.stop(bool(running))  # what is left of them stays asked in the study
