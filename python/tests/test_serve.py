"""python -m besd.serve: Gymnasium environments as processes of the command line."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_tutorial import TUTORIAL

OTHERS = """
import os

import gymnasium
from gymnasium.envs.classic_control import CartPoleEnv, MountainCarEnv
from two_room import TwoRoom

class Car(MountainCarEnv):
    reached, cap = "cross", 200

    def position(self, observation):
        return observation[0]

class Loud(TwoRoom):
    def __init__(self, *arguments, **keywords):
        print("made", flush=True)
        os.system("echo and not from Python alone")
        super().__init__(*arguments, **keywords)

    def step(self, action):
        print("a step")
        return super().step(action)

class Fragile(TwoRoom):
    def step(self, action):
        raise OSError("no robot")

class Flat(TwoRoom):
    def position(self, observation):
        return observation

class Nowhere(TwoRoom):
    position = property(lambda self: self.nothing)

class Late(TwoRoom):
    cap = 2.5

class Reversed(Car):
    def position(self, observation):
        return observation[1]

class Pole(CartPoleEnv):
    position = [0]

class Pictures(TwoRoom):
    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(4)
        self.observation_space = gymnasium.spaces.Box(0, 255, (7, 7, 3))

class Torque(TwoRoom):
    def __init__(self):
        super().__init__()
        self.action_space = gymnasium.spaces.Box(-1, 1, (1,))

def lake():
    env = gymnasium.make("FrozenLake-v1", max_episode_steps=77)
    env.unwrapped.position = lambda observation: [observation % 4 + 0.5, observation // 4 + 0.5]
    env.unwrapped.position_low, env.unwrapped.position_high = [0, 0], [4, 4]
    return env

def nothing():
    return None
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the environment of the tutorial and some others."""
    block = re.search(r"^```python\n(# file: two_room.py\n.*?)^```$", TUTORIAL.read_text(), re.M | re.S)
    assert block
    (tmp_path / "two_room.py").write_text(block.group(1))
    (tmp_path / "others.py").write_text(OTHERS)
    return tmp_path


def run(folder: Path, command: list[str] | str, **more: Any) -> subprocess.CompletedProcess[str]:
    """With the Python of these tests as `python`."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300, **more
    )


def talk(folder: Path, what: str, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What the process answers to these messages after a hello."""
    hello = {"hello": {"protocol": 1, "lanes": 16, "parameters": {}}}
    lines = "".join(json.dumps(m) + "\n" for m in (hello, *messages, {"close": {}}))
    done = run(folder, [sys.executable, "-m", "besd.serve", *what.split()], input=lines)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {"hello": {"protocol": 1, "name": what.split()[0].split(":")[1], "lanes": 16}}
    return answers[1:]


def walk(folder: Path, instance: int, chance: int, lane: int = 0) -> list[list[Any]]:
    """The rows of two episodes of fifty steps in a strong wind."""
    begin: list[dict[str, Any]] = [{"instance": {"lane": lane, "seed": instance}}]
    steps: list[dict[str, Any]] = [{"step": [[lane, i // 3 % 2]]} for i in range(50)]
    resets: list[dict[str, Any]] = [{"reset": {"lane": lane, "seed": chance}}, {"reset": {"lane": lane}}]
    answers = talk(folder, "two_room:TwoRoom wind=0.5", *begin, resets[0], *steps, resets[1], *steps)
    return [a.get("reset") or a["step"][0] for a in answers[1:]]


def test_the_commands_of_the_tutorial(folder: Path, tool: str) -> None:
    block = re.search(r"^```sh\n(besd check .*?)^```$", TUTORIAL.read_text(), re.M | re.S)
    assert block
    (folder / "bin").mkdir()
    (folder / "bin" / "besd").symlink_to(tool)
    done = run(folder, ["sh", "-ec", 'PATH="$PWD/bin:$PATH"\n' + block.group(1).replace("120000", "60000")])
    assert done.returncode == 0, done.stderr
    assert "12 checks, 0 failed" in done.stdout
    assert "goal reached by" in done.stdout and "with these subgoals" in done.stdout


def test_a_box_passes_the_checks(folder: Path, tool: str) -> None:
    done = run(folder, [tool, "check", "cmd:python -m besd.serve others:Car"])
    assert done.returncode == 0 and "12 checks, 0 failed" in done.stdout, done.stdout + done.stderr


def test_an_environment_may_print(folder: Path) -> None:
    begin: list[dict[str, Any]] = [{"instance": {"lane": 0, "seed": 1}}, {"reset": {"lane": 0, "seed": 1}}]
    assert len(talk(folder, "others:Loud", *begin, *[{"step": [[0, 0]]}] * 5)) == 7


def test_spec(folder: Path) -> None:
    (answer,) = talk(folder, "two_room:TwoRoom", {"spec": {}})
    assert answer["spec"] == {
        "actions": 4, "states": 100, "observation": 2, "position": 2, "low": [0, 0], "high": [10, 10],
        "reach": "cell", "cap": 300, "settings": {"subgoals": 2, "tau": [200, 600], "reps": [5, 20]},
    }  # fmt: skip
    (answer,) = talk(folder, "others:Car", {"spec": {}})
    expected = {"states": 0, "observation": 2, "position": 1, "reach": "cross", "cap": 200}
    assert answer["spec"].items() >= expected.items()
    assert answer["spec"]["low"] == pytest.approx([-1.2, -0.07])
    (answer,) = talk(folder, "others:lake", {"spec": {}})
    assert answer["spec"].items() >= {"states": 16, "cap": 77, "settings": {}}.items()


def test_seeds(folder: Path) -> None:
    rows = walk(folder, instance=1, chance=5)
    assert rows == walk(folder, instance=1, chance=5, lane=3)
    assert rows != walk(folder, instance=1, chance=6)
    assert rows[0] == rows[51] == [0, 0, 0, 0.5, 0.5]
    assert rows[1:51] != rows[52:]  # the wind goes on from episode to episode


def test_an_episode_ends_at_the_cap(folder: Path) -> None:
    begin: list[dict[str, Any]] = [{"instance": {"lane": 0, "seed": 1}}, {"reset": {"lane": 0, "seed": 1}}]
    answers = talk(folder, "two_room:TwoRoom", *begin, *[{"step": [[0, 3]]}] * 300)
    assert [a["step"][0][2] for a in answers[2:]] == [0] * 299 + [2]


def test_arguments(folder: Path, tool: str) -> None:
    """From the command, and from --set as whole numbers where they are."""
    (folder / "sized.py").write_text(
        "from two_room import TwoRoom\n"
        "def make(rows, name='a'):\n"
        "    assert isinstance(rows, int) and name == 'b c', (rows, name)\n"
        "    return TwoRoom(wind=0)\n"
    )
    serve = "cmd:python -m besd.serve sized:make"
    done = run(folder, [tool, "train", serve + " rows=3 'name=b c'", "--set", "rows=7", "--no-subgoals"])
    assert done.returncode == 0, done.stderr
    done = run(folder, [tool, "train", serve + " rows=3 'name=b c'", "--set", "wind=7", "--no-subgoals"])
    assert done.returncode == 1
    assert "expected arguments as in (rows, name='a'): got an unexpected keyword argument 'wind'" in done.stderr


def test_mistakes_in_a_step_reach_the_user(folder: Path, tool: str) -> None:
    done = run(folder, [tool, "train", "cmd:python -m besd.serve others:Fragile", "--no-subgoals"])
    assert done.returncode == 1
    line = OTHERS[: OTHERS.index("no robot")].count("\n") + 1
    assert f"OSError: no robot ({folder / 'others.py'}:{line})" in done.stderr


@pytest.mark.parametrize(
    ("what", "code", "sentence"),
    [
        ("others:Pole", 1, "observation_space: expected Discrete, or a Box of at most 8 bounded numbers, got Box(["),
        ("others:Pictures", 1, "observation_space: expected Discrete, or a Box of at most 8 bounded numbers, got Box("),
        ("others:Torque", 1, "action_space: expected Discrete with 2 to 64 actions, got Box("),
        ("others:Flat", 1, "position: expected 2 numbers, got shape (1,)"),
        ("others:Nowhere", 1, "position: expected the environment to have it ("),
        ("others:Late", 1, "cap: expected a whole number, got 2.5"),
        ("others:Reversed", 1, "position: expected the first numbers of the observation ["),
        ("others:nothing", 1, "expected a Gymnasium environment, got NoneType"),
        ("others:Missing", 1, "module 'others' has no attribute 'Missing'"),
        ("missing:Missing", 1, "ModuleNotFoundError: No module named 'missing'"),
        ("two_room:TwoRoom gale=1", 1, "expected arguments as in (wind=0.02): got an unexpected keyword"),
        ("two_room", 2, "usage: python -m besd.serve MODULE:NAME [KEY=VALUE ...]"),
        ("two_room:TwoRoom fast", 2, "usage: python -m besd.serve"),
    ],
)
def test_refuses_with_one_sentence(folder: Path, what: str, code: int, sentence: str) -> None:
    done = run(folder, [sys.executable, "-m", "besd.serve", *what.split()], input="")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1)
    prefix = f"besd.serve: {what.split()[0]}: " if code == 1 else ""
    assert done.stderr.startswith(prefix + sentence)
