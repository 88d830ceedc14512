"""What a study gives: trials, recommendations, explanations, events. The same from a file and over the network."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import numpy as np

from ._arguments import Floats
from ._looking import recommendation_html

State = Literal["asked", "told", "failed", "voided", "waiting"]
Reason = Literal[
    "initial", "kg", "exploit", "share", "random", "retry", "improvement", "bound", "bracket", "promoted", "explore",
    "confirm", "legs", "added", "enqueued", "source",
]  # fmt: skip
Stop = Literal["budget", "remainder", "value"]
What = Literal[
    "asked", "told", "failed", "expired", "renewed", "added", "enqueued", "source", "voided", "replaced", "restored", "budget",
    "noted", "tagged", "untagged",
]  # fmt: skip


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
    worker: str = ""
    """Who has it, or had it; empty: nobody in particular."""
    asked: datetime | None = field(default=None, repr=False)
    ended: datetime | None = field(default=None, repr=False)
    """When it was told or failed; None while it is under way."""
    lease_until: datetime | None = field(default=None, repr=False)
    """It goes to the next who asks when nothing was told until then; None: it is its worker's for good."""
    tags: tuple[str, ...] = field(default=(), repr=False)
    note: str = field(default="", repr=False)
    """Why it failed, or what its trainer had to say."""
    why: str = field(default="", repr=False)
    """It was voided or told anew."""

    @property
    def params(self) -> dict[str, float]:
        """theta by name."""
        return dict(zip(self.names, self.theta.tolist(), strict=True))

    @property
    def seed32(self) -> int:
        """The seed for those who take 32 bits: PyTorch, NumPy's old generators, Stable-Baselines3."""
        return self.seed & 0xFFFFFFFF

    @property
    def replication_seeds(self) -> list[int]:
        """One seed of 32 bits for every replication."""
        words = np.random.SeedSequence(self.seed, spawn_key=(1,)).generate_state(self.reps, np.uint32)
        return [int(word) for word in words]

    @property
    def environment_seeds(self) -> list[int]:
        """The same for environments: an agent and its environment that are given one seed may draw the same numbers."""
        words = np.random.SeedSequence(self.seed, spawn_key=(2,)).generate_state(self.reps, np.uint32)
        return [int(word) for word in words]

    def finish(self, env: Any, tests: Any = None) -> dict[str, Any]:
        """What a trainer returns that used `besd.SubgoalWrapper`: a score for every agent, with its legs and what else is
        worth a note. Returning the environment itself does the same.

        A score is half the share of training episodes that succeeded and half the success of the test episodes, of which
        there should be ten or more; without tests it is the share alone.

        env: a wrapped environment, wherever the wrapper is in it; a vector environment or a list of all in which one agent
            was trained; a learner of Stable-Baselines3. With several replications a list of these.
        tests: another environment, all episodes of which were tests. Not needed when they are tests by `with
            besd.testing(env)`.
        """
        from ._record import finish

        return finish(env, self.reps, tests)

    @property
    def duration(self) -> float | None:
        """Seconds from asking to telling; None while it is under way. Clocks are set back: at least 0."""
        if self.asked is None or self.ended is None:
            return None
        return max(0.0, (self.ended - self.asked).total_seconds())


@dataclass(frozen=True, slots=True)
class Source:
    """An earlier study that a study learns from."""

    name: str
    matched: str
    """What of it is of use here, in words."""
    trials: int
    """That it had when it was copied."""
    rows: int
    """Different trials that the model sees."""
    likeness: float | None
    """Its correlation with the study, from 0 to 1; None: not known yet, as are the next two."""
    related: float | None
    """The probability that it has anything to say."""
    share: float | None
    """Of what is known of the recommended design beyond the prior, the share that only this source tells."""


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
    sources: tuple[Source, ...] = ()
    """What the study learns from."""
    warning: str = field(default="", repr=False)
    """When all trials have scored the same: says so, and what to change."""

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


def _number(value: Any) -> float:
    """JSON has null for what is no finite number."""
    return float("nan") if value is None else float(value)


def explanation_of(given: dict[str, Any]) -> Explanation:
    """From JSON, as events and the network have it."""
    levers = tuple(
        LeverValue(
            int(v["tau"]),
            int(v["reps"]),
            *(_number(v[name]) for name in ("cost", "kg", "log_kg", "mean", "sd", "correlation")),
        )
        for v in given.get("levers", [])
    )
    candidates = tuple(
        Candidate(
            np.array(c["theta_array"], np.float64), c["tau"], c["reps"], *(_number(c[name]) for name in ("kg", "log_kg", "cost"))
        )
        for c in given.get("candidates", [])
    )
    return Explanation(
        why=given.get("why", ""),
        levers=levers,
        candidates=candidates,
        targets=given.get("targets", 0),
        kept=given.get("kept", 0),
        evaluated=given.get("evaluated", 0),
        missed=_number(given.get("missed")),
    )


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


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that happened to a study."""

    id: int
    at: datetime
    who: str
    """In whose name; empty: nobody in particular."""
    what: What
    trial: int | None
    """None: it is about the study."""
    detail: dict[str, Any] = field(repr=False)
    """What there is to say of it: why a trial was voided, what was told before, from which budget to which."""
