"""Domains as Gymnasium environments: those of the paper, and all others that the command line takes.

>>> env = gymnasium.make("besd/GW10-v0")            # also GW20, TR, KEY2, KEY3 and MC
>>> env = gymnasium.make("besd/GW10-v0", wind=0)    # any constant that `besd domains gw10` lists
>>> observation, info = env.reset(seed=7)           # draws one instance of the domain: one of its maps
>>> observation, info = env.reset()                 # another episode in the same instance
>>> observation, info = env.reset(options={"instance": 3})

The observation of a grid domain is its discrete state (cell, and what the agent carries), that of the
mountain car is (x, v). `info["position"]` is where the agent is, in the coordinates of subgoals.

A grid in YAML, a plugin in C and a process that speaks besd's protocol come in by the same door:

>>> env = gymnasium.make("besd/Domain-v0", domain="rooms.yaml")
>>> env = besd.domains.DomainEnv("./delivery.so", wind=0.1)
>>> env = besd.domains.DomainEnv("cmd:python3 my_env.py")

Plugins and commands are run: open only what you trust.
Importing besd registers the environments; importing this module is not necessary.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from gymnasium import Env, spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import InvalidAction, ResetNeeded

from ._arguments import Floats, integer, number, text
from ._besd import ffi, lib
from ._errors import ClosedError, EnvironmentContractError, InvalidError, UnsupportedError, check
from ._options import Direction
from ._plan import Cell
from ._register import names, register
from ._render import GridPicture, MountainPicture, Window

__all__ = ["Domain", "DomainEnv", "describe", "names", "register"]

RenderMode = Literal["human", "rgb_array", "ansi"]

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
    direction: Direction
    """'minimize' for steps to the goal, 'maximize' for the discounted return."""
    taus: tuple[int, ...]
    reps: tuple[int, ...]
    initial_designs: int
    position_low: Floats
    position_high: Floats
    """The box in which a subgoal may lie."""
    reached: Literal["cell", "cross"] | float | Cell
    """When a subgoal is reached, as in `besd.SubgoalWrapper`: 'cell' for cells of side 1, a `besd.Cell` for others, a
    radius, or 'cross'."""

    @property
    def low(self) -> Floats:
        """Of the box of designs: arguments for `besd.Study.create`."""
        return np.tile(self.position_low, self.subgoals)

    @property
    def high(self) -> Floats:
        return np.tile(self.position_high, self.subgoals)


def describe(name: str, **parameters: float) -> Domain:
    """The domain of this name; also that of a file, a plugin or a command."""
    env = DomainEnv(name, render_mode=None, **parameters)
    try:
        return env.domain
    finally:
        env.close()


class DomainEnv(Env[Any, Any]):
    """A domain. An instance is drawn by `reset(seed=...)` and stays until the next seed.

    domain: a built-in name, a grid in YAML ("rooms.yaml"), a plugin ("./delivery.so") or a process
        ("cmd:python3 my_env.py").
    render_mode: 'rgb_array', 'ansi' or 'human', for grids and the mountain car.
    parameters: constants of the domain, as `besd domains` lists them.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 15}

    def __init__(self, domain: str, *, render_mode: RenderMode | None = None, **parameters: float) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise InvalidError(f"render_mode: expected 'human', 'rgb_array' or 'ansi', got {render_mode!r}")
        self.render_mode = render_mode
        self._arguments = domain, parameters
        keys = [ffi.new("char[]", text("parameter", key)) for key in parameters]
        overrides = ffi.new("besd_env_parameter[]", len(keys))
        for i, (key, value) in enumerate(parameters.items()):
            overrides[i].name = keys[i]
            overrides[i].value = number(key, value)
        handle = ffi.new("besd_domain **")
        error = ffi.new("besd_error *")
        check(lib.besd_domain_load(handle, text("domain", domain), overrides, len(keys), error), error)
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
        self._picture: GridPicture | MountainPicture | None = None
        self._window: Window | None = None
        if render_mode is not None and not self._is_drawable():
            raise UnsupportedError(f"render_mode: domain {self.domain.name} does not say what it looks like")

    def _is_drawable(self) -> bool:
        return self._cells() is not None or self._is_mountain()

    def _is_mountain(self) -> bool:
        return self.domain.name == "mc" and self._arguments[0] == "mc"

    @property
    def cells(self) -> list[str] | None:
        """What a grid looks like in its current instance, the lowest row first: '.' free, '#' wall, 'S' start, 'G'
        goal, 'D' door, 'K' key, 'T' treasure, and '^' '>' 'V' '<', each entered in its direction only. None for other
        domains."""
        _keep = self._alive()
        self._begun("cells")
        return self._cells()

    def _cells(self) -> list[str] | None:
        width, height = ffi.new("int *"), ffi.new("int *")
        cells = lib.besd_domain_cells(self._handle, width, height)
        if cells == ffi.NULL:
            return None
        text = ffi.buffer(cells, width[0] * height[0])[:].decode("ascii", "replace")
        return [text[i : i + width[0]] for i in range(0, len(text), width[0])]

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
            reached=self._reached(),
        )

    def _reached(self) -> Any:
        how = ffi.new("besd_env_reaching *")
        lib.besd_domain_reaching(self._handle, how)
        if how.reach == lib.BESD_REACH_CROSS:
            return "cross"
        if how.reach == lib.BESD_REACH_RADIUS:
            return float(how.radius)
        origin = self._bounds(how.origin, self._position)
        return "cell" if how.cell_size == 1 and not origin.any() else Cell(origin.tolist(), float(how.cell_size))

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
        self._check_failure()
        self._running = True
        if self.render_mode == "human":
            self.render()
        return self._observe()

    def _check_failure(self) -> None:
        """An environment of somebody else's that cannot go on tells a reward of NaN."""
        if self._out.reward == self._out.reward:
            return
        self._running = False
        failure = self._methods.failure
        reason = failure(self._env) if failure != ffi.NULL else ffi.NULL
        raise EnvironmentContractError(
            f"domain {self.domain.name}: it told a reward of NaN"
            if reason == ffi.NULL
            else ffi.string(reason).decode("utf-8", "replace")
        )

    def _draw(self, instance: int) -> None:
        error = ffi.new("besd_error *")
        check(self._methods.instance(self._env, instance, error), error)
        self._methods.seed(self._env, int(self.np_random.integers(_SEED_MAX)))
        self._instance = instance
        self._picture = None

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One interaction."""
        _keep = self._alive()  # until the call is over
        if not self._running:
            raise ResetNeeded("step: expected reset() first, the episode has ended or not begun")
        if not (type(action) is int and 0 <= action < self._actions) and not self.action_space.contains(action):
            raise InvalidAction(f"action: expected 0 to {self._actions - 1}, got {action!r}")
        out = self._out
        self._step(self._env, int(action), out)
        reward, terminated, truncated = out.reward, out.terminated, out.truncated
        if reward != reward:
            self._check_failure()
        self._running = not (terminated or truncated)
        observation, info = self._observe()
        if self.render_mode == "human":
            self.render()
        return observation, reward, terminated, truncated, info

    def _taken(self, picture: GridPicture) -> str:
        """What the agent has used up: keys, with which doors are open, and treasures. The state tells, in one
        bit for each kind that the map can hold."""
        cells = picture.width * picture.height
        flags, both = int(self._out.state) // cells, int(self._spec.states) // cells > 2
        if not both:
            return "KDT" if flags else ""
        return ("KD" if flags & 1 else "") + ("T" if flags & 2 else "")

    def render(self) -> Any:
        """A picture for 'rgb_array', a text for 'ansi', a window for 'human'."""
        _keep = self._alive()
        self._begun("render")
        if self.render_mode is None:
            return None
        if self._picture is None:
            cells = self._cells()
            self._picture = GridPicture(cells) if cells else MountainPicture(self._arguments[1].get("goal_position", 0.5))
        taken = self._taken(self._picture) if isinstance(self._picture, GridPicture) else ""
        if self.render_mode == "ansi":
            return self._picture.text(self.place(), taken)
        frame = self._picture.pixels(self.place(), taken)
        if self.render_mode == "rgb_array":
            return frame
        if self._window is None:
            self._window = Window(f"besd: {self.domain.title}", self.metadata["render_fps"])
        self._window.show(frame)
        return None

    def close(self) -> None:
        """Closes the environment; a second time does nothing, any other use raises ClosedError."""
        self._handle = None
        if self._window is not None:
            self._window.close()
            self._window = None


def _make(
    cls: type[DomainEnv], domain: str, parameters: dict[str, float], render_mode: RenderMode | None, spec: EnvSpec | None
) -> DomainEnv:
    env = cls(domain, render_mode=render_mode, **parameters)
    env.spec = spec
    return env
