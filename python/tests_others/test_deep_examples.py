"""The examples with PPO in a small form: do they run, learn, write what they say, and go on where they were?"""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the libraries themselves


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def maze() -> ModuleType:
    pytest.importorskip("gymnasium_robotics")
    pytest.importorskip("stable_baselines3")
    return load("point_maze")


@pytest.fixture(scope="module")
def room() -> ModuleType:
    pytest.importorskip("minigrid")
    pytest.importorskip("stable_baselines3")
    return load("minigrid_images")


def test_point_maze_from_study_to_table(maze: ModuleType, tmp_path: Path) -> None:
    small: dict[str, Any] = {"studies": 2, "agents": 1, "trainings": 5, "tau": 512, "out": tmp_path}
    rows = maze.main(**small)
    assert [(r["study"], r["design"]) for r in rows] == [
        (str(n), d) for d, n in [("besd", 1), ("besd", 2)]
    ] + [(str(n), d) for n in (1, 2) for d in ("none", "random", "by hand")]
    assert [len(r["theta"].split()) for r in rows] == [2, 2, 0, 2, 2, 0, 2, 2]
    table = (tmp_path / "point_maze.md").read_text().splitlines()
    assert [line.split(" | ")[0] for line in table if line.startswith("| ")] == [
        "| subgoals", "| none", "| random", "| by hand", "| besd"
    ]  # fmt: skip
    before = {f.name: f.read_bytes() for f in tmp_path.glob("*") if f.suffix in (".csv", ".md")}

    def refuse(*arguments: Any) -> Any:
        raise AssertionError("trained again")

    kept, maze.learn = maze.learn, refuse
    try:
        maze.main(**small)
    finally:
        maze.learn = kept
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_point_maze_interrupted(maze: ModuleType, tmp_path: Path) -> None:
    """In the middle of the tests: each agent is tested once."""
    small: dict[str, Any] = {"studies": 1, "agents": 1, "trainings": 4, "tau": 512, "out": tmp_path}
    kept, tested = maze.success, []

    def interrupted(agent: Any) -> float:
        if len(tested) == 2:
            raise KeyboardInterrupt
        tested.append(agent)
        return float(kept(agent))

    maze.success = interrupted
    try:
        with pytest.raises(KeyboardInterrupt):
            maze.main(**small)
    finally:
        maze.success = kept
    assert [r["design"] for r in maze.main(**small)] == ["besd", "none", "random", "by hand"]
    assert len((tmp_path / "point_maze.csv").read_text().splitlines()) == 5


def test_a_subgoal_teaches_the_way_through_the_maze(maze: ModuleType) -> None:
    """Behind the gap; of three agents all or all but one learn, and without it at most one."""
    taught = [maze.learn([[2.3, -1.1]], maze.TAU, seed)[1] for seed in (100, 101, 102)]
    alone = [maze.learn([], maze.TAU, seed)[1] for seed in (100, 101, 102)]
    assert np.median(taught) > 0.15 > 0.1 > np.median(alone)


def test_minigrid_images_are_flat(room: ModuleType) -> None:
    import besd

    env = besd.SubgoalWrapper(room.rooms()[0], [[2.5, 2.5]], room.where, flatten=True)
    observation, _ = env.reset(seed=1)
    assert observation.shape == (4 + 7 * 7 * 3 + 2,)  # the direction, the image, the stage
    assert env.step(2)[0].dtype == np.float32


def test_minigrid_images(room: ModuleType, tmp_path: Path) -> None:
    guided, alone = room.main(trainings=4, agents=1, tau=512, path=tmp_path / "room.besd")
    assert 0 <= guided <= 1 and 0 <= alone <= 1
