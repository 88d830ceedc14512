#!/usr/bin/env bash
# How long the lab takes; minutes, so apart from `make bench`.
# usage: bench_lab.sh [besd] [quick|full]
set -euo pipefail
besd=${1:-build/besd} size=${2:-quick}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds COMMAND...: wall time
seconds() {
    local begin end
    begin=$(date +%s.%N)
    "$@" >/dev/null
    end=$(date +%s.%N)
    awk -v begin="$begin" -v end="$end" 'BEGIN { print end - begin }'
}

small=(compare gw10 tr --methods besd --replications 4 --budget 200000 --quiet)
one=$(seconds "$besd" "${small[@]}" --threads 1 --out "$work/one")
two=$(seconds "$besd" "${small[@]}" --threads 2 --out "$work/two")
printf 'compare_threads_speedup %.2f  two threads against one\n' "$(awk -v one="$one" -v two="$two" 'BEGIN { print one / two }')"
if [ "$size" = full ]; then
    printf 'paper_full_s %.0f\n' "$(seconds "$besd" paper --quiet --out "$work/paper")"
else
    printf 'paper_quick_s %.0f\n' "$(seconds "$besd" paper --quick --quiet --out "$work/paper")"
fi
