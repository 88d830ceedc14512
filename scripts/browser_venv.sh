#!/usr/bin/env bash
# Makes build/browser-venv, a Python with Playwright that drives Debian's Chromium; does nothing when it is there.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/browser-venv
scripts/setup.sh python browser
if ! "$venv/bin/python" -c 'import playwright' 2>/dev/null; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check playwright
fi
