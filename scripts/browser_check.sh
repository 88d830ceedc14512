#!/usr/bin/env bash
# Opens pages full of hostile names in Chromium and fails when anything of them runs; see browser_check.py.
# usage: browser_check.sh [BESD]
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/browser-venv
scripts/setup.sh python browser
if ! "$venv/bin/python" -c 'import playwright' 2>/dev/null; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check playwright
fi
"$venv/bin/python" scripts/browser_check.py "${1:-build/besd}" build/browser "$(command -v chromium)"
