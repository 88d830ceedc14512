#!/usr/bin/env bash
# Do two builds of besd run the same studies? Six domains and three seeds each with `besd run`, then two
# replications of every method in `besd compare`: trials and recommendations must have exactly the same values,
# exported curves the same bytes. usage: same_trials.sh OLD_BESD NEW_BESD
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
domains=(gw10 gw20 tr key2 key3 mc)
methods=besd,ei,ei-paper,lcb,hyperband,hyperband-paper,random,ql,tql
differences=0

# What a study holds, without its name and without dates.
tell_study() { # besd study
    "$1" trials "$2" --json | sed -E 's/,"(asked_at|ended_at|duration)":[^,}]*//g'
    "$1" recommend "$2" --json
}

# Two lines of JSON have the same values: a real may be printed with fewer digits, theta may be a list or an object, and
# the clock has gone on.
same_values() { # old new
    python3 - "$1" "$2" <<'END'
import json, sys

CLOCK = {"asked_at", "ended_at", "duration", "age"}

def plain(value):
    if isinstance(value, dict):
        kept = {name: plain(member) for name, member in value.items() if name not in CLOCK | {"theta_array"}}
        if "theta" in value:
            theta = value["theta"]
            kept["theta"] = list(map(float, theta.values() if isinstance(theta, dict) else theta))
        return kept
    if isinstance(value, list):
        return [plain(member) for member in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else value

old, new = ([plain(json.loads(line)) for line in open(name)] for name in sys.argv[1:])
sys.exit(old != new or not old)
END
}

report() { # name command...
    local name=$1
    shift
    if "$@"; then
        echo "same       $name"
    else
        echo "DIFFERENT  $name"
        differences=$((differences + 1))
    fi
}

for domain in "${domains[@]}"; do
    for seed in 1 2 3; do
        for which in old new; do
            besd=$1
            [ $which = old ] || besd=$2
            "$besd" run "$domain" --seed $seed --study "$work/$which.besd" --quiet --json >/dev/null
            tell_study "$besd" "$work/$which.besd" >"$work/$which.json"
            rm -f "$work/$which.besd"
        done
        report "run $domain --seed $seed ($(grep -o '"trial"' "$work/new.json" | wc -l) trials)" \
            same_values "$work/old.json" "$work/new.json"
    done
done
for which in old new; do
    besd=$1
    [ $which = old ] || besd=$2
    "$besd" compare "${domains[@]}" --methods $methods --replications 2 --at-points --quiet \
        --out "$work/$which" >/dev/null
done
for export in curves trials summary comparisons; do
    report "compare, $export.csv ($(wc -l <"$work/new/$export.csv") lines)" \
        cmp -s "$work/old/$export.csv" "$work/new/$export.csv"
done
[ $differences -eq 0 ] || { echo "$differences differ"; exit 1; }
echo "all the same"
