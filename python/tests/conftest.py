"""What the tests share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import besd

SMALL: dict[str, Any] = {
    "low": [0, 0],
    "high": [10, 10],
    "taus": [100, 400],
    "reps": [2, 8],
    "targets": 200,
    "seed": 7,
}


def lamp(trial: besd.Trial) -> np.ndarray:
    """The trainer of examples/ask_tell.c: seconds a moth takes to a lamp; the best place is (3, 7)."""
    noise = np.random.default_rng(trial.seed).random(trial.reps) - 0.5
    distance = np.hypot(trial.theta[0] - 3, trial.theta[1] - 7)
    return np.exp(1 + 0.3 * distance + 0.2 * 400 / trial.tau + 0.4 * noise)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.besd"


@pytest.fixture
def study(path: Path) -> Iterator[besd.Study]:
    with besd.Study.create(path, **SMALL, budget=20_000, direction="minimize", transform="log") as opened:
        yield opened


@pytest.fixture
def told(study: besd.Study) -> besd.Study:
    """A study with twelve told trials."""
    study.optimize(lamp, max_trials=12)
    return study


@pytest.fixture
def plain(path: Path) -> Iterator[besd.Study]:
    """The same with the paper's model, which has one set of hyperparameters."""
    with besd.Study.create(
        path, **SMALL, budget=20_000, direction="minimize", transform="log", model="paper"
    ) as opened:
        opened.optimize(lamp, max_trials=12)
        yield opened


@pytest.fixture
def tool() -> str:
    """The command line of the same repository."""
    built = Path(__file__).parents[2] / "build" / "besd"
    if not built.exists():
        pytest.skip("build/besd is not there; 'make build' makes it")
    return str(built)


def history(study: besd.Study) -> list[tuple[Any, ...]]:
    """Everything that was asked and told, to the last bit."""
    return [
        (t.id, tuple(t.theta), t.tau, t.reps, t.seed, t.state, t.reason, t.cost, tuple(t.scores))
        for t in study.trials()
    ]
