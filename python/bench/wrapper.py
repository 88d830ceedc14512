"""What besd.SubgoalWrapper adds to a step, as a ratio to the bare environment.

    python wrapper.py [STEPS]

Seconds of the processor; bare and wrapped take turns, each with the same actions, and the fastest of the
rounds counts. PointMaze is measured when Gymnasium-Robotics is installed.
"""

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np

import besd

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
ROUNDS = 7

Make = Callable[[], gymnasium.Env[Any, Any]]


def seconds(env: gymnasium.Env[Any, Any], actions: list[Any]) -> float:
    env.reset(seed=1)
    begin = time.process_time()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return (time.process_time() - begin) / len(actions)


def compare(name: str, bare: Make, wrapped: dict[str, Make], steps: int) -> None:
    first = bare()
    first.action_space.seed(1)
    actions = [first.action_space.sample() for _ in range(steps)]
    envs = {"bare": first, **{how: make() for how, make in wrapped.items()}}
    best = dict.fromkeys(envs, float("inf"))
    for _ in range(ROUNDS):
        for how, env in envs.items():
            best[how] = min(best[how], seconds(env, actions))
    ratios = ", ".join(f"{how} {1e6 * s:.2f} us ({s / best['bare']:.2f} x)" for how, s in best.items())
    print(f"{name}: {ratios}")


def main() -> None:
    def car() -> gymnasium.Env[Any, Any]:
        return gymnasium.make("MountainCar-v0")

    def grid() -> gymnasium.Env[Any, Any]:
        return gymnasium.make("besd/GW10-v0")

    def wrap_car(**options: Any) -> Make:
        return lambda: besd.SubgoalWrapper(
            car(), [[-0.9], [0.45]], position=lambda env, observation: observation[:1], **options
        )

    compare(
        "MountainCar-v0",
        car,
        {
            "cross": wrap_car(reached="cross"),
            "radius": wrap_car(reached=0.05),
            "radius, flat": wrap_car(reached=0.05, flatten=True),
        },
        STEPS,
    )
    compare(
        "besd/GW10-v0",
        grid,
        {
            "cell": lambda: besd.SubgoalWrapper(grid(), [7.5, 3.5, 1.5, 8.5]),
            "cell, flat": lambda: besd.SubgoalWrapper(grid(), [7.5, 3.5, 1.5, 8.5], flatten=True),
        },
        STEPS,
    )
    if find_spec("gymnasium_robotics"):
        import gymnasium_robotics

        gymnasium.register_envs(gymnasium_robotics)

        def maze() -> gymnasium.Env[Any, Any]:
            return gymnasium.make("PointMaze_UMaze-v3", max_episode_steps=300)

        def where(env: gymnasium.Env[Any, Any], observation: dict[str, Any]) -> np.ndarray[Any, Any]:
            position: np.ndarray[Any, Any] = observation["achieved_goal"]
            return position

        compare(
            "PointMaze",
            maze,
            {
                "radius": lambda: besd.SubgoalWrapper(maze(), [[1, 1], [1, -1]], position=where, reached=0.5),
                "radius, flat": lambda: besd.SubgoalWrapper(
                    maze(), [[1, 1], [1, -1]], position=where, reached=0.5, flatten=True
                ),
            },
            STEPS // 10,
        )


if __name__ == "__main__":
    main()
