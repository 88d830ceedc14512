#!/usr/bin/env bash
# besd serve: every route against its description, every refusal, and a small fleet of workers that die with the server.
# usage: test_serve.sh TOOL SOURCE_DIR
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
python3 "$2/tests/serve/main.py" "$1" "$2"
python3 "$2/scripts/fleet.py" "$1" --trials 60 --kills 1 --readers 2 --followers 5 --slices 2 --only-fleet
