"""The examples, run as a user would; the slow one in a smaller form."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

EXAMPLES = Path(__file__).parent.parent / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_minigrid_doorkey(tmp_path: Path) -> None:
    """One subgoal, the smallest rooms: a third of the steps, or fewer."""
    ratio = load("minigrid_doorkey").main(budget=80_000, rooms=12, path=tmp_path / "doorkey.besd")
    assert ratio < 0.34


def test_ask_tell(tmp_path: Path) -> None:
    script = [sys.executable, str(EXAMPLES / "ask_tell.py"), str(tmp_path / "moth.besd")]
    first = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    assert "put the lamp at" in first
    x, y = (float(word.strip("(),:")) for word in first.split()[4:6])
    assert abs(x - 3) < 0.8 and abs(y - 7) < 0.8
    again = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    assert again == first  # the study is finished: nothing is trained twice
