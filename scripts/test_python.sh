#!/usr/bin/env bash
# Installs the Python package into build/venv, with what its tests need, and runs them. Installs again
# only when something has changed. With ALL=1 into build/venv-all with the libraries of others, and the tests
# that need those as well. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/venv group=test tests=(python/tests)
if [ -n "${ALL:-}" ]; then
    venv=build/venv-all group=test-all tests=(python/tests python/tests_others)
fi
python=${PYTHON:-python3}

fingerprint=$(scripts/python_sources.sh "$python")
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$fingerprint" ]; then
    echo "python: building the package into $venv"
    rm -f "$venv/installed"
    clear=--clear
    [ -z "${ALL:-}" ] || clear=--upgrade-deps # too much to load again
    {
        "$python" -m venv $clear "$venv" &&
            "$venv/bin/pip" install --disable-pip-version-check "./python[$group]"
    } >"$venv.log" 2>&1 || {
        tail -n 40 "$venv.log" >&2
        echo "python: could not install the package; $venv.log has all of it" >&2
        exit 1
    }
    printf '%s' "$fingerprint" >"$venv/installed"
fi
for folder in "${tests[@]}"; do
    "$venv/bin/python" -m pytest "$folder" -q -p no:cacheprovider "$@"
done
