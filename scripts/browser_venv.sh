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
# axe looks for what readers of screens would miss; the test does without where npm is not to be had.
if [ ! -e "$venv/axe.min.js" ] && command -v npm >/dev/null; then
    npm install --silent --no-save --prefix "$venv/npm" axe-core@4 >/dev/null 2>&1 &&
        cp "$venv/npm/node_modules/axe-core/axe.min.js" "$venv/axe.min.js" || echo "browser_venv: no axe-core" >&2
fi
