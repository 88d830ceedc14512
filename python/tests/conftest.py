"""What the tests share."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import besd
from besd import _tool

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


@contextmanager
def served(*paths: Path, more: tuple[str, ...] = (), listen: str = "127.0.0.1:0") -> Iterator[str]:
    """The address of a `besd serve` for these studies or folders."""
    command = [_tool.path(), "serve", *map(str, paths), "--listen", listen, "--quiet", *more]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert "http" in line, line
        yield line.split()[-1].rstrip("/")
    finally:
        server.terminate()
        server.wait(60)
        assert server.stdout is not None
        server.stdout.close()


def quick(trial: besd.Trial) -> np.ndarray:
    """Scores at no cost."""
    return np.random.default_rng(trial.seed).random(trial.reps) + trial.theta[0]


@pytest.fixture(params=["file", "network"])
def door(request: pytest.FixtureRequest, path: Path) -> Iterator[besd.StudyBase]:
    """A study that chooses at random, in a file and over the network."""
    with besd.Study.create(
        path, **SMALL, names=["x", "y"], budget=20_000, direction="minimize", method="random", who="ada"
    ) as study:
        if request.param == "file":
            yield study
            return
        with served(path) as url, besd.connect(url, who="ada") as remote:
            yield remote


def history(study: besd.Study) -> list[tuple[Any, ...]]:
    """Everything that was asked and told, to the last bit."""
    return [
        (t.id, tuple(t.theta), t.tau, t.reps, t.seed, t.state, t.reason, t.cost, tuple(t.scores))
        for t in study.trials()
    ]
