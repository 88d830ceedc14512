"""Subgoals for any Gymnasium environment (paper section 3.2)."""

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import Env, Wrapper
from gymnasium.error import ResetNeeded
from gymnasium.utils import RecordConstructorArgs

from ._arguments import Floats, numbers
from ._errors import InvalidError
from ._path import EpisodeLegs
from ._plan import Cell, Plan, Reached, targets_of
from ._record import Episode, Record, Success, success_rule, testing
from ._reaching import reaching_of, width_for
from ._staged import Flatten, StageForm, staged
from .domains import Domain, DomainEnv

__all__ = ["Cell", "SubgoalWrapper"]

Position = Callable[[Env[Any, Any], Any], npt.ArrayLike]


class SubgoalWrapper(Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds K subgoals, to be reached in strict order, to an environment.

    The observation becomes {"observation": what the environment says, "subgoal": i}, i being the
    number of subgoals completed in this episode, or what `flatten` makes of the two. At stage i < K a
    move from s to s' pays, on top of the environment's reward,

        gamma * Phi(s') - Phi(s),   Phi(s) = height * exp(-|position(s) - subgoal i|^2 / (2 width))

    with the stage before the move, and Phi = 0 where the environment has terminated. At stage K
    nothing is added. One step completes at most one subgoal. terminated and truncated are untouched.

    `info` has "raw_reward", the environment's own, "raw_return", their sum in this episode, and
    "subgoal", which is i. At the end of an episode "raw_episode" is {"r": raw return, "l": steps,
    "subgoal": i, "success": did it?}; "episode" is left to those who record what the agent is paid, such as Monitor of
    Stable-Baselines3, which takes the others along by `info_keywords=("raw_return", "subgoal")`. "legs"
    and "earned" are the rows of this episode that `Study.tell` takes where theta is a path.

    subgoals: K rows of positions, or the `theta` of a trial and count=K; besd domains know the latter.
        [] for none.
    position: position(env, observation) gives where the agent is, in the coordinates of the
        subgoals. Besd domains know it themselves.
    reached: 'cell' (a move ends in the cell that contains the subgoal, of side 1 unless cell_size says
        another), 'radius' (it ends at most `radius` away from the subgoal), 'cross' (it passes over it,
        in one dimension), or reached(before, after, subgoal) of your own. A number is short for a radius,
        `besd.Cell(origin, size)` for cells. 'cell' unless a besd domain knows better.
    cell_size, origin, radius: of cells and of a radius, in the units of positions; one of the cells begins
        at the origin. They need not be said together with `reached`.
    height, width, gamma: by default those of a besd domain, otherwise 0.2, 10 and 1, as in the paper;
        where cells have another side the width goes with its square, and a radius counts as the cell in
        its ball. gamma should be that of your learner.
    flatten: True makes one Box of everything, as `gymnasium.spaces.flatten` does, the stage last; 'dict'
        puts the stage beside the members of a Dict, or beside "observation". Both leave out texts.
    stage: 'one-hot' or 'index', how the stage is written: by default one-hot in flat observations.
    success: which steps succeed: a key of info, a number that the raw reward of such a step exceeds, a function
        success(env, observation, raw_reward, info), or 'terminated' where no episode ends otherwise. By default what
        info["is_success"] or info["success"] says, or else termination with a raw reward above 0; of besd domains
        termination.

    `record` has what was seen of all episodes, and `Trial.finish` makes a score of it. Episodes that begin in
    `with env.testing():` are tests.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        subgoals: npt.ArrayLike,
        position: Position | None = None,
        reached: Reached | None = None,
        height: float | None = None,
        width: float | None = None,
        gamma: float | None = None,
        *,
        count: int | None = None,
        flatten: Flatten = False,
        stage: StageForm | None = None,
        cell_size: npt.ArrayLike | None = None,
        origin: npt.ArrayLike | None = None,
        radius: float | None = None,
        success: Success | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            subgoals=subgoals,
            position=position,
            reached=reached,
            height=height,
            width=width,
            gamma=gamma,
            count=count,
            flatten=flatten,
            stage=stage,
            cell_size=cell_size,
            origin=origin,
            radius=radius,
            success=success,
        )
        Wrapper.__init__(self, env)
        domain = env.unwrapped.domain if isinstance(env.unwrapped, DomainEnv) else None
        if position is None and domain is None:
            raise TypeError("position: expected a function of (env, observation), got none")
        self._position = position
        self._own_place: Callable[[], list[float]] | None = getattr(env.unwrapped, "place", None)
        reached = reaching_of(reached, cell_size, origin, radius)
        self._plan = plan_of(subgoals, count, reached, height, width, gamma, domain)
        self._staged = staged(env.observation_space, self._plan.count, flatten, stage)
        self.observation_space = self._staged.space
        self._stage = 0
        self._place: list[float] = []
        self._potential = 0.0  # at this place and stage
        self._return, self._steps = 0.0, -1
        self._succeeds = success_rule(success, domain is not None)
        self.record = Record(side_of(self._plan))
        self._is_test, self._succeeded = False, False
        self._chance: Any = None  # the state of the actions' generator, where it is also the environment's

    @property
    def subgoals(self) -> Floats:
        """One row each."""
        return self._plan.targets

    @property
    def height(self) -> float:
        return self._plan.height

    @property
    def width(self) -> float:
        return self._plan.width

    @property
    def gamma(self) -> float:
        return self._plan.gamma

    @property
    def place(self) -> list[float]:
        """Where the agent was when that was looked at last."""
        return list(self._place)

    @property
    def stage(self) -> int:
        """Subgoals completed in this episode."""
        return self._stage

    def testing(self) -> AbstractContextManager[None]:
        """Episodes that begin inside are tests and no training."""
        return testing(self)

    def potential(self, position: npt.ArrayLike, stage: int) -> float:
        """Phi of the subgoal that is looked for at this stage; 0 at stage K."""
        if stage >= self._plan.count:
            return 0.0
        return self._plan.potential(np.atleast_1d(numbers("position", position)).tolist(), stage)

    def _where(self, observation: Any) -> list[float]:
        if self._position is None:
            assert self._own_place
            return self._own_place()
        where: Any = self._position(self.env, observation)
        if type(where) is not np.ndarray or where.dtype.kind not in "fiu":
            where = np.atleast_1d(numbers("position", where))
        if where.shape != (self._plan.dimension,):
            if where.shape != () or self._plan.dimension != 1:
                raise InvalidError(
                    f"position: expected {self._plan.dimension} numbers as in a subgoal, got shape {where.shape}"
                )
            where = where.reshape(1)
        place: list[float] = where.tolist()
        for x in place:
            if not isfinite(x):
                raise InvalidError(f"position: expected finite numbers, got {where}")
        return place

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode at stage 0; reaching is not tested here."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._stage, self._return, self._steps = 0, 0.0, 0
        self._is_test, self._succeeded = self.record.is_testing, False
        self._chance = None if seed is None else _shared_state(self.env)
        self._legs = EpisodeLegs(self._plan.count)
        if self._plan.count:
            self._place = self._where(observation)
            self._potential = self._plan.potential(self._place, 0)
            self._path = [self._place]
        info = {**info, "raw_reward": 0.0, "raw_return": 0.0, "subgoal": 0}
        return self._staged.one(observation, 0), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One interaction, with the shaped reward."""
        if self._steps < 0:
            raise ResetNeeded("step: expected reset() first")
        observation, reward, terminated, truncated, info = self.env.step(action)
        raw = float(reward)
        paid = raw
        if self._stage < self._plan.count:
            paid += self._move(self._where(observation), terminated)
        if self._is_test and self._plan.count:
            self._path.append(self._where(observation))
        self._return += raw
        self._steps += 1
        stage = self._stage
        success = self._succeeds(self.env, observation, raw, terminated, info)
        self._succeeded |= success
        self._legs.step(stage, raw, success)
        info = {**info, "raw_reward": raw, "raw_return": self._return, "subgoal": stage}
        if terminated or truncated:
            info["raw_episode"] = {"r": self._return, "l": self._steps, "subgoal": stage, "success": self._succeeded}
            info["legs"], info["earned"] = self._legs.times, self._legs.earned
            self._end()
        return self._staged.one(observation, stage), paid, terminated, truncated, info

    def _end(self) -> None:
        times, earned = tuple(self._legs.times), tuple(self._legs.earned)
        if self._is_test and self._plan.count:
            self.record.paths.append(self._path)
        self.record.add(Episode(self._steps, self._return, self._succeeded, times, earned), self._is_test)
        if self._chance is not None and _state(self.env.action_space) != self._chance:
            warnings.warn(
                "action_space was seeded as the environment was, so random actions and what the environment draws are the "
                "same numbers; give action_space.seed another seed",
                stacklevel=3,
            )
        self._chance = None

    def _move(self, place: list[float], terminated: bool) -> float:
        """What a move is paid on top; the stage may move on."""
        plan, before = self._plan, self._potential
        self._potential = 0.0 if terminated else plan.potential(place, self._stage)
        shaping = plan.gamma * self._potential - before
        if plan.completes(self._place, place, self._stage):
            self._stage += 1
            self._potential = plan.potential(place, self._stage) if self._stage < plan.count else 0.0
        self._place = place
        self.record.visits.note(place)
        return shaping


def _state(seeded: Any) -> Any:
    """Of a generator that was made; one that was not is left unmade."""
    generator = getattr(seeded, "_np_random", None)
    return None if generator is None else generator.bit_generator.state


def _shared_state(env: Env[Any, Any]) -> Any:
    """What a seed gives, where the actions were given the same; None: they were not."""
    actions = _state(env.action_space)
    if actions is None or _state(env.unwrapped) is None:
        return None
    fresh = np.random.default_rng(getattr(env.unwrapped, "_np_random_seed", None)).bit_generator.state
    return actions if actions == fresh else None


def side_of(plan: Plan) -> float:
    """Of the cells in which visits are counted: as long as a subgoal is near."""
    return max(float(np.sqrt(plan.width / 10)), 1e-9)


def plan_of(
    subgoals: npt.ArrayLike,
    count: int | None,
    reached: Reached | None,
    height: float | None,
    width: float | None,
    gamma: float | None,
    domain: Domain | None,
) -> Plan:
    """With what a besd domain knows better than the paper's defaults."""
    box = None if domain is None else (domain.position_low, domain.position_high)
    targets = targets_of(subgoals, count, box)
    how = _first(reached, domain and domain.reached, "cell")
    return Plan(
        targets,
        how,
        _first(height, domain and domain.height, 0.2),
        _first(width, domain and domain.width, width_for(how, targets.shape[1])),
        _first(gamma, domain and domain.gamma, 1.0),
        None if box is None else box[1],
    )


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)
