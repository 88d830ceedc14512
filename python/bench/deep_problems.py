"""Problems of the deep suite: arenas and mazes in which an agent by itself seldom finds the goal, in two halves.

A problem makes an environment for the seed of an instance, knows where a person would put the subgoals (`by_hand`, written
down before any search), and draws sketches of itself: a good one, a coarse one with cells of twice the side, and a wrong
one, in which the walls are mirrored.
"""

import functools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

import besd

Box = tuple[float, float, float, float]  # left, low, right, high
MOVES = [(math.cos(a), math.sin(a)) for a in np.arange(8) * math.pi / 4]


class Arena(gymnasium.Env[Any, Any]):
    """A point in a room with walls, in metres; with a turning `circle` a car, which drives on and steers."""

    def __init__(
        self, size: tuple[float, float], start: Sequence[float], goal: Sequence[float],
        walls: Callable[[random.Random], list[Box]], steps: int, stride: float = 0.25, circle: int = 0,
    ) -> None:  # fmt: skip
        self.size, self.start, self.goal, self.draw, self.cap = size, tuple(start), tuple(goal), walls, steps
        self.stride, self.circle = stride, circle
        self.action_space = spaces.Discrete(3 if circle else 8)
        self.observation_space = spaces.Box(0, max(*size, 2 * math.pi), (3 if circle else 2,), np.float64)
        self.walls, self.rng = walls(random.Random(0)), random.Random(0)

    def _seen(self) -> Any:
        return (self.x, self.y, self.heading) if self.circle else (self.x, self.y)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:  # of the instance, which stays until the next seed
            self.rng = random.Random(seed)
            self.walls = self.draw(random.Random(seed))
        self.x, self.y = self.start
        self.heading, self.time = 0, 0
        return self._seen(), {}

    def _free(self, x: float, y: float) -> bool:
        if not (0 <= x <= self.size[0] and 0 <= y <= self.size[1]):
            return False
        return not any(left <= x <= right and low <= y <= high for left, low, right, high in self.walls)

    def step(self, action: Any) -> Any:
        self.time += 1
        if self.circle:
            self.heading = (self.heading + int(action) - 1) % self.circle
            angle = 2 * math.pi * self.heading / self.circle
            dx, dy = math.cos(angle), math.sin(angle)
        else:
            dx, dy = MOVES[action]
        reach = self.stride * (0.8 + 0.4 * self.rng.random())
        x, y = self.x + reach * dx, self.y + reach * dy
        if self._free(x, y) and self._free((x + self.x) / 2, (y + self.y) / 2):
            self.x, self.y = x, y
        over = (self.x - self.goal[0]) ** 2 + (self.y - self.goal[1]) ** 2 <= 0.16
        return self._seen(), float(over), over, self.time >= self.cap and not over, {}


def barrier(at: float, gap: float, top: float, wide: float = 0.8) -> list[Box]:
    """A wall across the room with a gap around a height."""
    return [(at - 0.1, -1, at + 0.1, gap - wide / 2), (at - 0.1, gap + wide / 2, at + 0.1, top + 1)]


def two_walls(rng: random.Random) -> list[Box]:
    return barrier(1.4 + rng.uniform(-0.1, 0.1), 2.5, 3) + barrier(2.6 + rng.uniform(-0.1, 0.1), 0.5, 3)


def three_walls(rng: random.Random) -> list[Box]:
    low = 0.5 + rng.uniform(-0.1, 0.1)
    return barrier(1.3, 3 - low, 3) + barrier(2.6, low, 3) + barrier(3.9, 3 - low, 3)


def hook(rng: random.Random) -> list[Box]:
    """A pocket between start and goal, open towards the start."""
    end = 2.8 + rng.uniform(-0.1, 0.1)
    return [(1.2, 0.6, end, 0.8), (end - 0.2, 0.6, end, 2.4), (1.2, 2.2, end, 2.4), (end - 0.2, -1, end, 0.7)]


class OneRoom(gymnasium.Wrapper[Any, Any, Any, Any]):
    """MiniGrid's room of one seed, and what a table needs to know of it."""

    def __init__(self, name: str, steps: int, room: int | None, actions: Sequence[int]) -> None:
        import minigrid

        gymnasium.register_envs(minigrid)
        super().__init__(gymnasium.make(name, max_steps=steps, agent_view_size=3, disable_env_checker=True))
        self.room, self.actions, self.inside = room, actions, self.env.unwrapped
        self.action_space = spaces.Discrete(len(actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self.instance = seed if self.room is None else self.room
        self.env.reset(seed=self.instance, options=options)
        self.doors = [cell for cell in self.inside.grid.grid if cell is not None and cell.type == "door"]
        return self._seen(), {}

    def _seen(self) -> Any:
        inside = self.inside
        doors = tuple(door.is_open for door in self.doors)
        return int(inside.agent_pos[0]), int(inside.agent_pos[1]), inside.agent_dir, inside.carrying is not None, *doors

    def step(self, action: Any) -> Any:
        _, reward, terminated, truncated, info = self.env.step(self.actions[action])
        return self._seen(), float(reward > 0), terminated, truncated, info


class Table(gymnasium.Wrapper[Any, Any, Any, Any]):
    """FrozenLake and Taxi, their state as a place; Taxi from one place to another, always the same."""

    def __init__(self, env: gymnasium.Env[Any, Any], fixed: int | None, place: Callable[[int], Any]) -> None:
        super().__init__(env)
        self.fixed, self.place = fixed, place

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        state, info = self.env.reset(seed=seed, options=options)
        if self.fixed is not None:
            inside: Any = self.env.unwrapped
            state = inside.s = self.fixed
        return self.place(int(state)), info

    def step(self, action: Any) -> Any:
        state, reward, terminated, truncated, info = self.env.step(action)
        return self.place(int(state)), float(reward > 0), terminated, truncated, info


def taxi(steps: int) -> Any:
    made: Any = gymnasium.make("Taxi-v3" if "Taxi-v4" not in gymnasium.registry else "Taxi-v4", max_episode_steps=steps,
                               disable_env_checker=True)
    fixed = made.unwrapped.encode(4, 4, 0, 3)  # the passenger waits at the upper left, and wants to the lower middle
    return Table(made, fixed, lambda s: (s // 20 % 5 + 0.5, s // 100 + 0.5, s // 4 % 5))


@functools.cache
def maze(rows: tuple[str, ...], steps: int) -> Any:
    """Gymnasium-Robotics' ball, pushed by forces: made once in a process, as a simulator is not quickly begun."""
    import gymnasium_robotics

    gymnasium.register_envs(gymnasium_robotics)
    cells = [[1 if c == "#" else 0 if c == "." else c for c in row] for row in rows]
    made: Any = gymnasium.make("PointMaze_UMaze-v3", maze_map=cells, continuing_task=False, max_episode_steps=steps,
                               disable_env_checker=True)
    made.unwrapped.point_env.frame_skip = 10
    Path(made.unwrapped.tmp_xml_file_path).unlink(missing_ok=True)
    return made


def first_two(env: Any, observation: Any) -> Any:
    return observation[:2]


def middle_of_cell(env: Any, observation: Any) -> Any:
    return observation[0] + 0.5, observation[1] + 0.5


def achieved(env: Any, observation: Any) -> Any:
    return observation["achieved_goal"]


@dataclass(frozen=True)
class Problem:
    name: str
    half: str
    make: Callable[[], Any]
    count: int
    low: Sequence[float]
    high: Sequence[float]
    by_hand: Sequence[float]
    tau: int
    position: Callable[[Any, Any], Any]
    reached: Any
    cell: float
    """Of the good sketch."""
    learner: str = "table"
    seen: float = 1.0
    """The side of the table's cells."""
    drawn: str = ""
    """A good sketch that a person drew; otherwise the environment is asked."""

    def sketch(self, kind: str) -> besd.sketch.Sketch:
        """good, coarse or wrong."""
        drawn = besd.sketch.of(self.drawn, cell_size=self.cell, origin=self.low) if self.drawn else self._asked()
        if kind == "coarse" and isinstance(self.make(), Arena):
            return self._asked(2 * self.cell)
        if kind == "coarse":
            return coarse(drawn)
        return mirrored(drawn) if kind == "wrong" else drawn

    def _asked(self, cell: float | None = None) -> besd.sketch.Sketch:
        env = self.make()
        inside = env.unwrapped
        if not isinstance(inside, Arena):
            if isinstance(env, OneRoom):
                env.reset(seed=0)
            return besd.sketch.of(env)
        maps = []
        for seed in range(4):  # four arenas that a person has seen
            inside.reset(seed=seed)
            maps.append(rasterised(inside, cell or self.cell))
        return besd.sketch.Sketch(tuple(dict.fromkeys(maps)), cell or self.cell, (0.0, 0.0))


def rasterised(arena: Arena, cell: float) -> tuple[str, ...]:
    """Walls begin and end at the nearest border of cells, and have one cell at least."""
    wide, high = (round(side / cell) for side in arena.size)
    rows = [["."] * wide for _ in range(high)]
    for left, low, right, top in arena.walls:
        first, lowest = math.floor(left / cell + 0.5), math.floor(low / cell + 0.5)
        for y in range(lowest, max(math.floor(top / cell + 0.5), lowest + 1)):
            for x in range(first, max(math.floor(right / cell + 0.5), first + 1)):
                if 0 <= y < high and 0 <= x < wide:
                    rows[y][x] = "#"
    for sign, (x, y) in (("S", arena.start), ("G", arena.goal)):
        rows[min(high - 1, int(y / cell))][min(wide - 1, int(x / cell))] = sign
    return tuple("".join(row) for row in reversed(rows))


def coarse(sketch: besd.sketch.Sketch) -> besd.sketch.Sketch:
    """Cells of twice the side: a wall where half of a cell was one."""
    maps = []
    odd = len(sketch.maps[0]) % 2  # the lowest row and the first column are in whole cells
    for rows in sketch.maps:
        made = []
        for y in range(-odd, len(rows), 2):
            line = ""
            for x in range(0, len(rows[0]), 2):
                four = "".join(row[x : x + 2] for row in rows[max(y, 0) : y + 2])
                special = [sign for sign in four if sign not in ".#"]
                line += special[0] if special else "#" if 2 * four.count("#") >= len(four) else "."
            made.append(line)
        maps.append(tuple(made))
    down = odd * sketch.cell_size if sketch.downwards else 0
    corner = (sketch.origin[0], sketch.origin[1] - down)
    return besd.sketch.Sketch(tuple(maps), 2 * sketch.cell_size, corner, sketch.downwards)


def has_way(rows: Sequence[str]) -> bool:
    """From start to goal."""
    cells = {(y, x): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "#"}
    seen = set(todo := [at for at, sign in cells.items() if sign == "S"])
    while todo:
        y, x = todo.pop()
        for at in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            if at in cells and at not in seen:
                seen.add(at)
                todo.append(at)
    return any(cells[at] == "G" for at in seen)


def mirrored(sketch: besd.sketch.Sketch) -> besd.sketch.Sketch:
    """The walls upside down, or left for right where that changes nothing; start and goal stay, and are in no wall."""

    def turned(rows: Sequence[str], how: Callable[[list[list[str]]], list[list[str]]]) -> tuple[str, ...]:
        walls = how([["#" if sign == "#" else "." for sign in row] for row in rows])
        return tuple(
            "".join(wall if sign in ".#" else sign for wall, sign in zip(line, row, strict=True))
            for line, row in zip(walls, rows, strict=True)
        )

    def upside_down(walls: list[list[str]]) -> list[list[str]]:
        return walls[::-1]

    def left_for_right(walls: list[list[str]]) -> list[list[str]]:
        return [row[::-1] for row in walls]

    first = ["".join("#" if sign == "#" else "." for sign in row) for row in sketch.maps[0]]
    how = left_for_right if first == first[::-1] else upside_down
    return besd.sketch.Sketch(
        tuple(turned(rows, how) for rows in sketch.maps), sketch.cell_size, sketch.origin, sketch.downwards
    )


TAXI = """
K.#......
..#......
..#......
.........
.........
.........
#...#....
#...#....
#...#.G.S
"""  # places and the walls between them: every second column and row is a way from place to place
U = ("#########", "#r......#", "#######.#", "#g......#", "#########")
S = ("#######", "#r....#", "#####.#", "#.....#", "#.#####", "#....g#", "#######")
T = ("########", "#r.#..g#", "#..#.###", "#......#", "########")


def _maze(name: str, half: str, rows: tuple[str, ...], count: int, by_hand: Sequence[float]) -> Problem:
    wide, high = len(rows[0]) / 2 - 1, len(rows) / 2 - 1
    return Problem(
        name, half, functools.partial(maze, rows, 40), count, (-wide, -high), (wide, high), by_hand, 6144, achieved, 0.5, 0.5, "ppo"
    )


def _arena(name: str, half: str, tau: int, count: int, by_hand: Sequence[float], *what: Any, **how: Any) -> Problem:
    return Problem(
        name, half, functools.partial(Arena, *what, **how), count, (0, 0), what[0], by_hand, tau, first_two,
        besd.Cell((0, 0), 0.5), 0.25, seen=0.25,
    )  # fmt: skip


def _minigrid(name: str, half: str, env: str, size: tuple[int, int], tau: int, count: int, by_hand: Sequence[float],
              steps: int, room: int, actions: Sequence[int]) -> Problem:
    make = functools.partial(OneRoom, env, steps, room, actions)
    return Problem(name, half, make, count, (0, 0), size, by_hand, tau, middle_of_cell, besd.Cell(), 1)


PROBLEMS = (
    _maze("maze-u", "develop", U, 1, (3.0, 0.0)),
    _arena("arena-2", "develop", 12_000, 2, (1.4, 2.5, 2.6, 0.5), (4, 3), (0.3, 0.4), (3.6, 2.6), two_walls, 80),
    _arena("car", "develop", 30_000, 2, (1.4, 2.5, 2.6, 0.5), (4, 3), (0.3, 0.4), (3.6, 2.6), two_walls, 80, circle=8),
    _minigrid("fourrooms", "develop", "MiniGrid-FourRooms-v0", (19, 19), 15_000, 2, (9.5, 17.5, 6.5, 9.5), 100, 7, (0, 1, 2)),
    Problem("frozenlake", "develop", lambda: Table(gymnasium.make("FrozenLake-v1", map_name="8x8", max_episode_steps=100),
            None, lambda s: (s % 8 + 0.5, s // 8 + 0.5)), 2, (0, 0), (8, 8), (7.5, 0.5, 7.5, 4.5), 30_000, first_two,
            besd.Cell(), 1),
    _maze("maze-s", "validate", S, 2, (2.0, 1.0, -2.0, -1.0)),
    _maze("maze-t", "validate", T, 1, (1.0, -1.0)),
    _arena("arena-3", "validate", 25_000, 3, (1.3, 2.5, 2.6, 0.5, 3.9, 2.5), (5, 3), (0.3, 0.4), (4.7, 0.4), three_walls, 100),
    _arena("hook", "validate", 12_000, 1, (2.8, 2.7), (4, 3), (0.3, 1.5), (3.6, 1.5), hook, 80),
    _minigrid("doorkey", "validate", "MiniGrid-DoorKey-8x8-v0", (8, 8), 15_000, 2, (2.5, 4.5, 5.5, 5.5), 100, 3, (0, 1, 2, 3, 5)),
    _minigrid("multiroom", "validate", "MiniGrid-MultiRoom-N4-S5-v1", (25, 25), 20_000, 2, (21.5, 12.5, 19.5, 16.5), 100, 2, (0, 1, 2, 5)),
    Problem("taxi", "validate", lambda: taxi(60), 2, (0, 0), (5, 5), (0.5, 0.5, 3.5, 4.5), 40_000, first_two, besd.Cell(), 1,
            drawn=TAXI),
)
