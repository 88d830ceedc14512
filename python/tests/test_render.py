"""Pictures of the domains, and domains that are not built in."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import besd

ROOT = Path(__file__).parents[2]
IDS = [f"besd/{name.upper()}-v0" for name in besd.domains.names()]
AGENT, GOAL, WALL, KEY, FREE = (33, 102, 172), (214, 60, 60), (55, 58, 64), (240, 200, 60), (250, 250, 248)


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def at(frame: Any, x: float, y: float) -> tuple[int, ...]:
    """The colour of a place in the coordinates of the domain, off the middle of its cell."""
    return tuple(frame[frame.shape[0] - int(32 * y) - 1, int(32 * x)].tolist())


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_likes_the_pictures(env_id: str) -> None:
    check_env(gymnasium.make(env_id, render_mode="rgb_array").unwrapped)


def test_a_grid_in_pixels() -> None:
    env = gymnasium.make("besd/KEY2-v0", wind=0, render_mode="rgb_array")
    env.reset(seed=1, options={"instance": 3})
    first: Any = env.render()
    assert first.shape == (320, 320, 3) and first.dtype == np.uint8
    assert at(first, 0.5, 0.5) == AGENT
    assert at(first, 0.5, 9.5) == GOAL
    assert at(first, 2.5, 4.5) == WALL
    assert at(first, 8.5, 2.5) == at(first, 9.5, 3.5) == KEY
    assert at(first, 5.5, 1.5) == FREE
    for action in [1] * 8 + [0] * 2:  # to the key
        env.step(action)
    last: Any = env.render()
    assert at(last, 8.5, 2.5) == AGENT and at(last, 0.5, 0.5) != AGENT
    assert at(last, 9.5, 3.5) == FREE  # it is taken
    assert at(last, 8.5, 4.5) == FREE != at(first, 8.5, 4.5)  # and the door is open


def test_one_way_cells(tmp_path: Path) -> None:
    """Arrows point where a cell lets one in, and a cell lets nobody in otherwise."""
    path = tmp_path / "arrows.yaml"
    path.write_text("name: arrows\nmap: |\n  .<^G\n  S>V.\ntau: [10]\nreps: [1]\n")
    env = besd.domains.DomainEnv(str(path), render_mode="rgb_array")
    env.reset(seed=1)
    assert env.cells == ["S>V.", ".<^G"]
    frame: Any = env.render()
    corners = [(0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7)]  # of its foot are two inside an arrow
    feet = {(1, 0): [0, 2], (2, 0): [2, 3], (1, 1): [1, 3], (2, 1): [0, 1]}
    for (x, y), foot in feet.items():
        assert [i for i, (a, b) in enumerate(corners) if at(frame, x + a, y + b) == (61, 53, 117)] == foot
    x = [env.step(action)[4]["position"][0] for action in (1, 1, 3, 1)]
    assert x == [1.5, 1.5, 0.5, 1.5]  # through, not into the cell downwards, back out, in again
    env.close()


def test_a_grid_in_characters() -> None:
    env = gymnasium.make("besd/KEY2-v0", wind=0, render_mode="ansi")
    env.reset(seed=1, options={"instance": 3})
    env.step(1)
    lines: Any = env.render()
    assert lines.splitlines() == [
        "G G . . . . . . . .",
        "G . . . . . . . . .",
        ". . . . . . . . . .",
        ". . . . . . . . . .",
        ". . . . . . . . . .",
        "# # # # # # D D D D",
        ". . . . . . . . K K",
        ". . . . . . . . K K",
        ". . . . . . . . . .",
        "S @ . . . . . . . .",
    ]


def test_another_instance_is_another_picture() -> None:
    env = gymnasium.make("besd/GW10-v0", render_mode="ansi")
    seen = set()
    for seed in range(12):
        env.reset(seed=seed)
        seen.add(env.render())
    assert len(seen) > 2


def test_the_car_on_its_mountain() -> None:
    env = gymnasium.make("besd/MC-v0", start=-0.5, render_mode="rgb_array")
    env.reset(seed=1)
    frame: Any = env.render()
    columns = np.flatnonzero((frame == AGENT).all(axis=2).any(axis=0))
    assert abs(columns.mean() - 599 * (0.7 / 1.8)) < 3
    assert (frame == GOAL).all(axis=2).any()
    text = gymnasium.make("besd/MC-v0", render_mode="ansi")
    text.reset(seed=1)
    lines: Any = text.render()
    assert lines.count("@") == 1 and lines.count("G") == 1 and "#" in lines


@pytest.mark.parametrize("env_id", IDS)
def test_a_window(env_id: str) -> None:
    pygame = pytest.importorskip("pygame")
    env = gymnasium.make(env_id, render_mode="human")
    env.reset(seed=1)
    env.step(1)
    shown = pygame.surfarray.array3d(pygame.display.get_surface())
    assert (shown == AGENT).all(axis=2).any()
    env.close()
    assert pygame.display.get_surface() is None


def test_refusals() -> None:
    with pytest.raises(besd.InvalidError, match="render_mode: expected 'human', 'rgb_array' or 'ansi', got 'svg'"):
        besd.domains.DomainEnv("gw10", render_mode="svg")  # type: ignore[arg-type]
    env = besd.domains.DomainEnv("gw10", render_mode="ansi")
    with pytest.raises(ResetNeeded):
        env.render()
    env.close()
    with pytest.raises(besd.ClosedError):
        env.render()


YAML = "name: rooms\ntau: [100]\nreps: [2]\nmap: |\n  ..G\n  #a.\n  S..\nchoose:\n  - wall: [a]\n"


def test_a_grid_in_yaml(tmp_path: Path) -> None:
    path = tmp_path / "rooms.yaml"
    path.write_text(YAML)
    env = gymnasium.make("besd/Domain-v0", domain=str(path), wind=0, cap=9, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == ". . G\n# # .\n@ . .\n"
    rewards = [env.step(a)[1] for a in (1, 1, 0, 0)]
    assert rewards == [0, 0, 0, 1]
    domain = besd.domains.describe(str(path))
    assert (domain.name, domain.taus, domain.high.tolist()) == ("rooms", (100,), [3.0] * 4)
    path.write_text("name: rooms\n")
    with pytest.raises(besd.BesdError, match="rooms.yaml"):
        besd.domains.DomainEnv(str(path))


def test_a_plugin(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no compiler")
    plugin = tmp_path / "delivery.so"
    source = ROOT / "examples" / "delivery.c"
    subprocess.run(
        [compiler, "-shared", "-fPIC", f"-I{ROOT / 'include'}", str(source), "-o", str(plugin), "-lm"], check=True
    )
    env = besd.domains.DomainEnv(str(plugin))
    check_env(env, skip_render_check=True)
    wrapped = besd.SubgoalWrapper(env, env.domain.low, flatten=True)
    assert wrapped.observation_space.contains(wrapped.reset(seed=1)[0])
    with pytest.raises(besd.UnsupportedError, match="render_mode: domain delivery does not say what it looks like"):
        besd.domains.DomainEnv(str(plugin), render_mode="ansi")


def test_a_process() -> None:
    env = besd.domains.DomainEnv(f"cmd:{sys.executable} {ROOT / 'examples' / 'process_env.py'}")
    first = [env.reset(seed=3)[0], *(env.step(a % env.action_space.n)[:4] for a in range(10))]
    again = [env.reset(seed=3)[0], *(env.step(a % env.action_space.n)[:4] for a in range(10))]
    np.testing.assert_equal(first, again)
    env.close()


DIES = """
import json, os, sys
for line in sys.stdin:
    (key, value), = json.loads(line).items()
    answer = {
        "hello": {"protocol": 1, "name": "dies", "lanes": 1},
        "spec": {"actions": 2, "states": 3, "observation": 1, "position": 1, "low": [0], "high": [3],
                 "reach": "cell", "cap": 9, "settings": {}},
        "instance": {}, "reset": [0, 0, 0, 0.5],
    }.get(key)
    if answer is None:
        os._exit(7)
    print(json.dumps({key: answer}), flush=True)
"""


def test_a_process_that_dies(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES)
    env = besd.domains.DomainEnv(f"cmd:{sys.executable} {tmp_path / 'dies.py'}")
    env.reset(seed=1)
    with pytest.raises(besd.EnvironmentContractError, match="its process ended with exit code 7"):
        env.step(0)
    with pytest.raises(besd.BesdError, match="exit code 1"):
        besd.domains.DomainEnv("cmd:false")
