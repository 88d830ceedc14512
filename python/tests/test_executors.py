"""Study.optimize with executors, time-outs, progress, and several calls on one file."""

import fcntl
import logging
import os
import pickle
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from conftest import SMALL, history, lamp

import besd
from besd import _crew


def states(study: besd.Study) -> list[str]:
    return [t.state for t in study.trials()]


def test_threads_of_somebody_else(study: besd.Study) -> None:
    together = threading.Barrier(3, timeout=60)
    names: set[str] = set()

    def train(trial: besd.Trial) -> Any:
        together.wait()  # nobody goes on before three are here: the executor's width was found
        names.add(threading.current_thread().name)
        return lamp(trial)

    with ThreadPoolExecutor(3, thread_name_prefix="mine") as executor:
        study.optimize(train, executor=executor, max_trials=9)
        assert executor.submit(int).result() == 0  # it is not shut down
    assert states(study) == ["told"] * 9
    assert all(name.startswith("mine") for name in names)


def test_processes_of_somebody_else(study: besd.Study) -> None:
    import multiprocessing

    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        study.optimize(lamp, executor=executor, max_trials=4)
        with pytest.raises(TypeError, match="train: expected a function that the workers of ProcessPoolExecutor can"):
            study.optimize(lambda trial: lamp(trial), executor=executor)
    assert states(study) == ["told"] * 4


class Batch:
    """As submitit has it: jobs that are no futures of the standard library."""

    class Job:
        def __init__(self, work: Any) -> None:
            self.looks, self.work = 0, work

        def done(self) -> bool:
            self.looks += 1
            return self.looks > 3

        def result(self) -> Any:
            return self.work()

    def submit(self, fn: Any, *args: Any) -> Any:
        return self.Job(lambda: fn(*args))


def test_anything_with_submit(study: besd.Study) -> None:
    study.optimize(lamp, 2, executor=Batch(), max_trials=5)
    assert states(study) == ["told"] * 5
    with pytest.raises(besd.InvalidError, match="n_jobs: .*Batch does not say how many workers it has"):
        study.optimize(lamp, executor=Batch())


def test_an_executor_that_is_none(study: besd.Study) -> None:
    class Answers:
        def submit(self, fn: Any, *args: Any) -> Any:
            return fn(*args)

    for executor, sentence in [
        (map, "executor: expected something with submit, got type"),
        (Answers(), "executor: expected submit of Answers to return a future with done and result, got ndarray"),
    ]:
        with pytest.raises(TypeError, match=sentence):
            study.optimize(lamp, 1, executor=executor, max_trials=1)
    with pytest.raises(besd.InvalidError, match="processes: expected False beside an executor"):
        study.optimize(lamp, executor=Batch(), processes=True)


def test_an_executor_that_was_shut_down(study: besd.Study) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(besd.InvalidError, match="executor: ThreadPoolExecutor takes no more trainings .*after shutdown"):
        study.optimize(lamp, executor=executor)
    assert study.trial_count == 0


def test_an_executor_that_is_shut_down_meanwhile(study: besd.Study) -> None:
    executor = ThreadPoolExecutor(1)

    def train(trial: besd.Trial) -> Any:
        if trial.id == 3:
            executor.shutdown(wait=False, cancel_futures=True)
        return lamp(trial)

    with pytest.raises(besd.InvalidError, match="executor: ThreadPoolExecutor (takes no more|was shut down)"):
        study.optimize(train, 2, executor=executor)
    assert "failed" not in states(study) and "asked" in states(study)
    study.optimize(lamp, max_trials=2)  # the next call begins with what is left
    assert set(states(study)) == {"told"}


def test_a_broken_executor(study: besd.Study) -> None:
    import multiprocessing

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        with pytest.raises(besd.TrainError, match="executor: ProcessPoolExecutor is broken .*another one goes on"):
            study.optimize(dies_at_two, executor=executor)
    assert states(study)[:2] == ["told", "failed"]


def dies_at_two(trial: besd.Trial) -> Any:
    if trial.id == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.2)  # the others are under way when it dies
    return lamp(trial)


@pytest.mark.parametrize("loky", [False, True])
def test_a_dying_process_takes_no_other_with_it(
    study: besd.Study, loky: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not loky:
        monkeypatch.setattr(_crew, "find_spec", lambda name: None)
    study.optimize(dies_at_two, 3, processes=True, max_trials=5)
    assert states(study) == ["told", "failed", "told", "told", "told"]
    assert study.get_trial_note(2) == "ChildProcessError: the process of the training was killed by signal 9"


def test_the_end_of_a_process_that_another_thread_has_heard_of() -> None:
    """Between its waitpid and its note of the code a second waiter sees neither child nor code."""

    class Reaped:
        looks = 0

        def join(self, timeout: float) -> None:
            pass

        @property
        def exitcode(self) -> int | None:
            self.looks += 1
            return None if self.looks < 4 else -9

    assert _crew._exit_code(Reaped()) == -9


def test_a_process_that_has_died_keeps_its_place_until_it_is_settled() -> None:
    """Another training must not be sent there before how it ended is known."""
    crew = _crew.Processes(2)
    crew.check(dies_at_two)
    options = (np.zeros(1), 1, 2, 3, "asked", "initial", 0, 0, np.zeros(0))
    trials = [besd.Trial(number, *options) for number in (2, 2)]
    died = crew.submit(dies_at_two, trials[0])
    _crew.wait_for_one([died], 60)
    other = crew.submit(dies_at_two, trials[1])
    assert "was killed by signal 9" in str(crew.error(died, died.exception()))
    _crew.wait_for_one([other], 60)
    crew.stop()


def hangs_at_two(trial: besd.Trial) -> Any:
    if trial.id == 2:
        time.sleep(600)
    return lamp(trial)


@pytest.mark.parametrize(
    ("workers", "timeout", "how"),
    [
        ({}, 2, "was left alone"),
        ({"n_jobs": 2}, 2, "was left alone"),
        ({"n_jobs": 2, "processes": True}, 4, "was killed"),
    ],
)
def test_a_training_that_hangs(study: besd.Study, workers: dict[str, Any], timeout: int, how: str) -> None:
    study.optimize(hangs_at_two, timeout=timeout, max_trials=4, **workers)
    assert states(study) == ["told", "failed", "told", "told"]
    note = f"TimeoutError: the training {how} after its time-out of {timeout} seconds"
    assert study.get_trial_note(2) == note


def test_a_worker_that_hangs_is_lost(study: besd.Study) -> None:
    end = threading.Event()

    def train(trial: besd.Trial) -> Any:
        if trial.id != 1:
            end.wait(60)
        return lamp(trial)

    with ThreadPoolExecutor(2) as executor:
        with pytest.raises(besd.TrainError, match="executor: every worker of ThreadPoolExecutor hangs in a training"):
            study.optimize(train, executor=executor, timeout=2)
        end.set()
    assert states(study) == ["told", "failed", "failed"]


def test_all_processors(study: besd.Study) -> None:
    assert _crew.crew(-1, False, None, False).width == len(os.sched_getaffinity(0))
    assert _crew.crew(None, False, None, False).width == 1
    with ThreadPoolExecutor(5) as five:
        assert _crew.crew(-1, False, five, False).width == _crew.crew(None, False, five, False).width == 5
        assert _crew.crew(2, False, five, False).width == 2
    for wrong in (0, -2):
        with pytest.raises(besd.InvalidError, match="n_jobs"):
            study.optimize(lamp, wrong)
    for timeout in (0, -1, float("nan"), float("inf")):
        with pytest.raises(besd.InvalidError, match="timeout: expected seconds above 0"):
            study.optimize(lamp, timeout=timeout)


def test_what_it_logs(study: besd.Study, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "besd"):
        study.optimize(lamp, max_trials=1)
    asked, told, end = (r.getMessage() for r in caplog.records)
    t = study.trial(1)
    assert asked == (
        f"trial 1 asked (initial): theta0 = {t.theta[0]:.6g}, theta1 = {t.theta[1]:.6g}, tau {t.tau}, reps {t.reps}"
    )
    assert told == f"trial 1 told: mean score {t.mean:.6g}, cost {t.cost:.12g}"
    assert end == "1 trials"


@pytest.mark.parametrize("tqdm", [False, True])
def test_progress(
    study: besd.Study, tqdm: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setattr("besd._progress.find_spec", lambda name: None)
    study.optimize(lamp, max_trials=3)
    assert capsys.readouterr() == ("", "")
    study.optimize(lamp, progress=True)
    out, err = capsys.readouterr()
    assert out == "" and "trials over, " in err
    if tqdm:
        assert max(int(percent) for percent in re.findall(r"(\d+)%", err)) >= 96  # a full training is 4 %


WORKER = f"""
import glob, os, sys, time
import besd
from conftest import lamp

def train(trial):
    print("begin", trial.id, flush=True)
    open(f"{{sys.argv[1]}}.begun.{{os.getpid()}}", "w").close()
    while len(glob.glob(sys.argv[1] + ".begun.*")) < int(sys.argv[2]):
        time.sleep(0.01)  # until as many processes train
    time.sleep(0.05)
    return lamp(trial)

study = besd.Study.create(sys.argv[1], **{SMALL!r}, budget=8000, direction="minimize", transform="log")
study.optimize(train, 2)
"""


def test_side_by_side_on_one_file(path: Path) -> None:
    """Two processes with two jobs each: everything is trained once, by one of them."""
    command = [sys.executable, "-c", WORKER, str(path), "2"]
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    workers = [
        subprocess.Popen(command, env=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    ends = [worker.communicate(timeout=120) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], ends
    begun = [line for out, _ in ends for line in out.splitlines()]
    with besd.Study(path) as study:
        assert set(states(study)) == {"told"}
        assert sorted(begun) == sorted(f"begin {t.id}" for t in study.trials())
    assert all("begin" in out for out, _ in ends)
    assert not path.with_name(path.name + "-run").exists()


def test_beside_a_run_of_the_tool(path: Path) -> None:
    """Which holds byte N of STUDY-run for its trial N."""
    study = besd.Study.create(path, **{**SMALL, "budget": 4000, "direction": "minimize", "transform": "log"})
    under_way, left_behind = study.ask(), study.ask()
    assert under_way and left_behind
    begun: list[int] = []

    def train(trial: besd.Trial) -> Any:
        begun.append(trial.id)
        return lamp(trial)

    with open(path.with_name(path.name + "-run"), "w+b") as claims:
        for byte, kind in ((0, fcntl.F_RDLCK), (under_way.id, fcntl.F_WRLCK)):
            fcntl.fcntl(claims, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", kind, os.SEEK_SET, byte, 1, 0))
        waited = threading.Event()

        def end_the_other() -> None:
            """Tells the trial of the tool's run when everything else has been told for a second."""
            looks = 0
            with besd.Study(path) as elsewhere:
                while looks < 20:
                    time.sleep(0.05)
                    looks = looks + 1 if [t.id for t in elsewhere.trials("asked")] == [under_way.id] else 0
                waited.set()
                elsewhere.tell(under_way, [1.0] * under_way.reps)

        study.optimize(train, max_trials=2)
        assert left_behind.id in begun and under_way.id not in begun
        other = threading.Thread(target=end_the_other)
        other.start()
        study.optimize(train)
        other.join()
    assert waited.is_set() and under_way.id not in begun
    assert study.trial(under_way.id).state == "told"


@pytest.mark.parametrize("in_memory", [False, True])
def test_side_by_side_in_one_process(path: Path, in_memory: bool) -> None:
    options = {**SMALL, "budget": 8000, "direction": "minimize", "transform": "log"}
    first = besd.Study.create(None if in_memory else path, **options)
    second = first if in_memory else besd.Study(path)
    begun: list[int] = []
    errors: list[BaseException] = []

    def train(trial: besd.Trial) -> Any:
        begun.append(trial.id)
        time.sleep(0.02)
        return lamp(trial)

    def work(study: besd.Study) -> None:
        try:
            study.optimize(train, 2)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(study,)) for study in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(begun) == [t.id for t in first.trials("told")]


def test_what_a_killed_call_has_left_behind(path: Path) -> None:
    script = WORKER.replace("time.sleep(0.05)", "time.sleep(600)")
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", script, str(path), "1"]
    killed = subprocess.Popen(command, env=here, stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    assert [killed.stdout.readline() for _ in range(2)] == ["begin 1\n", "begin 2\n"]
    with besd.Study(path) as study:
        study.optimize(lamp, max_trials=1)
        assert states(study) == ["asked", "asked", "told"]  # the other one is still at them
        killed.kill()
        killed.communicate()
        study.optimize(lamp, max_trials=2)
        assert states(study) == ["told"] * 3


def test_told_by_somebody_else_meanwhile(study: besd.Study, path: Path) -> None:
    """From the command line, say: their scores stay, and the study goes on."""

    def train(trial: besd.Trial) -> Any:
        if trial.id == 2:
            with besd.Study(path) as other:
                other.tell(trial, [5.0] * trial.reps)
        if trial.id == 3:
            with besd.Study(path) as other:
                other.tell(trial, [5.0] * trial.reps)
            raise OSError("no robot")
        return lamp(trial)

    study.optimize(train, max_trials=4)
    assert states(study) == ["told"] * 4
    assert set(study.trial(2).scores) == set(study.trial(3).scores) == {5.0}


NOTEBOOK = f"""
import besd
weight = 0.3

def train(trial):
    import numpy as np
    return np.exp(weight * (trial.theta - 3) @ (trial.theta - 3) + np.arange(trial.reps))

study = besd.Study.create("study.besd", **{SMALL!r})
study.optimize(train, 2, processes=True, max_trials=4)
study.optimize(lambda trial: train(trial), processes=True, max_trials=1)
print([t.state for t in study.trials()])
"""


def test_a_trainer_of_a_notebook_in_processes(tmp_path: Path) -> None:
    """Nothing to import it from: cloudpickle takes it along."""
    pytest.importorskip("loky")
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "['told', 'told', 'told', 'told', 'told']\n", done.stderr


def test_a_study_pickles_as_its_path(study: besd.Study, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study.optimize(lamp, max_trials=2)
    monkeypatch.chdir(path.parent)
    with besd.Study(path.name) as relative:
        pickled = pickle.dumps(relative)
    monkeypatch.chdir("/")
    with pickle.loads(pickled) as other:
        assert history(other) == history(study)
    with besd.Study.create(None, **SMALL) as memory, pytest.raises(TypeError, match="in memory cannot be pickled"):
        pickle.dumps(memory)


def test_environments_pickle_by_their_spec() -> None:
    env = gymnasium.make("besd/KEY2-v0", wind=0, cap=77)
    env.reset(seed=3)
    wrapped = besd.SubgoalWrapper(gymnasium.make("besd/GW10-v0", wind=0), [7.5, 3.5, 1.5, 8.5])
    for one in (env, wrapped):
        other = pickle.loads(pickle.dumps(one))
        assert other.spec == one.spec
        for each in (one, other):
            each.reset(seed=8)
        for action in np.random.default_rng(0).integers(4, size=60).tolist():
            a, b = one.step(action), other.step(action)
            np.testing.assert_equal(a, b)
    assert other.unwrapped.domain.name == "gw10"


def test_a_trial_travels(study: besd.Study) -> None:
    trial = study.ask()
    assert trial is not None
    other = pickle.loads(pickle.dumps(trial))
    assert other.params == trial.params == {"theta0": trial.theta[0], "theta1": trial.theta[1]}


def test_seeds_of_32_bits(study: besd.Study) -> None:
    trials = [study.ask() for _ in range(4)]
    seeds = [t.seed32 for t in trials if t] + [s for t in trials if t for s in t.replication_seeds]
    assert all(type(s) is int and 0 <= s < 2**32 for s in seeds)
    assert len(set(seeds)) == len(seeds) == 4 + sum(t.reps for t in trials if t)
    assert trials[0] and study.trial(1).replication_seeds == trials[0].replication_seeds
    lone = besd.Trial(1, np.zeros(1), 1, 3, 12345, "asked", "initial", 0, 0, np.zeros(0))
    assert lone.seed32 == 12345  # the low half, as every door has it
    assert lone.replication_seeds == [1457248422, 358904087, 711457119]  # NumPy promises that a SeedSequence stays so


def test_a_future_that_waits_is_not_late(study: besd.Study) -> None:
    """The clock of a training starts with the training, not with its place in the queue."""

    def train(trial: besd.Trial) -> Any:
        time.sleep(0.6)
        return lamp(trial)

    with ThreadPoolExecutor(1) as executor:
        study.optimize(train, 4, executor=executor, timeout=2, max_trials=4)
    assert states(study) == ["told"] * 4
