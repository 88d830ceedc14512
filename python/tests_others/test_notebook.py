"""examples/tour.ipynb, executed as a reader would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOUR = Path(__file__).parent.parent / "examples" / "tour.ipynb"


def test_the_tour_runs_and_shows(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    kernels = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", str(TOUR), "--output-dir", str(tmp_path)],
        capture_output=True, text=True, timeout=300, env=kernels,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    cells = nbformat.read(tmp_path / "tour.ipynb", 4).cells
    shown = [out.data for cell in cells if cell.cell_type == "code" for out in cell.outputs if "data" in out]
    assert sum("image/png" in data for data in shown) == 5
    pages = [data["text/html"] for data in shown if "text/html" in data]
    assert any("recommendation" in page for page in pages) and any("besd.Study" in page for page in pages)
