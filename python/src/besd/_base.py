"""What every study does, in a file (_study.py) or over the network (_remote.py)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from . import _optimize
from ._arguments import Floats, integer, number
from ._crew import Submits
from ._errors import InvalidError
from ._looking import trials_dataframe
from ._path import Path, Rows
from ._records import Event, Explanation, Forecast, Recommendation, State, Stop, Trial
from ._results import Result, read_results, refusals_with_places

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Self

    from ._steps import Claims, Steps

INT_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1


def id_of(trial: Trial | int) -> int:
    if isinstance(trial, Trial):
        return trial.id
    return integer("trial", trial, -INT64_MAX, INT64_MAX)


def seconds_of(lease: float | None) -> float:
    """None: for good."""
    return float("inf") if lease is None else number("lease", lease)


def paid(cost: float | None) -> float | None:
    """None: as planned."""
    given = None if cost is None else number("cost", cost)
    if given is not None and not given >= 0:
        raise InvalidError(f"cost: expected a number from 0 to 1e300, got {given:g}")
    return given


class StudyBase(ABC):
    """`besd.Study` and what `besd.connect` returns have this in common."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Of the coordinates of theta."""

    @property
    @abstractmethod
    def tau_max(self) -> int:
        """The training length at which designs are judged."""

    @property
    @abstractmethod
    def options(self) -> dict[str, Any]:
        """What the study was created with, defaults filled in: arguments for `Study.create`."""

    @property
    @abstractmethod
    def theta_path(self) -> Path | None:
        """The path that theta is; None: it is none."""

    @property
    @abstractmethod
    def trial_count(self) -> int:
        """Trials asked so far."""

    @property
    @abstractmethod
    def spent(self) -> float:
        """Cost so far: told and failed trials, and asked ones as planned."""

    @property
    def budget(self) -> float:
        """What may be spent in all; `float("inf")`: no limit. Another one is set as by `set_budget`."""
        return float(self.options["budget"])

    @budget.setter
    def budget(self, budget: float) -> None:
        self.set_budget(budget)

    @property
    @abstractmethod
    def stopped(self) -> Stop | None:
        """Why the last ask of this object gave no trial: 'budget', 'remainder' or 'value'."""

    @property
    @abstractmethod
    def stop_message(self) -> str | None:
        """The same as a sentence."""

    @abstractmethod
    def close(self) -> None:
        """A second time does nothing, any other use raises ClosedError."""

    @abstractmethod
    def _check_open(self) -> None: ...

    def __enter__(self) -> "Self":
        self._check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def ask(self, *, worker: str | None = None, lease: float | None = None) -> Trial | None:
        """The next trial; None when there is nothing more to do, and `stopped` says why.

        Trials that are asked and not told count as pending: asking again without telling gives
        another, sensible trial. What waits is given before anything new is thought of.

        worker: who has it from now on; None: nobody in particular.
        lease: for so many seconds. Unless `renew` makes them more, the trial then goes to the next who asks, with the same
            theta, tau, reps and seed; whoever tells it first is heard. None: for good.
        """

    @abstractmethod
    def ask_explained(
        self, *, worker: str | None = None, lease: float | None = None
    ) -> tuple[Trial, Explanation] | None:
        """`ask` with reasons."""

    @abstractmethod
    def ask_again(self, failed: Trial | int) -> Trial | None:
        """A failed trial once more: a new trial with the same theta, tau and reps and a new seed.
        None when the budget does not pay for it."""

    def __iter__(self) -> Iterator[Trial]:
        """Asks until there is nothing more to do: `for trial in study: study.tell(trial, ...)`."""
        while (trial := self.ask()) is not None:
            yield trial

    @abstractmethod
    def renew(self, trial: Trial | int, lease: float, *, worker: str | None = None) -> None:
        """So many seconds from now. Refused when the lease has ended, or was another's; worker: whose it is, of a Trial its
        own unless given."""

    @abstractmethod
    def tell(
        self,
        trial: Trial | int,
        scores: npt.ArrayLike,
        *,
        cost: float | None = None,
        legs: Rows | None = None,
        earned: Rows | None = None,
        labels: Sequence[int] | None = None,
    ) -> bool:
        """The scores of a trial's replications, one each; `cost` when it was not as planned.

        Telling the same scores again changes nothing and returns True. Other scores for a told trial are refused:
        `replace` them.

        legs: where theta is a path, one list for every replication: the time at which each point and at last
            the end was reached, None where it was not; None instead of a list when nothing is known.
        earned: what was earned on each leg, in lists of the same shape; needed beside legs when scores are maximised.
        labels: which kind of instance every replication met, from 0; needed beside legs when the path has labels.
        """

    @abstractmethod
    def fail(self, trial: Trial | int, note: str = "", *, cost: float | None = None) -> None:
        """The trial gave nothing; its cost (as planned, if not given) is spent all the same."""

    @abstractmethod
    def void(self, trial: Trial | int, why: str = "") -> None:
        """Takes a told trial out of the model; what it cost stays spent."""

    @abstractmethod
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
        """Other scores for a told trial: there was a mistake. cost None: it stays as it was."""

    @abstractmethod
    def restore(self, trial: Trial | int) -> None:
        """Undoes the voiding of a trial, or else the newest replacement of its scores."""

    def add(
        self, results: "Mapping[str, Any] | Iterable[Mapping[str, Any]] | pandas.DataFrame | str | PathLike[str]"
    ) -> list[int]:
        """Earlier results, as told trials; the numbers they get. All of them are added, or none.

        results: one mapping or many with 'theta' (by name or a list), 'tau' and 'scores', and perhaps 'cost' (0: it was
            not paid from the budget), 'note', 'legs', 'earned' and 'labels'; or a DataFrame with a column for every coordinate;
            or a file, CSV (several scores with blanks between them) or JSON lines. What `trials_dataframe`, `besd trials
            --csv` and `--json` show is read as well, trials of which nothing was told are passed over.
        """
        found = read_results(results, self.names)
        if not found:
            return []
        with refusals_with_places(found):
            first = self._add(found)
        return list(range(first, first + len(found)))

    @abstractmethod
    def _add(self, results: list[Result]) -> int: ...

    @abstractmethod
    def enqueue(
        self,
        theta: npt.ArrayLike | Mapping[str, float],
        tau: int | None = None,
        reps: int | None = None,
        *,
        note: str = "",
    ) -> Trial:
        """A trial that the next ask gives; tau is the largest, reps the fewest unless given. Its cost counts as planned at
        once, and must be left of the budget."""

    @abstractmethod
    def set_budget(self, budget: float | None) -> None:
        """Raises or lowers it; None: no limit. Below what is spent it ends the study."""

    @abstractmethod
    def tag(self, trial: Trial | int, *tags: str) -> None:
        """Words of your own for a trial, without commas; `trial.tags` has them."""

    @abstractmethod
    def untag(self, trial: Trial | int, *tags: str) -> None:
        """Takes them off again."""

    @abstractmethod
    def set_trial_note(self, trial: Trial | int, value: str) -> None:
        """Keeps a text with a trial; `fail` does the same with its reason."""

    def get_trial_note(self, trial: Trial | int) -> str:
        """The text kept with a trial: why it failed, or what its trainer had to say."""
        return self.trial(id_of(trial)).note

    def trial_times(self, trial: Trial | int) -> tuple[datetime, datetime | None]:
        """When a trial was asked, and when it was told or failed; None while it is under way."""
        found = self.trial(id_of(trial))
        assert found.asked is not None
        return found.asked, found.ended

    @abstractmethod
    def trial(self, trial_id: int) -> Trial:
        """One trial with its scores."""

    @abstractmethod
    def trials(self, state: State | None = None) -> list[Trial]:
        """All trials, or those that are 'asked', 'waiting', 'told', 'failed' or 'voided', by their numbers."""

    @abstractmethod
    def legs(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        """The legs of a trial as they were told; None: none were."""

    @abstractmethod
    def earned(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        """What they earned."""

    @abstractmethod
    def labels(self, trial: Trial | int) -> list[int] | None:
        """The labels of a trial's replications; None: none were told."""

    @abstractmethod
    def points(self, theta: npt.ArrayLike) -> Floats:
        """The points of a path that are visited, one in a row."""

    @abstractmethod
    def events(self, after: int = 0, *, follow: bool = False) -> Iterator[Event]:
        """What happened to the study since the event with this number.

        follow: does not end, but waits for what happens next, whoever does it.
        """

    @abstractmethod
    def explain(self) -> tuple[Trial, Explanation] | None:
        """The newest trial that was asked with reasons, whoever asked, and those; None: no ask was explained yet."""

    @abstractmethod
    def recommend(self) -> Recommendation:
        """The design to use today.

        It has the largest posterior mean less `caution` times its sd, at the largest tau. Where the last of the budget went
        to designs that were trained again (`confirm`), it is the best of those. Methods random and hyperband have no
        model, and recommend the trial with the best mean score. Nothing is trained and nothing is changed.
        """

    @abstractmethod
    def forecast(self, theta: npt.ArrayLike, tau: int | None = None) -> Forecast:
        """What one design would score on average, and how sure the model is of it.

        tau is the largest one unless given.
        """

    @abstractmethod
    def predict(self, theta: npt.ArrayLike, tau: int | None = None) -> tuple[Floats, Floats]:
        """Mean and standard deviation of the latent performance, on the model's scale.

        theta is one design, or an array of them along the first axis; the answers have the shape
        of theta without its last axis. tau is the largest one unless given.
        """

    def trials_dataframe(self) -> "pandas.DataFrame":
        """Everything that is known of every trial, as a pandas.DataFrame; the index is the trial's number."""
        return trials_dataframe(self)

    @abstractmethod
    def claim_trials(self) -> "Claims":
        """For loops of your own that share a study with others: what is claimed is left alone by them. `optimize`
        does it by itself."""

    @abstractmethod
    def _steps(self, **how: Any) -> "Steps":
        """The steps of a run (_steps.py)."""

    _usual_lease: float | None = None
    """Of the trials of `optimize`."""

    def optimize(
        self,
        train: Callable[[Trial], object],
        n_jobs: int | None = None,
        *,
        processes: bool = False,
        executor: Submits | None = None,
        timeout: float | None = None,
        progress: bool = False,
        max_trials: int | None = None,
        n_trials: int | None = None,
        resume: bool = True,
        max_failures: int = 10,
        callback: "Callable[[Self, Trial], None] | None" = None,
        worker: str | None = None,
        lease: float | None = None,
    ) -> Recommendation:
        """Asks, trains and tells until there is nothing more to do, then recommends.

        train: takes a Trial and returns one score per replication (of one a number), or an environment of
            `besd.SubgoalWrapper` as for `Trial.finish`, or a mapping with 'scores' and,
            when it was not as planned, 'cost'; of a path 'legs', 'earned' and 'labels' as well; what else the mapping has is
            kept as the trial's note.
            When it raises, or its scores are refused, the trial is recorded as failed and the study
            goes on.
        n_jobs: this many trainings at once, by default one, or as many as the executor has workers; -1:
            one for each processor or worker. Trials under way count as pending for the next ask.
        processes: train in processes instead of threads; train must then be importable there, which
            is tried before anything is asked. With loky installed any function will do.
        executor: train there: anything with `submit`, of concurrent.futures, loky, mpi4py.futures, Dask
            (`client.get_executor()`), submitit, ... It is not shut down.
        timeout: seconds for a training; one that takes longer has failed. Its process is killed; a
            thread, or a worker of your executor, cannot be ended and is left alone.
        progress: shows how far it is on standard error, with tqdm if that is installed.
        max_trials: stop after this many trainings; otherwise when the study does. n_trials is the same, as Optuna calls it.
        resume: first train what this worker has asked and not told, unless another `optimize` is at it; without a worker
            what nobody in particular has. Say False when others train for this study by other means.
        max_failures: give up with TrainError after so many failures in a row; after two that are the
            same when nothing has been told yet in this call.
        callback: called with the study and the trial after every tell and every fail.
        worker: in whose name trials are asked. One that comes back under its own name goes on with its own trials; no two
            that are at work at once may have the same.
        lease: seconds after which the trials of a worker that has died go to others; they are renewed while a training
            runs. None: a study in a file does without, because a lock tells whether its worker lives; over the network 60.

        An interrupt leaves trials that are under way asked; the next call trains them first. Several
        calls may work on one study at once. The logger 'besd' tells what is asked and told (INFO).
        """
        jobs = n_jobs if n_jobs in (None, -1) else integer("n_jobs", n_jobs, 1, 10_000)
        seconds = None if timeout is None else number("timeout", timeout)
        if seconds is not None and not 0 < seconds < float("inf"):
            raise InvalidError(f"timeout: expected seconds above 0, got {seconds:g}")
        if n_trials is not None and max_trials is not None:
            raise InvalidError("n_trials: it is another name of max_trials; say one of the two")
        max_trials = n_trials if max_trials is None else max_trials
        held = self._usual_lease if lease is None else number("lease", lease)
        if held is not None and not held > 0:
            raise InvalidError(f"lease: expected seconds above 0, got {held:g}")
        _optimize.run(
            self,
            train,
            n_jobs=jobs,
            processes=processes,
            executor=executor,
            timeout=seconds,
            progress=progress,
            max_trials=None if max_trials is None else integer("max_trials", max_trials, 0, INT64_MAX),
            resume=resume,
            max_failures=integer("max_failures", max_failures, 1, INT64_MAX),
            callback=callback,
            worker=worker,
            lease=held,
        )
        return self.recommend()
