"""The build backend: what is missing in one sentence, a source distribution that is complete."""

import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scikit_build_core")
PACKAGE = Path(__file__).parent.parent
sys.path.insert(0, str(PACKAGE))
import besd_build  # noqa: E402


def test_nothing_is_missing_where_the_tests_run() -> None:
    assert besd_build.missing() == {}
    besd_build.check()


def test_a_bare_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(SystemExit) as caught:
        besd_build.get_requires_for_build_wheel()
    assert str(caught.value) == (
        "besd: building needs a C compiler, pkg-config, jansson, openblas, nlopt, sqlite3, libcyaml, yaml-0.1, "
        "libmicrohttpd, libpng and Random123, which this machine lacks; on Debian and Ubuntu 'apt-get install gcc libc6-dev pkg-config "
        "libjansson-dev libopenblas-dev libnlopt-dev libsqlite3-dev libcyaml-dev libyaml-dev libmicrohttpd-dev "
        "libpng-dev librandom123-dev' brings all of it, and a wheel needs none"
    )


def test_two_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    def works(command: list[str], text: str = "") -> bool:
        return command[-1] != "nlopt" and "Random123" not in text

    monkeypatch.setattr(besd_build, "_works", works)
    with pytest.raises(SystemExit, match="^besd: building needs nlopt and Random123, .*'apt-get install libnlopt-dev librand"):
        besd_build.build_wheel("nowhere")


def test_the_source_distribution_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PACKAGE)
    name = besd_build.build_sdist(str(tmp_path))
    with tarfile.open(tmp_path / name) as archive:
        held = {n.split("/", 1)[1] for n in archive.getnames()}
    root = PACKAGE.parent

    def tree(folder: Path, *endings: str) -> set[str]:
        return {str(p.relative_to(root)) for p in folder.rglob("*") if p.suffix in endings}

    needed: Any = tree(root / "src", ".c", ".h") | tree(root / "include", ".h") | tree(root / "cmake", ".cmake")
    assert {f"core/{n}" for n in needed | {"CMakeLists.txt", "LICENSE"}} <= held
    assert {"LICENSE", "pyproject.toml", "CMakeLists.txt", "build_ffi.py", "besd_build.py", "PKG-INFO"} <= held
    assert {f"src/besd/{p.name}" for p in (PACKAGE / "src/besd").glob("*.py")} <= held
    assert not [n for n in held if n.endswith(".so") or "__pycache__" in n or n.startswith("src/besd/bin")]
