"""Who trains what: `optimize` with leases, in a file and over the network."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import besd
from conftest import SMALL, quick, served


def test_optimize_tells_all(door: besd.StudyBase) -> None:
    seen: list[int] = []
    best = door.optimize(quick, 3, max_trials=6, lease=60, callback=lambda study, trial: seen.append(trial.id))
    assert sorted(seen) == [1, 2, 3, 4, 5, 6] and best.trials == 6
    assert len({t.worker for t in door.trials()}) == 1 and door.trial(1).worker
    assert {t.state for t in door.trials()} == {"told"}


@pytest.mark.parametrize("more", [{"processes": True, "n_jobs": 2}, {"timeout": 60}, {"progress": True}])
def test_options_of_optimize_over_the_network(path: Path, more: dict[str, Any]) -> None:
    besd.Study.create(path, **SMALL, method="random", direction="minimize").close()
    with served(path) as url, besd.connect(url) as study:
        study.optimize(quick, max_trials=3, **more)
        assert [t.state for t in study.trials()] == ["told"] * 3


def test_a_lease_is_renewed_while_a_training_runs(door: besd.StudyBase) -> None:
    """It takes longer than its lease, and nobody else gets it."""
    others: list[Any] = []

    def train(trial: besd.Trial) -> Any:
        deadline = time.monotonic() + 60
        renewed = 0
        while renewed < 4 and time.monotonic() < deadline:  # each after a third of the lease
            renewed = sum(e.what == "renewed" for e in door.events())
            time.sleep(0.05)
        others.append(door.ask(worker="other"))
        return quick(trial)

    door.optimize(train, max_trials=1, lease=3)
    assert others[0].id == 2 and door.trial(1).state == "told" and "expired" not in {e.what for e in door.events()}
    assert not any(thread.name == "besd-leases" for thread in threading.enumerate())


def test_trials_of_another_worker_are_left_alone(door: besd.StudyBase) -> None:
    leased, named = door.ask(worker="robot", lease=600), door.ask(worker="robot")
    assert leased is not None and named is not None
    door.optimize(quick, max_trials=2)
    assert [t.state for t in door.trials()] == ["asked", "asked", "told", "told"]
    door.optimize(quick, max_trials=2, worker="robot")  # it comes back, and goes on with its own
    assert [t.state for t in door.trials()] == ["told"] * 4


def test_a_trial_whose_lease_has_ended_is_trained(door: besd.StudyBase) -> None:
    left = door.ask(worker="gone", lease=0.05)
    assert left is not None
    time.sleep(0.1)
    door.optimize(quick, max_trials=1)
    assert door.trial(left.id).state == "told" and door.trial_count == 1


def test_told_by_the_next_one_first(door: besd.StudyBase) -> None:
    def train(trial: besd.Trial) -> Any:
        if trial.id == 1:
            door.tell(trial, [5.0] * trial.reps)
        return quick(trial)

    door.optimize(train, max_trials=2, lease=60)
    assert set(door.trial(1).scores) == {5.0} and [t.state for t in door.trials()] == ["told", "told"]


WORKER = """
import sys, time
import besd

def train(trial):
    print(trial.id, flush=True)
    time.sleep(600)

besd.connect(sys.argv[1]).optimize(train, 2, lease=1)
"""


def test_the_trials_of_a_killed_worker_come_back(path: Path) -> None:
    besd.Study.create(path, **SMALL, method="random", direction="minimize").close()
    with served(path) as url, besd.connect(url) as study:
        worker = subprocess.Popen([sys.executable, "-c", WORKER, url], stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        asked = sorted(int(worker.stdout.readline()) for _ in range(2))
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        before = {t.id: (t.theta.tolist(), t.seed) for t in study.trials()}
        deadline = time.monotonic() + 60
        while study.trials("asked") and time.monotonic() < deadline:
            for t in study.trials("asked"):
                if t.lease_until is not None and t.lease_until.timestamp() < time.time():
                    study.optimize(quick, max_trials=1)
            time.sleep(0.05)
        assert asked == [1, 2] and [t.state for t in study.trials()] == ["told", "told"]
        assert {t.id: (t.theta.tolist(), t.seed) for t in study.trials()} == before


def test_a_lease_of_nothing_is_refused_first(door: besd.StudyBase) -> None:
    with pytest.raises(besd.InvalidError, match="lease: expected seconds above 0"):
        door.optimize(quick, lease=0)
    with pytest.raises(besd.InvalidError, match="expected a name of UTF-8"):
        door.optimize(quick, worker="w" * 80, lease=5)
    assert door.trial_count == 0
