"""What subgoals do in a training of Stable-Baselines3, in its own log.

    model = PPO("MlpPolicy", besd.SubgoalWrapper(env, ..., flatten=True))
    model.learn(100_000, callback=SubgoalCallback())
    return trial.finish(model)          # in a trainer of besd: the scores of this agent

Its logger gets "subgoals/success", the share of the newest hundred episodes that succeeded, "subgoals/stage", the mean
number of subgoals that they completed, and "subgoals/share", the success of all episodes so far.
"""

from collections import deque

from stable_baselines3.common.callbacks import BaseCallback

__all__ = ["SubgoalCallback"]


class SubgoalCallback(BaseCallback):
    """For environments with `besd.SubgoalWrapper` inside, also many and in processes of their own.

    stop_at: ends the training when so large a share of the newest hundred episodes succeeds; None: never.
    """

    def __init__(self, stop_at: float | None = None, verbose: int = 0) -> None:
        super().__init__(verbose)
        self.stop_at = stop_at
        self.episodes = self.successes = 0
        self._newest: deque[tuple[bool, int]] = deque(maxlen=100)

    @property
    def share(self) -> float:
        """Of all training episodes that succeeded: half of a score."""
        return self.successes / self.episodes if self.episodes else 0.0

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if (episode := info.get("raw_episode")) is not None:
                self.episodes += 1
                self.successes += episode["success"]
                self._newest.append((episode["success"], episode["subgoal"]))
        if not self._newest:
            return True
        success = sum(one for one, _ in self._newest) / len(self._newest)
        self.logger.record("subgoals/success", success)
        self.logger.record("subgoals/stage", sum(stage for _, stage in self._newest) / len(self._newest))
        self.logger.record("subgoals/share", self.share)
        return self.stop_at is None or len(self._newest) < 100 or success < self.stop_at
