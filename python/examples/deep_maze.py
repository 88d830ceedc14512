"""Ten lines: one subgoal for PPO in Gymnasium-Robotics' point maze, from the maze's own map.

    pip install besd[gymnasium] gymnasium-robotics stable-baselines3
    python deep_maze.py --trainings 20
"""

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import gymnasium_robotics

import besd

gymnasium.register_envs(gymnasium_robotics)

MAZE = ("#########", "#r......#", "#######.#", "#g......#", "#########")


def make() -> Any:
    cells = [[1 if c == "#" else 0 if c == "." else c for c in row] for row in MAZE]
    env: Any = gymnasium.make("PointMaze_UMaze-v3", maze_map=cells, continuing_task=False, max_episode_steps=40)
    env.unwrapped.point_env.frame_skip = 10  # a decision every tenth of a second
    Path(env.unwrapped.tmp_xml_file_path).unlink(missing_ok=True)  # it has been read
    return env


def main(trainings: int = 20, tau: int = 6144, path: str | None = "deep_maze.besd", **how: Any) -> Any:
    return besd.subgoals(
        make, "PPO", trainings, tau=tau, count=1, sketch=True, reached=0.5, width=2, success=0.0, path=path, **how
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainings", type=int, default=20)
    parser.add_argument("--tau", type=int, default=6144, help="interactions of a training")
    main(**vars(parser.parse_args()))
