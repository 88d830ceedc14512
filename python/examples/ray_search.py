"""besd as Ray Tune's search: how long and how often to train is chosen for every trial."""

from typing import Any

import numpy as np
from ray import tune

from besd.integrations.ray import BesdSearch


def train(config: dict[str, Any]) -> dict[str, Any]:
    noise = np.array([np.random.default_rng(seed).random() - 0.5 for seed in config["replication_seeds"]])
    distance = np.hypot(config["x"] - 3, config["y"] - 7)
    return {"scores": np.exp(1 + 0.3 * distance + 0.2 * 400 / config["tau"] + 0.4 * noise).tolist()}


space = {"x": (0.0, 10.0), "y": (0.0, 10.0)}
search = BesdSearch(space, taus=[100, 400], reps=[2, 8], mode="min", budget=5_000, transform="log", path="moth.besd")
tune.Tuner(train, tune_config=tune.TuneConfig(search_alg=search, num_samples=-1, max_concurrent_trials=4)).fit()
best = search.recommend()
print(f"put the lamp at {best.params}: about {best.value:.1f} seconds, after {best.trials} trials")
