"""The package as strangers get it: a source distribution and a wheel, each into a venv of its own."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parent.parent
TUTORIAL = PACKAGE.parent / "docs" / "python.md"
CHECK = Path(__file__).parent / "wheel_check.py"
CARRIED = ("openblas", "gfortran", "quadmath", "gomp", "jansson", "microhttpd", "nlopt", "sqlite3", "cyaml", "yaml-0")


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
    for_others = ("-C", "cmake.define.BESD_WHEEL=ON")
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", *for_others, "-w", sdist.parent, sdist)
    (found,) = sdist.parent.glob("besd-*.whl")
    return found


def tools() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def hidden() -> list[str]:
    """Runs a command where the machine has none of the libraries that the wheel carries; [] where that is not allowed."""
    places = [Path("/usr/lib64"), Path("/usr/lib"), *Path("/usr/lib").glob("*-linux-gnu")]
    files = {f.resolve() for place in places for name in CARRIED for f in place.glob(f"lib{name}*.so*")}
    mounts = [f"mount --bind /dev/null {shlex.quote(str(f))}" for f in sorted(files)]
    prefix = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", " && ".join([*mounts, 'exec "$@"']), "sh"]
    allowed = shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True).returncode == 0
    return prefix if allowed else []


def try_it(package: str, work: Path, bare: bool = False) -> str:
    """bare: with neither compiler nor tools on the path, nor libraries."""
    venv.create(work / "venv", with_pip=True)
    python = work / "venv/bin/python"
    run(python, "-m", "pip", "install", "--disable-pip-version-check", package)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    inside = ["env", "PATH=/nowhere"] if bare else []
    prefix = hidden() if bare else []
    said = run(*prefix, *inside, python, "-W", "ignore", CHECK, TUTORIAL, cwd=work, env=environment)
    assert str(work / "venv") in said
    return said


def test_from_the_source_distribution(sdist: Path, tmp_path: Path) -> None:
    try_it(f"{sdist}[gymnasium]", tmp_path)


def test_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """Repaired, so that it brings its libraries, OpenBLAS among them, which nobody links."""
    pytest.importorskip("auditwheel")
    run(sys.executable, PACKAGE / "wheel_repair.py", wheel, tmp_path / "repaired", env=tools())
    (package,) = (tmp_path / "repaired").glob("*.whl")
    assert re.search("manylinux_2_[0-9]+", package.name)
    names = zipfile.ZipFile(package).namelist()
    for carried in CARRIED:
        assert any(re.fullmatch(rf"besd(\.libs|/lib)/lib{carried}\b.*", n) for n in names), carried
        assert any(re.search(rf"/licenses/lib{carried}\b.*/.", n) for n in names), carried
    said = try_it(f"{package}[gymnasium]", tmp_path, bare=True)
    (opened,) = re.findall(r"\S+/libopenblas\S*", said)
    assert opened == str(next((tmp_path / "venv/lib").rglob("besd/lib/libopenblas.so.0")))


def test_a_wheel_without_openblas_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "besd-1-py3-none-any.whl", "w") as archive:
        archive.writestr("besd/__init__.py", "")
    done = subprocess.run(
        [sys.executable, PACKAGE / "wheel_repair.py", tmp_path / "besd-1-py3-none-any.whl", tmp_path],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == (
        "wheel: besd-1-py3-none-any.whl does not carry OpenBLAS; build it with -C cmake.define.BESD_WHEEL=ON\n"
    )
