#!/usr/bin/env bash
# Opens pages full of hostile names in Chromium and fails when anything of them runs; see browser_check.py.
# usage: browser_check.sh [BESD]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/browser_venv.sh
build/browser-venv/bin/python scripts/browser_check.py "${1:-build/besd}" build/browser "$(command -v chromium)"
