#!/usr/bin/env bash
# Disks that fail, power that goes away, a clock that jumps: a little of scripts/torture_disk.py.
# usage: test_disk.sh TOOL SOURCE_DIR
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
library=$(dirname "$1")/tests/libtroubled.so
[ -e "$library" ] || { echo "not with sanitizers: $library is not built"; exit 77; }
python3 "$2/scripts/torture_disk.py" "$1" "$library" --most 2 --crashes 25 --jumps 1
