"""The deep suite in small: its arenas are what they say, its sketches have the walls where they are, its rows resume, and its
page is made of them."""

import dataclasses
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import besd

BENCH = Path(__file__).parents[1] / "bench"
if not BENCH.is_dir():
    pytest.skip("bench is not here", allow_module_level=True)
sys.path[:0] = [str(BENCH)]
import deep_problems  # noqa: E402
import deep_suite  # noqa: E402
from deep_page import page  # noqa: E402
from deep_problems import PROBLEMS, Arena, barrier, coarse, has_way, mirrored  # noqa: E402

BY_NAME = {problem.name: problem for problem in PROBLEMS}


def test_both_halves_have_problems() -> None:
    halves = [problem.half for problem in PROBLEMS]
    assert halves.count("develop") >= 4 and halves.count("validate") >= 4 and len(BY_NAME) == len(PROBLEMS)


@pytest.mark.parametrize("name", ["arena-2", "arena-3", "hook", "car", "frozenlake", "taxi", "doorkey"])
def test_designs_lie_in_the_box_and_sketches_have_a_way(name: str) -> None:
    problem = BY_NAME[name]
    low, high = deep_suite.box(problem)
    assert (low <= problem.by_hand).all() and (problem.by_hand <= high).all()
    good = problem.sketch("good")
    assert all(has_way(rows) for rows in good.maps)
    wrong = problem.sketch("wrong")
    assert wrong.maps != good.maps
    for rows, others in zip(good.maps, wrong.maps, strict=True):
        for row, other in zip(rows, others, strict=True):
            assert [x for x in row if x not in ".#"] == [x for x in other if x not in ".#"]  # start and goal stay


def test_a_sketch_is_where_the_arena_is() -> None:
    arena = Arena((4, 3), (0.3, 0.4), (3.6, 2.6), lambda rng: barrier(1.5, 1.5, 3), 80)
    problem = dataclasses.replace(BY_NAME["arena-2"], make=lambda: arena)
    drawn = problem.sketch("good")
    (rows,) = drawn.maps
    for y, row in enumerate(reversed(rows)):
        for x, sign in enumerate(row):
            middle = ((x + 0.5) * 0.25, (y + 0.5) * 0.25)
            if abs(middle[0] - 1.5) > 0.3 or abs(middle[1] - 1.5) < 0.25:
                assert sign != "#" and arena._free(*middle)
    assert any("#" in row for row in rows) and drawn.cell_size == 0.25
    assert problem.sketch("coarse").cell_size == 0.5


def test_coarse_and_mirrored_sketches() -> None:
    drawn = besd.sketch.of("S.##\n..##\n....\n...G")
    assert coarse(drawn).maps == (("S#", ".G"),) and coarse(drawn).cell_size == 2
    assert mirrored(drawn).maps == (("S...", "....", "..##", "..#G"),)
    assert not has_way(["S#G"]) and has_way(["S.", "#G"])


def test_walls_stop_and_instances_differ() -> None:
    problem = BY_NAME["arena-2"]
    arena, rng = problem.make(), random.Random(1)
    arena.reset(seed=1)
    first = arena.walls
    for _ in range(3000):
        x, y = arena.x, arena.y
        _, reward, over, late, _ = arena.step(rng.randrange(8))
        assert arena._free(arena.x, arena.y) and abs(arena.x - x) < 0.31 and abs(arena.y - y) < 0.31
        assert reward == float(over)
        if over or late:
            arena.reset()
            assert arena.walls == first  # an instance stays until the next seed
    arena.reset(seed=2)
    assert arena.walls != first


def test_rows_are_measured_once_and_make_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(besd.sketch, "TRIALS", 8)
    small = dataclasses.replace(BY_NAME["arena-2"], tau=700)
    monkeypatch.setattr(deep_suite, "TESTS", 4)
    jobs: Any = [(small, method, 0, 1, 2) for method in ("none", "random", "by hand", "sketch", "coarse sketch", "wrong sketch")]
    jobs += [(small, method, 6, 1, 2) for method in ("besd", "besd+sketch", "random search+sketch")]
    rows = tmp_path / "deep.csv"
    deep_suite.run(rows, jobs[:3], 10)
    before = rows.read_text()
    deep_suite.run(rows, jobs, 10)
    assert rows.read_text().startswith(before)
    read = deep_suite.read(rows)
    assert [row["method"] for row in read] == [job[1] for job in jobs]
    assert all(0 <= float(row["success"]) <= 1 and float(row["seconds"]) >= 0 for row in read)
    again = deep_suite.measure(*jobs[2])
    assert again is not None and {**again, "seconds": ""} == {**read[2], "seconds": ""}  # the same seed, the same row
    text = page(read)
    assert f"{float(read[2]['success']):.2f} ± " in text and "## 6 real trainings" in text and "| arena-2 | develop |" in text


def test_a_table_of_taxi() -> None:
    env = BY_NAME["taxi"].make()
    seen, _ = env.reset(seed=1)
    assert seen == (4.5, 4.5, 0)  # the place, and where the passenger is
    assert np.shape(BY_NAME["taxi"].position(env, seen)) == (2,)
    assert deep_problems.first_two(env, seen) == (4.5, 4.5)
