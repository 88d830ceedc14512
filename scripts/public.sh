#!/usr/bin/env bash
# besd and other people's optimisers on public functions: installs them into build/public-venv and besd's Python package
# into build/public-besd, runs what has no row yet in docs/results/public.csv, writes docs/results/public.md. Gently, each
# run on one core; to be interrupted at any moment. From the environment:
#   HALF, PROBLEMS, METHODS, BUDGETS (30 60 120), SEEDS (10, or 4-10), JOBS (1), MINUTES (60): begins nothing after that
#   BESD_PYTHON, LABEL, OPTIONS ('explore=0 draws=3'): a variant of besd, by a folder with its package or by options
#   ROWS: another CSV than docs/results/public.csv, whose tables are printed; with a LABEL build/public.csv
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/public-venv
scripts/bench_venv.sh "$venv" bench/public/requirements.txt bench/peers/requirements.txt
python=$venv/bin/python

if [ -z "${BESD_PYTHON:-}" ]; then
    BESD_PYTHON=build/public-besd
    sources=$(scripts/python_sources.sh "$python")
    if [ "$(cat "$BESD_PYTHON/sources" 2>/dev/null)" != "$sources" ]; then
        echo "public: building besd's Python package into $BESD_PYTHON"
        rm -rf "$BESD_PYTHON"
        nice -n 15 "$python" -m pip install --disable-pip-version-check --no-deps --target "$BESD_PYTHON" ./python \
            >build/public-besd.log 2>&1 || {
            tail -n 40 build/public-besd.log >&2
            echo "public: could not build it; build/public-besd.log has all of it" >&2
            exit 1
        }
        printf '%s' "$sources" >"$BESD_PYTHON/sources"
    fi
fi

# one thread each; SMAC orders by hashes
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 PYTHONHASHSEED=0
chosen=(--python-package "$BESD_PYTHON" --jobs "${JOBS:-1}" --minutes "${MINUTES:-60}" --seeds "${SEEDS:-10}")
half=()
[ -z "${HALF:-}" ] || half=(--half "$HALF")
[ -z "${PROBLEMS:-}" ] || chosen+=(--problems $PROBLEMS)
[ -z "${METHODS:-}" ] || chosen+=(--methods $METHODS)
[ -z "${BUDGETS:-}" ] || chosen+=(--budgets $BUDGETS)
[ -z "${LABEL:-}" ] || chosen+=(--label "$LABEL")
[ -z "${OPTIONS:-}" ] || chosen+=(--option $OPTIONS)
rows=${ROWS:-${LABEL:+build/public.csv}}
code=0
nice -n 15 "$python" bench/public/run.py "${rows:-docs/results/public.csv}" "${chosen[@]}" "${half[@]}" || code=$?
if [ -n "$rows" ]; then
    "$python" bench/public/report_public.py "$rows" --label "${LABEL:-besd}" "${half[@]}"
else
    "$python" bench/public/report_public.py docs/results/public.csv --output docs/results/public.md
fi
exit $code
