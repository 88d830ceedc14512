"""Sketches: read from maps, files and environments, and what comes out is in the units of what goes in."""

from pathlib import Path
from typing import Any

import gymnasium
import minigrid
import numpy as np
import pytest

import besd
from besd import sketch

gymnasium.register_envs(minigrid)

ROOM = """
S...#...
....#...
....#...
........
....#..G
"""
FEW = 160_000


def test_a_drawing_in_metres() -> None:
    drawn = sketch.of(ROOM, cell_size=0.5, origin=(-1, 2))
    found = sketch.designs(drawn, 1, 4, budget=FEW)
    assert found.learnt and found.interactions <= FEW
    assert found.low.tolist() == [-1, 2] and found.high.tolist() == [3, 4.5]
    assert found.thetas.shape == (4, 2)
    assert ((found.thetas >= found.low) & (found.thetas <= found.high)).all()
    plain = sketch.designs(sketch.of(ROOM), 1, 4, budget=FEW)
    assert np.allclose(found.thetas, plain.thetas * 0.5 + [-1, 2])  # the same sketch in other units
    assert np.array_equal(sketch.designs(drawn, 1, 4, budget=FEW).thetas, found.thetas)
    assert found.cells == tuple(ROOM.split())


def test_designs_are_apart_and_the_best_comes_first() -> None:
    found = sketch.designs(sketch.of(ROOM), 2, 3, budget=FEW)
    for i, one in enumerate(found.thetas):
        for other in found.thetas[:i]:
            assert np.abs(one - other).max() > 1


def test_a_file_with_a_scale(tmp_path: Path) -> None:
    file = tmp_path / "arena.yaml"
    lines = "".join(f"  {row}\n" for row in ROOM.split())
    file.write_text(f"name: arena\ncell_size: 0.5\norigin: [-1, 2]\nmap: |\n{lines}tau: [1000]\nreps: [2]\nwind: 0.05\ncap: 65\n")
    found = sketch.designs(file, 1, 4, budget=FEW)
    drawn = sketch.designs(sketch.of(ROOM, cell_size=0.5, origin=(-1, 2)), 1, 4, budget=FEW)
    assert found.low.tolist() == drawn.low.tolist() and found.high.tolist() == drawn.high.tolist()
    assert np.array_equal(found.thetas, drawn.thetas)
    file.write_text("name: a\norigin: 3\nmap: |\n  S.G\n")
    with pytest.raises(besd.InvalidError, match="origin: expected two numbers in brackets"):
        sketch.of(file)
    file.write_text("name: a\ncell_size: large\nmap: |\n  S.G\n")
    with pytest.raises(besd.InvalidError, match="expected numbers, got 'cell_size: large'"):
        sketch.of(file)
    with pytest.raises(besd.InvalidError, match="^sketch: expected either map or maps"):
        file.write_text("name: a\ntau: [100]\nreps: [2]\n")
        sketch.designs(file, 1)
    with pytest.raises(FileNotFoundError):
        sketch.of(str(tmp_path / "missing.yaml"))


def test_minigrid_grows_downwards() -> None:
    env = gymnasium.make("MiniGrid-DoorKey-8x8-v0")
    env.reset(seed=3)
    drawn = sketch.of(env)
    room: Any = env.unwrapped
    rows = drawn.maps[0]
    x, y = room.agent_pos
    assert rows[y][x] == "S" and sum(row.count("K") + row.count("D") for row in rows) == 2
    height = len(rows)
    assert drawn.to_units([x + 0.5, height - y - 0.5], height).tolist() == [x + 0.5, y + 0.5]
    found = sketch.designs(drawn, 1, 2, budget=FEW)
    assert found.low.tolist() == [0, 0] and found.high.tolist() == [8, 8] and found.cells == rows


def test_frozen_lake_has_holes_for_walls() -> None:
    drawn = sketch.of(gymnasium.make("FrozenLake-v1", map_name="4x4"))
    assert drawn.maps == (("S...", ".#.#", "...#", "#..G"),) and drawn.downwards


class Maze:
    """What Gymnasium-Robotics says of its mazes: y grows upwards, and (0, 0) is in the middle."""

    maze_map = [[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]
    maze_size_scaling, x_map_center, y_map_center = 2.0, 5.0, 3.0


class InMaze(gymnasium.Env[Any, Any]):
    maze = Maze()

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        return {"achieved_goal": np.array([-2.0, 0.5]), "desired_goal": np.array([2.0, 0.0])}, {}


def test_mazes_are_drawn_finer() -> None:
    drawn = sketch.of(InMaze())
    rows = drawn.maps[0]
    assert drawn.cell_size == 0.5 and drawn.origin == (-5, -3) and (len(rows), len(rows[0])) == (12, 20)
    assert [(x, 11 - y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in "SG"] == [(6, 7), (14, 6)]
    assert rows[0] == "#" * 20 and rows[4].startswith("####.")


def test_the_reach_of_the_real_thing() -> None:
    drawn = sketch.of(ROOM, cell_size=0.5, origin=(-1, 2))
    settings = sketch._settings(drawn, 5, besd.Cell((0, 0), 1.0), 2.5)
    assert settings == ["--set", "potential_width=10.0", "--set", "cell_size=2.0", "--set", "origin=0,0"]
    assert sketch._settings(drawn, 5, 1.0, None) == ["--set", "radius=2.0"]
    assert sketch._settings(drawn, 5, 0.1, None) == ["--set", "radius=0.75"]
    assert sketch._settings(drawn, 5, lambda *_: True, None) == []
    assert sketch.designs(drawn, 1, 2, reached=0.5, width=2.5, budget=FEW).learnt


def test_a_wall_without_a_gap_is_refused() -> None:
    with pytest.raises(besd.InvalidError, match="^sketch: in none of .* does any sequence of moves lead from the start"):
        sketch.designs(sketch.of("S.#.G\n..#..\n..#.."), 1, 2, budget=FEW)


def test_too_little_training_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketch, "TAU", 20)
    found = sketch.designs(sketch.of(ROOM), 1, 2, budget=800)
    assert not found.learnt and "nothing was learnt in the sketch" in found.message


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("S..\n..\n..G", "expected rows of 3 signs as in row 1, got 2 in row 2"),
        ("...\n..G", "expected a start, 'S', in the map"),
        ("S..\n...", "expected a goal, 'G', in the map"),
        (gymnasium.make("MountainCar-v0"), "an environment with a map that is known"),
    ],
)
def test_bad_sketches(what: Any, said: str) -> None:
    with pytest.raises(besd.InvalidError, match=said):
        sketch.of(what)


def test_bad_scales() -> None:
    for side in (0, -1, float("nan"), float("inf")):
        with pytest.raises(besd.InvalidError, match="cell_size: expected a number above 0"):
            sketch.of(ROOM, cell_size=side)
    with pytest.raises(besd.InvalidError, match="origin: expected 2 numbers, got 3"):
        sketch.of(ROOM, origin=(0, 0, 0))
    with pytest.raises(besd.InvalidError, match="count: expected at most 3 subgoals"):
        sketch.designs(sketch.of("S.G\n###"), 4, budget=FEW)
    with pytest.raises(besd.InvalidError, match="^sketch: map line 3, column 1: '!' is none of"):
        sketch.designs(sketch.of("S.x\n..G\n!!!"), 1, budget=FEW)
