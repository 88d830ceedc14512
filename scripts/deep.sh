#!/usr/bin/env bash
# The deep suite: what has a row in docs/results/deep.csv is not done again, MINUTES ($1) bound this call. The page is
# written anew. BESD_PYTHON is a Python that has besd and the libraries that `pip install ./python[test-all]` brings.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=$1
if [ -z "${BESD_PYTHON:-}" ]; then
    ALL=1 scripts/test_python.sh --collect-only >/dev/null # makes the venv
    BESD_PYTHON=build/venv-all/bin/python
fi
rows=docs/results/deep.csv
end=$((SECONDS + minutes * 60))
suite() {
    local left=$((end - SECONDS))
    [ "$left" -gt 0 ] || return 0
    nice "$BESD_PYTHON" python/bench/deep_suite.py --rows "$rows" --minutes "$((left / 60 + 1))" "$@"
}
suite --part start
suite --part search --methods besd+sketch besd "besd+wrong sketch" --trainings 20 40 --studies 10
suite --part search --methods tpe gp "random search" tpe+sketch gp+sketch "random search+sketch" --trainings 20 40 --studies 10
suite --part best
suite --part start --studies 3
"$BESD_PYTHON" python/bench/deep_suite.py --rows "$rows" --page docs/results/deep.md
