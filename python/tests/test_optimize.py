"""Study.optimize: failures, jobs, interrupts."""

import functools
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
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


def test_warns_of_equal_scores_when_the_initial_design_is_over(study: besd.Study) -> None:
    told: list[int] = []
    with pytest.warns(UserWarning, match="trials have scored the same, .* partial success") as said:
        best = study.optimize(lambda t: [3.0] * t.reps, callback=lambda s, t: told.append(len(said)))
    initial = sum(t.reason == "initial" for t in study.trials())
    assert [len(said), told[initial - 1], told[initial]] == [1, 0, 1]
    assert best.warning.startswith(f"all {best.trials} trials have scored the same")
    assert "scored the same" in best._repr_html_()


def test_one_agent_of_each_design_where_nobody_says_how_many() -> None:
    with besd.Study.create(None, [0], [1], [100], budget=1000) as study:
        assert study.options["reps"] == [1]


def test_says_nothing_when_scores_differ(study: besd.Study, recwarn: pytest.WarningsRecorder) -> None:
    assert study.optimize(lamp).warning == "" and not recwarn.list


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
        if trial.id == 1:
            return lamp(trial)
        raise OSError("no robot")

    with pytest.raises(besd.TrainError, match="4 trainings in a row failed.*OSError: no robot") as caught:
        study.optimize(train, max_failures=4)
    assert isinstance(caught.value.__cause__, OSError)
    assert [t.state for t in study.trials()] == ["told"] + ["failed"] * 4


def raises(trial: besd.Trial) -> Any:
    raise OSError("no robot")


def returns_nothing(trial: besd.Trial) -> Any:
    lamp(trial)


def returns_too_few(trial: besd.Trial) -> Any:
    return lamp(trial)[:1]


@pytest.mark.parametrize("processes", [False, True])
@pytest.mark.parametrize("train", [raises, returns_nothing, returns_too_few])
def test_gives_up_after_the_same_failure_twice_at_first(study: besd.Study, train: Any, processes: bool) -> None:
    for call in (1, 2):
        with pytest.raises(besd.TrainError, match="2 trainings in a row failed") as caught:
            study.optimize(train, processes=processes)
        assert [t.state for t in study.trials()] == ["failed"] * 2 * call
    if train is raises:  # the user's own line is in the traceback
        assert 'raise OSError("no robot")' in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("workers", [{}, {"n_jobs": 2}, {"processes": True}])
def test_logs_where_it_failed(study: besd.Study, workers: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    line = raises.__code__.co_firstlineno + 1
    with caplog.at_level("DEBUG", "besd"), pytest.raises(besd.TrainError):
        study.optimize(raises, max_failures=1, **workers)
    warned, details = (r for r in caplog.records if r.levelname != "INFO")
    assert warned.levelname == "WARNING"
    assert warned.getMessage() == f"trial 1 failed: OSError: no robot ({__file__}:{line})"
    assert details.levelname == "DEBUG" and details.exc_info
    assert 'raise OSError("no robot")' in "".join(traceback.format_exception(*details.exc_info))


def test_goes_on_after_different_failures_at_first(study: besd.Study) -> None:
    def train(trial: besd.Trial) -> Any:
        raise OSError(f"no robot {trial.id}") if trial.id % 2 else ValueError("no robot")

    with pytest.raises(besd.TrainError, match="5 trainings in a row failed"):
        study.optimize(train, max_failures=5)


@pytest.mark.parametrize(
    ("train", "sentence"),
    [
        (lambda: None, "train: expected a function of one trial, got one of .*: too many positional arguments"),
        (lambda trial, robot: None, "missing a required argument: 'robot'"),
        (lambda *, trial: None, "train: expected a function of one trial"),
    ],
)
def test_a_wrong_signature_costs_nothing(study: besd.Study, train: Any, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        study.optimize(train)
    assert study.trial_count == 0 and study.spent == 0


def test_a_signature_that_takes_a_trial_is_fine(study: besd.Study) -> None:
    class Trainer:
        def __call__(self, trial: besd.Trial, robot: str = "rover") -> Any:
            return lamp(trial)

    study.optimize(Trainer(), max_trials=1)
    study.optimize(lambda *trials: lamp(*trials), max_trials=1)
    study.optimize(functools.partial(lambda robot, trial: lamp(trial), "rover"), max_trials=1)
    assert len(study.trials("told")) == 3


def locked(lock: Any, trial: besd.Trial) -> Any:
    return lamp(trial)


@pytest.fixture
def no_loky(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("besd._crew.find_spec", lambda name: None)


def test_what_processes_cannot_have_costs_nothing(study: besd.Study, no_loky: None) -> None:
    def local(trial: besd.Trial) -> Any:
        return lamp(trial)

    for train in (local, lambda trial: lamp(trial), functools.partial(locked, threading.Lock())):
        with pytest.raises(TypeError, match="train: expected a function that other processes can import.*pip install loky"):
            study.optimize(train, processes=True)
    assert study.trial_count == 0 and study.spent == 0


@pytest.mark.parametrize("unguarded", [False, True])
def test_a_function_that_no_process_finds_costs_nothing(tmp_path: Path, unguarded: bool) -> None:
    """Typed at a prompt, or in a script that begins anew in every process."""
    script = f"""
import besd, besd._crew
besd._crew.find_spec = lambda name: None  # no loky

def train(trial):
    return [1.0] * trial.reps

study = besd.Study.create("study.besd", **{SMALL!r})
study.optimize(train, processes=True)
"""
    (tmp_path / "script.py").write_text(script)
    command = [sys.executable, "script.py"] if unguarded else [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "TypeError: train: expected a function that other processes can import" in done.stderr.splitlines()[-1]
    with besd.Study(tmp_path / "study.besd") as study:
        assert study.trial_count == 0


def test_wrong_mapping(study: besd.Study) -> None:
    with pytest.raises(besd.TrainError, match="expected 'scores' and perhaps 'cost', got .'score'"):
        study.optimize(lambda trial: {"score": 1}, max_failures=1)


def test_jobs_overlap_and_pending_trials_differ(study: besd.Study) -> None:
    """What was told may be asked again; what others are at just now is not."""
    crews: list[set[Any]] = []
    here: list[besd.Trial] = []

    def depart() -> None:
        crews.append({(tuple(t.theta), t.tau, t.reps) for t in here if t.reason != "exploit"})
        assert len(crews[-1]) == sum(t.reason != "exploit" for t in here)
        here.clear()

    together = threading.Barrier(4, action=depart, timeout=60)  # nobody goes on before four are here

    def train(trial: besd.Trial) -> Any:
        here.append(trial)
        together.wait()
        return lamp(trial)

    study.optimize(train, n_jobs=4, max_trials=24)
    assert len(crews) == 6 and sum(map(len, crews)) > 20


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


def test_a_number_and_a_truth_are_scores_of_one_replication() -> None:
    with besd.Study.create(None, **{**SMALL, "reps": [1]}) as study:
        study.optimize(lambda trial: 3.0, n_trials=1)
        study.optimize(lambda trial: trial.id == 2, n_trials=1)
        study.optimize(lambda trial: [np.False_], n_trials=1)
        study.optimize(lambda trial: {"scores": np.float32(0.5)}, max_trials=1)
        assert [t.scores.tolist() for t in study.trials()] == [[3.0], [1.0], [0.0], [0.5]]
        with pytest.raises(besd.InvalidError, match="n_trials: it is another name of max_trials"):
            study.optimize(lambda trial: 3.0, n_trials=1, max_trials=1)


def test_refused_values_are_kept() -> None:
    with besd.Study.create(None, **{**SMALL, "reps": [1]}) as study:
        study.optimize(lambda trial: [0.25, 0.5] if trial.id == 1 else 1.0, max_trials=2)
        assert study.get_trial_note(1) == "scores: trial 1 has 1 replication, got 2 scores; returned: [0.25, 0.5]"
        study.optimize(lambda trial: {"scores": [0.125], "cost": "dear"} if trial.id == 3 else 1.0, max_trials=2)
        assert study.get_trial_note(3).endswith("returned: {'cost': 'dear', 'scores': [0.125]}")
