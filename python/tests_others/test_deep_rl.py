"""besd.SubgoalWrapper in the hands of Stable-Baselines3, MiniGrid and Gymnasium-Robotics."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import besd

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the libraries themselves

THETA = [7.5, 3.5, 1.5, 8.5]


def cell(env: Any, observation: Any) -> Any:
    return np.add(env.unwrapped.agent_pos, 0.5)


def achieved(env: Any, observation: Any) -> Any:
    return observation["achieved_goal"]


def door_key(**options: Any) -> Any:
    minigrid = pytest.importorskip("minigrid")
    assert minigrid
    env = gymnasium.make("MiniGrid-DoorKey-5x5-v0", max_episode_steps=40)
    return besd.SubgoalWrapper(env, [[1.5, 1.5]], cell, **options)


def maze(**options: Any) -> Any:
    gymnasium.register_envs(pytest.importorskip("gymnasium_robotics"))
    env = gymnasium.make("PointMaze_UMaze-v3", max_episode_steps=50)
    return besd.SubgoalWrapper(env, [1.0, 1.0, 1.0, -1.0], achieved, reached=0.5, count=2, **options)


def grid(**options: Any) -> Any:
    return besd.SubgoalWrapper(gymnasium.make("besd/GW10-v0", cap=50), THETA, **options)


@pytest.mark.parametrize("make", [grid, door_key, maze])
@pytest.mark.parametrize("flatten", [True, "dict"])
def test_ppo_learns_from_it(make: Any, flatten: Any) -> None:
    sb3 = pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env

    env = make(flatten=flatten)
    if make is not maze:  # which says what its own reward is, and the wrapper pays more
        check_env(env)
    if make is door_key and flatten == "dict":
        return  # the 7 x 7 image is too small for the network that Stable-Baselines3 has for images
    policy = "MlpPolicy" if flatten is True else "MultiInputPolicy"
    model = sb3.PPO(policy, env, n_steps=64, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(128)
    action, _ = model.predict(env.reset(seed=1)[0], deterministic=True)
    assert env.action_space.contains(np.asarray(action, env.action_space.dtype)[()])


def test_monitor_keeps_the_raw_return(tmp_path: Path) -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.monitor import Monitor, load_results

    env = Monitor(grid(flatten=True), str(tmp_path / "run"), info_keywords=("raw_return", "subgoal"))
    env.reset(seed=1)
    over, info = False, {}
    while not over:
        _, _, terminated, truncated, info = env.step(1)
        over = terminated or truncated
    assert info["raw_episode"] == {"r": 0.0, "l": 50, "subgoal": info["subgoal"]}
    assert info["episode"]["r"] != 0 and info["episode"]["raw_return"] == 0
    env.close()
    assert load_results(str(tmp_path))["raw_return"].tolist() == [0.0]


def test_vectorised_for_ppo() -> None:
    sb3 = pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(lambda: grid(flatten=True), n_envs=3, seed=1)
    sb3.PPO("MlpPolicy", envs, n_steps=32, batch_size=48, n_epochs=1, device="cpu").learn(192)


def test_scores_of_torch() -> None:
    torch = pytest.importorskip("torch")

    def train(trial: besd.Trial) -> Any:
        scores = torch.linspace(1, 2, trial.reps)
        return (scores.clone().requires_grad_(), scores, [x for x in scores])[min(trial.id - 1, 2)]

    with besd.Study.create(None, [0], [1], [10], [3], method="random") as study:
        study.optimize(train, max_trials=3)
        assert [t.state for t in study.trials()] == ["failed", "told", "told"]
        assert study.trial(3).scores.tolist() == [1, 1.5, 2]
        assert "TypeError: scores: expected numbers, got Tensor" in study.get_trial_note(1)
