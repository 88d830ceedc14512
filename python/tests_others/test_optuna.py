"""besd.integrations.optuna against Optuna itself."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import besd

optuna = pytest.importorskip("optuna")
from besd.integrations.optuna import BesdSampler  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)

SPACE = {"x": (0.0, 10.0), "y": (0.0, 10.0)}
OPTIONS: dict[str, Any] = {"taus": [100, 400], "reps": [2, 8], "budget": 12_000, "transform": "log", "targets": 200, "seed": 7}


def moth(x: float, y: float, tau: int, seed: int) -> float:
    noise = np.random.default_rng(seed).random() - 0.5
    return float(np.exp(1 + 0.3 * np.hypot(x - 3, y - 7) + 80 / tau + 0.4 * noise))


def objective(sampler: BesdSampler) -> Any:
    def run(trial: Any) -> float:
        x, y = trial.suggest_float("x", 0, 10), trial.suggest_float("y", 0, 10)
        planned = sampler.trial(trial)
        assert planned.params == {"x": x, "y": y}
        return sampler.told(trial, [moth(x, y, planned.tau, seed) for seed in planned.replication_seeds])

    return run


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_finds_the_lamp(tmp_path: Path, n_jobs: int) -> None:
    sampler = BesdSampler(SPACE, path=tmp_path / "moth.besd", **OPTIONS)
    study = optuna.create_study(direction="minimize", sampler=sampler)
    study.optimize(objective(sampler), n_jobs=n_jobs)  # until the budget is spent
    best = sampler.recommend()
    assert np.hypot(best.params["x"] - 3, best.params["y"] - 7) < 1.2
    assert sampler.study.spent <= 12_000 and sampler.study.options["direction"] == "minimize"
    complete = [t for t in study.trials if t.state.name == "COMPLETE"]
    told = sampler.study.trials("told")
    assert len(told) == len(complete) == len(sampler.study.trials())
    assert sorted(t.value for t in complete) == pytest.approx(sorted(t.mean for t in told))
    assert len({t.tau for t in told}) == 2 and all(len(t.scores) == t.reps for t in told)


def test_goes_on_where_it_was(tmp_path: Path) -> None:
    for _ in range(2):
        sampler = BesdSampler(SPACE, path=tmp_path / "moth.besd", **OPTIONS)
        study = optuna.create_study(
            direction="minimize", sampler=sampler, storage=f"sqlite:///{tmp_path}/o.db", study_name="o", load_if_exists=True
        )
        study.optimize(objective(sampler), n_trials=3)
        sampler.study.close()
    with besd.Study(tmp_path / "moth.besd") as whole:
        assert [t.state for t in whole.trials()] == ["told"] * 6


def test_failures() -> None:
    sampler = BesdSampler(SPACE, **OPTIONS)
    study = optuna.create_study(direction="minimize", sampler=sampler)
    well = objective(sampler)

    def run(trial: Any) -> float:
        value = well(trial)
        if trial.number == 1:
            raise OSError("no robot")
        if trial.number == 2:
            raise optuna.TrialPruned()
        if trial.number == 3:
            trial.suggest_float("z", 0, 1)
        if trial.number == 4:
            return sampler.told(trial, [1.0])
        return float(value)

    for _ in range(6):
        try:
            study.optimize(run, n_trials=1, catch=(OSError,))
        except besd.InvalidError as error:
            assert "space: there is no 'z'; the sampler was given x, y" in str(error) or "replications" in str(error)
    assert [t.state for t in sampler.study.trials()] == ["told", "failed", "failed", "failed", "failed", "told"]
    assert "ended as FAIL" in sampler.study.get_trial_note(2)
    assert "ended as PRUNED" in sampler.study.get_trial_note(3)
    assert "replications, got 1" in sampler.study.get_trial_note(5)


def test_what_besd_has_not_planned() -> None:
    """Enqueued parameters, and other intervals than the sampler's: nothing is told of them."""
    sampler = BesdSampler(SPACE, **OPTIONS)
    study = optuna.create_study(direction="minimize", sampler=sampler)
    study.enqueue_trial({"x": 5.0, "y": 5.0})
    study.optimize(lambda trial: trial.suggest_float("x", 0, 10) + trial.suggest_float("y", 0, 10), n_trials=1)
    with pytest.raises(besd.InvalidError, match="space: 'x' was given as .*high=10.*the objective suggests .*low=11"):
        study.optimize(lambda trial: trial.suggest_float("x", 11, 12), n_trials=1)
    assert "told" not in [t.state for t in sampler.study.trials()]


def test_nothing_to_search() -> None:
    with pytest.raises(besd.InvalidError, match="space: expected at least one name"):
        BesdSampler({}, [1], [1])


def test_an_objective_that_begins_too_late() -> None:
    sampler = BesdSampler(SPACE, **{**OPTIONS, "budget": 500})
    study = optuna.create_study(direction="minimize", sampler=sampler)
    study.optimize(objective(sampler))
    late = study.ask()
    with pytest.raises(optuna.TrialPruned, match="500"):
        late.suggest_float("x", 0, 10)
    assert sampler.study.spent <= 500


def test_the_example() -> None:
    import subprocess
    import sys

    script = Path(__file__).parent.parent / "examples" / "optuna_sampler.py"
    said = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    assert "put the lamp at {'x': " in said


def test_a_wider_interval_is_refused() -> None:
    sampler = BesdSampler(SPACE, **OPTIONS)
    study = optuna.create_study(direction="minimize", sampler=sampler)

    def wide(trial: Any) -> float:
        x, y = trial.suggest_float("x", 0, 20), trial.suggest_float("y", 0, 10)
        planned = sampler.trial(trial)
        return sampler.told(trial, [moth(x, y, planned.tau, seed) for seed in planned.replication_seeds])

    with pytest.raises(besd.InvalidError, match="space: 'x' was given as .*high=10.0.*the objective suggests .*high=20.0"):
        study.optimize(wide, n_trials=1)
    assert sampler.study.trial(1).state == "failed"
