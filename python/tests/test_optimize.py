"""Study.optimize: failures, jobs, interrupts."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SMALL, history, lamp

import besd


def test_is_the_loop_written_out(study: besd.Study, tmp_path: Path) -> None:
    with besd.Study.create(tmp_path / "loop.besd", **study.options) as loop:
        for trial in loop:
            loop.tell(trial, lamp(trial))
        best = study.optimize(lamp)
        assert history(study) == history(loop)
        np.testing.assert_array_equal(best.theta, loop.recommend().theta)


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_failing_trainings_are_recorded(study: besd.Study, n_jobs: int, caplog: pytest.LogCaptureFixture) -> None:
    def train(trial: besd.Trial) -> Any:
        match trial.id % 6:
            case 1:
                raise RuntimeError("the wheel\0 came off")
            case 2:
                return lamp(trial)[:-1]  # too few
            case 3:
                return None
            case 4:
                return [float("nan")] * trial.reps
            case 5:
                return {"scores": lamp(trial), "cost": 11}
        return lamp(trial)

    seen: list[int] = []
    study.optimize(train, n_jobs, max_trials=18, callback=lambda s, t: seen.append(t.id))
    states = [t.state for t in study.trials()]
    assert states == ["failed", "failed", "failed", "failed", "told", "told"] * 3
    assert study.trial(5).cost == 11
    assert study.trial(1).cost == study.trial(1).tau * study.trial(1).reps
    assert sorted(seen) == list(range(1, 19))
    assert "trial 1 failed: RuntimeError: the wheel" in caplog.text
    assert "trial 3 failed: TypeError: train: expected scores, got None" in caplog.text


def test_gives_up_after_many_failures_in_a_row(study: besd.Study) -> None:
    def train(trial: besd.Trial) -> Any:
        raise OSError("no robot")

    with pytest.raises(besd.TrainError, match="4 trainings in a row failed.*OSError: no robot") as caught:
        study.optimize(train, max_failures=4)
    assert isinstance(caught.value.__cause__, OSError)
    assert [t.state for t in study.trials()] == ["failed"] * 4


def test_wrong_mapping(study: besd.Study) -> None:
    with pytest.raises(besd.TrainError, match="expected 'scores' and perhaps 'cost', got .'score'"):
        study.optimize(lambda trial: {"score": 1}, max_failures=1)


def test_jobs_overlap_and_pending_trials_differ(study: besd.Study) -> None:
    together = threading.Barrier(4, timeout=60)  # nobody goes on before four are here

    def train(trial: besd.Trial) -> Any:
        together.wait()
        return lamp(trial)

    study.optimize(train, n_jobs=4, max_trials=24)
    chosen = [t for t in study.trials() if t.reason != "exploit"]
    assert len(chosen) > 20
    assert len({(tuple(t.theta), t.tau, t.reps) for t in chosen}) == len(chosen)


def test_processes(study: besd.Study, tmp_path: Path) -> None:
    study.optimize(lamp, n_jobs=2, processes=True, max_trials=10)
    assert [t.state for t in study.trials()] == ["told"] * 10
    with besd.Study.create(tmp_path / "threads.besd", **study.options) as threads:
        threads.optimize(lamp, max_trials=10)
        assert [tuple(t.scores) for t in threads.trials()] == [tuple(t.scores) for t in study.trials()]


def dies_at_three(trial: besd.Trial) -> Any:
    if trial.id == 3:
        os._exit(1)
    return lamp(trial)


def test_a_dying_process_fails_its_trial(study: besd.Study) -> None:
    study.optimize(dies_at_three, processes=True, max_trials=6)
    assert [t.state for t in study.trials()] == ["told", "told", "failed", "told", "told", "told"]


def test_a_full_budget_needs_no_training(study: besd.Study) -> None:
    study.optimize(lamp)
    study.optimize(lambda trial: pytest.fail("nothing was left to train"))


def test_cheaper_than_planned_buys_more(tmp_path: Path) -> None:
    """A study that is out of budget only because of planned costs is asked again after a tell."""
    with besd.Study.create(tmp_path / "a.besd", [0], [1], [100], [1], budget=1000, method="random") as study:
        study.optimize(lambda trial: {"scores": trial.theta, "cost": 50}, n_jobs=10)
        assert study.spent > 900 and len(study.trials("told")) > 15


def test_interrupt_in_the_trainer_leaves_a_resumable_study(study: besd.Study, tmp_path: Path) -> None:
    def train(trial: besd.Trial) -> Any:
        if trial.id == 8 and not interrupted:
            interrupted.append(trial.id)
            raise KeyboardInterrupt
        return lamp(trial)

    interrupted: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        study.optimize(train)
    assert [t.state for t in study.trials()] == ["told"] * 7 + ["asked"]
    study.optimize(train)
    with besd.Study.create(tmp_path / "whole.besd", **study.options) as whole:
        whole.optimize(lamp)
        assert history(study) == history(whole)


def test_another_worker_leaves_asked_trials_alone(study: besd.Study) -> None:
    under_way = study.ask()
    assert under_way is not None
    study.optimize(lamp, max_trials=3, resume=False)
    assert study.trial(under_way.id).state == "asked"
    study.optimize(lamp, max_trials=1)
    assert study.trial(under_way.id).state == "told"


@pytest.mark.parametrize(
    ("jobs", "longest"),
    [("n_jobs=1", 600), ("n_jobs=3", 0.05), ("n_jobs=2, processes=True", 0.05), ("n_jobs=2, processes=True", 600)],
)
def test_control_c(tmp_path: Path, jobs: str, longest: float) -> None:
    """A real SIGINT to the whole group while trainings run; only threads are not ended by it."""
    script = tmp_path / "worker.py"
    script.write_text(
        f"""
import signal, sys, time
import besd

def train(trial):
    time.sleep(0.05 if trial.id < 5 else {longest})
    return trial.theta[:1].repeat(trial.reps)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    study = besd.Study.create(sys.argv[1], **{SMALL!r})
    try:
        study.optimize(train, {jobs}, callback=lambda s, t: print(t.id, flush=True))
    except KeyboardInterrupt:
        print("interrupted", len(study.trials("failed")), flush=True)
"""
    )
    path = tmp_path / "interrupted.besd"
    worker = subprocess.Popen(
        [sys.executable, str(script), str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert worker.stdout is not None
    for _ in range(4):
        worker.stdout.readline()
    os.killpg(worker.pid, signal.SIGINT)
    try:
        out, err = worker.communicate(timeout=60)
    finally:
        worker.kill()
    assert out.splitlines()[-1] == "interrupted 0", err
    with besd.Study(path) as study:
        states = [t.state for t in study.trials()]
        assert states.count("told") >= 4
        left = states.count("asked")
        study.optimize(lambda trial: trial.theta[:1].repeat(trial.reps), max_trials=left)
        assert {t.state for t in study.trials()} == {"told"}
