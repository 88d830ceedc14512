"""What the wrappers note of their episodes, and what `Trial.finish` makes of it."""

import math
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import besd
from besd._record import KEPT_CELLS, Episode, Episodes, Visits, records_of

equal_scores_are_fine = pytest.mark.filterwarnings("ignore:all .* trials have scored the same")


class Ledge(gymnasium.Env[Any, Any]):
    """Eight cells in a row. The goal is at the right end, a fall at the left one; both terminate."""

    def __init__(self, told: bool = False) -> None:
        self.action_space = gymnasium.spaces.Discrete(2)
        self.observation_space = gymnasium.spaces.Box(0, 8, (1,), np.float32)
        self.told, self.x = told, 3

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self.x = 3
        return np.array([self.x + 0.5], np.float32), {}

    def step(self, action: Any) -> Any:
        self.x += 1 if action else -1
        over = self.x in (0, 7)
        info = {"is_success": self.x == 7} if self.told else {}
        return np.array([self.x + 0.5], np.float32), float(self.x == 7), over, False, info


def where(env: Any, observation: Any) -> Any:
    return observation


def guided(env: Any = None, **how: Any) -> besd.SubgoalWrapper:
    return besd.SubgoalWrapper(env or Ledge(), [[5.5]], where, **how)


def walk(env: Any, actions: str) -> Any:
    """'r' and 'l' until the episode ends."""
    env.reset()
    last: Any = None
    for action in actions:
        last = env.step(int(action == "r"))
    return last


def test_a_fall_is_no_success() -> None:
    env = guided()
    assert walk(env, "lll")[4]["legs"] == [None, None]
    info = walk(env, "rrrr")[4]
    assert info["legs"] == [2, 4] and info["earned"] == [0, 1]
    assert info["raw_episode"] == {"r": 1, "l": 4, "subgoal": 1, "success": True}
    training = env.record.training
    assert (training.count, training.successes, training.interactions) == (2, 1, 7)
    assert training.set_out == [2, 1] and training.arrived == [1, 1]
    assert list(training.newest)[0] == Episode(3, 0.0, False, (None, None), (0.0, 0.0))
    assert sum(env.record.visits.cells.values()) == 5  # once the subgoal is reached nobody asks where the agent is


@pytest.mark.parametrize(
    ("success", "told", "falls", "arrives"),
    [
        (None, False, False, True),
        (None, True, False, True),
        ("is_success", True, False, True),
        ("is_success", False, False, False),  # the key is missing
        (0.5, False, False, True),
        (1.0, False, False, False),
        ("terminated", False, True, True),
        (lambda env, observation, reward, info: observation[0] < 1, False, True, False),
    ],
)
def test_what_success_is(success: Any, told: bool, falls: bool, arrives: bool) -> None:
    env = guided(Ledge(told), success=success)
    assert walk(env, "lll")[4]["raw_episode"]["success"] is falls
    assert walk(env, "rrrr")[4]["raw_episode"]["success"] is arrives


def test_a_wrong_success_is_refused() -> None:
    with pytest.raises(TypeError, match="success: expected 'terminated', a key of info, a number"):
        guided(success=True)


def test_tests_are_no_training() -> None:
    env = guided()
    walk(env, "lll")
    with env.testing():
        walk(env, "rrrr")
        walk(env, "lll")
    walk(env, "lll")
    assert (env.record.training.count, env.record.training.success) == (2, 0)
    assert (env.record.tests.count, env.record.tests.success) == (2, 0.5)
    with pytest.raises(besd.InvalidError, match="testing: expected an environment with a besd.SubgoalWrapper"):
        with besd.testing(Ledge()):
            pass


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("told", [True, False])
def test_many_environments_note_the_same(mode: AutoresetMode, told: bool) -> None:
    walks = ["rrrr", "lll", "rlrrrr"]
    alone = guided(Ledge(told))
    for one in walks:
        walk(alone, one)
    many = SyncVectorEnv([lambda: Ledge(told)] * 3, autoreset_mode=mode)
    envs = besd.SubgoalVectorWrapper(many, [[5.5]], where)
    envs.reset()
    for i in range(6):
        envs.step(np.array([int(one[min(i, len(one) - 1)] == "r") for one in walks]))
    for episode in alone.record.training.newest:
        assert episode in envs.record.training.newest
    assert envs.record.training.successes >= 2 and envs.record.tests.count == 0


def one_trial(reps: int = 1) -> besd.Trial:
    with besd.Study.create(None, [0], [8], [100], [reps], budget=10_000, seed=1) as study:
        trial = study.ask()
    assert trial is not None
    return trial


def test_finish_scores_an_agent() -> None:
    trial, env = one_trial(), guided()
    walk(env, "rrrr")
    walk(env, "lll")
    assert trial.finish(env)["scores"] == [0.5]
    with env.testing():
        for one in ("rrrr", "rrrr", "rrrr", "lll"):
            walk(env, one)
    done = trial.finish(gymnasium.wrappers.TimeLimit(env, 50))  # wherever the wrapper is
    assert done["scores"] == [0.5 * 0.5 + 0.5 * 0.75]
    assert (done["share"], done["test_success"], done["test_episodes"]) == ([0.5], [0.75], [4])
    assert done["legs"] == [[2, 4]] and done["earned"] == [[0, 1]]
    assert done["attempts"] == [[[2, 1], [1, 1]]]
    other = guided()
    walk(other, "lll")
    assert trial.finish(env, tests=[env, other])["test_episodes"] == [4 + 4 + 2 + 1]


def test_finish_needs_episodes_and_a_wrapper() -> None:
    trial = one_trial()
    with pytest.raises(besd.InvalidError, match="env: no episode has ended"):
        trial.finish(guided())
    with pytest.raises(besd.InvalidError, match="expected an environment with a besd.SubgoalWrapper"):
        trial.finish(Ledge())
    with pytest.raises(besd.InvalidError, match="env: expected a list of 2"):
        one_trial(2).finish(guided())


@equal_scores_are_fine
@pytest.mark.parametrize("with_path", [False, True])
def test_a_trainer_returns_its_environment(with_path: bool) -> None:
    def train(trial: besd.Trial) -> Any:
        env = besd.SubgoalWrapper(Ledge(), trial.theta, where, count=1)
        walk(env, "rrrr")
        walk(env, "lll")
        return env

    path = besd.Path(points=1, coordinates=1, cap=20, cell=1) if with_path else None
    with besd.Study.create(None, [0], [7], [10], [1], budget=60, initial_designs=2, theta_path=path) as study:
        study.optimize(train)
        first = study.trial(1)
        assert first.scores.tolist() == [0.5]
        assert '"share": [0.5]' in first.note and '"scores"' not in first.note
        legs = study.legs(1)
        assert (legs is not None) is with_path
        if legs:
            assert legs[0] is not None and legs[0][-1] == 4


@equal_scores_are_fine
def test_two_agents_are_two_scores() -> None:
    def train(trial: besd.Trial) -> Any:
        good, bad = guided(), guided()
        walk(good, "rrrr")
        walk(bad, "lll")
        return [good, [bad, bad]]

    with besd.Study.create(None, [0], [7], [10], [2], budget=120, initial_designs=2) as study:
        study.optimize(train)
        assert study.trial(1).scores.tolist() == [1, 0]


def test_memory_is_bounded() -> None:
    visits = Visits(1.0)
    for x in range(100):
        for y in range(100):
            visits.note((x + 0.5, y + 0.5))
    assert len(visits.cells) <= KEPT_CELLS and visits.side == 2
    assert sum(visits.cells.values()) == 10_000 and set(visits.cells.values()) == {4}
    episodes = Episodes()
    for _ in range(3000):
        episodes.add(Episode(1, 0.0, True, (1.0,), (0.0,)))
    assert (episodes.count, episodes.success, len(episodes.newest)) == (3000, 1, 1000)


def test_stages_of_a_dict_are_their_own() -> None:
    env = besd.SubgoalWrapper(Ledge(), [[5.5]], where, flatten="dict", stage="one-hot")
    first, _ = env.reset()
    first["subgoal"][:] = 7
    again, _ = env.reset()
    assert again["subgoal"].tolist() == [1, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("sampled", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_shared_seeds_are_told(sampled: bool, shared: bool) -> None:
    env = guided()
    env.action_space.seed(5 if shared else 6)
    env.reset(seed=5)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            env.action_space.sample() if sampled else None
            env.step(0)
    assert any("seeded as the environment was" in str(w.message) for w in told) is (sampled and shared)


def test_seeds_of_environments_are_others(tmp_path: Path) -> None:
    trial = one_trial(3)
    assert len({*trial.replication_seeds, *trial.environment_seeds}) == 6


def test_records_are_found() -> None:
    env = guided()
    assert records_of(env) == records_of([env]) == [env.record]
    assert records_of(3) == records_of(Ledge()) == []
    assert math.isclose(env.record.visits.side, 1)
