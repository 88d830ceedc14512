"""Subgoals for vector environments: `SubgoalWrapper` for many at once."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

from ._arguments import Floats, numbers
from ._errors import InvalidError
from ._plan import Reached
from ._record import Episode, Record, Success, success_number, testing
from ._reaching import reaching_of
from ._staged import Flatten, StageForm, staged
from ._subgoals import plan_of, side_of

VectorPosition = Callable[[VectorEnv[Any, Any, Any], Any], npt.ArrayLike]

_Mask = npt.NDArray[np.bool_]


class SubgoalVectorWrapper(VectorWrapper):
    """Adds K subgoals to every environment of a vector environment, each with a stage of its own.

    The arguments are those of `SubgoalWrapper`, with three differences. A function success(envs, observations, raw_rewards,
    infos) answers for all. position(envs, observations) gives
    one row for each environment; without it `infos["position"]` is taken, which besd's domains have.
    And `infos` has arrays: "raw_reward", "raw_return", "subgoal", and where episodes end ("_raw_episode")
    the arrays of "raw_episode". All three ways of resetting by itself are understood; with
    AutoresetMode.SAME_STEP `position` is also called with the last observations of what has ended.

    An environment that steps in Python gains nothing: wrap it before it is made many, by
    `gymnasium.make_vec(..., wrappers=[lambda env: SubgoalWrapper(env, ...)])`.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        subgoals: npt.ArrayLike,
        position: VectorPosition | None = None,
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
        super().__init__(env)
        self._one: Any = env.single_observation_space  # pyright: ignore[reportUnknownMemberType]
        self._all: Any = env.observation_space  # pyright: ignore[reportUnknownMemberType]
        self._position = position
        reached = reaching_of(reached, cell_size, origin, radius)
        self._plan = plan_of(subgoals, count, reached, height, width, gamma, None)
        self._staged = staged(self._one, self._plan.count, flatten, stage)
        self.single_observation_space = self._staged.space
        self.observation_space = batch_space(self._staged.space, env.num_envs)
        mode = env.metadata.get("autoreset_mode")
        self._mode = getattr(mode, "value", None) or "NextStep"
        self._stages = np.zeros(env.num_envs, np.intp)
        self._places: Floats | None = None
        self._returns = np.zeros(env.num_envs)
        self._steps = np.zeros(env.num_envs, np.int64)
        self._over: _Mask = np.zeros(env.num_envs, np.bool_)
        self._success = success if success is None or isinstance(success, str) or callable(success) else success_number(success)
        self.record = Record(side_of(self._plan))
        self._times = np.full((env.num_envs, self._plan.count + 1), np.nan)
        self._earned = np.zeros((env.num_envs, self._plan.count + 1))
        self._tests: _Mask = np.zeros(env.num_envs, np.bool_)

    @property
    def stages(self) -> npt.NDArray[np.intp]:
        """Subgoals completed in the episode of each environment."""
        return self._stages.copy()

    def testing(self) -> AbstractContextManager[None]:
        """Episodes that begin inside are tests and no training."""
        return testing(self)

    def _where(self, observations: Any, infos: dict[str, Any]) -> Floats:
        if self._plan.count == 0:
            return np.zeros((self.num_envs, self._plan.dimension))
        if self._position is not None:
            given: Any = self._position(self.env, observations)
        elif "position" in infos:
            given = infos["position"]
        else:
            raise TypeError("position: expected a function of (envs, observations), got none")
        places = numbers("position", given)
        if places.shape == (self.num_envs,) and self._plan.dimension == 1:
            places = places.reshape(-1, 1)
        if places.shape != (self.num_envs, self._plan.dimension):
            raise InvalidError(
                f"position: expected {self.num_envs} rows of {self._plan.dimension} numbers as in a subgoal, "
                f"got shape {places.shape}"
            )
        if not np.isfinite(places).all():
            raise InvalidError(f"position: expected finite numbers, got {places[~np.isfinite(places).all(axis=1)][0]}")
        return places.copy()

    def _last_places(self, observations: Any, infos: dict[str, Any], over: _Mask, places: Floats) -> Floats:
        """Where the moves ended, also those after which an environment has begun anew in the same step."""
        if self._mode != "SameStep" or not over.any() or self._plan.count == 0:
            return places
        seen = list(iterate(self._all, observations))
        for i in np.flatnonzero(over):
            seen[i] = infos["final_obs"][i]
        room: Any = create_empty_array(self._one, self.num_envs)
        last = concatenate(self._one, seen, room)
        ended = self._where(last, infos.get("final_info", {}))
        return np.where(over[:, None], ended, places)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins all episodes, or those of options["reset_mask"], at stage 0."""
        mask = None if options is None else options.get("reset_mask")
        begun = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask, np.bool_)
        observations, infos = self.env.reset(seed=seed, options=options)
        places = self._where(observations, infos)
        self._places = places if self._places is None else np.where(begun[:, None], places, self._places)
        self._begin(begun)
        infos = {**infos, **self._told(np.zeros(self.num_envs))}
        return self._staged.many(observations, self._stages), infos

    def _begin(self, begun: _Mask) -> None:
        self._stages[begun] = 0
        self._returns[begun] = 0
        self._steps[begun] = 0
        self._times[begun], self._earned[begun] = np.nan, 0
        self._tests[begun] = self.record.is_testing
        self._over &= ~begun

    def _told(self, raw: Floats) -> dict[str, Any]:
        told = {"raw_reward": raw, "raw_return": self._returns.copy(), "subgoal": self._stages.copy()}
        everybody = np.ones(self.num_envs, np.bool_)
        return told | {f"_{key}": everybody.copy() for key in told}

    def step(self, actions: Any) -> tuple[Any, Floats, _Mask, _Mask, dict[str, Any]]:
        """One interaction of each, with the shaped rewards."""
        if self._places is None:
            raise ResetNeeded("step: expected reset() first")
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        raw = np.asarray(rewards, np.float64)
        places = self._where(observations, infos)
        begun = self._over.copy() if self._mode == "NextStep" else np.zeros(self.num_envs, np.bool_)
        over: _Mask = np.logical_or(terminations, truncations)
        ends = self._last_places(observations, infos, over, places)
        before = self._stages.copy()
        shaping = self._move(ends, terminations, ~begun)
        self._begin(begun)
        self._returns += raw
        self._steps += ~begun
        self._note(before, self._succeeds(observations, raw, terminations, infos, over) & ~begun, raw, begun)
        infos = {**infos, **self._told(raw)}
        if over.any():
            infos["raw_episode"] = {
                "r": np.where(over, self._returns, 0.0),
                "l": np.where(over, self._steps, 0),
                "subgoal": np.where(over, self._stages, 0),
                "success": over & ~np.isnan(self._times[:, -1]),
            }
            infos["_raw_episode"] = over.copy()
            self._end(over)
        self._over, self._places = over.copy(), places
        if self._mode == "SameStep":
            self._begin(over)
        return self._staged.many(observations, self._stages), raw + shaping, terminations, truncations, infos

    def _succeeds(self, observations: Any, raw: Floats, terminations: _Mask, infos: dict[str, Any], over: _Mask) -> _Mask:
        """Whose step has succeeded; SAME_STEP has the last info of what has ended elsewhere."""
        if callable(self._success):
            return np.asarray(self._success(self.env, observations, raw, infos), np.bool_)
        if self._success == "terminated":
            return np.asarray(terminations, np.bool_)
        if isinstance(self._success, float):
            return raw > self._success
        keys = (self._success,) if self._success else ("is_success", "success")
        last = infos.get("final_info", {}) if self._mode == "SameStep" else {}
        known = [infos[key] for key in keys if key in infos], [last[key] for key in keys if key in last]
        if self._success is None and not known[0] and not known[1]:
            return np.logical_and(terminations, raw > 0)
        now: Any = known[0][0] if known[0] else False
        then: Any = known[1][0] if known[1] else now
        return np.asarray(np.where(over, then, now), np.bool_) & np.ones(self.num_envs, np.bool_)

    def _note(self, before: npt.NDArray[np.intp], succeeded: _Mask, raw: Floats, begun: _Mask) -> None:
        everybody = np.arange(self.num_envs)
        arrived = np.flatnonzero((self._stages > before) & ~begun)
        self._times[arrived, self._stages[arrived] - 1] = self._steps[arrived]
        self._earned[everybody, np.where(begun, 0, before)] += raw
        there = succeeded & np.isnan(self._times[:, -1])
        self._times[there, -1] = self._steps[there]
        if self._plan.count and self._places is not None:
            for place in self._places.tolist():
                self.record.visits.note(place)

    def _end(self, over: _Mask) -> None:
        for i in np.flatnonzero(over):
            times = tuple(None if np.isnan(t) else float(t) for t in self._times[i])
            steps, earned = int(self._steps[i]), tuple(float(x) for x in self._earned[i])
            episode = Episode(steps, float(self._returns[i]), times[-1] is not None, times, earned)
            self.record.add(episode, bool(self._tests[i]))

    def _move(self, ends: Floats, terminations: _Mask, moved: _Mask) -> Floats:
        """What the moves are paid on top; stages move on."""
        assert self._places is not None
        plan, stages = self._plan, self._stages
        following = np.where(terminations, 0.0, plan.potentials(ends, stages))
        shaping = np.where(moved, plan.gamma * following - plan.potentials(self._places, stages), 0.0)
        looking = np.flatnonzero(moved & (stages < plan.count))
        if looking.size:
            stages[looking] += plan.completed(self._places[looking], ends[looking], stages[looking])
        return shaping
