"""Robots in metres: when a subgoal is reached, by its names, in the wrapper, in domains and in environments served."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import besd

ROVER = """
import gymnasium
import numpy as np

class Rover(gymnasium.Env):
    reached, radius, cap = "radius", 0.04, 100

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(4)
        self.observation_space = gymnasium.spaces.Box(0, 0.8, (2,), np.float64)

    def position(self, observation):
        return observation

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at = np.array([0.1, 0.1])
        return self.at, {}

    def step(self, action):
        self.at = np.clip(self.at + 0.04 * np.array([(0, 1), (1, 0), (0, -1), (-1, 0)][action]), 0, 0.8)
        goal = bool((self.at > 0.7).all())
        return self.at, float(goal), goal, False, {}

class Cells(Rover):
    reached, cell_size, origin, radius = "cell", 0.08, [0.04, 0], None

class Short(Rover):
    reached = 0.05

class Boxes(Rover):
    import besd
    reached = besd.Cell([0.04, 0], 0.1)

class Unrelated(Rover):
    reached, radius = "cross", None

class Silent(Rover):
    reached = None

class Lost(Rover):
    radius = None

class Both(Rover):
    cell_size = 0.1

class Own(Rover):
    reached = staticmethod(lambda before, after, subgoal: True)
"""


class Plane(gymnasium.Env[Any, Any]):
    """A step of a tenth of the side to the right, in some unit."""

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self.observation_space, self.action_space = spaces.Box(0, 100, (2,), np.float64), spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        self.at = np.array([0.5, 0.5]) * self.unit
        return self.at, {}

    def step(self, action: Any) -> Any:
        self.at = self.at + [self.unit, 0]
        return self.at, 0.0, False, False, {}


def told(unit: float, **how: Any) -> list[tuple[float, int]]:
    """What a walk is paid, and how far it comes among its subgoals."""
    goals = np.array([[3.4, 0.6], [6.4, 0.6]]) * unit
    env = besd.SubgoalWrapper(Plane(unit), goals, lambda env, observation: observation, **how)
    env.reset()
    return [(step[1], step[4]["subgoal"]) for step in (env.step(0) for _ in range(9))]


def test_other_units() -> None:
    cells = told(1)
    assert [stage for _, stage in cells] == [0, 0, 1, 1, 1, 2, 2, 2, 2]
    for how in ({"cell_size": 1 / 16}, {"reached": "cell", "cell_size": [1 / 16] * 2, "origin": [0, 1]}):
        assert told(1 / 16, **how) == cells  # to the last bit
    assert told(1 / 16, reached=besd.Cell(size=1 / 16)) == cells
    near = told(1, radius=0.5)
    assert told(1 / 16, reached="radius", radius=1 / 32) == told(1 / 16, reached=1 / 32) == near
    assert told(1 / 16) != cells  # cells of side 1 are the whole world: reached at once
    assert [stage for _, stage in told(1 / 16)][:2] == [1, 2]


def test_default_widths() -> None:
    def width(**how: Any) -> float:
        return besd.SubgoalWrapper(Plane(1), [[1, 1]], lambda env, observation: observation, **how).width

    assert width() == width(reached="cell") == width(reached=lambda a, b, c: True) == 10
    assert width(cell_size=0.5) == 2.5 and width(cell_size=[1, 3]) == 50
    assert width(radius=0.5) == pytest.approx(5)  # its cell has side 2 r / sqrt(2)
    assert width(radius=0.5, width=7) == 7


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"radius": 0}, "radius: expected a number above 0, got 0"),
        ({"radius": -1}, "radius: expected a number above 0, got -1"),
        ({"radius": float("nan")}, "radius: expected a number above 0, got nan"),
        ({"radius": "near"}, "radius: expected a number above 0, got 'near'"),
        ({"reached": "radius"}, "radius: expected a number above 0 with reached='radius', got none"),
        ({"cell_size": 0}, "size: expected a cell larger than 0"),
        ({"cell_size": 1, "origin": [1, 2, 3]}, "origin: expected one finite number or 2 of them"),
        ({"cell_size": 1, "radius": 1}, "radius: cell_size goes with reached='cell'"),
        ({"origin": 1, "radius": 1}, "radius: origin goes with reached='cell'"),
        ({"reached": "cell", "radius": 1}, "radius: it goes with reached='radius', but reached is 'cell'"),
        ({"reached": "radius", "cell_size": 1}, "cell_size: it goes with reached='cell', but reached is 'radius'"),
        ({"reached": "cross", "radius": 1}, "radius: expected with reached='cell' or reached='radius', got 'cross'"),
        ({"reached": 0.5, "cell_size": 1}, "cell_size: expected with reached='cell' or reached='radius', got 0.5"),
        ({"reached": "radios"}, "reached: expected 'cell', 'cross', 'radius'.* got 'radios'; did you mean 'radius'?"),
    ],
)
def test_refusals(how: dict[str, Any], sentence: str) -> None:
    with pytest.raises(besd.InvalidError, match=sentence):
        besd.SubgoalWrapper(Plane(1), [[1, 1]], lambda env, observation: observation, **how)


def test_domains_know_it() -> None:
    grid = besd.domains.describe("gw10", cell_size=2.0, origin=0.5)
    assert isinstance(grid.reached, besd.Cell)
    assert (grid.reached.size, grid.reached.origin) == (2.0, [0.5, 0.5])
    assert besd.domains.describe("gw10", radius=1.5).reached == 1.5
    assert besd.domains.describe("gw10").reached == "cell"
    with pytest.raises(besd.InvalidError, match="radius: expected at most the longest side"):
        besd.domains.describe("gw10", radius=11)
    with pytest.raises(besd.InvalidError, match="radius: expected a number above 0"):
        besd.domains.describe("gw10", radius=float("nan"))


def spec(folder: Path, name: str) -> dict[str, Any]:
    (folder / "rover.py").write_text(ROVER)
    lines = [{"hello": {"protocol": 1, "lanes": 16, "parameters": {}}}, {"spec": {}}, {"close": {}}]
    done = subprocess.run(
        [sys.executable, "-m", "besd.serve", f"rover:{name}"],
        cwd=folder,
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=120,
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[1])
    return answer


def test_served(tmp_path: Path) -> None:
    def reach(name: str) -> dict[str, Any]:
        names = ("reach", "cell_size", "origin", "radius")
        return {k: v for k, v in spec(tmp_path, name)["spec"].items() if k in names}

    assert reach("Rover") == {"reach": "radius", "radius": 0.04}
    assert reach("Cells") == {"reach": "cell", "cell_size": 0.08, "origin": [0.04, 0]}
    assert reach("Short") == {"reach": "radius", "radius": 0.05}
    assert reach("Boxes") == {"reach": "cell", "cell_size": 0.1, "origin": [0.04, 0]}
    assert reach("Unrelated") == {"reach": "cross"}
    assert reach("Silent") == {"reach": "cell"}  # a radius of the environment's own is none of ours
    assert "radius: expected a number above 0 with reached='radius'" in spec(tmp_path, "Lost")["error"]
    assert "cell_size: it goes with reached='cell'" in spec(tmp_path, "Both")["error"] or (
        "radius: cell_size goes with" in spec(tmp_path, "Both")["error"]
    )
    assert "a function stays here" in spec(tmp_path, "Own")["error"]


def test_served_to_the_tool(tmp_path: Path, tool: str) -> None:
    (tmp_path / "rover.py").write_text(ROVER)
    command = f"cmd:{sys.executable} -m besd.serve rover:Rover"
    done = subprocess.run([tool, "domains", command], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "reached within 0.04 of it" in done.stdout, done.stderr


def test_paths_with_an_origin(path: Path) -> None:
    robot = besd.Path(points=2, cap=300, cell=0.08, origin=[0.04, 0])
    options: dict[str, Any] = {"low": [0] * 4, "high": [0.8] * 4, "taus": [10], "reps": [2]}
    assert besd.Study.create(path, **options, theta_path=robot).theta_path == robot
    assert besd.Study(path).theta_path == robot
    with pytest.raises(besd.InvalidError, match="origin: expected 2 numbers, got 1"):
        besd.Path(points=2, cap=300, cell=0.08, origin=[0.04])
    with pytest.raises(besd.InvalidError, match="origin: expected 0 where there are no cells"):
        besd.Study.create(None, **options, theta_path=besd.Path(points=2, cap=300, origin=[0.04, 0]))
