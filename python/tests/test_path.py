"""Designs that are paths: declared, told with their legs, shown, and refused with a sentence."""

import json
import math
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest

import besd

SMALL: dict[str, Any] = {
    "low": [0] * 4,
    "high": [10] * 4,
    "taus": [10],
    "reps": [3],
    "targets": 80,
    "initial_designs": 4,
    "seed": 7,
}
PATH = besd.Path(points=2, cap=100, cell=1, from_=[0.5, 0.5], to=[9.5, 9.5])


def create(path: File | None = None, theta_path: besd.Path | None = PATH, **options: Any) -> besd.Study:
    return besd.Study.create(path, **{**SMALL, "direction": "minimize", **options}, theta_path=theta_path)


def test_a_path_is_kept(path: File) -> None:
    assert create(path).theta_path == PATH
    assert besd.Study(path).theta_path == PATH
    assert create(path).theta_path == PATH
    assert create(theta_path=None).theta_path is None
    full = besd.Path(points=4, coordinates=1, cap=50, fewest=2, price=0.5)
    found = create(theta_path=full).theta_path
    assert found == full and found.from_ is None and found.fewest == 2 and found.price == 0.5


def test_the_path_stays(path: File) -> None:
    create(path).ask()
    with pytest.raises(besd.InvalidError, match="has one with another 'cell'; it stays"):
        create(path, besd.Path(points=2, cap=99))
    with pytest.raises(besd.InvalidError, match="theta of the study is a path, got None"):
        create(path, None)
    other = path.with_name("other.besd")
    create(other, None).ask()
    with pytest.raises(besd.InvalidError, match="has trials already"):
        create(other)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"points": 0}, "points: expected a whole number from 1 to 64, got 0"),
        ({"coordinates": 9}, "coordinates: expected a whole number from 1 to 8, got 9"),
        ({"points": 3}, "path: 3 points of 2 coordinates are 6 numbers, but theta has 4"),
        ({"cap": 0}, "path: cap: expected a positive number"),
        ({"cell": -1}, "path: cell: expected a number from 0"),
        ({"price": math.inf}, "path: price: expected a number from 0"),
        ({"from_": [1, 2, 3]}, "from_: expected 2 numbers, got 3"),
        ({"fewest": 3}, "fewest: expected a whole number from 1 to 2, got 3"),
        ({"labels": 1}, "labels: expected a whole number from 2 to 8, got 1"),
    ],
)
def test_wrong_paths(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(besd.InvalidError, match=sentence):
        create(theta_path=besd.Path(**{"points": 2, "cap": 100, **fields}))


def test_what_is_no_path() -> None:
    with pytest.raises(TypeError, match="theta_path: expected a besd.Path, got tuple"):
        create(theta_path=(2, 2))  # type: ignore[arg-type]


def test_legs_come_back(path: File) -> None:
    with create(path) as study:
        rows = [[4, 17, 31], [5, None, None], None]
        trial = study.ask()
        assert trial is not None
        assert study.legs(trial) is None
        study.tell(trial, [31, 100, 44], legs=rows, cost=3)
        study.tell(trial, [31, 100, 44], legs=rows)
        with pytest.raises(besd.InvalidError, match="with other legs; they stay"):
            study.tell(trial, [31, 100, 44], legs=[None, None, None])
        assert study.legs(trial) == study.legs(trial.id) == rows
        assert study.trial(trial.id).cost == 3
        second = study.ask()
        assert second is not None
        study.tell(second, [31, 9, 44], legs=np.array([[4, 17, 31], [5, np.nan, 9], [np.nan] * 3]))
        assert study.legs(second) == [[4, 17, 31], [5, None, 9], [None] * 3]
        third = study.ask()
        assert third is not None
        study.tell(third, [31, 100, 44])
        assert study.legs(third) is None
    assert besd.Study(path).legs(1) == rows


def test_earned() -> None:
    with create(direction="maximize") as study:
        trial = study.ask()
        assert trial is not None
        legs = [[4, 17, 31], [5, None, None], None]
        with pytest.raises(besd.InvalidError, match="earned: expected what every leg earned"):
            study.tell(trial, [3, 1, 2], legs=legs)
        study.tell(trial, [3, 1, 2], legs=legs, earned=[[1, 0.5, 1.5], [1, None, None], None])
        assert study.earned(trial) == [[1, 0.5, 1.5], [1, None, None], None]


def test_labels(path: File) -> None:
    shape = besd.Path(points=2, cap=100, cell=1, from_=[0.5, 0.5], to=[9.5, 9.5], labels=2)
    legs = [[4, 17, 31], [5, None, None], None]
    with create(path, shape) as study:
        assert study.theta_path == shape
        trial = study.ask()
        assert trial is not None
        assert study.labels(trial) is None
        wrong: list[tuple[Any, type[Exception], str]] = [
            (None, besd.InvalidError, "labels: expected that of every replication beside legs, because the path has 2"),
            ([0, 1], besd.InvalidError, "labels: expected 3, one for every replication, got 2"),
            ([0, 1, 2], besd.InvalidError, r"labels\[2\]: expected a whole number from 0 to 1, got 2"),
            ([0, 1, "1"], TypeError, r"labels\[2\]"),
            (1, TypeError, "labels: expected a list"),
        ]
        for labels, error, sentence in wrong:
            with pytest.raises(error, match=sentence):
                study.tell(trial, [31, 100, 44], legs=legs, labels=labels)
        with pytest.raises(besd.InvalidError, match="labels: it belongs to legs, which are missing"):
            study.tell(trial, [31, 100, 44], labels=[0, 1, 0])
        study.tell(trial, [31, 100, 44], legs=legs, labels=[0, 1, 0])
        assert study.labels(trial) == [0, 1, 0] and study.legs(trial) == legs
        study.replace(trial, [31, 100, 40], legs=legs, labels=np.array([1, 1, 0]))
        assert study.labels(trial) == [1, 1, 0]
        study.restore(trial)
        assert study.labels(trial) == [0, 1, 0]
        told = [{"scores": [31, 100, 44], "legs": legs, "labels": [1, 0, 0]}] * 6
        with pytest.warns(UserWarning, match="scored the same"):
            study.optimize(lambda t: told[t.id - 2], max_trials=6)
        assert study.labels(7) == [1, 0, 0]
        (added,) = study.add({"theta": [1, 1, 5, 5], "tau": 10, **told[0]})
        assert study.labels(added) == [1, 0, 0]
    assert besd.Study(path).labels(1) == [0, 1, 0]


def test_labels_that_mean_something_else() -> None:
    """A trainer's own member stays in the note where the path has no labels."""
    with create() as study:
        study.optimize(lambda t: {"scores": [31, 100, 44], "labels": ["cat", "dog"]}, max_trials=1)
        assert study.get_trial_note(1) == '{"labels": ["cat", "dog"]}'
        trial = study.ask()
        assert trial is not None
        with pytest.raises(besd.InvalidError, match="labels: the path of this study has none"):
            study.tell(trial, [31, 100, 44], legs=[None] * 3, labels=[0, 0, 0])


@pytest.mark.parametrize(
    ("legs", "earned", "error", "sentence"),
    [
        ("abc", None, TypeError, "legs: expected a list for every replication, got str"),
        ([None], None, besd.InvalidError, "legs: expected 3 lists, one for every replication, got 1"),
        ([[1, 2], None, None], None, besd.InvalidError, r"legs\[0\]: expected 3 numbers, for every point and the end"),
        ([None, 5, None], None, TypeError, r"legs\[1\]: expected a list or None, got int"),
        ([None, [1, "2", 3], None], None, TypeError, r"legs\[1\]\[1\]: expected a number, got str"),
        ([None, [1, -2, 3], None], None, besd.InvalidError, r"legs\[1\]\[1\]: expected a time from 0 to the cap of 100"),
        ([None, [1, 2, 101], None], None, besd.InvalidError, r"legs\[1\]\[2\]: expected a time .* got 101"),
        ([[-math.inf, 1, 2], None, None], None, besd.InvalidError, r"legs\[0\]: expected finite times"),
        ([None, [2, 1, 3], None], None, besd.InvalidError, r"legs\[1\]\[1\]: expected a time from 2"),
        (None, [None] * 3, besd.InvalidError, "earned: it belongs to legs"),
        ([None] * 3, [None, [1, 2, 3], None], besd.InvalidError, r"earned\[1\]: expected None, as in legs"),
    ],
)
def test_refused_legs(legs: Any, earned: Any, error: type[Exception], sentence: str) -> None:
    with create() as study:
        trial = study.ask()
        assert trial is not None
        with pytest.raises(error, match=sentence):
            study.tell(trial, [31, 100, 44], legs=legs, earned=earned)
        assert study.trial(trial.id).state == "asked"


def test_legs_without_a_path() -> None:
    with create(theta_path=None) as study:
        trial = study.ask()
        assert trial is not None
        with pytest.raises(besd.InvalidError, match="legs: theta of this study is no path"):
            study.tell(trial, [1, 2, 3], legs=[None] * 3)
        with pytest.raises(besd.InvalidError, match="theta of this study is no path"):
            study.points(trial.theta)


def test_visited_points() -> None:
    path = besd.Path(points=4, cap=100, cell=1, fewest=1)
    with create(None, path, low=[0] * 8, high=[10] * 8) as study:
        assert study.points([1, 1, 1.5, 1.5, 5, 5, 5, 5]).tolist() == [[1, 1], [5, 5]]
        assert study.points([1, 1, 2, 2, 1, 1, 5, 5]).shape == (4, 2)
        counts = set()
        for _ in range(8):
            trial = study.ask()
            assert trial is not None
            count = len(study.points(trial.theta))
            counts.add(count)
            row = [float(k + 1) for k in range(count + 1)]
            study.tell(trial, [row[-1]] * 3, legs=[row, None, None])
            told = study.legs(trial)
            assert told is not None and told[0] is not None
            assert len(told[0]) == 5 and sorted(set(told[0])) == row  # type: ignore[type-var]
        assert len(counts) > 1


def walk(points: np.ndarray, cap: float = 100) -> list[float | None]:
    """From corner to corner; a leg longer than six fails."""
    here, time, times = np.array([0.5, 0.5]), 0.0, list[float | None]()
    for there in [*points, np.array([9.5, 9.5])]:
        length = float(np.hypot(*(there - here)))
        if length > 6 or None in times:
            times.append(None)
            continue
        time, here = time + length, there
        times.append(time)
    return times


def test_optimize_passes_them_on() -> None:
    with create(budget=600) as study:

        def train(trial: besd.Trial) -> dict[str, Any]:
            row = walk(study.points(trial.theta))
            return {"scores": [row[-1] or 100.0] * 3, "legs": [row, row, None]}

        with pytest.warns(UserWarning, match="scored the same"):  # nobody comes to the end
            study.optimize(train)
        told = study.trials("told")
        assert len(told) == 20
        assert all(study.legs(t) == [walk(study.points(t.theta))] * 2 + [None] for t in told)
        assert "legs" in {t.reason for t in told}


def test_optimize_records_wrong_legs(caplog: pytest.LogCaptureFixture) -> None:
    with create() as study, pytest.raises(besd.TrainError, match=r"legs: expected 3 lists"):
        study.optimize(lambda trial: {"scores": [1, 2, 3], "legs": [None]})


def test_episode_legs() -> None:
    legs = besd.EpisodeLegs(points=3)
    legs.step(stage=0, reward=0.5)
    legs.step(stage=1, reward=1)
    legs.step(stage=1, reward=2)
    legs.step(stage=3)
    assert legs.times == [2, 4, 4, None]
    legs.step(stage=3, reward=4, success=True)
    assert legs.times == [2, 4, 4, 5]
    assert legs.earned == [1.5, 2, 0, 4]
    with pytest.raises(besd.InvalidError, match="stage: expected 3 to 3 points, got 2"):
        legs.step(stage=2)
    json.dumps({"legs": [legs.times], "earned": [legs.earned]})


def test_legs_that_contradict_their_score_are_refused() -> None:
    path = besd.Path(points=1, cap=100, cell=1)
    with besd.Study.create(None, [0, 0], [9, 9], [10], [2], budget=1000, direction="minimize", theta_path=path) as study:
        trial = study.ask()
        assert trial is not None
        with pytest.raises(besd.InvalidError, match=r"legs\[1\]: they say that the end was reached at 31, but the score is 100"):
            study.tell(trial, [31, 100], legs=[[4, 31], [4, 31]])
        with pytest.raises(besd.InvalidError, match=r"legs\[0\]: they say that the end was not reached, but the score is 31"):
            study.tell(trial, [31, 100], legs=[[4, None], None])
        study.tell(trial, [31, 100], legs=[[4, 31], [4, None]])
        with pytest.raises(besd.InvalidError, match=r"legs\[1\]: they say"):
            study.replace(trial, [31, 40], legs=[[4, 31], [4, None]])
