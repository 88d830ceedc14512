#!/usr/bin/env bash
# Do two builds of besd run the same studies? Six domains and three seeds each with `besd run`, then two
# replications of every method in `besd compare`: trials, recommendations and exported curves must agree
# byte for byte. usage: same_trials.sh OLD_BESD NEW_BESD
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
domains=(gw10 gw20 tr key2 key3 mc)
methods=besd,ei,ei-paper,lcb,hyperband,hyperband-paper,random,ql,tql
differences=0

# What a study holds, without its name.
tell_study() { # besd study
    "$1" trials "$2" --json
    "$1" recommend "$2" --json
}

compare_files() { # name old new
    if cmp -s "$2" "$3"; then
        echo "same       $1"
    else
        echo "DIFFERENT  $1"
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
        compare_files "run $domain --seed $seed ($(grep -o '"trial"' "$work/new.json" | wc -l) trials)" \
            "$work/old.json" "$work/new.json"
    done
done
for which in old new; do
    besd=$1
    [ $which = old ] || besd=$2
    "$besd" compare "${domains[@]}" --methods $methods --replications 2 --at-points --quiet \
        --out "$work/$which" >/dev/null
done
for export in curves trials summary comparisons; do
    compare_files "compare, $export.csv ($(wc -l <"$work/new/$export.csv") lines)" \
        "$work/old/$export.csv" "$work/new/$export.csv"
done
[ $differences -eq 0 ] || { echo "$differences differ"; exit 1; }
echo "all the same"
