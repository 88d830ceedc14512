"""Wrong arguments: ValueError or TypeError with a sentence that names the field, never a crash."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SMALL

import besd


def refuses(kind: type[Exception], sentence: str, **changes: Any) -> None:
    with pytest.raises(kind, match=sentence):
        besd.Study.create(None, **{**SMALL, **changes})


@pytest.mark.parametrize(
    ("changes", "kind", "sentence"),
    [
        ({"low": [0, 0, 0]}, ValueError, "high: expected 3 numbers, got 2"),
        ({"low": [[0, 0]]}, ValueError, r"low: expected a list of numbers, got an array of shape \(1, 2\)"),
        ({"low": 3}, ValueError, "low: expected a list of numbers"),
        ({"low": [], "high": []}, ValueError, "low: expected at least one number"),
        ({"low": ["a", "b"]}, TypeError, "low: expected numbers, got list"),
        ({"low": [0, [1, 2]]}, ValueError, "low: expected numbers, got lists of unequal length"),
        ({"low": [None, 0]}, TypeError, "low: expected numbers"),
        ({"low": [1j, 0]}, TypeError, "low: expected numbers"),
        ({"low": [float("nan"), 0]}, ValueError, "nan"),
        ({"low": [11, 0]}, ValueError, "11"),
        ({"high": [float("inf"), 1]}, ValueError, "inf"),
        ({"low": [0] * 65, "high": [1] * 65}, ValueError, "64"),
        ({"taus": 100}, TypeError, "taus: expected a list of whole numbers, got int"),
        ({"taus": "100"}, TypeError, "taus: expected a list of whole numbers, got str"),
        ({"taus": [1.5]}, ValueError, r"taus\[0\]: expected a whole number, got 1.5"),
        ({"taus": [True]}, TypeError, r"taus\[0\]: expected a whole number, got True"),
        ({"taus": ["7"]}, TypeError, r"taus\[0\]: expected a whole number, got str"),
        ({"taus": []}, ValueError, "tau"),
        ({"taus": [100, 100]}, ValueError, "tau"),
        ({"taus": [0]}, ValueError, "tau"),
        ({"taus": [2**63]}, ValueError, r"taus\[0\]: expected a whole number from"),
        ({"reps": [2**31]}, ValueError, r"reps\[0\]"),
        ({"reps": [5000]}, ValueError, "reps.*4096"),
        ({"names": ["x"]}, ValueError, "names: expected 2 texts, got 1"),
        ({"names": "xy"}, TypeError, "names: expected a list of texts"),
        ({"names": ["x", 3]}, TypeError, r"names\[1\]: expected a text, got int"),
        ({"names": ["x", "a\0b"]}, ValueError, "without zero characters"),
        ({"seed": -1}, ValueError, "seed: expected a whole number from 0"),
        ({"seed": 2**63}, ValueError, "seed"),
        ({"seed": None}, TypeError, "seed: expected a whole number, got NoneType"),
        ({"budget": "much"}, TypeError, "budget: expected a number, got str"),
        ({"budget": -1}, ValueError, "budget"),
        ({"budget": float("nan")}, ValueError, "budget"),
        ({"direction": "up"}, ValueError, "direction: expected one of maximize, minimize, got 'up'$"),
        ({"direction": "max"}, ValueError, "direction: .*got 'max', did you mean 'maximize'$"),
        ({"method": "bsed"}, ValueError, "method: expected one of besd, random, ei, .*got 'bsed', did you mean 'besd'$"),
        ({"method": "ei_paper"}, ValueError, "method: .*did you mean 'ei-paper'$"),
        ({"model": "papers"}, ValueError, "model: .*did you mean 'paper'$"),
        ({"transform": "LOG"}, ValueError, "transform: .*did you mean 'log'$"),
        ({"model": 1}, TypeError, "model: expected a text, got int"),
        ({"transform": "sqrt"}, ValueError, "transform: expected one of none, log, got 'sqrt'$"),
        ({"tau_max_share": 2}, ValueError, "tau_max_share"),
        ({"initial_designs": 10**12}, ValueError, "initial_designs"),
        ({"initial_designs": -1}, ValueError, "initial_designs"),
        ({"discrete": 1}, TypeError, "discrete: expected True or False, got 1"),
        ({"colour": 1}, TypeError, "there is no 'colour'; known are"),
        ({"bugdet": 1}, TypeError, "there is no 'bugdet', did you mean 'budget'"),
    ],
)
def test_create(changes: dict[str, Any], kind: type[Exception], sentence: str) -> None:
    refuses(kind, sentence, **changes)


@pytest.mark.parametrize(
    ("scores", "kind", "sentence"),
    [
        ([1], ValueError, "trial 1 has 2 replications, got 1"),
        ([1, 2, 3], ValueError, "trial 1 has 2 replications, got 3"),
        ([], ValueError, "got 0"),
        ([[1, 2]], ValueError, r"scores: expected a list of numbers, got an array of shape \(1, 2\)"),
        (5.0, ValueError, "scores: trial 1 has 2 replications, got 1 score"),
        (["1", "2"], TypeError, "scores: expected numbers"),
        ([1, float("nan")], ValueError, "nan"),
        ([1, float("inf")], ValueError, "inf"),
        ([1, -1], ValueError, "-1"),  # the study takes logarithms
        (None, TypeError, "scores: expected numbers, got NoneType"),
        ([True, False], ValueError, r"scores\[1\]: expected a positive number"),
    ],
)
def test_scores(study: besd.Study, scores: Any, kind: type[Exception], sentence: str) -> None:
    trial = study.ask()
    assert trial is not None and trial.reps == 2
    with pytest.raises(kind, match=sentence):
        study.tell(trial, scores)
    assert study.trial(1).state == "asked"
    study.tell(trial, [1, 2])


def test_other_arguments(told: besd.Study) -> None:
    for call, kind, sentence in [
        (lambda: told.tell(99, [1, 2]), ValueError, "99"),
        (lambda: told.tell("1", [1, 2]), TypeError, "trial: expected a whole number, got str"),
        (lambda: told.tell(1, [1, 2]), ValueError, "told"),
        (lambda: told.tell(told.ask(), [1, 2], cost="x"), TypeError, "cost"),
        (lambda: told.fail(1), ValueError, "told"),
        (lambda: told.fail(99), ValueError, "99"),
        (lambda: told.fail(13, cost=-3), ValueError, "cost: expected a number from 0 to 1e300"),
        (lambda: told.fail(13, note=b"x"), TypeError, "note: expected a text, got bytes"),
        (lambda: told.ask_again(1), ValueError, "failed"),
        (lambda: told.trial(0), ValueError, "0"),
        (lambda: told.trial(10**30), ValueError, "trial: expected a whole number from"),
        (lambda: told.trials("lost"), ValueError, "state: expected one of asked, told, failed"),
        (lambda: told.predict([1, 2, 3]), ValueError, r"theta: expected designs of 2 numbers, got an array of shape \(3,\)"),
        (lambda: told.predict(3), ValueError, "theta: expected designs of 2 numbers"),
        (lambda: told.predict([11, 2]), ValueError, "11"),
        (lambda: told.predict([1, 2], tau=77.5), ValueError, "tau"),
        (lambda: told.certify(2), ValueError, "delta"),
        (lambda: told.tell_summary(13, 0, -1, 2), ValueError, "variance"),
        (lambda: told.set_note("a", 3), TypeError, "value: expected a text"),
        (lambda: told.optimize(3), TypeError, "train: expected a function, got int"),
        (lambda: told.optimize(len, n_jobs=0), ValueError, "n_jobs"),
    ]:
        with pytest.raises(kind, match=sentence) as caught:
            call()
        if isinstance(caught.value, besd.BesdError):
            assert caught.value.status.startswith("BESD_")


def test_files(tmp_path: Path) -> None:
    with pytest.raises(besd.StudyFileError) as caught:
        besd.Study(tmp_path / "none.besd")
    assert isinstance(caught.value, OSError) and caught.value.status == "BESD_IO"
    assert "none.besd" in str(caught.value)
    (tmp_path / "text.besd").write_text("not a study\n" * 1000)
    with pytest.raises(besd.BesdError, match="text.besd"):
        besd.Study(tmp_path / "text.besd")
    with pytest.raises(besd.BesdError, match="study"):
        besd.Study("")
    for wrong in (3, b"bytes.besd", None):
        with pytest.raises(TypeError):
            besd.Study(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="zero"):
        besd.Study("a\0b")


def test_another_study_in_the_file(told: besd.Study, path: Path) -> None:
    with pytest.raises(besd.InvalidError, match="seed|differ|agree"):
        besd.Study.create(path, **{**told.options, "seed": 8})



def test_accepts_what_numpy_makes(study: besd.Study) -> None:
    trial = study.ask()
    assert trial is not None
    study.tell(np.int64(trial.id), np.arange(1, 9, dtype=np.float32)[::4])
    assert study.trial(1).scores.tolist() == [1, 5]
    besd.Study.create(None, np.zeros(2, int), (1, 2), range(1, 4), np.array([1, 2]), seed=np.uint8(3)).close()
