"""besd.integrations.ray against Ray itself."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import besd

ray = pytest.importorskip("ray")
pytest.importorskip("ray.tune")
from ray import tune  # noqa: E402

from besd.integrations.ray import BesdSearch, Executor  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")

SPACE = {"x": (0.0, 10.0), "y": (0.0, 10.0)}
OPTIONS: dict[str, Any] = {"taus": [100, 200], "reps": [2], "budget": 1_900, "transform": "log", "targets": 200, "seed": 7}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Any:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_tune(tmp_path: Path) -> None:
    def train(config: dict[str, Any]) -> dict[str, Any]:
        if config["besd_trial"] == 3:
            raise OSError("no robot")
        distance = np.hypot(config["x"] - 3, config["y"] - 7)
        noises = [np.random.default_rng(seed).random() - 0.5 for seed in config["replication_seeds"]]
        scores = [float(np.exp(1 + 0.3 * distance + 80 / config["tau"] + 0.4 * noise)) for noise in noises]
        if config["besd_trial"] == 4:
            return {"time": scores[0]}  # two replications and one score
        return {"scores": scores, "time": float(np.mean(scores))}

    search = BesdSearch(SPACE, path=tmp_path / "moth.besd", mode="min", **OPTIONS)
    tuner = tune.Tuner(
        train,
        tune_config=tune.TuneConfig(
            metric="time", mode="min", search_alg=search, num_samples=-1, max_concurrent_trials=2, reuse_actors=True
        ),
        run_config=tune.RunConfig(storage_path=str(tmp_path / "ray"), verbose=0),
    )
    results = tuner.fit()
    with besd.Study(tmp_path / "moth.besd") as study:
        trials = study.trials()
        assert study.options["direction"] == "minimize"
        assert [t.id for t in trials if t.state == "failed"] == [3, 4]
        assert all(t.state == "told" for t in trials if t.id not in (3, 4))
        assert study.spent <= 1_900 < study.spent + 400 and len(trials) == len(results)
        assert "ended with an error" in study.get_trial_note(3)
        assert "expected 'scores' among what is reported" in study.get_trial_note(4)
        assert {t.tau for t in trials} == {100, 200}


def test_saved_and_restored(tmp_path: Path) -> None:
    first = BesdSearch(SPACE, path=tmp_path / "moth.besd", mode="min", metric="time", **OPTIONS)
    config = first.suggest("a")
    first.save(str(tmp_path / "kept"))
    first.study.close()
    second = BesdSearch(SPACE, mode="min", metric="time", **OPTIONS)
    second.restore(str(tmp_path / "kept"))
    second.on_trial_complete("a", {"scores": [2.0] * config["reps"], "cost": 11})
    assert second.study.trial(1).state == "told" and second.study.trial(1).cost == 11
    memory = BesdSearch(SPACE, mode="min", metric="time", **OPTIONS)
    memory.suggest("a")
    memory.save(str(tmp_path / "lost"))
    with pytest.raises(besd.InvalidError, match="mode: expected 'min' or 'max', got 'minimise'"):
        BesdSearch(SPACE, mode="minimise", **OPTIONS)  # type: ignore[arg-type]
    with pytest.raises(besd.InvalidError, match="a study in memory cannot be restored"):
        memory.restore(str(tmp_path / "lost"))


def test_executor(tmp_path: Path) -> None:
    assert Executor().num_workers == 2 and Executor(num_cpus=2).num_workers == 1
    with besd.Study.create(tmp_path / "e.besd", [0], [1], [10], [2]) as study:
        study.optimize(lambda trial: trial.theta.repeat(2), executor=Executor(num_cpus=1), max_trials=5)
        assert [t.state for t in study.trials()] == ["told"] * 5
