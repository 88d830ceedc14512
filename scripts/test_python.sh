#!/usr/bin/env bash
# Installs the Python package into build/venv, with what its tests need, and runs them. Installs again
# only when something has changed. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/venv
python=${PYTHON:-python3}

fingerprint=$("$python" --version && find python src include cmake CMakeLists.txt -type f \
    -not -path '*/__pycache__/*' -not -path '*/.pytest_cache/*' -not -path 'python/tests/*' \
    -not -path 'python/examples/*' -print0 | sort -z | xargs -0 sha256sum)
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$fingerprint" ]; then
    echo "python: building the package into $venv"
    rm -f "$venv/installed"
    {
        "$python" -m venv --clear "$venv" &&
            "$venv/bin/pip" install --disable-pip-version-check './python[test]'
    } >build/venv.log 2>&1 || {
        tail -n 40 build/venv.log >&2
        echo "python: could not install the package; build/venv.log has all of it" >&2
        exit 1
    }
    printf '%s' "$fingerprint" >"$venv/installed"
fi
"$venv/bin/python" -m pytest python -q -p no:cacheprovider "$@"
