#!/usr/bin/env bash
# Other people's optimisers on besd's problem: installs them into build/peers-venv, runs what has no row yet in
# docs/results/peers.csv, writes docs/results/peers.md. From the environment: DOMAINS, BUDGETS, SEEDS (10, or 4-10),
# METHODS; LIST, of problems of the suite: rows in build/, tables are printed. Gently, one run at a time on one core; to be interrupted at any moment.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/peers-venv
scripts/bench_venv.sh "$venv" bench/peers/requirements.txt

# one thread each; SMAC orders by hashes
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 PYTHONHASHSEED=0
chosen=()
[ -z "${DOMAINS:-}" ] || chosen+=(--domains $DOMAINS)
[ -z "${BUDGETS:-}" ] || chosen+=(--budgets $BUDGETS)
[ -z "${SEEDS:-}" ] || chosen+=(--seeds "$SEEDS")
[ -z "${METHODS:-}" ] || chosen+=(--methods $METHODS)
code=0
if [ -n "${LIST:-}" ]; then # of the suite
    rows=build/peers-$(basename "$LIST" .txt).csv
    nice -n 15 "$venv/bin/python" bench/peers/peers.py build/besd "$rows" --list "$LIST" "${chosen[@]}" || code=$?
    python3 bench/peers/report_suite.py "$LIST" "$rows"
    exit $code
fi
nice -n 15 "$venv/bin/python" bench/peers/peers.py build/besd docs/results/peers.csv "${chosen[@]}" || code=$?
python3 bench/peers/report.py docs/results/peers.csv docs/results/peers.md
exit $code
