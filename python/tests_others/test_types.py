"""The package and its examples under mypy --strict and pyright strict; and what they catch."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(str(p) for p in (ROOT / "examples").glob("*.py"))
WRONG = """
import besd

besd.Study.create(None, [0], [1], [10], [2], direction="minimise")
besd.Study.create(None, [0], [1], [10], [2], model="papers")
besd.Study.create(None, [0], [1], [10], [2], bugdet=3)
"""


def test_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    cache = f"--cache-dir={tmp_path}"
    for what in (["-p", "besd"], EXAMPLES):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", cache, *what], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout
    (tmp_path / "wrong.py").write_text(WRONG)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", cache, str(tmp_path / "wrong.py")], capture_output=True, text=True
    )
    assert [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line] == ["4", "5", "6"], done.stdout


def test_pyright() -> None:
    pytest.importorskip("pyright")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
