#!/usr/bin/env bash
# How good are the recommendations? Runs `besd run` on a domain over seeds and prints, for each domain,
# the mean test score of every seed on 1000 fresh instances, and their median.
# usage: quality.sh SEEDS [DOMAIN:BUDGET ...]
set -euo pipefail
cd "$(dirname "$0")/.."
seeds=${1:-10}
shift || true
jobs=("$@")
[ ${#jobs[@]} -gt 0 ] || jobs=(gw10:300000 gw20:8000000 tr:600000 key2:350000 key3:525000 mc:7000000)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for job in "${jobs[@]}"; do
    domain=${job%%:*} budget=${job##*:}
    for seed in $(seq "$seeds"); do
        build/besd run "$domain" --budget "$budget" --seed "$seed" --test 1000 --quiet --json \
            --study "$work/$domain-$seed.besd" >"$work/out"
        sed -E 's/.*"test":\{"instances":1000,"mean":([0-9.e+-]+),.*"no_subgoals_mean":([0-9.e+-]+),.*/\1 \2/' \
            "$work/out"
    done | sort -n | awk -v domain="$domain" -v budget="$budget" '
        { score[NR] = $1; plain = $2 }
        END {
            median = NR % 2 ? score[(NR + 1) / 2] : (score[NR / 2] + score[NR / 2 + 1]) / 2
            printf "%-5s budget %8d  median %7.2f  no subgoals %7.2f  seeds:", domain, budget, median, plain
            for (i = 1; i <= NR; i++) printf " %.2f", score[i]
            printf "\n"
        }'
done
