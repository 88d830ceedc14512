"""The domains of the paper as Gymnasium environments.

>>> env = gymnasium.make("besd/GW10-v0")            # also GW20, TR, KEY2, KEY3 and MC
>>> env = gymnasium.make("besd/GW10-v0", wind=0)    # any constant that `besd domains gw10` lists
>>> observation, info = env.reset(seed=7)           # draws one instance of the domain: one of its maps
>>> observation, info = env.reset()                 # another episode in the same instance
>>> observation, info = env.reset(options={"instance": 3})

The observation of a grid domain is its discrete state (cell, and what the agent carries), that of the
mountain car is (x, v). `info["position"]` is where the agent is, in the coordinates of subgoals.
Importing besd registers the environments; importing this module is not necessary.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import Env, spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import InvalidAction, ResetNeeded

from ._arguments import Floats, integer, number, text
from ._besd import ffi, lib
from ._errors import ClosedError, check
from ._register import names, register

__all__ = ["Domain", "DomainEnv", "describe", "names", "register"]

_SEED_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """What the paper gives a domain besides its dynamics."""

    name: str
    title: str
    subgoals: int
    """K: a design holds K positions, one after the other."""
    gamma: float
    height: float
    width: float
    """A potential is height * exp(-distance^2 / (2 width))."""
    direction: str
    """'minimize' for steps to the goal, 'maximize' for the discounted return."""
    taus: tuple[int, ...]
    reps: tuple[int, ...]
    initial_designs: int
    position_low: Floats
    position_high: Floats
    """The box in which a subgoal may lie."""
    reached: str
    """When a subgoal is reached: 'cell' or 'cross', as in `besd.SubgoalWrapper`."""

    @property
    def low(self) -> Floats:
        """Of the box of designs: arguments for `besd.Study.create`."""
        return np.tile(self.position_low, self.subgoals)

    @property
    def high(self) -> Floats:
        return np.tile(self.position_high, self.subgoals)


def describe(name: str, **parameters: float) -> Domain:
    """The domain of this name."""
    return DomainEnv(name, render_mode=None, **parameters).domain


class DomainEnv(Env[Any, Any]):
    """A built-in domain. An instance is drawn by `reset(seed=...)` and stays until the next seed."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, domain: str, *, render_mode: str | None = None, **parameters: float) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode: expected None, got {render_mode!r}; 'besd show' draws instances")
        self._arguments = domain, parameters
        keys = [ffi.new("char[]", text("parameter", key)) for key in parameters]
        overrides = ffi.new("besd_env_parameter[]", len(keys))
        for i, (key, value) in enumerate(parameters.items()):
            overrides[i].name = keys[i]
            overrides[i].value = number(key, value)
        handle = ffi.new("besd_domain **")
        error = ffi.new("besd_error *")
        check(lib.besd_domain_open(handle, text("domain", domain), overrides, len(keys), error), error)
        # The handle is freed when nobody uses it any more, so that close() can never pull it from
        # under a step in another thread.
        self._handle: Any = ffi.gc(handle[0], lib.besd_domain_close)
        env = ffi.new("besd_env **")
        self._methods: Any = lib.besd_domain_env(self._handle, env)
        self._env: Any = env[0]
        self._step: Any = self._methods.step
        self._out: Any = ffi.new("besd_env_outcome *")
        self._running = False
        self._instance: int | None = None
        self._spec: Any = ffi.new("besd_env_spec *")
        self._methods.spec(self._env, self._spec)
        self._position = int(self._spec.position)
        self._actions = int(self._spec.actions)
        self._discrete = bool(self._spec.states)
        # Views of what the environment writes into at every step.
        seen = np.frombuffer(ffi.buffer(self._out.observation), np.float64)
        self._seen, self._here = seen[: self._spec.observation], seen[: self._position]
        self.action_space = spaces.Discrete(self._spec.actions)
        if self._spec.states:
            self.observation_space = spaces.Discrete(self._spec.states)
        else:
            self.observation_space = spaces.Box(
                self._bounds(self._spec.low, self._spec.observation),
                self._bounds(self._spec.high, self._spec.observation),
                dtype=np.float64,
            )
        self.domain = self._describe()

    @staticmethod
    def _bounds(values: Any, count: int) -> Floats:
        return np.array([values[i] for i in range(count)])

    def _describe(self) -> Domain:
        d = ffi.new("besd_domain_info *")
        lib.besd_domain_describe(self._handle, d)
        return Domain(
            name=ffi.string(d.name).decode(),
            title=ffi.string(d.title).decode(),
            subgoals=d.subgoals,
            gamma=d.gamma,
            height=d.height,
            width=d.width,
            direction="minimize" if d.score == lib.BESD_SCORE_STEPS else "maximize",
            taus=tuple(d.taus[i] for i in range(d.tau_count)),
            reps=tuple(d.reps[i] for i in range(d.reps_count)),
            initial_designs=d.initial_designs,
            position_low=self._bounds(self._spec.subgoal_low, self._position),
            position_high=self._bounds(self._spec.subgoal_high, self._position),
            reached="cell" if self._spec.reach == lib.BESD_REACH_CELL else "cross",
        )

    def __reduce__(self) -> Any:
        """An environment is pickled as what it was made of; the copy waits for its first reset."""
        return _make, (type(self), *self._arguments, self.render_mode, self.spec)

    def _alive(self) -> Any:
        if self._handle is None:
            raise ClosedError(f"domain {self.domain.name}: it was closed")
        return self._handle

    @property
    def instance(self) -> int | None:
        """The seed of the current instance; None before the first reset."""
        return self._instance

    @property
    def position(self) -> Floats:
        """Where the agent is, in the coordinates of subgoals."""
        self._begun("position")
        return self._here.copy()

    def place(self) -> list[float]:
        """The same as a list, which is quicker to compute with."""
        place: list[float] = self._here.tolist()
        return place

    def _begun(self, what: str) -> None:
        if self._instance is None:
            raise ResetNeeded(f"{what}: expected reset() first")

    def _observe(self) -> tuple[Any, dict[str, Any]]:
        info: dict[str, Any] = {"position": self._here.copy()}
        return self._out.state if self._discrete else self._seen.copy(), info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode.

        seed: draws an instance and restarts all chance; without it the next episode is in the same
            instance. options={"instance": n}: the n-th instance.
        """
        _keep = self._alive()  # until the call is over
        super().reset(seed=seed)
        unknown = set(options or {}) - {"instance"}
        if unknown:
            raise ValueError(f"options: expected 'instance', got {sorted(map(str, unknown))}")
        if options and "instance" in options:
            self._draw(integer("instance", options["instance"], 0, _SEED_MAX))
        elif seed is not None or self._instance is None:
            self._draw(int(self.np_random.integers(_SEED_MAX)))
        self._methods.reset(self._env, self._out)
        self._running = True
        return self._observe()

    def _draw(self, instance: int) -> None:
        error = ffi.new("besd_error *")
        check(self._methods.instance(self._env, instance, error), error)
        self._methods.seed(self._env, int(self.np_random.integers(_SEED_MAX)))
        self._instance = instance

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One interaction."""
        _keep = self._alive()  # until the call is over
        if not self._running:
            raise ResetNeeded("step: expected reset() first, the episode has ended or not begun")
        if not (type(action) is int and 0 <= action < self._actions) and not self.action_space.contains(action):
            raise InvalidAction(f"action: expected 0 to {self._actions - 1}, got {action!r}")
        out = self._out
        self._step(self._env, int(action), out)
        terminated, truncated = out.terminated, out.truncated
        self._running = not (terminated or truncated)
        observation, info = self._observe()
        return observation, out.reward, terminated, truncated, info

    def close(self) -> None:
        """Closes the environment; a second time does nothing, any other use raises ClosedError."""
        self._handle = None


def _make(
    cls: type[DomainEnv], domain: str, parameters: dict[str, float], render_mode: str | None, spec: EnvSpec | None
) -> DomainEnv:
    env = cls(domain, render_mode=render_mode, **parameters)
    env.spec = spec
    return env
