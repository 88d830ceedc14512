"""What one may do to a study, by both doors: in a file and over the network."""

import math
import pickle
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import besd
from conftest import SMALL, history, quick, served


def told(door: besd.StudyBase, count: int = 3) -> None:
    for _ in range(count):
        trial = door.ask()
        assert trial is not None
        door.tell(trial, quick(trial))


def whats(study: besd.StudyBase, after: int = 0) -> list[Any]:
    return [(e.what, e.trial) for e in study.events(after)]


def test_leases(door: besd.StudyBase) -> None:
    trial = door.ask(worker="w1", lease=0.05)
    assert trial is not None and (trial.worker, trial.state) == ("w1", "asked") and trial.lease_until is not None
    time.sleep(0.1)
    with pytest.raises(besd.InvalidError, match="ended"):
        door.renew(trial, 60)
    again = door.ask(worker="w2", lease=600)
    assert again is not None and again.id == trial.id and again.worker == "w2"
    assert (again.seed, again.tau, again.reps, again.theta.tolist()) == (
        trial.seed, trial.tau, trial.reps, trial.theta.tolist(),
    )  # fmt: skip
    with pytest.raises(besd.InvalidError, match="w2"):
        door.renew(trial.id, 60, worker="w1")
    door.renew(again, 1200)
    until = door.trial(again.id).lease_until
    assert until is not None and again.lease_until is not None and until > again.lease_until
    assert door.tell(trial, quick(trial)) is False  # late, and the first to tell
    assert door.tell(again, quick(again)) is True  # the same again
    with pytest.raises(besd.InvalidError):
        door.tell(again, quick(again) + 1)
    over = door.trial(trial.id)
    assert over.state == "told" and over.worker == "w2" and over.lease_until is None
    assert over.duration is not None and over.duration >= 0
    assert [what for what, _ in whats(door)] == ["asked", "expired", "asked", "renewed", "told"]


def test_whoever_asks_without_a_lease_has_it_for_good(door: besd.StudyBase) -> None:
    first = door.ask(worker="w1", lease=0.02)
    time.sleep(0.05)
    second, third = door.ask(), door.ask()
    assert first is not None and second is not None and third is not None
    assert (second.id, second.worker, second.lease_until) == (first.id, "", None) and third.id != first.id


@pytest.mark.parametrize("lease", [0, -1, math.nan])
def test_a_lease_that_is_none(door: besd.StudyBase, lease: float) -> None:
    with pytest.raises(besd.InvalidError, match="lease: expected seconds above 0"):
        door.ask(worker="w1", lease=lease)
    assert door.trial_count == 0


def test_what_waits_is_given_before_anything_new(door: besd.StudyBase) -> None:
    told(door, 1)
    wished = door.enqueue({"y": 7, "x": 3}, note="the lamp is here")
    assert (wished.state, wished.reason, wished.note) == ("waiting", "enqueued", "the lamp is here")
    assert (wished.theta.tolist(), wished.tau, wished.reps) == ([3, 7], 400, 2)
    assert door.trials("waiting")[0].id == wished.id
    given = door.ask()
    assert given is not None and given.id == wished.id and given.note == wished.note
    other = door.enqueue([1, 2], tau=100, reps=8)
    assert (other.tau, other.reps) == (100, 8)
    with pytest.raises(besd.InvalidError, match="y between 0 and 10, got 11"):
        door.enqueue([1, 11])
    with pytest.raises(besd.InvalidError, match="there is no coordinate 'z'"):
        door.enqueue({"x": 1, "z": 2})
    with pytest.raises(besd.InvalidError, match="tau: expected 100 or 400, got 50"):
        door.enqueue([1, 2], tau=50)


def test_corrections(door: besd.StudyBase) -> None:
    told(door)
    before = door.trial(2).scores.tolist()
    door.replace(2, [4.0] * door.trial(2).reps, why="a slip of the pen")
    assert set(door.trial(2).scores.tolist()) == {4.0} and door.trial(2).why == "a slip of the pen"
    door.void(2, "a wheel was loose")
    voided = door.trial(2)
    assert (voided.state, voided.why, voided.mean) == ("voided", "a wheel was loose", 4.0)
    assert [t.id for t in door.trials("voided")] == [2] and len(door.trials("told")) == 2
    with pytest.raises(besd.InvalidError, match="restore it first"):
        door.replace(2, [1.0] * voided.reps)
    with pytest.raises(besd.InvalidError, match="voided"):
        door.void(2)
    door.restore(2)
    assert door.trial(2).state == "told" and set(door.trial(2).scores.tolist()) == {4.0}
    door.restore(2)
    assert door.trial(2).scores.tolist() == before
    with pytest.raises(besd.InvalidError, match="neither voided nor replaced"):
        door.restore(2)
    assert [what for what, trial in whats(door, 6) if trial == 2] == ["replaced", "voided", "restored", "restored"]


def test_budget(door: besd.StudyBase) -> None:
    told(door, 2)
    door.set_budget(door.spent)
    assert door.ask() is None and door.stopped == "budget" and door.stop_message
    door.set_budget(None)
    assert door.options["budget"] == math.inf and door.ask() is not None and door.stopped is None
    with pytest.raises(besd.InvalidError, match="budget"):
        door.set_budget(-1)
    last = list(door.events())[-2]
    assert last.what == "budget" and last.trial is None and last.detail["to"] is None


def test_budget_as_a_property(door: besd.StudyBase) -> None:
    told(door, 1)
    door.budget = door.spent + 1
    assert door.budget == door.options["budget"] == door.spent + 1
    assert door.ask() is None and list(door.events())[-1].what == "budget"
    door.budget = math.inf
    assert door.budget == math.inf and door.ask() is not None
    with pytest.raises(besd.InvalidError, match="budget"):
        door.budget = -1
    assert door.budget == math.inf


def test_tags_and_notes(door: besd.StudyBase) -> None:
    told(door, 1)
    door.tag(1, "slow", "robot 2")
    door.untag(1, "slow")
    door.set_trial_note(1, "Reifen gewechselt, größer")
    assert door.trial(1).tags == ("robot 2",) and door.trial(1).note == door.get_trial_note(1) == "Reifen gewechselt, größer"
    with pytest.raises(besd.InvalidError, match="without commas"):
        door.tag(1, "a,b")
    assert [what for what, _ in whats(door)][2:] == ["tagged", "tagged", "untagged", "noted"]


def test_events(door: besd.StudyBase) -> None:
    told(door, 2)
    events = list(door.events())
    assert [e.id for e in events] == [1, 2, 3, 4] and {e.who for e in events if e.what != "asked"} == {"ada"}
    now = datetime.now(timezone.utc)
    assert all(abs(e.at - now) < timedelta(minutes=10) for e in events)
    assert [e.id for e in door.events(3)] == [4]
    followed = door.events(2, follow=True)
    assert [next(followed).id, next(followed).id] == [3, 4]
    door.tag(1, "later")
    assert next(followed).what == "tagged"
    followed.close()  # type: ignore[attr-defined]


def test_every_event_is_one_of_the_literals(door: besd.StudyBase) -> None:
    told(door)
    door.enqueue([1, 1])
    door.void(1)
    door.restore(1)
    door.add({"theta": [1, 2], "tau": 100, "scores": [3]})
    trial = door.ask(worker="w", lease=100)
    assert trial is not None
    door.renew(trial, 200)
    door.fail(trial, "battery")
    assert {e.what for e in door.events()} <= set(get_args(besd.What))
    assert door.trial(trial.id).note == "battery"


def test_failing_and_asking_again(door: besd.StudyBase) -> None:
    trial = door.ask()
    assert trial is not None
    door.fail(trial, "battery", cost=5)
    repeated = door.ask_again(trial)
    assert repeated is not None and repeated.repeats == trial.id and repeated.reason == "retry"
    assert door.trial(trial.id).cost == 5
    door.fail(repeated)
    door.set_budget(door.spent)
    assert door.ask_again(repeated) is None and door.stop_message


def test_unknown_trials(door: besd.StudyBase) -> None:
    for act in (door.trial, door.void, door.restore, door.fail):
        with pytest.raises(besd.BesdError, match="trial"):
            act(77)  # type: ignore[operator]


def test_bad_scores(door: besd.StudyBase) -> None:
    trial = door.ask()
    assert trial is not None
    for bad in ([], [1.0] * (trial.reps + 1), [math.nan] * trial.reps):
        with pytest.raises(besd.InvalidError, match="score"):
            door.tell(trial, bad)
    with pytest.raises(TypeError, match="scores"):
        door.tell(trial, "abc")
    with pytest.raises(besd.InvalidError, match="cost"):
        door.tell(trial, quick(trial), cost=-1)
    assert door.trial(trial.id).state == "asked"


def test_a_table_and_a_page_of_all_of_it(door: besd.StudyBase) -> None:
    pytest.importorskip("pandas")
    told(door)
    door.void(1, "loose <wheel>")
    door.enqueue([1, 1])
    door.ask(worker="w1", lease=100)
    frame = door.trials_dataframe()
    assert frame["state"].tolist() == ["voided", "told", "told", "asked"]
    assert frame.loc[1, "why"] == "loose <wheel>" and frame.loc[4, "worker"] == "w1"
    assert frame["lease_until"].notna().tolist() == [False, False, False, True]
    assert frame["duration"].notna().tolist() == [True, True, True, False]
    html = door._repr_html_()  # type: ignore[attr-defined]
    assert "1 voided" in html and "waiting" not in html and f"({door.trial(1).mean:.6g})" in html


def test_seeds_of_both_doors(path: Path) -> None:
    """And everything else of every trial."""
    options = {**SMALL, "names": ["x", "y"], "units": ["m", "m"], "direction": "maximize", "budget": 90_000}
    with besd.Study.create(path, **options, method="random") as study, served(path) as url:
        told(study, 4)
        study.void(2, "why")
        study.tag(3, "a", "b")
        study.ask(worker="w", lease=1000)
        with besd.connect(url) as remote:
            assert history(remote) == history(study)  # type: ignore[arg-type]
            for one, other in zip(remote.trials(), study.trials(), strict=True):
                for name in ("worker", "asked", "ended", "tags", "note", "why", "repeats", "params", "replication_seeds"):
                    assert getattr(one, name) == getattr(other, name), name
                assert one.seed32 == other.seed32 == other.seed % 2**32 and other.seed < 2**53
                assert (one.lease_until is None) == (other.lease_until is None)
            mine, theirs = study.options, remote.options
            assert mine.keys() == theirs.keys()
            for name, value in mine.items():
                np.testing.assert_equal(theirs[name], value, name)
            assert (remote.trial_count, remote.spent, remote.tau_max) == (study.trial_count, study.spent, 400)
            with pickle.loads(pickle.dumps(remote)) as other_remote:
                assert repr(other_remote) == repr(remote)


def test_the_model_by_both_doors(path: Path) -> None:
    with besd.Study.create(path, **SMALL, direction="minimize", model="paper", initial_designs=3) as study:
        for trial in study:
            study.tell(trial, quick(trial))
            if trial.reason != "initial":
                break
        assert study.explain() is None
        with served(path) as url, besd.connect(url) as remote:
            assert remote.explain() is None
            asked = remote.ask_explained(worker="w")
            assert asked is not None and asked[1].why
            for door in (study, remote):
                explained = door.explain()
                assert explained is not None and explained[0].id == asked[0].id and explained[1].why == asked[1].why
                assert len(explained[1].levers) == len(asked[1].levers)
            here, there = study.recommend(), remote.recommend()
            assert here.theta.tolist() == there.theta.tolist() and here.params == there.params
            for name in ("mean", "sd", "value", "low", "high", "tried", "trials", "cost", "better"):
                assert getattr(here, name) == getattr(there, name), name
            a, b = study.forecast([3, 7]), remote.forecast([3, 7])
            assert (a.mean, a.sd, a.value, a.low, a.high, a.tried, a.better) == (
                b.mean, b.sd, b.value, b.low, b.high, b.tried, b.better,
            )  # fmt: skip
            grid = np.array([[[3, 7]], [[1, 1]]])
            mean, sd = remote.predict(grid, tau=100)
            assert mean.shape == sd.shape == (2, 1)
            np.testing.assert_allclose(mean, study.predict(grid, tau=100)[0])
            with pytest.raises(besd.InvalidError, match="tau"):
                remote.predict([3, 7], tau=50)


def test_paths_by_both_doors(path: Path) -> None:
    shape = besd.Path(points=2, cap=100, cell=1, from_=[0.5, 0.5], fewest=1)
    with besd.Study.create(path, [0] * 4, [10] * 4, [10], [2], direction="minimize", theta_path=shape) as study:
        with served(path) as url, besd.connect(url) as remote:
            assert remote.theta_path == study.theta_path == shape
            same = [3.2, 3.2, 3.4, 3.4]
            assert remote.points(same).tolist() == study.points(same).tolist() == [[3.2, 3.2]]
            trial = remote.ask()
            assert trial is not None
            visits = len(remote.points(trial.theta))
            times = [*range(1, visits + 1), 50]
            remote.tell(trial, [50, 60], legs=[times, None])
            assert remote.legs(trial) == study.legs(trial) and remote.legs(trial)[1] is None  # type: ignore[index]
            row: dict[str, Any] = {"theta": [1, 1, 5, 5], "tau": 10, "scores": [40, 50], "legs": [[3, 9, 40], None]}
            for door in (study, remote):
                (added,) = door.add(row)
                assert study.legs(added) == [[3, 9, 40], None]
            assert remote.earned(1) is None and remote.labels(1) is None


def test_labels_by_both_doors(path: Path) -> None:
    shape = besd.Path(points=2, cap=100, cell=1, labels=3)
    with besd.Study.create(path, [0] * 4, [10] * 4, [10], [2], direction="minimize", theta_path=shape) as study:
        with served(path) as url, besd.connect(url) as remote:
            assert remote.theta_path == study.theta_path == shape
            trial = remote.ask()
            assert trial is not None
            legs = [[3, 9, 40], None]
            with pytest.raises(besd.InvalidError, match="labels: expected the kind of instance of every replication"):
                remote.tell(trial, [40, 50], legs=legs)
            with pytest.raises(besd.InvalidError, match="labels: it belongs to legs, which are missing"):
                remote.tell(trial, [40, 50], labels=[0, 2])
            remote.tell(trial, [40, 50], legs=legs, labels=[0, 2])
            assert remote.labels(trial) == study.labels(trial) == [0, 2]
            remote.replace(trial, [40, 60], legs=legs, labels=[1, 2])
            assert study.labels(trial) == [1, 2]
            row: dict[str, Any] = {"theta": [1, 1, 5, 5], "tau": 10, "scores": [40, 50], "legs": legs, "labels": [2, 0]}
            for door in (study, remote):
                (added,) = door.add(row)
                assert study.labels(added) == [2, 0]


def test_who_travels(path: Path) -> None:
    with besd.Study.create(path, **SMALL, who="ada") as study:
        with pickle.loads(pickle.dumps(study)) as other:
            other.ask()
        assert [e.who for e in study.events()] == ["ada"]
    with pytest.raises(besd.InvalidError, match="who"):
        besd.Study(path, who="a" * 64)
