#!/usr/bin/env bash
# usage: bench_venv.sh VENV REQUIREMENTS [FURTHER FILES THAT IT READS]
# A venv with the packages of a benchmark; does nothing when it has them. What pip says is in VENV.log.
set -euo pipefail
venv=$1
shift
if cat "$@" | cmp -s - "$venv/installed"; then
    exit 0
fi
echo "bench: installing the packages of $1 into $venv"
mkdir -p "$(dirname "$venv")"
{ "${PYTHON:-python3}" -m venv "$venv" &&
    "$venv/bin/python" -m pip install --disable-pip-version-check -r "$1"; } >"$venv.log" 2>&1 || {
    tail -n 20 "$venv.log" >&2
    echo "bench: could not install them; $venv.log has all of it" >&2
    exit 1
}
cat "$@" >"$venv/installed"
