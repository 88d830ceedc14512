"""The study: besd/besd.h for Python."""

import math
import os
import warnings
import weakref
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._acts import Acts
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
from ._base import INT64_MAX, INT_MAX, id_of, paid
from ._besd import ffi, lib
from ._errors import ClosedError, InvalidError, check
from ._lock import Lock
from ._looking import Page, report, study_html, time_of
from ._options import StudyOptions
from ._path import Path, Rows, declare, declared, points_of, shown_labels, shown_legs
from ._records import (
    Candidate,
    Certificate,
    Explanation,
    Forecast,
    Hyperparameters,
    LeverValue,
    Recommendation,
    Source,
    State,
    Stop,
    Trial,
)
from ._sources import add_sources, list_sources
from ._steps import Claims, StudyClaims, StudySteps

if TYPE_CHECKING:
    from typing_extensions import Unpack

STATES = Choices("besd_trial_state", "BESD_TRIAL_")
_REASON = Choices("besd_reason", "BESD_REASON_")
_STOP = Choices("besd_stop", "BESD_STOP_")


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
        "int": lambda name, value: integer(name, value, -INT_MAX, INT_MAX),
        "uint64_t": lambda name, value: integer(name, value, 0, INT64_MAX),
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


def _paid_trainings(trainings: int, taus: list[int], reps: list[int], options: Any) -> float:
    if "budget" in options:
        raise InvalidError("trainings: it says the budget in trainings; give one of the two")
    if not taus or not reps:
        return math.inf  # refused for its own reason
    price, setup = (number(name, options.get(name, usual)) for name, usual in (("interaction_price", 1), ("setup_cost", 0)))
    return integer("trainings", trainings, 1, INT_MAX) * (max(taus) * min(reps) * price + setup)


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
        what = f"the budget of {o.budget:.12g} ends before it does, and the model will have little to go by"
    return f"the initial design costs {cost:.12g}; {what}"


def _close(handle: Any, process: int) -> None:
    if os.getpid() == process:  # a forked child must leave its parent's database alone
        lib.besd_study_close(handle)


class Study(Acts):
    """A study in a file: space, levers, every trial and every score.

    `Study(path)` opens an existing study; `Study.create` also makes one. Every tell is durable when
    it returns: there is nothing to save, and a process that is killed goes on where it was. Several
    processes may open one study; threads may share one object, they wait for each other.

    who: in whose name this object acts, for the study's events.
    """

    def __init__(self, path: str | os.PathLike[str], *, who: str | None = None) -> None:
        self._open(os.fspath(path), ffi.NULL, who)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str] | None,
        low: npt.ArrayLike,
        high: npt.ArrayLike,
        taus: Sequence[int],
        reps: Sequence[int] = (1,),
        *,
        names: Sequence[str] | None = None,
        units: Sequence[str] | None = None,
        theta_path: Path | None = None,
        sources: "Sequence[str | os.PathLike[str] | Study]" = (),
        who: str | None = None,
        trainings: int | None = None,
        **options: "Unpack[StudyOptions]",
    ) -> "Study":
        """Makes a study, or opens the one that is there if all options agree with it.

        An existing study takes over another budget than it was given the last time. `path=None` makes a study in
        memory. Warns when the initial design leaves little or nothing of the budget of a new study.

        theta_path: says that theta is a path, whose legs may be told; an existing study has the same.
        sources: earlier studies to learn from, as paths or studies. What they know is copied before the first trial;
            an existing study passes over those that it has, by their files' names.
        who: as for `Study`.
        trainings: the budget as so many trials of the largest tau with the fewest reps, instead of `budget`.
        options: see `besd.StudyOptions` and docs/study.md: direction, transform, method, model, seed,
            budget (`float("inf")`: none, the default), explore, caution and the others. What is left
            out has its default; 0 means 0.
        """
        box_low = vector("low", low)
        box_high = vector("high", high, len(box_low))
        if len(box_low) == 0:
            raise InvalidError("low: expected at least one number, got none")
        tau_levels = integers("taus", taus, 0, INT64_MAX)
        rep_levels = integers("reps", reps, 0, INT_MAX)
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
        if trainings is not None:
            options = {**options, "budget": _paid_trainings(trainings, tau_levels, rep_levels, options)}
        for name, value in options.items():
            if name not in _OPTIONS:
                hint, known = nearest(name, _OPTIONS), ", ".join(_OPTIONS)
                raise TypeError(f"options: there is no '{name}'{hint}; known are {known}")
            fields[name] = _OPTIONS[name](name, value)
        given = ffi.new("besd_study_options *")
        lib.besd_study_options_fill(given, ffi.sizeof(given[0]))
        for name, value in fields.items():
            setattr(given, name, value)
        if sources and path is not None and not os.path.exists(path):
            cls._made(None, given, who, theta_path, sources).close()  # what is refused leaves no file behind
        study = cls._made(path, given, who, theta_path, sources)
        note = _initial_note(study._handle)
        if note and study.trial_count == 0:
            warnings.warn(note, stacklevel=2)
        return study

    @classmethod
    def _made(
        cls,
        path: str | os.PathLike[str] | None,
        options: Any,
        who: str | None,
        theta_path: Path | None,
        sources: "Sequence[str | os.PathLike[str] | Study]",
    ) -> "Study":
        study = cls.__new__(cls)
        study._open(path, options, who)
        study._settle_path(theta_path)
        try:
            add_sources(study, sources)
        except BaseException:
            study.close()
            raise
        return study

    def _open(self, path: str | os.PathLike[str] | None, options: Any, who: str | None) -> None:
        self._handle: Any = None
        self._who = who
        self._message = ""
        self._stop_message: str | None = None
        self._path = None if path is None else os.fspath(path)
        if isinstance(self._path, bytes):
            raise TypeError("path: expected a text, got bytes")
        self._lock = Lock(self._path)
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
        try:
            self._set_who(who)
        except BaseException:
            self.close()
            raise

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

    def _check_open(self) -> None:
        with self._lock:
            self._alive()

    def __repr__(self) -> str:
        try:
            return f"<besd.Study {self._path!r}, {self.trial_count} trials, cost {self.spent:g}>"
        except ClosedError:
            return f"<besd.Study {self._path!r}, closed>"

    def _repr_html_(self) -> str:
        try:
            where = repr(self._path) if self._path else "in memory"
            return study_html(self, f"<b>besd.Study</b> {escape(where)}")
        except ClosedError:
            return escape(repr(self))

    def __reduce__(self) -> Any:
        """A study is pickled as its path: whoever unpickles it opens the file."""
        if self._path is None:
            raise TypeError("a study in memory cannot be pickled; give it a path")
        return _reopen, (type(self), os.path.abspath(self._path), self._who)

    def claim_trials(self) -> Claims:
        return StudyClaims(self)

    def _steps(self, **how: Any) -> StudySteps:
        return StudySteps(self, **how)

    @property
    def path(self) -> str | None:
        """The file; None for a study in memory."""
        return self._path

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def tau_max(self) -> int:
        return int(self._tau_max)

    @property
    def theta_path(self) -> Path | None:
        with self._lock:
            return declared(self._alive())

    def points(self, theta: npt.ArrayLike) -> Floats:
        with self._lock:
            return points_of(self, theta)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The earlier studies that the study learns from, and how much each has to say."""
        with self._lock:
            return list_sources(self)

    @property
    def options(self) -> dict[str, Any]:
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
        state = STATES.names[t.state]
        is_known = state in ("told", "voided")
        count = int(t.score_count) if with_scores and is_known else 0
        scores = ffi.new("double[]", count)
        copied = ffi.new("size_t *")
        if count:
            self._call(lib.besd_study_scores, t.id, scores, count, copied)
        work = ffi.new("besd_work *")
        self._call(lib.besd_study_work, t.id, work)
        tags = self._text(lib.besd_study_tags, t.id)
        is_leased = state in ("asked", "waiting") and math.isfinite(work.until)
        return Trial(
            id=t.id,
            theta=_array(t.theta, self._dimension),
            tau=t.tau,
            reps=t.reps,
            seed=t.seed,
            state=state,
            reason=_REASON.names[t.reason],
            cost=t.cost,
            mean=t.mean if is_known else float("nan"),
            scores=_array(scores, int(copied[0])),
            repeats=int(t.repeats) or None,
            names=self._names,
            worker=_string(work.worker),
            asked=time_of(work.asked),
            ended=time_of(work.ended) if work.ended else None,
            lease_until=time_of(work.until) if is_leased else None,
            tags=tuple(tags.split(",")) if tags else (),
            note=self._text(lib.besd_study_get_trial_note, t.id),
            why=_string(work.why),
        )

    def ask(self, *, worker: str | None = None, lease: float | None = None) -> Trial | None:
        return self._ask_for(worker, lease, ffi.NULL)

    def ask_explained(
        self, *, worker: str | None = None, lease: float | None = None
    ) -> tuple[Trial, Explanation] | None:
        e = ffi.new("besd_explanation *")
        trial = self._ask_for(worker, lease, e)
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
        return trial, Explanation(_string(e.why), levers, candidates, e.targets, e.kept, e.evaluated, e.missed)

    def _ask_for(self, worker: str | None, lease: float | None, explanation: Any) -> Trial | None:
        name = ffi.NULL if worker is None else ffi.new("char[]", text("worker", worker))
        seconds = ffi.NULL if lease is None else ffi.new("double *", number("lease", lease))
        return self._ask(ffi.new("besd_ask *", {"worker": name, "lease": seconds, "explanation": explanation}))

    def ask_again(self, failed: Trial | int) -> Trial | None:
        failed_id = ffi.new("int64_t *", id_of(failed))
        return self._ask(ffi.new("besd_ask *", {"again": failed_id}))

    def _ask(self, how: Any) -> Trial | None:
        t = ffi.new("besd_trial *")
        with self._lock:
            done = self._call(lib.besd_study_ask, how, t)
            self._stop_message = self._message if done else None
            return None if done else self._trial(t, with_scores=False)

    @property
    def stopped(self) -> Stop | None:
        with self._lock:
            name = _STOP.names[lib.besd_study_stopped(self._alive())]
        return None if name == "none" else name

    @property
    def stop_message(self) -> str | None:
        return self._stop_message

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
        with self._lock:
            outcome = self._outcome(trial, scores, cost=cost, legs=legs, earned=earned, labels=labels)
            return self._call(lib.besd_study_tell, id_of(trial), outcome.pointer) == int(lib.BESD_REPEATED)

    def legs(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        with self._lock:
            return shown_legs(self, id_of(trial), earned=False)

    def earned(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        with self._lock:
            return shown_legs(self, id_of(trial), earned=True)

    def labels(self, trial: Trial | int) -> list[int] | None:
        with self._lock:
            return shown_labels(self, id_of(trial))

    def tell_summary(self, trial: Trial | int, mean: float, variance: float, count: int) -> None:
        """When only a summary is known: mean and unbiased variance of `count` scores, on the
        model's side of the transform."""
        summary = ffi.new("besd_summary *", (number("mean", mean), number("variance", variance)))
        outcome = ffi.new("besd_outcome *", {"count": integer("count", count, 0, INT_MAX), "summary": summary})
        with self._lock:
            self._call(lib.besd_study_tell, id_of(trial), outcome)

    def fail(self, trial: Trial | int, note: str = "", *, cost: float | None = None) -> None:
        with self._lock:
            spent = paid(cost)
            pointer = ffi.NULL if spent is None else ffi.new("double *", spent)
            self._call(lib.besd_study_fail, id_of(trial), pointer, text("note", note))

    def recommend(self) -> Recommendation:
        r = ffi.new("besd_recommendation *")
        with self._lock:
            self._call(lib.besd_study_recommend, r)
            sources = list_sources(self)
        theta, better = _array(r.theta, self._dimension), _known(r.better)
        said = ffi.new("char[]", lib.BESD_ERROR_MESSAGE_SIZE)
        lib.besd_recommendation_warning(r, said)
        return Recommendation(
            theta, r.mean, r.sd, r.value, r.trials, r.cost, r.low, r.high, r.tried, better, self._names, sources,
            ffi.string(said).decode(),
        )  # fmt: skip

    def forecast(self, theta: npt.ArrayLike, tau: int | None = None) -> Forecast:
        design = numbers("theta", theta)
        if design.shape != (self._dimension,):
            raise InvalidError(f"theta: expected {self._dimension} numbers, got shape {design.shape}")
        level = self._tau_max if tau is None else integer("tau", tau, 0, INT64_MAX)
        f = ffi.new("besd_forecast *")
        with self._lock:
            self._call(lib.besd_study_forecast, doubles(design), level, f)
        return Forecast(f.mean, f.sd, f.value, f.low, f.high, f.tried, _known(f.better))

    def predict(self, theta: npt.ArrayLike, tau: int | None = None) -> tuple[Floats, Floats]:
        designs = numbers("theta", theta)
        if designs.ndim == 0 or designs.shape[-1] != self._dimension:
            raise InvalidError(
                f"theta: expected designs of {self._dimension} numbers, got an array of shape {designs.shape}"
            )
        level = self._tau_max if tau is None else integer("tau", tau, 0, INT64_MAX)
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
        count = ffi.new("int64_t *")
        with self._lock:
            self._call(lib.besd_study_trial_count, count)
        return int(count[0])

    def trial(self, trial_id: int) -> Trial:
        t = ffi.new("besd_trial *")
        with self._lock:
            self._call(lib.besd_study_trial, id_of(trial_id), t)
            return self._trial(t)

    def trials(self, state: State | None = None) -> list[Trial]:
        if state is not None:
            STATES.value(state)
        with self._lock:
            all_trials = [self.trial(i) for i in range(1, self.trial_count + 1)]
        return [t for t in all_trials if state is None or t.state == state]

    @property
    def spent(self) -> float:
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
        with self._lock:
            self._call(lib.besd_study_set_trial_note, id_of(trial), text("value", value))

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

    def report(self) -> Page:
        """The page of `besd report` as a text, complete in itself; a notebook shows it."""
        return report(self)


def arithmetic() -> str:
    """What the bytes of a study depend on besides its seed, on this machine: 'OpenBLAS Haswell, fused' and the like."""
    return str(ffi.string(lib.besd_arithmetic()).decode())


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _string(chars: Any) -> str:
    return str(ffi.string(chars).decode("utf-8", "replace"))


def _reopen(cls: type[Study], path: str, who: str | None) -> Study:
    return cls(path, who=who)
