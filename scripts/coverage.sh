#!/usr/bin/env bash
# Line coverage of src/ by folder, after the tests have run in a build with BESD_COVERAGE, and the
# functions that no test has entered. gcov comes with gcc, so there is nothing to install. A source
# that no test links has notes (.gcno) but no counts (.gcda); it counts as not covered.
# usage: coverage.sh BUILD_DIR
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: coverage.sh BUILD_DIR}

if [ -z "$(find "$build" -name '*.gcda' -print -quit)" ]; then
    echo "coverage: $build has no counts; run its tests first (make coverage)" >&2
    exit 1
fi
complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT
find "$build" -name '*.gcno' -print0 | sort -z |
    xargs -0 gcov --json-format --stdout 2>"$complaints" | scripts/coverage_table.py ||
    { cat "$complaints" >&2; exit 1; }
