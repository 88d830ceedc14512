"""Trainers that do not do as they should: a sentence each, the trial is failed, and the study goes on."""

import reprlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SMALL, lamp

import besd


class Tensor:
    """One that is part of a graph, as PyTorch has it."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")


class Elsewhere:
    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.array(["cuda"])


BAD: dict[str, tuple[Any, str]] = {
    "tensor": (Tensor(), "TypeError: scores: expected numbers, got Tensor (Can't call numpy() on Tensor that requires grad.)"),
    "no numbers": (Elsewhere(), "TypeError: scores: expected numbers, got Elsewhere of <U4"),
    "rows": ([[1.0], [2.0]], "scores: expected a list of numbers, got an array of shape (2, 1)"),
    "ragged": ([[1.0], [2.0, 3.0]], "scores: expected numbers, got lists of unequal length"),
    "nan": ([1.0, float("nan")], "scores[1]: expected a finite number, got nan"),
    "few": ([1.0], "scores: trial {id} has 2 replications, got 1 score"),
    "zero": ([1.0, 0.0], "scores[1]: expected a positive number, because the study takes logarithms, got 0"),
    "nothing": (None, "TypeError: train: expected scores, got None"),
    "text": ("12", "TypeError: scores: expected numbers, got str"),
    "no scores": ({"score": [1.0, 2.0]}, "train: expected 'scores' and perhaps 'cost', got ['score']"),
    "cost": ({"scores": [1.0, 2.0], "cost": -1}, "cost: expected a number from 0 to 1e300, got -1"),
    "dear": ({"scores": [1.0, 2.0], "cost": "much"}, "TypeError: cost: expected a number, got str"),
}


def test_each_has_its_sentence() -> None:
    kinds = list(BAD)

    def train(trial: besd.Trial) -> Any:
        if trial.id > len(kinds):
            return lamp(trial)
        return BAD[kinds[trial.id - 1]][0]

    options: Any = {**SMALL, "reps": [2], "direction": "minimize", "transform": "log", "method": "random"}
    with besd.Study.create(None, **options) as study:
        study.optimize(train, max_trials=len(kinds) + 2, max_failures=100)
        for trial, kind in enumerate(kinds, 1):
            note, _, returned = study.get_trial_note(trial).partition("; returned: ")
            assert note == BAD[kind][1].format(id=trial), kind
            assert returned.startswith(reprlib.repr(BAD[kind][0])[:8]) or kind == "nothing"
            assert study.trial(trial).state == "failed"
        assert [t.state for t in study.trials()[len(kinds) :]] == ["told", "told"]


def test_one_that_exits(study: besd.Study) -> None:
    def train(trial: besd.Trial) -> Any:
        if trial.id == 1:
            sys.exit("enough")
        return lamp(trial)

    study.optimize(train, 2, max_trials=3)
    assert study.get_trial_note(1) == "RuntimeError: it exited: enough"
    assert [t.state for t in study.trials()] == ["failed", "told", "told"]


PRINTS = f"""
import sys
import besd
def train(trial):
    print("loss 0.5")
    sys.stderr.write("warning\\n")
    return trial.theta[:1].repeat(trial.reps)
with besd.Study.create("s.besd", **{SMALL!r}) as study:
    study.optimize(train, 2, processes=True, max_trials=3)
    print(len(study.trials("told")))
"""


def test_one_that_prints(tmp_path: Path) -> None:
    """Its words go where words go, and are no answer."""
    pytest.importorskip("loky")
    done = subprocess.run([sys.executable, "-c", PRINTS], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1] == "3", done.stderr
    assert done.stdout.count("loss 0.5") == 3


def test_a_position_of_the_wrong_shape_in_the_middle() -> None:
    from test_subgoals import Line

    def where(env: Any, observation: int) -> Any:
        return [observation, 0.5] if observation == 3 else [observation + 0.5]

    env = besd.SubgoalWrapper(Line(), [[7.5]], where)
    env.reset()
    env.step(1)
    env.step(1)
    with pytest.raises(besd.InvalidError, match=r"position: expected 1 numbers as in a subgoal, got shape \(2,\)"):
        env.step(1)
