"""Subgoals for any Gymnasium environment (paper section 3.2)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import Env, Wrapper, spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import RecordConstructorArgs

from ._arguments import Floats, number, numbers
from ._errors import InvalidError
from .domains import Domain, DomainEnv

Position = Callable[[Env[Any, Any], Any], npt.ArrayLike]
Reached = Callable[[Floats, Floats, Floats], bool]


def _cross(before: Floats, after: Floats, target: Floats) -> bool:
    return bool(min(before[0], after[0]) <= target[0] <= max(before[0], after[0]))


class SubgoalWrapper(Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds K subgoals, to be reached in strict order, to an environment.

    The observation becomes {"observation": what the environment says, "subgoal": i}, i being the
    number of subgoals completed in this episode. At stage i < K a move from s to s' pays, on top of
    the environment's reward,

        gamma * Phi(s') - Phi(s),   Phi(s) = height * exp(-|position(s) - subgoal i|^2 / (2 width))

    with the stage before the move, and Phi = 0 where the environment has terminated. At stage K
    nothing is added. One step completes at most one subgoal. `info["raw_reward"]` is the
    environment's own reward, `info["subgoal"]` is i; terminated and truncated are untouched.

    subgoals: K rows of positions; for a besd domain also one row, the `theta` of a trial.
    position: position(env, observation) gives where the agent is, in the coordinates of the
        subgoals. Besd domains know it themselves.
    reached: 'cell' (a move ends in the unit cell that contains the subgoal), 'cross' (it passes
        over it, in one dimension), or reached(before, after, subgoal) of your own. 'cell' unless a
        besd domain knows better.
    height, width, gamma: by default those of a besd domain, otherwise 0.2, 10 and 1, as in the paper.
        gamma should be that of your learner.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        subgoals: npt.ArrayLike,
        position: Position | None = None,
        reached: str | Reached | None = None,
        height: float | None = None,
        width: float | None = None,
        gamma: float | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            subgoals=subgoals,
            position=position,
            reached=reached,
            height=height,
            width=width,
            gamma=gamma,
        )
        Wrapper.__init__(self, env)
        domain = env.unwrapped.domain if isinstance(env.unwrapped, DomainEnv) else None
        if position is None and domain is None:
            raise TypeError("position: expected a function of (env, observation), got none")
        self._position = position
        self.height = number("height", _first(height, domain and domain.height, 0.2))
        self.width = number("width", _first(width, domain and domain.width, 10.0))
        self.gamma = number("gamma", _first(gamma, domain and domain.gamma, 1.0))
        if not np.isfinite(self.height):
            raise InvalidError(f"height: expected a finite number, got {self.height}")
        if not (0 < self.width < np.inf):
            raise InvalidError(f"width: expected a number above 0, got {self.width}")
        if not 0 <= self.gamma <= 1:
            raise InvalidError(f"gamma: expected a number in [0, 1], got {self.gamma}")
        self.subgoals = _targets(subgoals, domain)
        self._cells = np.floor(self.subgoals)
        if domain is not None:  # a coordinate on the upper border belongs to the last cell
            self._cells = np.minimum(self._cells, np.ceil(domain.position_high) - 1)
        reached = _first(reached, domain and domain.reached, "cell")
        if reached == "cross" and self.subgoals.shape[1] != 1:
            raise InvalidError("reached: 'cross' needs positions of one coordinate")
        if not callable(reached) and reached not in ("cell", "cross"):
            raise InvalidError(f"reached: expected 'cell', 'cross' or a function, got {reached!r}")
        self._reached: Reached | None = _cross if reached == "cross" else reached if callable(reached) else None
        self._stage = 0
        self._before: Floats | None = None
        self.observation_space = spaces.Dict(
            {"observation": env.observation_space, "subgoal": spaces.Discrete(len(self.subgoals) + 1)}
        )

    @property
    def stage(self) -> int:
        """Subgoals completed in this episode."""
        return self._stage

    def potential(self, position: npt.ArrayLike, stage: int) -> float:
        """Phi of the subgoal that is looked for at this stage; 0 at stage K."""
        if stage >= len(self.subgoals):
            return 0.0
        difference = np.asarray(position, dtype=np.float64) - self.subgoals[stage]
        return float(self.height * np.exp(-0.5 * (difference @ difference) / self.width))

    def _where(self, observation: Any) -> Floats:
        if self._position is None:
            return self.env.unwrapped.position  # type: ignore[attr-defined, no-any-return]
        where = numbers("position", self._position(self.env, observation))
        if where.ndim == 0:
            where = where.reshape(1)
        if where.shape != self.subgoals.shape[1:]:
            raise InvalidError(
                f"position: expected {self.subgoals.shape[1]} numbers as in a subgoal, got shape {where.shape}"
            )
        if not np.isfinite(where).all():
            raise InvalidError(f"position: expected finite numbers, got {where}")
        # A view would change under our hands when the environment moves its agent.
        return where.copy()

    def _completes(self, before: Floats, after: Floats) -> bool:
        if self._stage >= len(self.subgoals):
            return False
        if self._reached is None:
            return bool((np.floor(after) == self._cells[self._stage]).all())
        return bool(self._reached(before, after, self.subgoals[self._stage]))

    def _augment(self, observation: Any, info: dict[str, Any], reward: float) -> tuple[Any, dict[str, Any]]:
        info = {**info, "raw_reward": reward, "subgoal": self._stage}
        return {"observation": observation, "subgoal": self._stage}, info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode at stage 0; reaching is not tested here."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._stage = 0
        self._before = self._where(observation)
        return self._augment(observation, info, 0.0)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One interaction, with the shaped reward."""
        if self._before is None:
            raise ResetNeeded("step: expected reset() first")
        observation, raw, terminated, truncated, info = self.env.step(action)
        after = self._where(observation)
        following = 0.0 if terminated else self.potential(after, self._stage)
        shaping = self.gamma * following - self.potential(self._before, self._stage)
        self._stage += self._completes(self._before, after)
        self._before = after
        observation, info = self._augment(observation, info, float(raw))
        return observation, float(raw) + shaping, terminated, truncated, info


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def _targets(subgoals: npt.ArrayLike, domain: Domain | None) -> Floats:
    """Checked, K rows."""
    targets = numbers("subgoals", subgoals)
    if domain is not None and targets.ndim == 1:
        width = len(domain.position_low)
        if targets.size % width:
            raise InvalidError(f"subgoals: expected positions of {width} numbers, got {targets.size} numbers")
        targets = targets.reshape(-1, width)
    if targets.ndim != 2 or targets.shape[1] == 0:
        raise InvalidError(
            f"subgoals: expected one row per subgoal, got an array of shape {targets.shape}; "
            "theta.reshape(K, -1) makes rows"
        )
    if not np.isfinite(targets).all():
        raise InvalidError("subgoals: expected finite numbers")
    if domain is not None:
        if targets.shape[1] != len(domain.position_low):
            raise InvalidError(
                f"subgoals: expected positions of {len(domain.position_low)} numbers, got {targets.shape[1]}"
            )
        outside = (targets < domain.position_low) | (targets > domain.position_high)
        if outside.any():
            raise InvalidError(
                f"subgoals: expected positions from {domain.position_low} to {domain.position_high}, "
                f"got {targets[outside.any(axis=1)][0]}"
            )
    return targets.copy()
