"""A subgoal for PPO that sees MiniGrid's images: the key, the door and the goal of one DoorKey room.

    pip install besd[gymnasium] minigrid stable-baselines3
    python minigrid_images.py --seed 1

The agent sees what MiniGrid shows: the 7 x 7 cells in front of it with three numbers each, and its direction.
`flatten=True` makes one row of that and of the stage, and leaves the mission out, which is a text. besd looks for the cell
that teaches PPO most in one room; agents that it has not seen are then trained with that subgoal, and without any.
"""

import argparse
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import minigrid
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import besd

gymnasium.register_envs(minigrid)
torch.set_num_threads(1)

ROOM, SIZE, STEPS, ENVS, GAMMA, TAU = 4, 5, 60, 8, 0.99, 6144


class OneRoom(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The room of one seed in every episode; without the actions that do nothing here, drop and done."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.action_space = gymnasium.spaces.Discrete(5)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        return self.env.reset(seed=ROOM, options=options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        return self.env.step((0, 1, 2, 3, 5)[action])  # left, right, forward, pick up, toggle


@functools.cache
def rooms() -> list[gymnasium.Env[Any, Any]]:
    name = f"MiniGrid-DoorKey-{SIZE}x{SIZE}-v0"
    return [OneRoom(gymnasium.make(name, max_steps=STEPS, disable_env_checker=True)) for _ in range(ENVS)]


def where(env: gymnasium.Env[Any, Any], observation: Any) -> Any:
    room: Any = env.unwrapped
    return np.add(room.agent_pos, 0.5)  # the middle of the cell


class Learning(BaseCallback):
    """Which episodes of a training ended at the goal, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived: list[bool] = []

    def _on_step(self) -> bool:
        self.arrived += [info["raw_episode"]["r"] > 0 for info in self.locals["infos"] if "raw_episode" in info]
        return True


def learn(subgoals: Any, tau: int, seed: int) -> list[bool]:
    """Trains one agent for tau interactions: did its episodes end at the goal?"""

    def guided(env: gymnasium.Env[Any, Any]) -> Callable[[], gymnasium.Env[Any, Any]]:
        return lambda: besd.SubgoalWrapper(env, subgoals, where, height=1, width=2, gamma=GAMMA, flatten=True)

    envs = DummyVecEnv([guided(env) for env in rooms()])
    learning = Learning()
    agent: Any = PPO(
        "MlpPolicy", envs, n_steps=64, batch_size=256, learning_rate=1e-3, gamma=GAMMA, ent_coef=0.01, seed=seed, device="cpu"
    )
    agent.learn(tau, callback=learning)
    return learning.arrived


def train(trial: besd.Trial) -> list[float]:
    """The share of all training episodes: early learners score more."""
    return [float(np.mean(learn(trial.theta.reshape(-1, 2), trial.tau, seed))) for seed in trial.replication_seeds]


def final(subgoals: Any, tau: int, seed: int) -> float:
    """The share among the last fifth of the episodes."""
    arrived = learn(subgoals, tau, seed)
    return float(np.mean(arrived[-max(len(arrived) // 5, 1) :]))


def main(
    seed: int = 1, trainings: int = 24, agents: int = 5, tau: int = TAU, path: Path | None = None
) -> tuple[float, float]:
    with besd.Study.create(
        path, [1, 1], [SIZE - 1, SIZE - 1], names=["x", "y"], taus=[tau], reps=[1, 2], budget=trainings * tau, seed=seed,
        instances="fresh", best_possible=1,
    ) as study:
        best = study.optimize(train, progress=True).theta
    guided = [final([best], tau, 10**6 * seed + a) for a in range(agents)]
    alone = [final([], tau, 10**6 * seed + a) for a in range(agents)]
    print(f"subgoal at ({best[0]:.2f}, {best[1]:.2f}): after {tau} interactions {np.mean(guided):.2f} of the episodes end at the "
          f"goal, {np.mean(alone):.2f} without ({agents} agents each: {np.round(guided, 2)}, {np.round(alone, 2)})")
    return float(np.mean(guided)), float(np.mean(alone))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trainings", type=int, default=24, help="budget of the study, in trainings")
    parser.add_argument("--agents", type=int, default=5, help="fresh ones for the test")
    parser.add_argument("--tau", type=int, default=TAU, help="interactions of a training")
    parser.add_argument("--path", type=Path, help="file of the study, to go on later")
    main(**vars(parser.parse_args()))
