#!/usr/bin/env bash
# Every verb with --json, with and without everything optional: its answer has the shape that docs/schema.json gives it.
# usage: test_cli_json.sh TOOL SOURCE_DIR
set -euo pipefail
command -v python3 >/dev/null || exit 77
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/cli_json.py" "$1" "$2"
