"""Subgoals for MiniGrid's DoorKey: find the key, open the door, reach the goal; reward only there.

    pip install minigrid && python minigrid_doorkey.py

The rooms differ from instance to instance. besd looks for the place (or the places, --count 2) that
teaches a small tabular Q-learning agent most, and the result is tested on rooms it has not seen.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import gymnasium
import minigrid
import numpy as np

import besd

gymnasium.register_envs(minigrid)

ACTIONS = (0, 1, 2, 3, 5)  # left, right, forward, pick up, toggle
GAMMA, ALPHA, EPSILON, TEST_EPSILON = 0.99, 0.3, 0.2, 0.05

State = tuple[int, int, int, bool, bool, int]  # cell, direction, has the key, the door is open, stage


def where(env: gymnasium.Env[Any, Any], observation: Any) -> Any:
    room: Any = env.unwrapped
    return np.add(room.agent_pos, 0.5)  # the middle of the cell


def learn(size: int, subgoals: Any, tau: int, instance: int, seed: int) -> int:
    """Trains one agent for tau interactions in one instance; the steps of a test episode."""
    bare: gymnasium.Env[Any, Any] = gymnasium.make(
        f"MiniGrid-DoorKey-{size}x{size}-v0", see_through_walls=True, agent_view_size=3, disable_env_checker=True
    )
    env = besd.SubgoalWrapper(bare, subgoals, position=where, gamma=GAMMA)
    room: Any = env.unwrapped
    door: Any = None
    rng = random.Random(seed)
    values: defaultdict[State, list[float]] = defaultdict(lambda: [0.0] * len(ACTIONS))

    def state(observation: dict[str, Any]) -> State:
        x, y = room.agent_pos
        return int(x), int(y), room.agent_dir, room.carrying is not None, door.is_open, observation["subgoal"]

    def begin() -> State:
        nonlocal door
        observation, _ = env.reset(seed=instance)  # the seed is the room
        door = next(cell for cell in room.grid.grid if cell and cell.type == "door")
        return state(observation)

    def choose(s: State, epsilon: float) -> int:
        highest = -np.inf if rng.random() < epsilon else max(values[s])
        return rng.choice([a for a, value in enumerate(values[s]) if value >= highest])

    s = begin()
    for _ in range(tau):
        a = choose(s, EPSILON)
        observation, reward, terminated, truncated, _ = env.step(ACTIONS[a])
        following = state(observation)
        target = reward if terminated else reward + GAMMA * max(values[following])
        values[s][a] += ALPHA * (target - values[s][a])
        s = begin() if terminated or truncated else following
    s, steps, over = begin(), 0, False
    while not over:
        observation, _, terminated, truncated, _ = env.step(ACTIONS[choose(s, TEST_EPSILON)])
        s, steps, over = state(observation), steps + 1, terminated or truncated
    return steps


def test(size: int, subgoals: Any, tau: int, rooms: int) -> float:
    return float(np.mean([learn(size, subgoals, tau, 10**6 + i, i) for i in range(rooms)]))


def main(
    size: int = 5, count: int = 1, budget: float = 120_000, seed: int = 1, rooms: int = 100, path: Path | None = None
) -> float:
    def train(trial: besd.Trial) -> list[int]:
        subgoals, room = trial.theta.reshape(count, 2), trial.seed % 10**6
        return [learn(size, subgoals, trial.tau, room, trial.seed + r) for r in range(trial.reps)]

    tau = 1500 * (size - 4)
    with besd.Study.create(
        path, [1] * 2 * count, [size - 1] * 2 * count, taus=[tau // 2, tau], reps=[1, 4],
        budget=budget, direction="minimize", transform="log", seed=seed,
    ) as study:
        best = study.optimize(train).theta.reshape(count, 2)
    steps, without = test(size, best, tau, rooms), test(size, np.empty((0, 2)), tau, rooms)
    print(f"subgoals at {best.round(2).tolist()}: {steps:.1f} steps in new rooms after {tau} interactions, "
          f"{without:.1f} without, ratio {steps / without:.3f}")
    return steps / without


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=5, choices=(5, 6, 8))
    parser.add_argument("--count", type=int, default=1, help="number of subgoals")
    parser.add_argument("--budget", type=float, default=120_000, help="interactions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", type=int, default=100, help="new rooms in the test")
    main(**vars(parser.parse_args()))
