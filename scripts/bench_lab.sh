#!/usr/bin/env bash
# How long the lab takes; minutes, so apart from `make bench`, whose file it adds its keys to.
# usage: bench_lab.sh [besd] [quick|full] [bench.json]
set -euo pipefail
besd=${1:-build/besd} size=${2:-quick} file=${3:-build/bench.json}
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

# note KEY VALUE: printed, and kept in the file
note() {
    printf '%-28s %10.4g\n' "$1" "$2"
    python3 - "$file" "$1" "$2" <<'PY'
import json, os, sys
path, key, value = sys.argv[1:]
known = json.load(open(path)) if os.path.exists(path) else {}
known[key] = float(value)
json.dump(known, open(path, "w"), indent=1)
PY
}

small=(compare gw10 tr --methods besd --replications 4 --budget 200000 --quiet)
one=$(seconds "$besd" "${small[@]}" --threads 1 --out "$work/one")
two=$(seconds "$besd" "${small[@]}" --threads 2 --out "$work/two")
note compare_threads_speedup "$(awk -v one="$one" -v two="$two" 'BEGIN { print one / two }')"
if [ "$size" = full ]; then
    note paper_full_s "$(seconds "$besd" paper --quiet --out "$work/paper")"
else
    note paper_quick_s "$(seconds "$besd" paper --quick --quiet --out "$work/paper")"
fi
