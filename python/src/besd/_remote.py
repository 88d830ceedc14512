"""A study over the network: what `besd.connect` returns. docs/service.md has the routes."""

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from ._arguments import Floats, integer, integers, number, numbers, scores_of, text, vector
from ._base import INT64_MAX, StudyBase, id_of, paid
from ._steps import Claims, RemoteClaims, RemoteSteps
from ._errors import BesdError, ClosedError, InvalidError, UnknownNameError
from ._http import Service
from ._looking import study_html, time_of
from ._path import Path, Rows
from ._records import Event, Explanation, Forecast, Recommendation, State, Stop, Trial, explanation_of
from ._sources import source_of
from ._results import Result, theta_of
from ._study import STATES, Study

_AT_ONCE = 1000  # events, as the service gives them


def _real(value: Any, missing: float = math.nan) -> float:
    """JSON has null for what is no finite number."""
    return missing if value is None else float(value)


def _frozen(values: Any) -> Floats:
    array = np.array(values, np.float64)
    array.flags.writeable = False
    return array


def _finite(name: str, value: npt.ArrayLike) -> list[float]:
    """JSON has no other numbers."""
    array = vector(name, value)
    for i, one in enumerate(array.tolist()):
        if not math.isfinite(one):
            raise InvalidError(f"{name}[{i}]: expected a finite number, got {one}")
    return list(map(float, array))


def _seconds(lease: float | None) -> float | None:
    """null: for good."""
    if lease is None:
        return None
    given = number("lease", lease)
    if not given > 0:
        raise InvalidError(f"lease: expected seconds above 0, got {given:g}")
    return None if given == math.inf else given


def _rows(name: str, value: Rows | None) -> list[list[float | None] | None] | None:
    """Legs for JSON; the service checks them."""
    if value is None:
        return None
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name}: expected a list for every replication, got {type(value).__name__}")
    return [
        None if row is None else [None if x is None or math.isnan(x) else number(f"{name}[{i}]", x) for x in row]
        for i, row in enumerate(value)
    ]


class RemoteStudy(StudyBase):
    """A study of a service, with the interface of `besd.Study`. Threads may share one object, and do not wait for each
    other. Every tell is durable when it returns."""

    _usual_lease = 60.0

    def __init__(self, service: Service, name: str, who: str | None, made_of: tuple[Any, ...]) -> None:
        self._service, self._name, self._who = service, name, who
        self._made_of = made_of
        self._path = f"{urlsplit(str(made_of[0])).path}/v1/studies/{quote(name, safe='')}"
        self._closed = False
        self._stopped: Stop | None = None
        self._stop_message: str | None = None
        known = self._get("")
        self._space: list[dict[str, Any]] = known["theta"]
        self._names = tuple(str(one["name"]) for one in self._space)
        self._taus: list[int] = known["tau"]
        self._reps: list[int] = known["reps"]
        self._theta_path = _path_of(known.get("path"))

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"study {self.url}: it was closed")

    def _get(self, path: str, patience: float | None = None) -> dict[str, Any]:
        self._check_open()
        return self._service.call("GET", self._path + path, patience=patience)

    def _post(self, path: str, body: dict[str, Any], *, again: bool) -> dict[str, Any]:
        """again: it may be heard twice without harm. Any other act gets a key, and is done once."""
        self._check_open()
        given = {key: value for key, value in body.items() if value is not None}
        if self._who is not None and "worker" not in body:
            given["worker"] = self._who  # whoever has a trial acts in that name, and perhaps in none
        return self._service.call("POST", self._path + path, given, key=None if again else uuid4().hex)

    def _act(self, trial: Trial | int, act: str, body: dict[str, Any], *, again: bool) -> Trial:
        return self._trial(self._post(f"/trials/{self._number(trial)}/{act}", body, again=again))

    @staticmethod
    def _number(trial: Trial | int) -> int:
        found = id_of(trial)
        if found < 0:
            raise UnknownNameError(f"there is no trial {found}")
        return found

    @property
    def url(self) -> str:
        return self._service.address + self._path

    @property
    def name(self) -> str:
        """The study's, as the service has it."""
        return self._name

    def __repr__(self) -> str:
        return f"<besd.RemoteStudy {self.url}{', closed' if self._closed else ''}>"

    def _repr_html_(self) -> str:
        if self._closed:
            return escape(repr(self))
        return study_html(self, f"<b>besd.RemoteStudy</b> {escape(self.url)}")

    def __reduce__(self) -> Any:
        """As what it was connected with: its token is in there."""
        return _reconnect, self._made_of

    def close(self) -> None:
        self._closed = True
        self._service.close()

    def claim_trials(self) -> Claims:
        """What this object trains; what others do is known by their leases."""
        self._check_open()
        return RemoteClaims()

    def _steps(self, **how: Any) -> RemoteSteps:
        return RemoteSteps(self, **how)

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def tau_max(self) -> int:
        return max(self._taus)

    @property
    def theta_path(self) -> Path | None:
        return self._theta_path

    @property
    def options(self) -> dict[str, Any]:
        known = self._get("")
        given: dict[str, Any] = {name: math.inf if v is None else v for name, v in known["options"].items()}
        return {
            "low": _frozen([one["low"] for one in self._space]),
            "high": _frozen([one["high"] for one in self._space]),
            "taus": self._taus,
            "reps": self._reps,
            "names": list(self._names),
            "units": [str(one.get("unit", "")) for one in self._space],
            **given,
            "budget": _real(known["budget"], math.inf),
        }

    @property
    def trial_count(self) -> int:
        return sum(self._get("")["trials"].values())

    @property
    def spent(self) -> float:
        return float(self._get("")["spent"])

    @property
    def stopped(self) -> Stop | None:
        return self._stopped

    @property
    def stop_message(self) -> str | None:
        return self._stop_message

    def _trial(self, t: dict[str, Any]) -> Trial:
        return Trial(
            id=t["trial"],
            theta=_frozen(t["theta_array"]),
            tau=t["tau"],
            reps=t["reps"],
            seed=t["seed"],
            state=t["state"],
            reason=t["reason"],
            cost=_real(t["cost"]),
            mean=_real(t.get("mean")),
            scores=_frozen(t.get("scores", [])),
            repeats=t.get("repeats"),
            names=self._names,
            worker=t.get("worker", ""),
            asked=time_of(t["asked_at"]) if "asked_at" in t else None,
            ended=time_of(t["ended_at"]) if "ended_at" in t else None,
            lease_until=time_of(t["lease_until"]) if "lease_until" in t else None,
            tags=tuple(t.get("tags", [])),
            note=t.get("note", ""),
            why=t.get("why", ""),
        )

    def _ask(self, worker: str | None, lease: float | None, explain: bool) -> dict[str, Any] | None:
        body = {"worker": worker, "lease": _seconds(lease), "explain": explain}
        answer = self._post("/ask", body, again=False)
        done = bool(answer.get("done"))
        self._stopped, self._stop_message = (answer["stopped"], answer["reason"]) if done else (None, None)
        return None if done else answer

    def ask(self, *, worker: str | None = None, lease: float | None = None) -> Trial | None:
        answer = self._ask(worker, lease, explain=False)
        return None if answer is None else self._trial(answer)

    def ask_explained(
        self, *, worker: str | None = None, lease: float | None = None
    ) -> tuple[Trial, Explanation] | None:
        answer = self._ask(worker, lease, explain=True)
        return None if answer is None else (self._trial(answer), explanation_of(answer.get("explanation", {})))

    def ask_again(self, failed: Trial | int) -> Trial | None:
        try:
            return self._act(failed, "again", {}, again=False)
        except BesdError as error:
            if error.status != "BESD_DONE":
                raise
            self._stopped, self._stop_message = "budget", str(error)
            return None

    def renew(self, trial: Trial | int, lease: float, *, worker: str | None = None) -> None:
        if worker is None and isinstance(trial, Trial):
            worker = trial.worker or None
        self._act(trial, "renew", {"worker": worker, "lease": _seconds(lease)}, again=True)

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
        body = self._told(scores, cost, legs, earned, labels)
        told = self._post(f"/trials/{self._number(trial)}/tell", body, again=True)
        return bool(told.get("repeated"))  # a service of 0.2 does not say

    def _told(
        self,
        scores: npt.ArrayLike,
        cost: float | None,
        legs: Rows | None,
        earned: Rows | None,
        labels: Sequence[int] | None,
        place: str = "",
    ) -> dict[str, Any]:
        if legs is None and (earned is not None or labels is not None):
            lonely = "labels" if earned is None else "earned"
            raise InvalidError(f"{place}{lonely}: it belongs to legs, which are missing")
        values = scores_of(f"{place}scores", scores)
        return {
            "scores": _finite(f"{place}scores", values),
            "cost": paid(cost),
            "legs": _rows("legs", legs),
            "earned": _rows("earned", earned),
            "labels": None if labels is None else integers("labels", labels, 0, 2**31 - 1),
        }

    def fail(self, trial: Trial | int, note: str = "", *, cost: float | None = None) -> None:
        body = {"note": _text("note", note) or None, "cost": paid(cost)}
        self._act(trial, "fail", body, again=True)

    def void(self, trial: Trial | int, why: str = "") -> None:
        self._act(trial, "void", {"why": _text("why", why)}, again=False)

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
        body = {**self._told(scores, cost, legs, earned, labels), "replace": True, "why": _text("why", why)}
        self._act(trial, "tell", body, again=False)

    def restore(self, trial: Trial | int) -> None:
        self._act(trial, "restore", {}, again=False)

    def _add(self, results: list[Result]) -> int:
        rows = [self._row(f"results[{i}]: ", result) for i, result in enumerate(results)]
        return int(self._post("/add", {"trials": rows}, again=False)["first"])

    def _row(self, place: str, result: Result) -> dict[str, Any]:
        row = {
            "theta": _finite(f"{place}theta", result.theta),
            "tau": result.tau,
            "note": result.note or None,
            **self._told(result.scores, None, result.legs, result.earned, result.labels, place),
            "cost": _finite(f"{place}cost", [result.cost])[0],
        }
        return {key: value for key, value in row.items() if value is not None}

    def enqueue(
        self,
        theta: npt.ArrayLike | Mapping[str, float],
        tau: int | None = None,
        reps: int | None = None,
        *,
        note: str = "",
    ) -> Trial:
        body = {
            "theta": _finite("theta", theta_of(theta, self._names)),
            "tau": None if tau is None else integer("tau", tau, 1, INT64_MAX),
            "reps": None if reps is None else integer("reps", reps, 1, 2**31 - 1),
            "note": _text("note", note) or None,
        }
        return self._trial(self._post("/enqueue", body, again=False))

    def set_budget(self, budget: float | None) -> None:
        limit = math.inf if budget is None else number("budget", budget)
        if math.isnan(limit):
            raise InvalidError("budget: expected a number, got nan")
        body: dict[str, Any] = {"budget": None if limit == math.inf else limit}
        if self._who is not None:
            body["worker"] = self._who
        self._check_open()
        self._service.call("POST", self._path + "/set", body, key=uuid4().hex)

    def tag(self, trial: Trial | int, *tags: str) -> None:
        self._act(trial, "note", {"tags": [_text("tag", tag) for tag in tags]}, again=False)

    def untag(self, trial: Trial | int, *tags: str) -> None:
        self._act(trial, "note", {"untag": [_text("tag", tag) for tag in tags]}, again=False)

    def set_trial_note(self, trial: Trial | int, value: str) -> None:
        self._act(trial, "note", {"text": _text("value", value)}, again=False)

    def trial(self, trial_id: int) -> Trial:
        return self._trial(self._get(f"/trials/{self._number(trial_id)}"))

    def trials(self, state: State | None = None) -> list[Trial]:
        if state is not None:
            STATES.value(state)
        found = self._get("/trials" + ("" if state is None else f"?state={state}"))
        return [self._trial(t) for t in found["trials"]]

    def legs(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        return self._get(f"/trials/{self._number(trial)}").get("legs")

    def earned(self, trial: Trial | int) -> list[list[float | None] | None] | None:
        return self._get(f"/trials/{self._number(trial)}").get("earned")

    def labels(self, trial: Trial | int) -> list[int] | None:
        return self._get(f"/trials/{self._number(trial)}").get("labels")

    def points(self, theta: npt.ArrayLike) -> Floats:
        if self._theta_path is None:
            raise InvalidError("theta_path: theta of this study is no path")
        low, high = ([one[end] for one in self._space] for end in ("low", "high"))
        with Study.create(None, low, high, self._taus, self._reps, theta_path=self._theta_path) as alike:
            return alike.points(theta)

    def events(self, after: int = 0, *, follow: bool = False) -> Iterator[Event]:
        seen = integer("after", after, 0, INT64_MAX)
        if follow:
            self._check_open()
            yield from map(_event, self._service.stream(f"{self._path}/events", seen))
            return
        while True:
            found = [_event(event) for event in self._get(f"/events?after={seen}")["events"]]
            yield from found
            if len(found) < _AT_ONCE:
                return
            seen = found[-1].id

    def explain(self) -> tuple[Trial, Explanation] | None:
        try:
            answer = self._get("/explain")
        except UnknownNameError:
            return None
        return self.trial(answer["trial"]), explanation_of(answer["explanation"])

    def recommend(self) -> Recommendation:
        r = self._get("/recommend")
        return Recommendation(
            theta=_frozen(r["theta_array"]),
            mean=_real(r["mean"]),
            sd=_real(r["sd"]),
            value=_real(r["value"]),
            trials=r["trials"],
            cost=_real(r["cost"]),
            low=_real(r["low"], -math.inf),
            high=_real(r["high"], math.inf),
            tried=r["tried"],
            better=r.get("better"),
            names=self._names,
            sources=tuple(map(source_of, r.get("sources", ()))),
            warning=r.get("warning") or "",  # a service of besd 0.2 says none
        )

    def _predicted(self, theta: Floats, tau: int | None) -> dict[str, Any]:
        body = {
            "theta": _finite("theta", theta),
            "tau": None if tau is None else integer("tau", tau, 0, INT64_MAX),
        }
        self._check_open()
        given = {key: value for key, value in body.items() if value is not None}
        return self._service.call("POST", self._path + "/predict", given)

    def forecast(self, theta: npt.ArrayLike, tau: int | None = None) -> Forecast:
        design = vector("theta", theta, len(self._names))
        f = self._predicted(design, tau)
        return Forecast(
            mean=_real(f["mean"]),
            sd=_real(f["sd"]),
            value=_real(f["value"]),
            low=_real(f["low"], -math.inf),
            high=_real(f["high"], math.inf),
            tried=f["tried"],
            better=f.get("better"),
        )

    def predict(self, theta: npt.ArrayLike, tau: int | None = None) -> tuple[Floats, Floats]:
        designs = numbers("theta", theta)
        if designs.ndim == 0 or designs.shape[-1] != len(self._names):
            raise InvalidError(
                f"theta: expected designs of {len(self._names)} numbers, got an array of shape {designs.shape}"
            )
        found = [self._predicted(row, tau) for row in designs.reshape(-1, len(self._names))]
        mean, sd = (np.array([_real(one[name]) for one in found]) for name in ("mean", "sd"))
        return mean.reshape(designs.shape[:-1]), sd.reshape(designs.shape[:-1])


def _text(name: str, value: Any) -> str:
    text(name, value)
    return str(value)


def _event(given: dict[str, Any]) -> Event:
    return Event(
        id=given["id"],
        at=time_of(given["at"]),
        who=given["who"],
        what=given["what"],
        trial=given["trial"],
        detail=given["detail"] or {},
    )


def _path_of(given: dict[str, Any] | None) -> Path | None:
    if given is None:
        return None
    ends = {name: None if None in given[name] else given[name] for name in ("from", "to")}
    return Path(
        points=given["points"],
        cap=_real(given["cap"], math.inf),
        coordinates=given["coordinates"],
        cell=given["cell"],
        from_=ends["from"],
        to=ends["to"],
        fewest=given["fewest"] or None,
        labels=given.get("labels") or None,
        price=given["price"],
    )


def connect(
    url: str, token: str | None = None, *, study: str | None = None, who: str | None = None, patience: float = 60.0
) -> RemoteStudy:
    """A study of `besd serve`.

    url: of the study's page, 'http://lab:8420/study/arm', or of the service, 'http://lab:8420', which then has one study
        only, or `study` says which.
    token: what the service was given with --token-file.
    who: in whose name this object acts, for the study's events; it asks and renews in the name of the worker.
    patience: when the service cannot be reached, calls are made again for so many seconds, also the first one: a
        service that is about to begin is waited for.
    """
    text("url", url)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise InvalidError(f"url: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidError(f"url: expected something like 'http://127.0.0.1:8420/study/arm', got {url!r}")
    if token is not None and (not token.isascii() or not token.isprintable() or not token):
        raise InvalidError("token: expected the line of the token file, got something that cannot be in a header")
    prefix, name = parts.path.rstrip("/"), study
    for before in ("/v1/studies", "/study"):
        head, found, tail = prefix.rpartition(before)
        if found and (not tail or tail.startswith("/")):
            prefix = head
            name = study if study is not None else unquote(tail[1:]) or None
            break
    service = Service(parts, token, number("patience", patience))
    base = urlunsplit((parts.scheme, parts.netloc, prefix, "", ""))
    try:
        if name is None:
            name = _only_study(service, prefix)
        return RemoteStudy(service, name, who, (base, token, name, who, patience))
    except BaseException:
        service.close()
        raise


def _reconnect(url: str, token: str | None, name: str, who: str | None, patience: float) -> RemoteStudy:
    return connect(url, token, study=name, who=who, patience=patience)


def _only_study(service: Service, prefix: str) -> str:
    names = [str(one["name"]) for one in service.call("GET", f"{prefix}/v1/studies")["studies"]]
    if len(names) != 1:
        known = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
        raise InvalidError(f"url: expected the name of a study at the end, as {service.address} has {known or 'none yet'}")
    return names[0]
