#!/usr/bin/env bash
# besd's choices, one at a time: every variant on three domains, compared with besd as it is.
# usage: ablations.sh [besd] [folder] [replications] > ablations.md
set -euo pipefail
besd=${1:-build/besd} out=${2:-build/ablations} replications=${3:-10}

variants=(
    "besd|as it is"
    "besd:tau=max|tau lever off: always the largest tau"
    "besd:reps=max|reps lever off: always the most replications"
    "besd:tau=max,reps=max|both levers off"
    "besd:discrete=true|chooses and recommends among the fixed discretisation only"
    "besd:mean_of_all=true|prior mean of all trials instead of the initial ones"
    "besd:instances=fresh|every replication has its own instance"
    "besd:initial_reps=max|initial design with the most replications"
    "besd:initial_crossed=true|initial design: the same thetas at every tau, as in the paper"
    "besd:explore=0|no exploring trials, as in the paper"
    "besd:caution=0|recommends the largest mean, as in the paper"
)
methods=""
for variant in "${variants[@]}"; do methods+="${variant%%|*} "; done
for contest in gw10:800000 tr:1200000 key2:800000; do
    "$besd" compare "${contest%:*}" --budget "${contest#*:}" --methods "$methods" --replications "$replications" \
        --out "$out" >/dev/null
done

echo "| variant | what differs | GW10 half | GW10 end | TR half | TR end | KEY2 half | KEY2 end |"
echo "|---|---|---|---|---|---|---|---|"
for variant in "${variants[@]}"; do
    name=${variant%%|*}
    printf '| `%s` | %s |' "$name" "${variant#*|}"
    for domain in gw10 tr key2; do
        for point in 20 40; do
            python3 - "$out/curves.csv" "$domain" "$name" "$point" <<'PY'
import csv, sys, statistics
path, domain, name, point = sys.argv[1:]
rows = [r for r in csv.DictReader(open(path)) if r["domain"] == domain and r["method"] == name]
costs = sorted({float(r["cost"]) for r in rows})
values = [float(r["mean"]) for r in rows if float(r["cost"]) == costs[int(point) - 1] and r["mean"]]
two_se = 2 * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
print(f" {statistics.mean(values):.4g} ± {two_se:.2g} |", end="")
PY
        done
    done
    echo
done
