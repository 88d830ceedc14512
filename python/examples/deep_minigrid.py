"""Ten lines: two subgoals for PPO in MiniGrid's four rooms, from the map that MiniGrid itself has.

    pip install besd[gymnasium] minigrid stable-baselines3
    python deep_minigrid.py --trainings 20

The map is the sketch: its best subgoals are the first that PPO tries. Run it again after an interrupt, and it goes on.
"""

import argparse
from typing import Any

import gymnasium
import minigrid
import numpy as np

import besd

gymnasium.register_envs(minigrid)


class Rooms(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The rooms of one seed in every episode; turning and going suffice."""

    def __init__(self, room: int = 7) -> None:
        super().__init__(gymnasium.make("MiniGrid-FourRooms-v0", max_steps=100, agent_view_size=3, disable_env_checker=True))
        self.room, self.action_space = room, gymnasium.spaces.Discrete(3)
        inside: Any = self.env.unwrapped
        self.inside, self.observation_space = inside, gymnasium.spaces.Box(-1, 1, (inside.width + inside.height + 4,))

    def observation(self) -> Any:
        """Where it is and where it looks, one-hot."""
        x, y = self.inside.agent_pos
        row = np.zeros(self.inside.width + self.inside.height + 4, np.float32)
        row[[x, self.inside.width + y, self.inside.width + self.inside.height + self.inside.agent_dir]] = 1
        return row

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self.env.reset(seed=self.room, options=options)
        return self.observation(), {}

    def step(self, action: Any) -> Any:
        _, reward, terminated, truncated, info = self.env.step(action)
        return self.observation(), float(reward), terminated, truncated, info


def main(trainings: int = 20, tau: int = 20_000, path: str | None = "deep_minigrid.besd", **how: Any) -> Any:
    return besd.subgoals(
        Rooms, "PPO", trainings, tau=tau, sketch=True, height=1, path=path, options={"n_steps": 1024, "ent_coef": 0.01}, **how
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainings", type=int, default=20)
    parser.add_argument("--tau", type=int, default=20_000, help="interactions of a training")
    main(**vars(parser.parse_args()))
