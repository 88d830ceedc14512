#!/usr/bin/env bash
# A thousand asks and tells without a model and a hundred with one, under valgrind. A clean run says so;
# any error or definite leak fails.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # TRIALS METHOD
    OMP_NUM_THREADS=1 valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite \
        --show-leak-kinds=definite build/tests/long_study "$work/$2.besd" "$1" "$2"
}
check 1000 random
check 100 besd
echo "memcheck: clean"
