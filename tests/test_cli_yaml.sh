#!/usr/bin/env bash
# Grid domains in YAML: the five built-in ones written that way give the same bytes, and mistakes are
# told with file, line and field.
source "$(dirname "$0")/cli.sh"
examples=$2/examples/domains
theta=1.5,2.5,8.5,3.5

for domain in gw10 gw20 tr key2 key3; do
    design=$theta
    [ $domain = key3 ] && design=$theta,1.5,8.5
    for name in $domain "$examples/$domain.yaml"; do
        same train-$domain train "$name" --theta $design --tau 1000 --reps 3 --instances 30 --every 250 --json
        same show-$domain show "$name" --instance 5 --theta $design --path --json
        same domains-$domain domains "$name" --json
    done
done
for name in gw10 "$examples/gw10.yaml"; do
    rm -f "$work/study.besd"
    same run run "$name" --budget 60000 --test 20 --study "$work/study.besd" --json --quiet
    same solve solve "$name" --set wind=0 --json
done
runs 0 '"passed":true' - check "$examples/key3.yaml" --json

# a wall across the whole map is found, and so is a number that is not one
sed 's/  aaaaaa\.\.\.\./  aaaaaaaaaa/' "$examples/gw10.yaml" >"$work/shut.yaml"
runs 1 'failed +solvable' '' check "$work/shut.yaml"
sed -E 's/  ([a-e])[a-e]{5}\.{4}/  \1\1\1\1\1\1\1\1\1\1/' "$examples/gw10.yaml" >"$work/hopeless.yaml"
runs 1 - 'in none of 200 instances does any sequence of moves lead from the start to a goal' \
    run "$work/hopeless.yaml" --study "$work/hopeless.besd" --budget 30000
[ ! -e "$work/hopeless.besd" ] || fail 'a study was begun that cannot come to anything'
sed -E 's/^cap: .*/cap: 5 00/' "$examples/gw10.yaml" >"$work/blank.yaml"
grep -q '^cap: 5 00' "$work/blank.yaml" || echo 'cap: 5 00' >>"$work/blank.yaml"
refuses "cap: expected a .*number, got '5 00'" domains "$work/blank.yaml"
runs 0 '"wind_high":0.5' - domains "$examples/gw10.yaml" --set wind_high=0.5 --json

# a study is tied to what the file says
cp "$examples/gw10.yaml" "$work/mine.yaml"
runs 0 '' '' run "$work/mine.yaml" --budget 30000 --test 4 --study "$work/mine.besd"
# and keeps its map for those who look at it; that of a built-in domain is known
kept="select value from text where key = 'note:map'"
[ "$(sqlite3 "$work/mine.besd" "$kept" | head -1)" = GG........ ] || fail "a study does not keep its map"
sed -i 's/^cap: 500/cap: 400/' "$work/mine.yaml"
refuses "the constants differ from those that the study in .* was begun with: " \
    run "$work/mine.yaml" --test 4 --study "$work/mine.besd" --quiet

# mistake PATTERN SED: gw10.yaml with this edit is refused
mistake() {
    sed "$2" "$examples/gw10.yaml" >"$work/bad.yaml"
    refuses "bad.yaml: $1" train "$work/bad.yaml" --no-subgoals
}
mistake "Unexpected key: gama \(line: 21\); did you mean 'gamma'" 's/^gamma/gama/'
mistake 'Missing required mapping field: tau' '/^tau/d'
mistake "Invalid FLOAT value: long in mapping field 'cap' \(line: 22" 's/^cap: 500/cap: long/'
mistake 'map line 2: expected 10 cells as above, got 9 \(field map, line 7\)' 's/^  G\.\.\.\.\.\.\.\.\./  G......../'
mistake "map: expected one start 'S', found 0 \(field map" 's/^  S/  ./'
mistake "map: expected at least one goal" 's/^  GG/  ../; s/^  G/  ./'
mistake '.*line: 25\); lines are indented with blanks' 's/^tau: .*/tau:\n\t- 200/'
mistake 'Unexpected key: ' '21i "": 1'
mistake "Unexpected key: gama \(line: 22\)" "1i # $(head -c 9000 /dev/zero | tr '\0' x)
s/^gamma/gama/"
refuses 'No such file' train "$work/nowhere.yaml" --no-subgoals
printf 'theta:\n  - {name: x, low: 0, high: 1}\ntau: [1]\nreps: [1]\n' >"$work/study.yaml"
refuses 'describes a study with a trainer of its own, and no domain' train "$work/study.yaml" --no-subgoals
printf 'budget: &b 1000\nsetup_cost: *b\nmethod: besd\n' >>"$work/study.yaml"
runs 0 '' - create "$work/alias.besd" --spec "$work/study.yaml"
finish
