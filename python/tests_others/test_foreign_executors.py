"""Study.optimize with the executors of Dask, loky, mpi4py and submitit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import besd

SMALL: dict[str, Any] = {"low": [0, 0], "high": [10, 10], "taus": [100, 400], "reps": [2, 8], "targets": 200}


def trainer(path: Path) -> Any:
    """A local function that says where it ran: nobody can import it."""

    def train(trial: besd.Trial) -> Any:
        with open(path, "a") as log:
            log.write(f"{os.getpid()}\n")
        return {"scores": trial.theta[0] + trial.theta[1] + [0.1 * r for r in range(trial.reps)]}

    return train


def told_elsewhere(study: besd.Study, log: Path, count: int, workers: int) -> None:
    assert [t.state for t in study.trials()] == ["told"] * count
    pids = log.read_text().split()
    assert len(pids) == count
    assert str(os.getpid()) not in pids and len(set(pids)) <= workers


@pytest.fixture
def study(tmp_path: Path) -> Any:
    with besd.Study.create(tmp_path / "study.besd", **SMALL) as opened:
        yield opened


@pytest.mark.filterwarnings("ignore")  # those of Dask itself
@pytest.mark.parametrize("adapter", [True, False])
def test_dask(study: besd.Study, tmp_path: Path, adapter: bool) -> None:
    """`client.get_executor()` has futures of the standard library, the client those of its own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            executor = client.get_executor(pure=False) if adapter else client
            study.optimize(trainer(tmp_path / "log"), executor=executor, max_trials=6)
    told_elsewhere(study, tmp_path / "log", 6, 2)


def test_loky(study: besd.Study, tmp_path: Path) -> None:
    loky = pytest.importorskip("loky")
    executor = loky.get_reusable_executor(max_workers=2)
    study.optimize(trainer(tmp_path / "log"), executor=executor, max_trials=6)
    told_elsewhere(study, tmp_path / "log", 6, 2)
    executor.shutdown()
    with pytest.raises(besd.InvalidError, match="takes no more trainings"):
        study.optimize(trainer(tmp_path / "log"), executor=executor)


def test_submitit(study: besd.Study, tmp_path: Path) -> None:
    submitit = pytest.importorskip("submitit")
    executor = submitit.AutoExecutor(tmp_path / "jobs", cluster="local")
    study.optimize(trainer(tmp_path / "log"), 2, executor=executor, max_trials=3)
    told_elsewhere(study, tmp_path / "log", 3, 3)


MPI = f"""
import os, sys
import besd
from mpi4py.futures import MPIPoolExecutor

def train(trial):
    with open("log", "a") as log:
        log.write(f"{{os.getpid()}}\\n")
    return trial.theta[:1].repeat(trial.reps)

if __name__ == "__main__":
    with MPIPoolExecutor() as executor, besd.Study.create("study.besd", **{SMALL!r}) as study:
        study.optimize(train, executor=executor, max_trials=6)
"""


def test_mpi(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    if not (mpirun := shutil.which("mpirun")):
        pytest.skip("no mpirun")
    (tmp_path / "script.py").write_text(MPI)
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [mpirun, "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", "script.py"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, done.stderr
    with besd.Study(tmp_path / "study.besd") as study:
        told_elsewhere(study, tmp_path / "log", 6, 2)
