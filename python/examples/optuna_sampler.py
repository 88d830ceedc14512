"""besd as Optuna's sampler: how long and how often to train is chosen for every trial."""

import numpy as np
import optuna

from besd.integrations.optuna import BesdSampler

sampler = BesdSampler({"x": (0, 10), "y": (0, 10)}, taus=[100, 400], reps=[2, 8], budget=20_000, transform="log", seed=7)


def objective(trial: optuna.Trial) -> float:
    x, y = trial.suggest_float("x", 0, 10), trial.suggest_float("y", 0, 10)
    planned = sampler.trial(trial)
    noise = [np.random.default_rng(seed).random() - 0.5 for seed in planned.replication_seeds]
    seconds = np.exp(1 + 0.3 * np.hypot(x - 3, y - 7) + 0.2 * 400 / planned.tau + 0.4 * np.array(noise))
    return sampler.told(trial, seconds)


optuna.logging.set_verbosity(optuna.logging.WARNING)
optuna.create_study(direction="minimize", sampler=sampler).optimize(objective)
best = sampler.recommend()
print(f"put the lamp at {best.params}: about {best.value:.1f} seconds, after {best.trials} trials")
