"""A study from Python: where should a lamp stand so that a nervous moth finds it?

    python ask_tell.py moth.besd

The trainer is yours; here it is a formula with noise. Interrupt the program and start it again: the
study goes on where it was.
"""

import sys

import numpy as np
import numpy.typing as npt

import besd


def train_moth(trial: besd.Trial) -> npt.NDArray[np.float64]:
    """The seconds the moth takes, one number per replication; fewer after a longer training."""
    noise = np.random.default_rng(trial.seed).random(trial.reps) - 0.5
    distance = np.hypot(trial.theta[0] - 3, trial.theta[1] - 7)
    seconds: npt.NDArray[np.float64] = np.exp(1 + 0.3 * distance + 0.2 * 400 / trial.tau + 0.4 * noise)
    return seconds


with besd.Study.create(
    sys.argv[1] if len(sys.argv) > 1 else "moth.besd",
    low=[0, 0],
    high=[10, 10],
    names=["x", "y"],
    units=["m", "m"],
    taus=[100, 400],
    reps=[2, 8],
    direction="minimize",
    transform="log",
    budget=20_000,
    targets=500,
    seed=7,
) as study:
    for trial in study:
        study.tell(trial, train_moth(trial))
    best = study.recommend()

x, y = best.theta
print(f"put the lamp at ({x:.2f}, {y:.2f}): about {best.value:.1f} seconds, after {best.trials} trials")
