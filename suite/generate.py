#!/usr/bin/env python3
"""Writes the grid domains of the suite: suite/develop/*.yaml, suite/validate/*.yaml and suite/more/*.yaml.

Everything follows from the seeds below; a map is drawn again until every cell that matters can be reached.
usage: generate.py [FOLDER]
"""
import random
import sys
from collections import deque
from pathlib import Path

if len(sys.argv) > 1 and sys.argv[1].startswith("-"):
    sys.exit(__doc__)
root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent


def grid(width, height, fill="."):
    return [[fill] * width for _ in range(height)]


def text(cells):
    return "\n".join("  " + "".join(row) for row in cells)


def reach(cells, start, closed="#"):
    """Cells that can be reached from a cell (row, column); one-way cells are entered in their direction only."""
    seen, queue = {start}, deque([start])
    while queue:
        r, c = queue.popleft()
        for a, b, way in ((r + 1, c, "V"), (r - 1, c, "^"), (r, c + 1, ">"), (r, c - 1, "<")):
            if 0 <= a < len(cells) and 0 <= b < len(cells[0]) and (a, b) not in seen and cells[a][b] not in closed:
                if cells[a][b] in "^>V<" and cells[a][b] != way:
                    continue
                seen.add((a, b))
                queue.append((a, b))
    return seen


def distance(cells, start, closed="#"):
    far, queue = {start: 0}, deque([start])
    while queue:
        r, c = queue.popleft()
        for a, b in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if 0 <= a < len(cells) and 0 <= b < len(cells[0]) and (a, b) not in far and cells[a][b] not in closed:
                far[a, b] = far[r, c] + 1
                queue.append((a, b))
    return far


def rooms(rng, side, doors):
    """Four rooms; each wall between two of them has its door in one of several places, drawn anew every time."""
    cells, letters, choose = grid(side, side), iter("abcdefghijklmnopqrstuvwxyz"), []
    middle = side // 2
    spans = [[(middle, c) for c in range(middle)], [(middle, c) for c in range(middle + 1, side)],
             [(r, middle) for r in range(middle)], [(r, middle) for r in range(middle + 1, side)]]
    cells[middle][middle] = "#"
    for span in spans:
        places = rng.sample(span, doors)
        names = [next(letters) for _ in places]
        for place in span:
            cells[place[0]][place[1]] = "#"
        for name, (r, c) in zip(names, places):
            cells[r][c] = name
        # the door is open in one place: the others are walls
        choose.append(["".join(n for n in names if n != keep) for keep in names])
    cells[side - 1][0] = "S"
    cells[0][side - 1] = "G"
    return cells, [("wall", alternatives) for alternatives in choose]


def maze(rng, side, loops):
    """A maze with corridors of one cell between walls of one cell; some walls are opened."""
    side |= 1
    cells = grid(side, side, "#")
    stack = [(side - 1, 0)]
    cells[side - 1][0] = "."
    while stack:
        r, c = stack[-1]
        ways = [(a, b) for a, b in ((r + 2, c), (r - 2, c), (r, c + 2), (r, c - 2))
                if 0 <= a < side and 0 <= b < side and cells[a][b] == "#"]
        if not ways:
            stack.pop()
            continue
        a, b = rng.choice(ways)
        cells[(r + a) // 2][(c + b) // 2] = cells[a][b] = "."
        stack.append((a, b))
    walls = [(r, c) for r in range(side) for c in range(side) if cells[r][c] == "#" and (r + c) % 2]
    for r, c in rng.sample(walls, loops):
        cells[r][c] = "."
    far = distance(cells, (side - 1, 0))
    goal = max(far, key=lambda place: far[place])
    cells[side - 1][0] = "S"
    cells[goal[0]][goal[1]] = "G"
    return cells, []


def deceptive(rng, side, depth):
    """A pocket that opens towards the start stands before the goal: what pulls straight at it pulls into the pocket."""
    cells = grid(side, side)
    top, right = side - 1 - depth, side - 3
    for i in range(depth + 1):
        cells[2][right - i] = "#"
        cells[2 + i][right] = "#"
    cells[side - 1][0] = "S"
    cells[0][side - 1] = cells[0][side - 2] = cells[1][side - 1] = "G"
    for c in range(0, side - depth - 2):
        cells[top - rng.randrange(2)][c] = "a"
    for r in range(depth + 3, side):
        if cells[r][right - 1] == ".":
            cells[r][right - 1] = "b"
    return cells, [("wall", ["a", "b"])]


def keys(rng, side, places):
    """A door across the map and a key in one of several places."""
    cells = grid(side, side)
    row = side // 2 - 1
    for c in range(side):
        cells[row][c] = "D" if c >= side - 3 else "#"
    names, spots = "abcd"[:places], []
    while len(spots) < places:
        r, c = rng.randrange(row + 2, side - 1), rng.randrange(side - 1)
        if all(abs(r - a) + abs(c - b) > side // 3 for a, b in [*spots, (side - 1, 0)]):
            spots.append((r, c))
    for name, (r, c) in zip(names, spots):
        for a, b in ((r, c), (r - 1, c), (r, c + 1), (r - 1, c + 1)):
            cells[a][b] = name
    cells[side - 1][0] = "S"
    cells[0][0] = cells[0][1] = cells[1][0] = "G"
    return cells, [("key", list(names))]


def treasures(rng, side, places):
    """A treasure in a chamber off the way to the goal."""
    cells = grid(side, side)
    left, top = side // 2 - 1, side // 2 + 1
    for c in range(left, side - 1):
        cells[top][c] = "#"
    for r in range(top, side - 2):
        cells[r][left] = "#"
    for c in range(2, side):
        cells[2][c] = "#"
    spots = rng.sample([(r, c) for r in range(top + 1, side) for c in range(left + 2, side)], places)
    names = "abcdef"[:places]
    for name, (r, c) in zip(names, spots):
        cells[r][c] = name
    cells[side - 1][0] = "S"
    cells[0][side - 1] = cells[0][side - 2] = "G"
    return cells, [("treasure", list(names))]


def snake(rng, width, height, gap):
    """A room with walls from the left and the right in turn; where the first stands varies."""
    cells = grid(width, height)
    for i, r in enumerate(range(gap, height - 1, gap + 1)):
        for c in range(width):
            if (c < width - 2) if i % 2 == 0 else (c > 1):
                cells[height - 1 - r][c] = "#"
    cells[height - 1][0] = "S"
    far = distance(cells, (height - 1, 0))
    goal = max(far, key=lambda place: (far[place], place))
    cells[goal[0]][goal[1]] = "G"
    return cells, []


def spiral(rng, side, gap):
    """Walls wind inwards to the goal."""
    cells = grid(side, side)
    low, high, turn = 0, side - 1, 0
    top, bottom, left, right = 0, side - 1, 0, side - 1
    while right - left > 2 * gap + 1 and bottom - top > 2 * gap + 1:
        for c in range(left, right - gap + 1):
            cells[bottom - gap][c] = "#"
        for r in range(top + gap, bottom - gap + 1):
            cells[r][right - gap] = "#"
        for c in range(left + gap, right - gap + 1):
            cells[top + gap][c] = "#"
        for r in range(top + gap, bottom - 2 * gap - 1):
            cells[r][left + gap] = "#"
        for r in range(bottom - 2 * gap - 1, bottom - gap):
            if cells[r][left + gap] == "#":
                cells[r][left + gap] = "."
        top, bottom, left, right = top + gap + 1, bottom - gap - 1, left + gap + 1, right - gap - 1
    far = distance(cells, (side - 1, 0))
    goal = max(far, key=lambda place: (far[place], place))
    cells[side - 1][0] = "S"
    cells[goal[0]][goal[1]] = "G"
    return cells, []


def big(rng, side, walls):
    """A large map with several walls, each in one of two rows with a door in one of two places."""
    cells, choose, letters = grid(side, side), [], iter("abcdefghijklmnopqrstuvwxyz")
    for w in range(walls):
        row = (w + 1) * side // (walls + 1)
        names = []
        for shift in (0, 1):
            door, name = rng.randrange(side - 4), next(letters)
            for c in range(side):
                if not door <= c < door + 4:
                    cells[row + 2 * shift - 1][c] = name
            names.append(name)
        choose.append(("wall", names))
    cells[side - 1][0] = "S"
    cells[0][side - 1] = cells[0][side - 2] = cells[1][side - 1] = "G"
    return cells, choose


def goals(rng, side, places):
    """The goal is in one of several places behind one wall."""
    cells = grid(side, side)
    row = side // 2
    door = rng.randrange(1, side - 2)
    for c in range(side):
        if not door <= c < door + 2:
            cells[row][c] = "#"
    names = "abcd"[:places]
    for i, name in enumerate(names):
        c = i * (side - 1) // max(1, places - 1) if places > 1 else side - 1
        cells[rng.randrange(0, 3)][c] = name
    cells[side - 1][0] = "S"
    return cells, [("goal", list(names))]


def one_way(rng, side, walls, falls):
    """Rooms one above the other. The walls between them are two rows thick and have holes, through which one falls back
    and cannot rise, and a passage upwards; the lowest has two, one of which is closed behind its entrance."""
    cells, names = grid(side, side), "ab"
    for w in range(walls):
        row = side - 1 - (w + 1) * side // (walls + 1)
        for c in range(side):
            cells[row][c] = cells[row + 1][c] = "#"
        behind = names if w == 0 else "."
        gaps = sorted(rng.sample(range(0, side, 2), len(behind) + falls), reverse=w % 2 == 0)
        for c, kind in zip(gaps, behind):
            cells[row + 1][c], cells[row][c] = "^", kind
        for c in gaps[len(behind):]:
            cells[row + 1][c], cells[row][c] = ".", "V"
    cells[side - 1][0] = "S"
    corner = side - 1 if walls % 2 == 0 else 0
    cells[0][corner] = cells[1][corner] = cells[0][corner + (1 if corner == 0 else -1)] = "G"
    return cells, [("wall", list(names))]


def open_field(rng, side):
    """Nothing in the way: plain learning gets there."""
    cells = grid(side, side)
    cells[side - 1][0] = "S"
    for r in range(3):
        for c in range(side - 3, side):
            cells[r][c] = "G"
    return cells, []


def windy(rng, side, door):
    """A wall with a door, in a storm."""
    cells = grid(side, side)
    a, b = side // 3, 2 * side // 3
    for c in range(side):
        if c < side - door:
            cells[a][c] = "a"
        if c >= door:
            cells[b][c] = "b"
    cells[side - 1][0] = "S"
    cells[0][0] = cells[0][1] = cells[1][0] = "G"
    return cells, [("wall", ["ab", "a"])]


def write(half, name, title, cells, choose, **fields):
    start = next((r, c) for r, row in enumerate(cells) for c, cell in enumerate(row) if cell == "S")
    far = reach(cells, start)
    assert all((r, c) in far for r, row in enumerate(cells) for c, cell in enumerate(row) if cell in "GTK"), name
    lines = [f"# Made by suite/generate.py.", f"name: {name}", f"title: {title}", "map: |", text(cells)]
    if choose:
        lines.append("choose:")
        for kind, alternatives in choose:
            lines.append(f"  - {kind}: [{', '.join(alternatives)}]")
    for key, value in fields.items():
        lines.append(f"{key}: {value}")
    path = root / half / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def levels(tau):
    return f"[{tau // 4}, {tau // 2}, {tau}]"


def make(half, seed):
    rng = random.Random(seed)
    d = half == "develop"
    name = (lambda n: f"{n}") if d else (lambda n: f"{n}2")
    write(half, name("rooms"), "four rooms with random doors", *rooms(rng, 11 if d else 13, 3),
          subgoals=2, wind="[0, 0.02]", cap=500, tau=levels(2400 if d else 3200), reps="[5, 20]")
    write(half, name("maze"), "a maze", *maze(rng, 9 if d else 11, 3),
          subgoals=3 if d else 4, cap=500, tau=levels(4000 if d else 6000), reps="[5, 20]")
    write(half, name("deceptive"), "a pocket before the goal", *deceptive(rng, 12 if d else 14, 4 if d else 5),
          subgoals=2, cap=500, tau=levels(2400 if d else 3200), reps="[5, 20]")
    write(half, name("keys"), "a door, and a key in one of several places", *keys(rng, 10 if d else 12, 2 if d else 3),
          subgoals=3 if d else 2, cap=500, gamma=0.999, tau=levels(1200 if d else 2000), reps="[5, 20]")
    write(half, name("treasure"), "a treasure off the way to the goal", *treasures(rng, 10 if d else 12, 3),
          subgoals=2 if d else 3, cap=400, gamma=0.98, objective="return", rewards="{goal: 10, treasure: 10}",
          tau=levels(2000 if d else 2400), reps="[5, 20]")
    write(half, name("storm"), "two walls in strong wind", *windy(rng, 10 if d else 12, 3 if d else 4),
          subgoals=2, wind="[0.1, 0.2]" if d else "[0.15, 0.3]", cap=500, tau=levels(2000 if d else 3200), reps="[5, 20]")
    write(half, name("longroom"), "a long way around", *(snake(rng, 24, 8, 3) if d else snake(rng, 30, 8, 3)),
          subgoals=1 if d else 2, cap=600, tau=levels(6000 if d else 5000), reps="[5, 20]")
    write(half, name("spiral"), "a spiral", *spiral(rng, 14 if d else 16, 2),
          subgoals=4 if d else 5, cap=600, tau=levels(6000 if d else 8000), reps="[5, 20]")
    write(half, name("big"), "a large map with walls that vary", *big(rng, 24 if d else 30, 2),
          subgoals=2 if d else 3, cap=1000, wind="[0, 0.02]", tau=levels(6000 if d else 8000), reps="[5, 20]")
    write(half, name("goals"), "the goal is in one of several places", *goals(rng, 10 if d else 14, 2 if d else 3),
          subgoals=1 if d else 2, cap=500, tau=levels(1600 if d else 2400), reps="[5, 20]")
    write(half, name("open"), "nothing in the way", *open_field(rng, 8 if d else 10),
          subgoals=2, cap=300, tau=levels(1600 if d else 2400), reps="[5, 20]")
    write(half, name("oneway"), "rooms with one-way passages", *one_way(rng, 10 if d else 14, 1 if d else 2, 2 if d else 3),
          subgoals=2 if d else 3, cap=500, wind="[0, 0.02]" if d else "[0, 0.05]", tau=levels(2000 if d else 6000),
          reps="[5, 20]")


def make_more(seed):
    """More of the kinds that are hard or that vary, to decide on; sizes are drawn, too."""
    rng = random.Random(seed)

    def add(kind, title, drawn, tau, **fields):
        write("more", f"{kind}{seed}", title, *drawn, **fields, tau=levels(tau), reps="[5, 20]")

    add("rooms", "four rooms with random doors", rooms(rng, rng.choice([9, 11, 13]), rng.choice([2, 3])),
        rng.choice([2400, 3200]), subgoals=2, wind="[0, 0.02]", cap=500)
    add("maze", "a maze", maze(rng, 9, rng.choice([3, 4, 5])), 4000, subgoals=3, cap=500)
    add("deceptive", "a pocket before the goal", deceptive(rng, rng.choice([10, 12, 14]), rng.choice([3, 4, 5])), 2400,
        subgoals=2, cap=500)
    add("keys", "a door, and a key in one of several places", keys(rng, rng.choice([10, 12]), rng.choice([2, 3])),
        rng.choice([1200, 2000]), subgoals=rng.choice([2, 3]), cap=500, gamma=0.999)
    add("treasure", "a treasure off the way to the goal", treasures(rng, rng.choice([10, 12]), 3), 2000,
        subgoals=rng.choice([2, 3]), cap=400, gamma=0.98, objective="return", rewards="{goal: 10, treasure: 10}")
    walls = rng.choice([1, 2])
    add("oneway", "rooms with one-way passages", one_way(rng, 8 + 2 * walls, walls, rng.choice([1, 2])),
        2000 if walls == 1 else 5000, subgoals=walls + 1, cap=500, wind="[0, 0.02]")
    add("big", "a large map with walls that vary", big(rng, rng.choice([20, 24]), 2), 6000, subgoals=rng.choice([2, 3]),
        cap=1000, wind="[0, 0.02]")
    add("goals", "the goal is in one of several places", goals(rng, rng.choice([10, 12, 14]), rng.choice([2, 3])), 2000,
        subgoals=rng.choice([1, 2]), cap=500)


make("develop", 11)
make("validate", 23)
for seed in (31, 32, 33):
    make_more(seed)
