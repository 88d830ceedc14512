"""The build backend: scikit-build-core's, with two things of our own.

What the C library needs is looked for first, and all that is missing is told in one sentence. And a source
distribution takes the C library along: in the repository it stands beside this folder, in the archive inside it, as
core/.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scikit_build_core import build as backend

HERE = Path(__file__).resolve().parent

# What to look for, and the package of Debian and Ubuntu that has it.
LIBRARIES = {
    "jansson": "libjansson-dev",
    "openblas": "libopenblas-dev",
    "nlopt": "libnlopt-dev",
    "sqlite3": "libsqlite3-dev",
    "libcyaml": "libcyaml-dev",
    "yaml-0.1": "libyaml-dev",
    "libmicrohttpd": "libmicrohttpd-dev",
    "libpng": "libpng-dev",
}
CORE = ("CMakeLists.txt", "cmake", "include", "src", "lab", "LICENSE", "docs/schema.json")

prepare_metadata_for_build_wheel = backend.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = backend.prepare_metadata_for_build_editable
get_requires_for_build_sdist = backend.get_requires_for_build_sdist


def core() -> Path | None:
    """The C library: in the archive, in the repository; None when an installed one is to be used."""
    return next((p for p in (HERE / "core", HERE.parent) if (p / "include/besd/besd.h").exists()), None)


def _works(command: list[str], text: str = "") -> bool:
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True).returncode == 0
    except OSError:
        return False


def _compiler() -> str | None:
    named = os.environ.get("CC", "").split()
    return next((c for c in [*named[:1], "cc", "gcc", "clang"] if shutil.which(c)), None)


def missing() -> dict[str, str]:
    """What the C library needs and this machine lacks: what it is, and the package that has it."""
    found: dict[str, str] = {}
    compiler = _compiler()
    pkg_config = shutil.which("pkg-config") or shutil.which("pkgconf")
    if compiler is None:
        found["a C compiler"] = "gcc libc6-dev"
    if pkg_config is None:
        found["pkg-config"] = "pkg-config"
    for name, package in LIBRARIES.items():
        if pkg_config is None or not _works([pkg_config, "--exists", name]):
            found[name] = package
    header = "#include <Random123/threefry.h>\n"
    if compiler is None or not _works([compiler, "-E", "-xc", "-", "-o", os.devnull], header):
        found["Random123"] = "librandom123-dev"
    parallel = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"
    if compiler is not None and not _works([compiler, "-fopenmp", "-xc", "-", "-o", os.devnull], parallel):
        found["OpenMP"] = "libomp-dev"
    return found


def check() -> None:
    if core() is None or not (lacks := missing()):
        return
    *first, last = lacks
    names = f"{', '.join(first)} and {last}" if first else last
    raise SystemExit(
        f"besd: building needs {names}, which this machine lacks; on Debian and Ubuntu "
        f"'apt-get install {' '.join(lacks.values())}' brings all of it, and a wheel needs none"
    )


def _checked(hook: Callable[..., Any]) -> Callable[..., Any]:
    def run(*arguments: Any, **keywords: Any) -> Any:
        check()
        return hook(*arguments, **keywords)

    return run


get_requires_for_build_wheel = _checked(backend.get_requires_for_build_wheel)
get_requires_for_build_editable = _checked(backend.get_requires_for_build_editable)
build_wheel = _checked(backend.build_wheel)
build_editable = _checked(backend.build_editable)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """In a copy of this folder that has the C library inside."""
    library = core()
    if library is None:
        raise SystemExit("besd: a source distribution needs the C library, which is neither here nor beside this folder")
    target = os.path.abspath(sdist_directory)
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work) / "besd"
        made = shutil.ignore_patterns("__pycache__", "*.so", "bin", "dist", "core", ".pytest_cache", ".mypy_cache")
        shutil.copytree(HERE, copy, ignore=made)
        for name in CORE:
            source, goal = library / name, copy / "core" / name
            if source.is_dir():
                shutil.copytree(source, goal)
            else:
                goal.parent.mkdir(exist_ok=True)
                shutil.copy(source, goal)
        before = Path.cwd()
        os.chdir(copy)
        try:
            return str(backend.build_sdist(target, config_settings))
        finally:
            os.chdir(before)
