#!/usr/bin/env python3
"""An environment in another process: a windy 10 x 10 grid with a wall, for `besd train cmd:...`.

    besd check 'cmd:python3 examples/process_env.py'
    besd run 'cmd:python3 examples/process_env.py' --budget 100000

`serve` is the whole protocol (docs/protocol.md) and can be copied as it is; `Grid` is the part to
replace by your own: spec, instance(seed), reset(seed), step(action).
"""
import json
import os
import random
import sys

SIDE = 10


class Grid:
    """One lane. A step answers [state, reward, end, x, y]; end is 0, 1 (terminated) or 2 (truncated)."""

    def __init__(self, parameters):
        unknown = set(parameters) - {"wind", "cap"}
        if unknown:
            raise ValueError(f"expected the parameters wind and cap, got {', '.join(sorted(unknown))}")
        self.wind = parameters.get("wind", 0.01)
        self.cap = int(parameters.get("cap", 500))
        self.random = random.Random(0)

    def spec(self):
        return {"actions": 4, "states": SIDE * SIDE, "observation": 2, "position": 2,
                "low": [0, 0], "high": [SIDE, SIDE], "reach": "cell", "cap": self.cap,
                "settings": {"subgoals": 2, "gamma": 1, "tau": [200, 600, 1000], "reps": [5, 20]}}

    def instance(self, seed):
        wall = random.Random(seed).randrange(2, 7)  # the row of a wall with its door on the right
        self.rows = []  # self.rows[action][state]: the row that the step answers, made beforehand
        for dx, dy in (0, 1), (1, 0), (0, -1), (-1, 0):
            self.rows.append([self.move(wall, s % SIDE, s // SIDE, dx, dy) for s in range(SIDE * SIDE)])

    @staticmethod
    def move(wall, x, y, dx, dy):
        nx, ny = x + dx, y + dy
        if not (0 <= nx < SIDE and 0 <= ny < SIDE) or (ny == wall and nx < 6):
            nx, ny = x, y
        goal = nx + (SIDE - 1 - ny) <= 1
        return [nx + SIDE * ny, 1 if goal else 0, 1 if goal else 0, nx + 0.5, ny + 0.5]

    def reset(self, seed):
        if seed is not None:
            self.random.seed(seed)
        self.state, self.steps = 0, 0
        return [0, 0, 0, 0.5, 0.5]

    def step(self, action):
        if self.wind and self.random.random() < self.wind:
            action = self.random.randrange(4)
        row = self.rows[action][self.state]
        self.state = row[0]
        self.steps += 1
        if self.steps >= self.cap and not row[2]:
            return [row[0], row[1], 2, row[3], row[4]]
        return row


def serve(make, name, lanes):
    """Answers every line with a line until the input ends. make(parameters) makes one lane."""
    environments = []

    def hello(message):
        if message["protocol"] != 1:
            raise ValueError(f"expected protocol 1, got {message['protocol']}")
        environments[:] = [make(message["parameters"]) for _ in range(lanes)]
        return {"protocol": 1, "name": name, "lanes": lanes}

    handlers = {
        "hello": hello,
        "spec": lambda message: environments[0].spec(),
        "instance": lambda message: environments[message["lane"]].instance(message["seed"]) or {},
        "reset": lambda message: environments[message["lane"]].reset(message.get("seed")),
        "step": lambda moves: [environments[lane].step(action) for lane, action in moves],
    }
    encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
    decode = json.JSONDecoder().decode
    pending = b""
    while True:  # os.read and os.write: one call each for a line, nothing is buffered
        while b"\n" not in pending:
            piece = os.read(0, 65536)
            if not piece:
                return
            pending += piece
        line, pending = pending.split(b"\n", 1)
        (key, value), = decode(line.decode()).items()
        if key == "close":
            return
        try:
            answer = {key: handlers[key](value)}
        except Exception as wrong:  # the sentence reaches the user of besd
            answer = {"error": f"{type(wrong).__name__}: {wrong}"}
        os.write(1, encode(answer).encode() + b"\n")


if __name__ == "__main__":
    serve(Grid, "python-grid", lanes=int(sys.argv[1]) if len(sys.argv) > 1 else 16)
