#!/usr/bin/env bash
# What the tool shows on terminals of different widths and abilities.
# usage: test_cli_terminal.sh TOOL SOURCE_DIR
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$2/tests/terminal.py" "$1" "$work"
