"""Where trainings run: right here, in threads, in processes of our own, or in somebody else's executor.

A crew takes at most `width` trainings at a time. Ending one early is possible with our own processes
only; a thread is left alone, and a worker of somebody else's is lost until it comes back by itself.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Protocol

from ._errors import InvalidError, TrainError

_SHORTEST_LOOK, _LONGEST_LOOK = 0.005, 0.5


class TrainingFuture(Protocol):
    """What `submit` of an executor must return; `running` is looked at when it is there."""

    def done(self) -> bool: ...

    def result(self) -> Any: ...


class Submits(Protocol):
    """Everything with `submit`: concurrent.futures, loky, mpi4py.futures, Dask, submitit, ..."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any: ...


def wait_for_one(futures: Iterable[Any], seconds: float | None) -> list[Any]:
    """Those that are done, in their order, at least one unless the time is up first."""
    waited = list(futures)
    if all(isinstance(future, Future) for future in waited):
        over = wait(waited, seconds, FIRST_COMPLETED).done
        return [future for future in waited if future in over]
    deadline, pause = None if seconds is None else time.monotonic() + seconds, _SHORTEST_LOOK
    while not (done := [future for future in waited if future.done()]):
        if deadline is not None:
            pause = min(pause, deadline - time.monotonic())
            if pause <= 0:
                break
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_LOOK)
    return done


def processors() -> int:
    return len(os.sched_getaffinity(0))


class Crew:
    """Trains right here, one after the other, so that a debugger and an interrupt reach the trainer."""

    def __init__(self, width: int) -> None:
        self.width = width

    def room(self) -> int:
        """So many trainings may be under way."""
        return self.width

    def check(self, train: Callable[..., Any]) -> None:
        """Refuses what cannot be trained with, before a trial is spent on it."""

    def submit(self, train: Callable[..., Any], trial: Any) -> Any:
        future: Future[Any] = Future()
        try:
            future.set_result(train(trial))
        except Exception as error:
            future.set_exception(error)
        return future

    def has_begun(self, future: Any) -> bool:
        return True

    def error(self, future: Any, error: Exception) -> Exception:
        """What to say of a training that raised this."""
        return error

    def end(self, future: Any) -> str:
        """Gives up a training that is under way; what has become of it."""
        return "was left alone"

    def release(self, future: Any) -> None:
        """Its training is over and settled; the worker may have another."""

    def stop(self) -> None:
        """What is under way is ended or left alone."""


class Threads(Crew):
    """One thread for each training. With a time-out they are daemons: one that hangs must not keep the
    interpreter from leaving."""

    def __init__(self, width: int, timed: bool) -> None:
        super().__init__(width)
        self._timed = timed

    def submit(self, train: Callable[..., Any], trial: Any) -> Any:
        future: Future[Any] = Future()

        def work() -> None:
            try:
                result = train(trial)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        threading.Thread(target=work, name=f"besd-train-{trial.id}", daemon=self._timed).start()
        return future


def _leave_interrupts_to_parent() -> None:
    # Control-C reaches the whole group. A worker that dies of it between taking a lock of the pool
    # and giving it back leaves the others, and the parent's exit, waiting for ever.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _pool() -> Executor:
    """One fresh process: a forked one would inherit the open database and the threads of BLAS. With loky
    it can be given functions that it cannot import: those of a notebook, and lambdas."""
    if find_spec("loky"):
        from loky.process_executor import ProcessPoolExecutor as LokyExecutor  # type: ignore[import-untyped]

        made: Executor = LokyExecutor(1, initializer=_leave_interrupts_to_parent)
        return made
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=_leave_interrupts_to_parent)


def _exit_code(process: Any) -> int | None:
    """None: not known within a second. The pool's own thread waits for its process as well, and whoever comes
    second is told of no child until the first has written down what it heard."""
    deadline = time.monotonic() + 1
    process.join(1)
    while process.exitcode is None and time.monotonic() < deadline:
        time.sleep(_SHORTEST_LOOK)
    code: int | None = process.exitcode
    return code


class _Lane:
    """A process for one training at a time, replaced when it has died."""

    def __init__(self) -> None:
        self.pool = _pool()
        self.future: Any = None
        self.process: Any = None

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            self.future = self.pool.submit(function, *arguments)
        except BrokenExecutor:
            self.pool.shutdown(wait=False)
            self.pool = _pool()
            self.future = self.pool.submit(function, *arguments)
        started: dict[int, Any] = getattr(self.pool, "_processes", None) or {}
        processes = list(started.values())
        self.process = processes[0] if processes else None
        return self.future

    def kill(self) -> None:
        if self.process is not None and self.process.exitcode is None:
            with suppress(ProcessLookupError):  # it has just ended by itself
                os.kill(self.process.pid, signal.SIGKILL)

    def how_it_ended(self) -> str:
        """In the words that the command line has for a trainer."""
        code = None if self.process is None else _exit_code(self.process)
        if code is None:
            return "ended in a way that cannot be known"
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


class Processes(Crew):
    """Lanes of their own, so that a process that dies or is killed takes no other training with it."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self._lanes = [_Lane() for _ in range(width)]

    def check(self, train: Callable[..., Any]) -> None:
        try:
            for probe in [lane.submit(callable, train) for lane in self._lanes]:
                probe.result()  # a worker must find it; and starting it is no part of a training's time
                self.release(probe)
        except Exception as error:
            name = getattr(train, "__qualname__", type(train).__name__)
            hint = "" if find_spec("loky") else "; with loky installed ('pip install loky') any function will do"
            raise TypeError(
                "train: expected a function that other processes can import, at the top of a module or of a "
                f"script that works under 'if __name__ == \"__main__\":', got {name} ({error}){hint}"
            ) from error

    def submit(self, train: Callable[..., Any], trial: Any) -> Any:
        return next(lane for lane in self._lanes if lane.future is None).submit(train, trial)

    def _lane(self, future: Any) -> _Lane:
        return next(lane for lane in self._lanes if lane.future is future)

    def error(self, future: Any, error: Exception) -> Exception:
        if not isinstance(error, BrokenExecutor):
            return error
        died = ChildProcessError(f"the process of the training {self._lane(future).how_it_ended()}")
        died.__cause__ = error
        return died

    def release(self, future: Any) -> None:
        self._lane(future).future = None

    def end(self, future: Any) -> str:
        self._lane(future).kill()
        wait([future])
        return "was killed"

    def stop(self) -> None:
        for lane in self._lanes:
            busy = lane.future is not None and not lane.future.done()
            lane.pool.shutdown(wait=not busy)
            if busy:
                lane.kill()


class Foreign(Crew):
    """Somebody else's executor, which stays theirs: it is neither shut down nor repaired."""

    def __init__(self, executor: Submits, workers: int) -> None:
        super().__init__(workers)
        self._executor = executor
        self._lost: list[Any] = []

    def room(self) -> int:
        self._lost = [future for future in self._lost if not future.done()]
        if len(self._lost) == self.width:
            raise TrainError(f"executor: every worker of {type(self._executor).__name__} hangs in a training")
        return self.width - len(self._lost)

    def check(self, train: Callable[..., Any]) -> None:
        if not isinstance(self._executor, Executor):  # a job of a cluster may wait for hours
            return
        probe = self.submit(callable, train)
        try:
            probe.result()
        except Exception as error:
            name, kind = getattr(train, "__qualname__", type(train).__name__), type(self._executor).__name__
            raise TypeError(
                f"train: expected a function that the workers of {kind} can be given, got {name} ({error})"
            ) from error

    def submit(self, train: Callable[..., Any], trial: Any) -> Any:
        kind = type(self._executor).__name__
        try:
            future = self._executor.submit(train, trial)
        except BrokenExecutor as error:
            raise TrainError(f"executor: {kind} is broken ({error}); another one goes on where it stopped") from error
        except RuntimeError as error:
            raise InvalidError(f"executor: {kind} takes no more trainings ({error})") from error
        if not callable(getattr(future, "done", None)) or not callable(getattr(future, "result", None)):
            raise TypeError(
                f"executor: expected submit of {kind} to return a future with done and result, "
                f"got {type(future).__name__}"
            )
        return future

    def has_begun(self, future: Any) -> bool:
        running = getattr(future, "running", None)
        return future.done() or not callable(running) or bool(running())

    def error(self, future: Any, error: Exception) -> Exception:
        if isinstance(error, CancelledError):
            raise InvalidError(
                f"executor: {type(self._executor).__name__} was shut down with trainings under way; "
                "they stay asked, and the next call trains them first"
            ) from error
        return error

    def end(self, future: Any) -> str:
        cancel = getattr(future, "cancel", None)
        if callable(cancel):
            cancel()
        self._lost.append(future)
        return "was left alone"


def _workers_of(executor: Any) -> int | None:
    """How many trainings an executor runs at once, when it says so."""
    for name in ("num_workers", "_max_workers"):
        value = getattr(executor, name, None)
        if isinstance(value, int) and value > 0:
            return value
    for client in (executor, getattr(executor, "_client", None)):  # Dask counts threads
        threads: Callable[[], dict[str, int]] | None = getattr(client, "nthreads", None)
        if callable(threads):
            return max(1, sum(threads().values()))
    return None


def crew(n_jobs: int | None, processes: bool, executor: Submits | None, timed: bool) -> Crew:
    """n_jobs: None means one, or as many as the executor has workers; -1 as many as there are
    processors or workers."""
    if executor is not None:
        if processes:
            raise InvalidError("processes: expected False beside an executor, got True")
        if not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor: expected something with submit, got {type(executor).__name__}")
        width = _workers_of(executor) if n_jobs in (None, -1) else n_jobs
        if width is None:
            raise InvalidError(
                f"n_jobs: expected the number of trainings at once, because {type(executor).__name__} does not "
                "say how many workers it has"
            )
        return Foreign(executor, width)
    width = processors() if n_jobs == -1 else n_jobs or 1
    if processes:
        return Processes(width)
    return Threads(width, timed) if width > 1 or timed else Crew(1)
