"""The study: besd/besd.h for Python."""

import math
import os
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _optimize
from ._arguments import (
    Choices,
    Floats,
    doubles,
    integer,
    integers,
    nearest,
    number,
    numbers,
    text,
    texts,
    vector,
)
from ._besd import ffi, lib
from ._claims import Claims, claims
from ._crew import Submits
from ._errors import ClosedError, InvalidError, check
from ._looking import Page, recommendation_html, report, study_html, time_of, trials_dataframe
from ._options import StudyOptions
from ._path import Path, Rows, declare, declared, points_of, shown_legs, told_legs

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Unpack

_STATE = Choices("besd_trial_state", "BESD_TRIAL_")
_REASON = Choices("besd_reason", "BESD_REASON_")
_STOP = Choices("besd_stop", "BESD_STOP_")

State = Literal["asked", "told", "failed"]
Reason = Literal[
    "initial", "kg", "exploit", "share", "random", "retry", "improvement", "bound", "bracket", "promoted", "explore",
    "confirm", "legs",
]  # fmt: skip
Stop = Literal["budget", "remainder", "value"]

_EPOCH = datetime.fromtimestamp(0, timezone.utc)
_INT_MAX = 2**31 - 1
_INT64_MAX = 2**63 - 1


def _flag(name: str, value: Any) -> bool:
    if type(value) not in (bool, np.bool_):
        raise TypeError(f"{name}: expected True or False, got {value!r}")
    return bool(value)


class _Choice:
    """An option that is one of a few names."""

    def __init__(self, enum: str) -> None:
        self.choices = Choices(enum, "BESD_" if enum == "besd_direction" else enum.upper() + "_")

    def __call__(self, name: str, value: Any) -> int:
        return self.choices.value(value)


def _option_checks() -> dict[str, Callable[[str, Any], Any]]:
    """The options of besd/options.h, which are the keywords of `create`, and what checks their values."""
    checks: dict[str, Callable[[str, Any], Any]] = {
        "_Bool": _flag,
        "int": lambda name, value: integer(name, value, -_INT_MAX, _INT_MAX),
        "uint64_t": lambda name, value: integer(name, value, 0, _INT64_MAX),
        "double": number,
    }
    fields = dict(ffi.typeof("besd_study_options").fields)
    return {
        name: _Choice(fields[name].type.cname.removeprefix("enum "))
        if fields[name].type.kind == "enum"
        else checks[fields[name].type.cname]
        for name in StudyOptions.__annotations__
    }


_OPTIONS = _option_checks()


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One evaluation: train `reps` agents for `tau` interactions each with the design `theta`."""

    id: int
    theta: Floats
    tau: int
    reps: int
    seed: int
    """For your trainer: the same trial always has the same."""
    state: State
    reason: Reason
    """Why it was chosen: 'initial', 'kg', 'exploit', ..."""
    cost: float
    """Planned, then told."""
    mean: float
    """Of the told scores; nan before."""
    scores: Floats = field(repr=False)
    """As told; empty before, and when only a summary was told."""
    repeats: int | None = None
    """The failed trial that this one was asked again for."""
    names: tuple[str, ...] = field(default=(), repr=False)
    """Of the coordinates of theta."""

    @property
    def params(self) -> dict[str, float]:
        """theta by name."""
        return dict(zip(self.names, self.theta.tolist(), strict=True))

    @property
    def seed32(self) -> int:
        """The seed for those who take 32 bits: PyTorch, NumPy's old generators, Stable-Baselines3."""
        return _seeds32(self.seed, 0, 1)[0]

    @property
    def replication_seeds(self) -> list[int]:
        """One seed of 32 bits for every replication."""
        return _seeds32(self.seed, 1, self.reps)


def _seeds32(seed: int, purpose: int, count: int) -> list[int]:
    state = np.random.SeedSequence(seed, spawn_key=(purpose,)).generate_state(count, np.uint32)
    return [int(word) for word in state]


@dataclass(frozen=True, slots=True, eq=False)
class Recommendation:
    """The design to use today."""

    theta: Floats
    mean: float
    """Of the latent performance at the largest tau, on the model's scale (maximised)."""
    sd: float
    value: float
    """The mean score to expect at the largest tau, in the units of the scores."""
    trials: int
    cost: float
    low: float
    """Between `low` and `high` the mean score lies with a probability of 90 %."""
    high: float
    tried: int
    """Told trials of this very design at the largest tau."""
    better: float | None
    """The probability that it beats the study's baseline; None without one."""
    names: tuple[str, ...] = field(default=(), repr=False)
    """Of the coordinates of theta."""

    @property
    def params(self) -> dict[str, float]:
        """theta by name."""
        return dict(zip(self.names, self.theta.tolist(), strict=True))

    def _repr_html_(self) -> str:
        return recommendation_html(self)


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """What a design promises."""

    mean: float
    """Of the latent performance, on the model's scale (maximised)."""
    sd: float
    value: float
    """The mean score to expect, in the units of the scores."""
    low: float
    """Between `low` and `high` it lies with a probability of 90 %."""
    high: float
    tried: int
    """Told trials of this very design at the largest tau."""
    better: float | None
    """The probability that it beats the study's baseline; None without one."""


@dataclass(frozen=True, slots=True, eq=False)
class Hyperparameters:
    """The fitted model, in the units of theta and on the model's scale."""

    prior_mean: float
    lengthscales: Floats
    sigma_phi: Floats
    """2 by 2, over (1, tau / tau_max)."""
    discrepancy_sd: float
    discrepancy_lengthscale: float
    env_sd: Floats
    """Per tau level."""
    rep_sd: Floats


@dataclass(frozen=True, slots=True, eq=False)
class LeverValue:
    """What asking would cost and bring for one pair of levers at the chosen theta."""

    tau: int
    reps: int
    cost: float
    kg: float
    log_kg: float
    mean: float
    sd: float
    correlation: float


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One of the best few of the discretisation before refinement."""

    theta: Floats
    tau: int
    reps: int
    kg: float
    log_kg: float
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Why a trial was chosen; without levers when no model was looked at."""

    why: str
    levers: tuple[LeverValue, ...]
    candidates: tuple[Candidate, ...]
    targets: int
    kept: int
    evaluated: int
    missed: float
    """How many times as much per cost as the trial the best target is worth; 1: nothing was missed."""


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """Theorem 2 of the paper for the study's discretisation."""

    delta: float
    targets: int
    fill_distance_low: float
    fill_distance: float
    lipschitz: Floats
    lipschitz_norm: float
    bound: float
    prior_sd: float


def _array(values: Any, count: int) -> Floats:
    """A read-only copy of C doubles."""
    array = np.frombuffer(ffi.buffer(values, count * 8), dtype=np.float64).copy()
    array.flags.writeable = False
    return array


def _initial_note(handle: Any) -> str:
    """A sentence when the initial design leaves too little of the budget; otherwise empty."""
    o, cost = lib.besd_study_get_options(handle), lib.besd_study_initial_cost(handle)
    if cost <= o.budget / 3:
        return ""
    if cost < o.budget:
        what = (
            f"that is over a third of the budget of {o.budget:.12g}, fewer initial designs or a larger "
            "budget leave more room to learn"
        )
    else:
        what = f"the budget of {o.budget:.12g} ends before it does, and no trial will be chosen by the model"
    return f"the initial design costs {cost:.12g}; {what}"


def _close(handle: Any, process: int) -> None:
    if os.getpid() == process:  # a forked child must leave its parent's database alone
        lib.besd_study_close(handle)


class _Lock:
    """One thread at a time. In a forked child the thread that held the lock may be gone, so nobody waits for it
    there: taking it raises ClosedError."""

    def __init__(self, path: str | None) -> None:
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._path = path

    @property
    def is_here(self) -> bool:
        """Is this the process that the study was opened in?"""
        return os.getpid() == self._process

    def __enter__(self) -> None:
        if not self.is_here:
            raise ClosedError(f"study {self._path}: it was opened before a fork; open it again in this process")
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class Study:
    """A study in a file: space, levers, every trial and every score.

    `Study(path)` opens an existing study; `Study.create` also makes one. Every tell is durable when
    it returns: there is nothing to save, and a process that is killed goes on where it was. Several
    processes may open one study; threads may share one object, they wait for each other.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._open(os.fspath(path), ffi.NULL)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str] | None,
        low: npt.ArrayLike,
        high: npt.ArrayLike,
        taus: Sequence[int],
        reps: Sequence[int],
        *,
        names: Sequence[str] | None = None,
        units: Sequence[str] | None = None,
        theta_path: Path | None = None,
        **options: "Unpack[StudyOptions]",
    ) -> "Study":
        """Makes a study, or opens the one that is there if all options agree with it.

        Only a larger budget is taken over by an existing study. `path=None` makes a study in
        memory. Warns when the initial design leaves little or nothing of the budget of a new study.

        theta_path: says that theta is a path, whose legs may be told; an existing study has the same.
        options: see `besd.StudyOptions` and docs/study.md: direction, transform, method, model, seed,
            budget (`float("inf")`: none, the default), explore, caution and the others. What is left
            out has its default; 0 means 0.
        """
        box_low = vector("low", low)
        box_high = vector("high", high, len(box_low))
        if len(box_low) == 0:
            raise InvalidError("low: expected at least one number, got none")
        tau_levels = integers("taus", taus, 0, _INT64_MAX)
        rep_levels = integers("reps", reps, 0, _INT_MAX)
        low_pointer, high_pointer = doubles(box_low), doubles(box_high)
        tau_array = ffi.new("int64_t[]", tau_levels)
        rep_array = ffi.new("int[]", rep_levels)
        kept: list[Any] = []  # what the options point to

        def strings(field_name: str, value: Sequence[str] | None) -> Any:
            items = texts(field_name, value, len(box_low))
            if items is None:
                return ffi.NULL
            arrays = [ffi.new("char[]", item) for item in items]
            pointers = ffi.new("const char *[]", arrays)
            kept.extend([*arrays, pointers])
            return pointers

        fields = {
            "dimension": len(box_low),
            "low": low_pointer,
            "high": high_pointer,
            "names": strings("names", names),
            "units": strings("units", units),
            "taus": tau_array,
            "tau_count": len(tau_levels),
            "reps": rep_array,
            "reps_count": len(rep_levels),
        }
        for name, value in options.items():
            if name not in _OPTIONS:
                hint, known = nearest(name, _OPTIONS), ", ".join(_OPTIONS)
                raise TypeError(f"options: there is no '{name}'{hint}; known are {known}")
            fields[name] = _OPTIONS[name](name, value)
        given = ffi.new("besd_study_options *")
        lib.besd_study_options_fill(given, ffi.sizeof(given[0]))
        for name, value in fields.items():
            setattr(given, name, value)
        study = cls.__new__(cls)
        study._open(path, given)
        study._settle_path(theta_path)
        note = _initial_note(study._handle)
        if note and study.trial_count == 0:
            warnings.warn(note, stacklevel=2)
        return study

    def _open(self, path: str | os.PathLike[str] | None, options: Any) -> None:
        self._handle: Any = None
        self._message = ""
        self._stop_message: str | None = None
        self._path = None if path is None else os.fspath(path)
        if isinstance(self._path, bytes):
            raise TypeError("path: expected a text, got bytes")
        self._lock = _Lock(self._path)
        name = ffi.NULL if self._path is None else text("path", self._path)
        handle = ffi.new("besd_study **")
        error = ffi.new("besd_error *")
        check(lib.besd_study_open(handle, name, options, error), error)
        self._handle = handle[0]
        self._finalizer = weakref.finalize(self, _close, self._handle, os.getpid())
        known = lib.besd_study_get_options(self._handle)
        self._dimension = int(known.dimension)
        self._tau_max = max(known.taus[i] for i in range(known.tau_count))
        self._names = tuple(ffi.string(known.names[i]).decode() for i in range(known.dimension))
        self._under_way: set[int] = set()  # of a study in memory

    def _settle_path(self, theta_path: Path | None) -> None:
        try:
            if theta_path is not None:
                declare(self._call, theta_path)
            elif self.theta_path is not None:
                raise InvalidError("theta_path: theta of the study is a path, got None")
        except BaseException:
            self.close()
            raise

    def _call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls function(handle, *arguments, error); the lock must be held."""
        error = ffi.new("besd_error *")
        status = check(function(self._alive(), *arguments, error), error)
        self._message = ffi.string(error.message).decode() if status else ""
        return status

    def _alive(self) -> Any:
        if self._handle is None:
            raise ClosedError(f"study {self._path}: it was closed")
        return self._handle

    def close(self) -> None:
        """Closes the study; a second time does nothing, any other use raises ClosedError."""
        if not self._lock.is_here:  # a forked child has nothing to close
            self._handle = None
            return
        with self._lock:
            self._handle = None
            self._finalizer()

    def __enter__(self) -> "Study":
        with self._lock:
            self._alive()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            return f"<besd.Study {self._path!r}, {self.trial_count} trials, cost {self.spent:g}>"
        except ClosedError:
            return f"<besd.Study {self._path!r}, closed>"

    def _repr_html_(self) -> str:
        try:
            return study_html(self)
        except ClosedError:
            return escape(repr(self))

    def __reduce__(self) -> Any:
        """A study is pickled as its path: whoever unpickles it opens the file."""
        if self._path is None:
            raise TypeError("a study in memory cannot be pickled; give it a path")
        return type(self), (os.path.abspath(self._path),)

    def claim_trials(self) -> Claims:
        """For loops of your own that share a file with others: what is claimed is left alone by them. `optimize`
        does it by itself."""
        with self._lock:
            self._alive()
        return claims(self._path, self._under_way)

    @property
    def path(self) -> str | None:
        """The file; None for a study in memory."""
        return self._path

    @property
    def names(self) -> tuple[str, ...]:
        """Of the coordinates of theta."""
        return self._names

    @property
    def tau_max(self) -> int:
        """The training length at which designs are judged."""
        return int(self._tau_max)

    @property
    def theta_path(self) -> Path | None:
        """The path that theta is; None: it is none."""
        with self._lock:
            return declared(self._alive())

    def points(self, theta: npt.ArrayLike) -> Floats:
        """The points of a path that are visited, one in a row."""
        with self._lock:
            return points_of(self, theta)

    @property
    def options(self) -> dict[str, Any]:
        """What the study was created with, defaults filled in: arguments for `Study.create`."""
        with self._lock:
            o = lib.besd_study_get_options(self._alive())

            def strings(pointers: Any) -> list[str] | None:
                if pointers == ffi.NULL:
                    return None
                return [ffi.string(pointers[i]).decode() for i in range(o.dimension)]

            return {
                "low": _array(o.low, o.dimension),
                "high": _array(o.high, o.dimension),
                "taus": [int(o.taus[i]) for i in range(o.tau_count)],
                "reps": [int(o.reps[i]) for i in range(o.reps_count)],
                "names": strings(o.names),
                "units": strings(o.units),
                **{
                    name: kind.choices.names[getattr(o, name)] if isinstance(kind, _Choice) else getattr(o, name)
                    for name, kind in _OPTIONS.items()
                },
            }

    def _trial(self, t: Any, with_scores: bool = True) -> Trial:
        count = int(t.score_count) if with_scores and _STATE.names[t.state] == "told" else 0
        scores = ffi.new("double[]", count)
        copied = ffi.new("size_t *")
        if count:
            self._call(lib.besd_study_scores, t.id, scores, count, copied)
        return Trial(
            id=t.id,
            theta=_array(t.theta, self._dimension),
            tau=t.tau,
            reps=t.reps,
            seed=t.seed,
            state=_STATE.names[t.state],
            reason=_REASON.names[t.reason],
            cost=t.cost,
            mean=t.mean if _STATE.names[t.state] == "told" else float("nan"),
            scores=_array(scores, int(copied[0])),
            repeats=int(t.repeats) or None,
            names=self._names,
        )

    def ask(self) -> Trial | None:
        """The next trial; None when there is nothing more to do, and `stopped` says why.

        Trials that are asked and not told count as pending: asking again without telling gives
        another, sensible trial.
        """
        return self._ask(lib.besd_study_ask)

    def ask_explained(self) -> tuple[Trial, Explanation] | None:
        """`ask` with reasons."""
        e = ffi.new("besd_explanation *")

        def ask(study: Any, t: Any, error: Any) -> int:
            return int(lib.besd_study_ask_explained(study, t, e, error))

        with self._lock:
            trial = self._ask(ask)
        if trial is None:
            return None
        levers = tuple(
            LeverValue(v.tau, v.reps, v.cost, v.kg, v.log_kg, v.mean, v.sd, v.correlation)
            for v in (e.levers[i] for i in range(e.lever_count))
        )
        candidates = tuple(
            Candidate(_array(c.theta, self._dimension), c.tau, c.reps, c.kg, c.log_kg, c.cost)
            for c in (e.candidates[i] for i in range(e.candidate_count))
        )
        why = ffi.string(e.why).decode()
        return trial, Explanation(why, levers, candidates, e.targets, e.kept, e.evaluated, e.missed)

    def ask_again(self, failed: Trial | int) -> Trial | None:
        """A failed trial once more: a new trial with the same theta, tau and reps and a new seed.
        None when the budget does not pay for it."""
        failed_id = _id(failed)

        def ask(study: Any, t: Any, error: Any) -> int:
            return int(lib.besd_study_ask_again(study, failed_id, t, error))

        return self._ask(ask)

    def _ask(self, function: Callable[..., int]) -> Trial | None:
        t = ffi.new("besd_trial *")
        with self._lock:
            done = self._call(function, t)
            self._stop_message = self._message if done else None
            return None if done else self._trial(t, with_scores=False)

    @property
    def stopped(self) -> Stop | None:
        """Why the last ask of this object gave no trial: 'budget', 'remainder' or 'value'."""
        with self._lock:
            name = _STOP.names[lib.besd_study_stopped(self._alive())]
        return None if name == "none" else name

    @property
    def stop_message(self) -> str | None:
        """The same as a sentence."""
        return self._stop_message

    def __iter__(self) -> Iterator[Trial]:
        """Asks until there is nothing more to do: `for trial in study: study.tell(trial, ...)`."""
        while (trial := self.ask()) is not None:
            yield trial

    def tell(
        self,
        trial: Trial | int,
        scores: npt.ArrayLike,
        *,
        cost: float | None = None,
        legs: Rows | None = None,
        earned: Rows | None = None,
    ) -> None:
        """The scores of a trial's replications, one each; `cost` when it was not as planned.

        Telling the same scores again is accepted; other scores for a told trial are refused.

        legs: where theta is a path, one list for every replication: the time at which each point and at last
            the end was reached, None where it was not; None instead of a list when nothing is known.
        earned: what was earned on each leg, in lists of the same shape; needed beside legs when scores are maximised.
        """
        values = vector("scores", scores)
        pointer = doubles(values)
        with self._lock:
            if legs is not None or earned is not None:
                paid = -1.0 if cost is None else number("cost", cost)
                if cost is not None and not paid >= 0:
                    raise InvalidError(f"cost: expected at least 0, got {paid}")
                told = told_legs(self, trial, legs, earned, len(values))
                self._call(lib.besd_study_tell_legs, _id(trial), pointer, told, len(values), paid)
            elif cost is None:
                self._call(lib.besd_study_tell, _id(trial), pointer, len(values))
            else:
                self._call(lib.besd_study_tell_cost, _id(trial), pointer, len(values), number("cost", cost))

    def legs(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        """The legs of a trial as they were told; None: none were."""
        with self._lock:
            return shown_legs(self, _id(trial), earned=False)

    def earned(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        """What they earned."""
        with self._lock:
            return shown_legs(self, _id(trial), earned=True)

    def tell_summary(self, trial: Trial | int, mean: float, variance: float, count: int) -> None:
        """When only a summary is known: mean and unbiased variance of `count` scores, on the
        model's side of the transform."""
        arguments = (number("mean", mean), number("variance", variance), integer("count", count, 0, _INT_MAX))
        with self._lock:
            self._call(lib.besd_study_tell_summary, _id(trial), *arguments)

    def fail(self, trial: Trial | int, note: str = "", *, cost: float | None = None) -> None:
        """The trial gave nothing; its cost (as planned, if not given) is spent all the same."""
        paid = -1.0 if cost is None else number("cost", cost)
        if cost is not None and not paid >= 0:
            raise InvalidError(f"cost: expected at least 0, got {paid}")
        with self._lock:
            self._call(lib.besd_study_fail, _id(trial), paid, text("note", note))

    def recommend(self) -> Recommendation:
        """The design to use today: the maximum of the posterior mean at the largest tau."""
        r = ffi.new("besd_recommendation *")
        with self._lock:
            self._call(lib.besd_study_recommend, r)
        theta, better = _array(r.theta, self._dimension), _known(r.better)
        return Recommendation(
            theta, r.mean, r.sd, r.value, r.trials, r.cost, r.low, r.high, r.tried, better, self._names
        )

    def forecast(self, theta: npt.ArrayLike, tau: int | None = None) -> Forecast:
        """What one design would score on average, and how sure the model is of it.

        tau is the largest one unless given.
        """
        design = numbers("theta", theta)
        if design.shape != (self._dimension,):
            raise InvalidError(f"theta: expected {self._dimension} numbers, got shape {design.shape}")
        level = self._tau_max if tau is None else integer("tau", tau, 0, _INT64_MAX)
        f = ffi.new("besd_forecast *")
        with self._lock:
            self._call(lib.besd_study_forecast, doubles(design), level, f)
        return Forecast(f.mean, f.sd, f.value, f.low, f.high, f.tried, _known(f.better))

    def predict(self, theta: npt.ArrayLike, tau: int | None = None) -> tuple[Floats, Floats]:
        """Mean and standard deviation of the latent performance, on the model's scale.

        theta is one design, or an array of them along the first axis; the answers have the shape
        of theta without its last axis. tau is the largest one unless given.
        """
        designs = numbers("theta", theta)
        if designs.ndim == 0 or designs.shape[-1] != self._dimension:
            raise InvalidError(
                f"theta: expected designs of {self._dimension} numbers, got an array of shape {designs.shape}"
            )
        level = self._tau_max if tau is None else integer("tau", tau, 0, _INT64_MAX)
        shape = designs.shape[:-1]
        rows = designs.reshape(-1, self._dimension)
        mean, sd = np.empty(len(rows)), np.empty(len(rows))
        taus = ffi.new("int64_t[]", [level] * len(rows))
        with self._lock:
            self._call(
                lib.besd_study_predict_many, doubles(rows), taus, len(rows), doubles(mean), doubles(sd)
            )
        return mean.reshape(shape), sd.reshape(shape)

    def hyperparameters(self) -> Hyperparameters:
        """The fitted model."""
        h = ffi.new("besd_hyperparameters *")
        with self._lock:
            self._call(lib.besd_study_hyperparameters, h)
        return Hyperparameters(
            h.prior_mean,
            _array(h.lengthscales, self._dimension),
            _array(h.sigma_phi, 4).reshape(2, 2),
            h.discrepancy_sd,
            h.discrepancy_lengthscale,
            _array(h.env_sd, h.level_count),
            _array(h.rep_sd, h.level_count),
        )

    def certify(self, delta: float = 0.05) -> Certificate:
        """Theorem 2 of the paper: with probability 1 - delta the limit of the study is worse than
        the best design by at most `bound`, on the model's scale."""
        c = ffi.new("besd_certificate *")
        with self._lock:
            self._call(lib.besd_study_certify, number("delta", delta), c)
        return Certificate(
            c.delta,
            c.targets,
            c.fill_distance_low,
            c.fill_distance,
            _array(c.lipschitz, self._dimension),
            c.lipschitz_norm,
            c.bound,
            c.prior_sd,
        )

    @property
    def trial_count(self) -> int:
        """Trials asked so far."""
        count = ffi.new("int64_t *")
        with self._lock:
            self._call(lib.besd_study_trial_count, count)
        return int(count[0])

    def trial(self, trial_id: int) -> Trial:
        """One trial with its scores."""
        t = ffi.new("besd_trial *")
        with self._lock:
            self._call(lib.besd_study_trial, _id(trial_id), t)
            return self._trial(t)

    def trials(self, state: State | None = None) -> list[Trial]:
        """All trials, or those that are 'asked', 'told' or 'failed', in the order of asking."""
        if state is not None:
            _STATE.value(state)
        with self._lock:
            all_trials = [self.trial(i) for i in range(1, self.trial_count + 1)]
        return [t for t in all_trials if state is None or t.state == state]

    @property
    def spent(self) -> float:
        """Cost so far: told and failed trials, and asked ones as planned."""
        cost = ffi.new("double *")
        with self._lock:
            self._call(lib.besd_study_spent, cost)
        return float(cost[0])

    def set_note(self, key: str, value: str) -> None:
        """Keeps a text of your own with the study."""
        with self._lock:
            self._call(lib.besd_study_set_note, text("key", key), text("value", value))

    def get_note(self, key: str) -> str:
        """A text kept with `set_note`; empty when there is none."""
        return self._text(lib.besd_study_get_note, text("key", key))

    def _text(self, function: Callable[..., int], *arguments: Any) -> str:
        """What function(handle, *arguments, buffer, size, error) writes, however long it is."""
        size = 256
        while True:
            buffer = ffi.new("char[]", size)
            with self._lock:
                self._call(function, *arguments, buffer, size)
            found = ffi.string(buffer)
            if len(found) < size - 1:
                return str(found.decode("utf-8", "surrogateescape"))
            size *= 4  # it may have been cut

    def set_trial_note(self, trial: Trial | int, value: str) -> None:
        """Keeps a text with a trial; `fail` does the same with its reason."""
        with self._lock:
            self._call(lib.besd_study_set_trial_note, _id(trial), text("value", value))

    def get_trial_note(self, trial: Trial | int) -> str:
        """The text kept with a trial: why it failed, or what its trainer had to say."""
        return self._text(lib.besd_study_get_trial_note, _id(trial))

    def trial_times(self, trial: Trial | int) -> tuple[datetime, datetime | None]:
        """When a trial was asked, and when it was told or failed; None while it is under way."""
        asked, ended = ffi.new("int64_t *"), ffi.new("int64_t *")
        with self._lock:
            self._call(lib.besd_study_trial_times, _id(trial), asked, ended)
        return time_of(asked[0]) or _EPOCH, time_of(ended[0])

    @property
    def arithmetic(self) -> str:
        """What the study's bytes depend on besides its seed, on the machine where it was begun; empty when that is
        not known. `besd.arithmetic()` is that of this machine."""
        return self._text(lib.besd_study_arithmetic)

    @property
    def initial_cost(self) -> float:
        """What the initial design costs; better less than a third of the budget."""
        with self._lock:
            return float(lib.besd_study_initial_cost(self._alive()))

    def targets(self) -> Floats:
        """The discretisation behind the last ask of this object, one design in a row; none when no model was
        looked at."""
        count = ffi.new("size_t *")
        with self._lock:
            found = lib.besd_study_targets(self._alive(), count)
            if found == ffi.NULL:
                return np.zeros((0, self._dimension))
            return _array(found, count[0] * self._dimension).reshape(-1, self._dimension)

    def trials_dataframe(self) -> "pandas.DataFrame":
        """Everything that is known of every trial, as a pandas.DataFrame; the index is the trial's number."""
        return trials_dataframe(self)

    def report(self) -> Page:
        """The page of `besd report` as a text, complete in itself; a notebook shows it."""
        return report(self)

    def optimize(
        self,
        train: Callable[[Trial], npt.ArrayLike | Mapping[str, Any]],
        n_jobs: int | None = None,
        *,
        processes: bool = False,
        executor: Submits | None = None,
        timeout: float | None = None,
        progress: bool = False,
        max_trials: int | None = None,
        resume: bool = True,
        max_failures: int = 10,
        callback: Callable[["Study", Trial], None] | None = None,
    ) -> Recommendation:
        """Asks, trains and tells until there is nothing more to do, then recommends.

        train: takes a Trial and returns one score per replication, or a mapping with 'scores' and,
            when it was not as planned, 'cost'; of a path 'legs' and 'earned' as well; what else the mapping has is
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
        max_trials: stop after this many trainings; otherwise when the study does.
        resume: first train what has been asked and not told, unless another `optimize` is at it. Say
            False when others train for this study by other means.
        max_failures: give up with TrainError after so many failures in a row; after two that are the
            same when nothing has been told yet in this call.
        callback: called with the study and the trial after every tell and every fail.

        An interrupt leaves trials that are under way asked; the next call trains them first. Several
        calls may work on one file at once. The logger 'besd' tells what is asked and told (INFO).
        """
        jobs = n_jobs if n_jobs in (None, -1) else integer("n_jobs", n_jobs, 1, 10_000)
        seconds = None if timeout is None else number("timeout", timeout)
        if seconds is not None and not 0 < seconds < float("inf"):
            raise InvalidError(f"timeout: expected seconds above 0, got {seconds:g}")
        _optimize.run(
            self,
            train,
            n_jobs=jobs,
            processes=processes,
            executor=executor,
            timeout=seconds,
            progress=progress,
            max_trials=None if max_trials is None else integer("max_trials", max_trials, 0, _INT64_MAX),
            resume=resume,
            max_failures=integer("max_failures", max_failures, 1, _INT64_MAX),
            callback=callback,
        )
        return self.recommend()


def arithmetic() -> str:
    """What the bytes of a study depend on besides its seed, on this machine: 'OpenBLAS Haswell, fused' and the like."""
    return str(ffi.string(lib.besd_arithmetic()).decode())


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _id(trial: Trial | int) -> int:
    if isinstance(trial, Trial):
        return trial.id
    return integer("trial", trial, -_INT64_MAX, _INT64_MAX)
