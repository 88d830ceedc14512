"""The package as strangers get it: a source distribution and a wheel, each into a venv of its own."""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parent.parent
TUTORIAL = PACKAGE.parent / "docs" / "python.md"

# What a new user does first: the beginning of the tutorial, the checker, the pictures.
TRY = """
import re, sys
import gymnasium
from gymnasium.utils.env_checker import check_env
import besd
import besd.domains

for block in re.findall(r"^```python\\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S)[:3]:
    exec(block)
for name in besd.domains.names():
    for mode in ("rgb_array", "ansi"):
        env = gymnasium.make(f"besd/{name.upper()}-v0", render_mode=mode)
        env.reset(seed=1)
        assert len(env.render()) > 10
    check_env(gymnasium.make(f"besd/{name.upper()}-v0").unwrapped, skip_render_check=True)
with besd.Study.create("bare.besd", [0, 0], [10, 10], [100, 400], [2], budget=4000) as study:
    best = study.optimize(lambda trial: [-abs(trial.theta[0] - 3)] * trial.reps)
    assert study.report().startswith("<!")
print("all is well", besd.__file__)
"""


def run(*command: Any, **options: Any) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--sdist", "--outdir", folder, PACKAGE)
    (archive,) = folder.glob("besd-*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """Built from the archive, not from the repository."""
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", sdist.parent, sdist)
    (found,) = sdist.parent.glob("besd-*.whl")
    return found


def try_it(package: str, work: Path, path: str | None = None) -> None:
    venv.create(work / "venv", with_pip=True)
    python, tool = work / "venv/bin/python", work / "venv/bin/besd"
    run(python, "-m", "pip", "install", "--disable-pip-version-check", package)
    bare = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    if path is not None:
        bare["PATH"] = path
    assert "usage: besd" in run(tool, "--help", env=bare)
    said = run(python, "-W", "ignore", "-c", TRY, TUTORIAL, cwd=work, env=bare)
    assert str(work / "venv") in said
    assert run(tool, "recommend", "moth.besd", cwd=work, env=bare)


def test_from_the_source_distribution(sdist: Path, tmp_path: Path) -> None:
    try_it(f"{sdist}[gymnasium]", tmp_path)


def test_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Repaired by auditwheel, so that it brings its libraries; with neither compiler nor tools on the path."""
    package = wheel
    if shutil.which("auditwheel") or (Path(sys.executable).parent / "auditwheel").exists():
        here = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        run("auditwheel", "repair", wheel, "-w", tmp_path / "repaired", env=here)
        (package,) = (tmp_path / "repaired").glob("*.whl")
        assert re.search("manylinux_2_[0-9]+", package.name)
    try_it(f"{package}[gymnasium]", tmp_path, path="/nowhere")
