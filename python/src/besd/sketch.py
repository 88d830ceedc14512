"""A drawing of an arena, and the subgoals that agents in the drawing learn best with.

A sketch is a grid: walls, a start, a goal. A hundred thousand agents learn in it in seconds, so its best designs are
known before the first real training. They are a start for a study of the real thing, which may overrule them.

>>> sketch = besd.sketch.of("arena.yaml")                                  # a grid in YAML, with cell_size and origin
>>> sketch = besd.sketch.of("S..#..\\n...#..\\n......\\n...#.G", cell_size=0.5)      # drawn, the top row first
>>> sketch = besd.sketch.of(gymnasium.make("PointMaze_UMaze-v3"))           # Gymnasium-Robotics, MiniGrid, FrozenLake
>>> besd.sketch.designs(sketch, count=2).thetas                            # in the units of the environment
"""

import json
import math
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _tool
from ._arguments import Floats, integer, number, vector
from ._errors import BesdError, InvalidError, TrainError
from ._plan import Cell
from ._study import Study

__all__ = ["Designs", "Sketch", "designs", "of"]

BUDGET = 20_000_000  # interactions: seconds, and a tenth of it where the first go learns
TAU, REPS, TRIALS, CAP = 4000, 4, 60, 5.0  # of one agent; of a trial; at most, in the first go; episodes, in cells of the map
_LEARNT = 0.8  # of the cap: slower than this nothing was learnt
_ROWS_LEAST = 10  # cells of the shorter side of maps that are made from environments
_SIGNS = frozenset(".#SGDKT^>V<")


@dataclass(frozen=True)
class Sketch:
    """Cells, and where they are."""

    maps: tuple[tuple[str, ...], ...]
    """Rows of signs, the top row first; several maps are a distribution. Empty where `text` has them."""
    cell_size: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)
    """The lower left corner of the map; where y grows downwards the upper left one."""
    downwards: bool = False
    """y grows from the top row to the lowest, as in MiniGrid."""
    text: str = ""
    """A grid in YAML, without cell_size and origin."""
    wind: float = 0.05
    """The chance of a random move, for what the sketch does not know."""

    @property
    def cells(self) -> Cell:
        """`reached` for `besd.SubgoalWrapper`: the cells that the sketch has."""
        return Cell(self.origin, self.cell_size)

    def yaml(self, count: int, tau: int) -> str:
        if self.text:
            return self.text
        drawn = "\n".join("  - |\n" + "\n".join(f"    {row}" for row in rows) for rows in self.maps)
        cap = round(CAP * (len(self.maps[0]) + len(self.maps[0][0])))
        return (
            f"name: sketch\nmaps:\n{drawn}\nsubgoals: {count}\ncap: {max(cap, 60)}\nwind: {self.wind}\n"
            f"tau: [{tau}]\nreps: [{REPS}]\n"
        )

    def to_units(self, thetas: npt.ArrayLike, height: int) -> Floats:
        """Designs in cells, y upwards, as designs in the units of the environment."""
        points = np.asarray(thetas, np.float64).reshape(-1, 2)
        if self.downwards:
            points = np.column_stack([points[:, 0], height - points[:, 1]])
        found: Floats = np.asarray(self.origin) + self.cell_size * points
        return found.reshape(np.shape(thetas))


@dataclass(frozen=True)
class Designs:
    """What the sketch's study found, the best first and spread apart."""

    thetas: Floats
    low: Floats
    high: Floats
    """The box of positions that the map covers."""
    learnt: bool
    """False: no design taught anything, and thetas are worth nothing."""
    message: str
    interactions: float
    cells: tuple[str, ...] = field(default=(), repr=False)
    """One map, the top row first."""


def of(
    what: Any, *, cell_size: float | None = None, origin: Sequence[float] | None = None, wind: float = 0.05
) -> Sketch:
    """A sketch of a YAML file, of a drawn map, or of an environment whose map is known.

    cell_size, origin: of a drawn map; what a file says otherwise.
    """
    if isinstance(what, Sketch):
        return what
    text = os.fspath(what) if isinstance(what, (str, os.PathLike)) else None
    if isinstance(text, bytes):
        raise TypeError("sketch: expected a path, a map or an environment, got bytes")
    if text is None:
        return _of_environment(what, wind)
    side = None if cell_size is None else number("cell_size", cell_size)
    corner = None if origin is None else (float(vector("origin", origin, 2)[0]), float(vector("origin", origin, 2)[1]))
    made = _drawn(text, wind) if "\n" in text.strip("\n") else _of_file(text)
    made = replace(made, cell_size=made.cell_size if side is None else side, origin=made.origin if corner is None else corner)
    if not 0 < made.cell_size < math.inf:
        raise InvalidError(f"cell_size: expected a number above 0, got {made.cell_size:g}")
    return made


def _drawn(text: str, wind: float) -> Sketch:
    rows = tuple(line.strip() for line in text.splitlines() if line.strip())
    for i, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise InvalidError(f"sketch: expected rows of {len(rows[0])} signs as in row 1, got {len(row)} in row {i}")
    for sign, name in (("S", "a start"), ("G", "a goal")):
        if not any(sign in row for row in rows):
            raise InvalidError(f"sketch: expected {name}, '{sign}', in the map, got none")
    return Sketch((rows,), wind=wind)


def _of_file(name: str) -> Sketch:
    """The file without its scale: agents are trained in cells, and their designs scaled afterwards."""
    try:
        text = Path(name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidError(f"{name}: expected a text of UTF-8") from None
    side = re.search(r"^cell_size:\s*([^\s#]+)", text, re.M)
    corner = re.search(r"^origin:\s*\[\s*([^\s,\]]+)\s*,\s*([^\s,\]]+)\s*\]", text, re.M)
    try:
        scale = 1.0 if side is None else float(side[1])
        at = (0.0, 0.0) if corner is None else (float(corner[1]), float(corner[2]))
    except ValueError:
        raise InvalidError(f"{name}: cell_size and origin: expected numbers, got '{(side or corner or [''])[0]}'") from None
    if corner is None and re.search(r"^origin:", text, re.M):
        raise InvalidError(f"{name}: origin: expected two numbers in brackets, as in 'origin: [-1, 0.5]'")
    return Sketch((), scale, at, text=re.sub(r"^(cell_size|origin):.*\n?", "", text, flags=re.M))


def _of_environment(env: Any, wind: float) -> Sketch:
    inside = getattr(env, "unwrapped", env)
    if hasattr(inside, "maze") and hasattr(inside.maze, "maze_map"):
        return _of_maze(env, inside.maze, wind)
    if hasattr(inside, "grid") and hasattr(inside, "agent_pos"):
        return _of_minigrid(env, inside, wind)
    if hasattr(inside, "desc") and np.ndim(inside.desc) == 2:
        signs = {"H": "#", "F": "."}
        rows = tuple("".join(signs.get(sign.decode(), sign.decode()) for sign in row) for row in inside.desc)
        if all(sign in _SIGNS for row in rows for sign in row):
            return Sketch((rows,), 1.0, (0.0, 0.0), downwards=True, wind=wind)
    raise InvalidError(
        "sketch: expected a path, a map, or an environment with a map that is known (Gymnasium-Robotics' mazes, MiniGrid, "
        f"FrozenLake), got {type(inside).__name__}"
    )


def _of_maze(env: Any, maze: Any, wind: float) -> Sketch:
    """Gymnasium-Robotics: 1 is a wall, r, g and c are places of start and goal; what the map leaves open a reset shows."""
    rows = [["#" if cell == 1 else "." for cell in row] for row in maze.maze_map]
    observation, _ = env.reset()
    times = max(1, math.ceil(_ROWS_LEAST / min(len(rows), len(rows[0]))))
    fine = [[sign for sign in row for _ in range(times)] for row in rows for _ in range(times)]
    side = float(maze.maze_size_scaling) / times
    origin = (-float(maze.x_map_center), -float(maze.y_map_center))
    for sign, key in (("S", "achieved_goal"), ("G", "desired_goal")):
        x, y = (math.floor((float(p) - o) / side) for p, o in zip(observation[key][:2], origin, strict=True))
        fine[len(fine) - 1 - y][x] = sign
    return Sketch((tuple("".join(row) for row in fine),), side, origin, wind=wind)


def _of_minigrid(env: Any, inside: Any, wind: float) -> Sketch:
    """The room as it is now; a ball is a goal where there is no other."""
    if inside.grid is None:
        env.reset()
    grid = inside.grid
    types = [[getattr(grid.get(x, y), "type", None) for x in range(grid.width)] for y in range(grid.height)]
    goal = "goal" if any("goal" in row for row in types) else "ball"
    has_key = any("key" in row for row in types)
    signs = {"wall": "#", "lava": "#", goal: "G", "key": "K", "door": "D" if has_key else "."}
    rows = [[signs.get(kind or "", ".") for kind in row] for row in types]
    x, y = inside.agent_pos
    rows[int(y)][int(x)] = "S"
    return Sketch((tuple("".join(row) for row in rows),), 1.0, (0.0, 0.0), downwards=True, wind=wind)


def _settings(drawn: Sketch, rows: int, reached: Any, width: float | None) -> list[str]:
    """The potential and the reach that the real agents will have, in cells: a design that is good with others is another."""
    found: dict[str, Any] = {} if width is None else {"potential_width": width / drawn.cell_size**2}
    if reached == "cell":
        reached = Cell()
    if isinstance(reached, Cell) and np.ndim(reached.size) == 0:
        side = float(np.asarray(reached.size, np.float64)) / drawn.cell_size
        corner = np.broadcast_to(np.asarray(reached.origin, np.float64), (2,)) - drawn.origin
        x, y = corner / drawn.cell_size
        y = rows - y if drawn.downwards else y
        found |= {"cell_size": side, "origin": f"{x % side:.9g},{y % side:.9g}"}
    elif isinstance(reached, (int, float)):
        found["radius"] = max(float(reached) / drawn.cell_size, 0.75)  # a smaller ball has no middle of a cell in it
    return [word for name, value in found.items() for word in ("--set", f"{name}={value}")]


def _run(file: Path, count: int, tau: int, budget: float, seed: int, settings: list[str]) -> dict[str, Any]:
    """The one call into the engine: a study of the grid, in FILE.besd beside it."""
    command = [
        _tool.path(), "run", str(file), "--study", str(file.with_suffix(".besd")), "--budget", str(int(budget)),
        "--seed", str(seed), "--test", "0", "--json", "--quiet", "--threads", "1",
        "--set", f"subgoals={count}", "--set", f"tau={tau}", "--set", f"reps={REPS}", *settings,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise InvalidError("sketch: " + (said[-1] if said else "besd run failed").removeprefix("besd run: ").removeprefix("sketch: "))
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def designs(
    sketch: Any, count: int, most: int = 10, *, reached: Any = None, width: float | None = None, budget: float = BUDGET,
    seed: int = 1,
) -> Designs:  # fmt: skip
    """The best designs of so many subgoals in a sketch, spread apart: seconds, and no real training.

    reached, width: of the real thing's `besd.SubgoalWrapper`, so that the sketch's agents are guided alike; by default
        those of the sketch's own cells.

    When nothing is learnt in it, agents are trained four times as long, and twice so; `learnt` says whether that helped.
    """
    drawn = of(sketch)
    points, wanted = integer("count", count, 1, 8), integer("most", most, 1, 1000)
    spent, tau = 0.0, TAU
    with tempfile.TemporaryDirectory() as folder:
        for go in range(3):
            file = Path(folder) / f"sketch-{go}.yaml"
            file.write_text(drawn.yaml(points, tau), encoding="utf-8")
            cells = _cells_of(file)
            rows = len(cells)
            settings = _settings(drawn, rows, reached, width)
            answer = _run(file, points, tau, min(budget, TRIALS * REPS * tau), seed, settings)
            spent += float(answer["cost"])
            with Study(file.with_suffix(".besd")) as study:
                path = study.theta_path
                if path is None:
                    raise TrainError("sketch: expected a study of paths")
                low, high = study.options["low"][:2], study.options["high"][:2]
                learnt = answer["value"] < _LEARNT * path.cap
                cap = path.cap
                found = _apart(study, np.array(answer["theta_array"]), wanted)
            if learnt or spent >= budget:
                break
            tau *= 4
    free = sum(sign != "#" for row in cells for sign in row)
    if points > free:
        raise InvalidError(f"count: expected at most {free} subgoals, as many as the sketch has free cells, got {points}")
    box = drawn.to_units(np.array([low, high]), rows)
    said = f"the way of agents with its best design takes {answer['value']:.3g} moves"
    if not learnt:
        said = f"nothing was learnt in the sketch ({answer['value']:.3g} of at most {cap:g} moves): is there a way to its goal?"
    thetas = drawn.to_units(found, rows)
    return Designs(thetas, box.min(axis=0), box.max(axis=0), bool(learnt), said, spent, cells)


def _cells_of(file: Path) -> tuple[str, ...]:
    from .domains import DomainEnv

    try:
        env = DomainEnv(str(file))
    except BesdError as error:
        raise InvalidError(str(error).replace(str(file), "sketch")) from None
    try:
        env.reset(seed=1)
        return tuple(reversed(env.cells or []))
    finally:
        env.close()


def _apart(study: Study, recommended: Floats, most: int) -> Floats:
    """The recommendation, and what was told best after it: none in the cell of another, as long as there are enough."""
    told = np.array([trial.theta for trial in study.trials("told")])
    told = told[np.argsort(-study.predict(told)[0], kind="stable")]
    chosen = [recommended]
    for near in (2.0, 1.0, 0.0):  # cells
        for theta in told:
            if len(chosen) < most and all(np.abs(theta - other).max() > near for other in chosen):
                chosen.append(theta)
    return np.array(chosen)
