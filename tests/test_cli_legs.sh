#!/usr/bin/env bash
# Paths and their legs: declared in study.yaml, told by hand and by trainers, shown, and refused with a
# sentence where they are wrong or nobody would look at them.
source "$(dirname "$0")/cli.sh"
spec=$work/study.yaml
study=$work/s.besd
path='path: {points: 2, cell: 1, cap: 100, from: [0.5, 0.5], to: [9.5, 9.5]}'

# describe LINES...: a study.yaml of two points in a plane
describe() {
    printf '%s\n' 'theta:' '  - {name: x1, low: 0, high: 10}' '  - {name: y1, low: 0, high: 10}' \
        '  - {name: x2, low: 0, high: 10}' '  - {name: y2, low: 0, high: 10}' 'tau: [10]' 'reps: [2]' \
        'targets: 80' 'initial_designs: 4' 'budget: 240' "$@" >"$spec"
}

# mistake PATTERN PATH: this path is refused, with file and line
mistake() {
    describe "$2"
    refuses "study.yaml: $1" create "$work/none.besd" --spec "$spec"
    [ ! -e "$work/none.besd" ] || fail "$2: a study was made"
}
mistake 'path: points: expected 1 to 64, got 0 \(line: 11\)' 'path: {points: 0, cap: 100}'
mistake 'path: points: expected 1 to 64, got -1 \(line: 11\)' 'path: {points: -1, cap: 100}'
mistake 'path: 3 points of 2 coordinates are 6 numbers, but theta has 4 \(line: 11\)' 'path: {points: 3, cap: 100}'
mistake 'path: coordinates: expected 1 to 8, got 9' 'path: {points: 2, coordinates: 9, cap: 100}'
mistake 'path: cap: expected a positive number, got 0 \(line: 11\)' 'path: {points: 2, cap: 0}'
mistake 'Missing required mapping field: cap \(near line: 11\)' 'path: {points: 2}'
mistake 'path: cell: expected a number from 0, got -1' 'path: {points: 2, cap: 100, cell: -1}'
mistake 'path: from: expected 2 numbers, got 3 \(line: 11\)' 'path: {points: 2, cap: 100, from: [1, 2, 3]}'
mistake 'path: to: expected finite numbers, got nan' 'path: {points: 2, cap: 100, to: [1, nan]}'
mistake 'path: fewest: expected 1 to 2, got 3 \(line: 11\)' 'path: {points: 2, cap: 100, fewest: 3}'
mistake 'path: fewest: expected 1 to 2, got 0' 'path: {points: 2, cap: 100, fewest: 0}'
mistake 'path: price: expected a number from 0, got -2' 'path: {points: 2, cap: 100, price: -2}'
mistake "Unexpected key: pints \(line: 11\); did you mean 'points'" 'path: {pints: 2, cap: 100}'
mistake "Invalid INT value: 'two' in mapping field 'points' \(line: 11" 'path: {points: two, cap: 100}'
mistake 'expected names with values, as in' 'path: 2'

# told by hand
describe "$path" 'direction: minimize'
runs 0 'a study of 4 coordinates' - create "$study" --spec "$spec"
runs 0 'trial 1' - ask "$study"
refuses 'legs: expected a list of 2, one for every replication, got 1' tell "$study" 1 --scores 31,100 --legs '[[4, 17, 31]]'
refuses 'legs\[1\]\[2\]: expected a time from 0 to the cap of 100, got 101' \
    tell "$study" 1 --scores 31,100 --legs '[[4, 17, 31], [5, 6, 101]]'
refuses "legs: expected JSON such as .*, got '\[\[4,'" tell "$study" 1 --scores 31,100 --legs '[[4,'
refuses 'earned: it belongs to legs, which are missing' tell "$study" 1 --scores 31,100 --earned '[null, null]'
refuses 'has no trial 9' tell "$study" 9 --scores 31,100 --legs '[null, null]'
runs 2 - '--legs, --earned and --labels belong to --scores' tell "$study" 1 --mean 3 --variance 1 --count 2 --legs '[]'
runs 0 '"state":"asked"' - trials "$study" --json
runs 0 '^told$' - tell "$study" 1 --scores 31,100 --legs '[[4, 17, 31], [5, null, null]]' --cost 3
runs 0 'told these scores before' - tell "$study" 1 --scores 31,100 --legs '[[4, 17, 31], [5, null, null]]'
refuses 'with other legs; they stay' tell "$study" 1 --scores 31,100 --legs '[[4, 17, 31], null]'
runs 0 '"cost":3.0,"scores":\[31.0,100.0\],"mean":65.5,"legs":\[\[4.0,17.0,31.0\],\[5.0,null,null\]\],"asked_at"' - \
    trials "$study" --json
runs 0 'trial 2' - ask "$study"
runs 0 '"repeated":false' - tell "$study" 2 --scores 31,100 --legs '[null, [5, null, 9]]' --json
runs 0 '"legs":\[null,\[5.0,null,9.0\]\],"asked_at"' - trials "$study" --json
runs 0 'trial 3' - ask "$study"
runs 0 '^told$' - tell "$study" 3 --scores 31,100
runs 0 '"trial":3,.*"mean":65.5,"asked_at"' - trials "$study" --json

# what a study was begun with stays
runs 0 'exists already and stays' - create "$study" --spec "$spec"
describe 'direction: minimize'
refuses 'path: theta of the study is one of 2 points, the description has none' create "$study" --spec "$spec"
describe "${path/100/99}" 'direction: minimize'
refuses 'path: .*s.besd has one with another '"'cap'"'; it stays' create "$study" --spec "$spec"
describe
rm -f "$study"
runs 0 '' - create "$study" --spec "$spec"
runs 0 'trial 1' - ask "$study"
refuses 'legs: theta of this study is no path' tell "$study" 1 --scores 1,2 --legs '[null, null]'
describe "$path"
refuses 'path: .*s.besd has trials already; a path is declared before the first' create "$study" --spec "$spec"

# scores that are maximised have legs that earn
rm -f "$study"
runs 0 '' - create "$study" --spec "$spec"
runs 0 'trial 1' - ask "$study"
refuses 'earned: expected what every leg earned beside legs, because the study maximises' \
    tell "$study" 1 --scores 3,1 --legs '[[4, 17, 31], null]'
refuses 'earned\[0\]\[1\]: expected a number or null, got "x"' \
    tell "$study" 1 --scores 3,1 --legs '[[4, 17, 31], null]' --earned '[[1, "x", 2], null]'
runs 0 '^told$' - tell "$study" 1 --scores 3,1 --legs '[[4, 17, 31], null]' --earned '[[1, 0.5, 1.5], null]'
runs 0 '"legs":\[\[4.0,17.0,31.0\],null\],"earned":\[\[1.0,0.5,1.5\],null\],"asked_at"' - trials "$study" --json

# trainers: what they are asked, and what they answer
# trains SCRIPT [LINES...]: a study with this trainer in Python, which has the request in t
trains() {
    printf 'import json, sys\nt = json.load(sys.stdin)\n%s\n' "$1" >"$work/train.py"
    describe "${@:2}" 'command: python3 train.py'
    rm -f "$study"
}
answer='n = len(t["points"])
assert t["points"] == [t["theta_array"][2 * k : 2 * k + 2] for k in range(n)] and n == 2, t
print(json.dumps({"scores": [sum(t["theta_array"]), 100], "legs": [[3 * k + 1 for k in range(n + 1)], [5, None, None]]}))'
trains "$answer" "$path" 'direction: minimize'
runs 0 '^ok      legs +expected: legs: when each point' '' check "$spec"
runs 0 'those of 2 of 2 replications; 1 reached the end' '' check "$spec"
runs 0 'recommendation after 12 trials' - run "$spec" --study "$study" --quiet
grep -q 'worth it' "$work/out" && fail 'the number of points does not vary'
runs 0 '"reason":"legs".*"legs":\[\[1.0,4.0,7.0\],\[5.0,null,null\]\],"asked_at"' - trials "$study" --json
[ "$(grep -o '"legs":\[\[1.0,4.0,7.0\],\[5.0,null,null\]\]' "$work/out" | wc -l)" -eq 12 ] || fail 'legs were lost'
describe 'direction: minimize' 'command: python3 train.py'
refuses 'path: theta of the study is one of 2 points' run "$spec" --study "$study" --quiet

trains 'print(json.dumps({"scores": [1, 2], "legs": [[4, 3, 5], None]}))' "$path" 'direction: minimize'
runs 1 - 'trial 1 failed: the command gave no valid answer: legs\[0\]\[1\]: expected a time from [0-9]*, when the point before it was reached, got 3' \
    run "$spec" --study "$study" --quiet
trains 'print(json.dumps({"scores": [1, 2], "legs": [None, None]}))'
runs 1 - 'trial 1 failed: the command gave no valid answer: legs: theta of this study is no path' \
    run "$spec" --study "$study" --quiet
runs 1 'legs: theta of this study is no path' '' check "$spec"
trains 'assert "points" not in t
print(json.dumps({"scores": [t["theta"]["x1"], 2]}))'
runs 0 '' - run "$spec" --study "$study" --quiet
describe "$path" 'command: python3 train.py'
refuses 'path: .*s.besd has trials already' run "$spec" --study "$study" --quiet
trains 'print(json.dumps({"scores": [t["theta"]["x1"], 2]}))' "$path"
runs 0 '^warning legs +expected: legs: when each point' '' check "$spec"
matches 'got: no legs' "$work/out" || fail 'check says nothing of the legs that are missing'

# scores that are no times up to the cap: said by check, and what is expected is what scores are
trains 'x = t["theta_array"][0]
print(json.dumps({"scores": [150 + x, 151 + x], "legs": [[1, 2, 5], [1, 3, 6]]}))' "$path" 'direction: minimize'
runs 0 '^warning legs +' '' check "$spec"
matches 'a score of 1[5-6][0-9.]* beside a cap of 100' "$work/out" || fail "check says nothing of the cap: $(cat "$work/out")"
runs 0 'expected score at the largest tau: 1[5-6][0-9]' - run "$spec" --study "$study" --quiet

# how many points are worth it; answers are about those that are visited
trains 'n = len(t["points"])
assert 1 <= n <= 2
print(json.dumps({"scores": [20 * n + t["points"][0][0], 25 * n], "legs": [[3 * k + 1 for k in range(n + 1)], None]}))' \
    "${path/cap/fewest: 1, price: 2, cap}" 'direction: minimize'
runs 0 '^  1 of up to 2 subgoals is worth it; expected score by their number, their price included:$' - \
    run "$spec" --study "$study" --quiet
for number in 1 2; do
    matches "^ +$number  [0-9.]+, with 90 % probability between" "$work/out" || fail "nothing is expected of $number points"
done
runs 0 '^  1 of up to 2 subgoals is worth it' - recommend "$study"
matches '^  expected score at the largest tau, the price of its subgoals included: ' "$work/out" || fail 'expected: with the price?'
matches '^  best single trial: .*, luck included, the price of its subgoals not$' "$work/out" || fail 'told: without the price?'
runs 0 '"visits":1,"by_points":\[\{"points":1,"value":[0-9.]+,"low":[0-9.]+,"high":[0-9.]+\},\{"points":2,' - \
    recommend "$study" --json
runs 0 '"legs":\[\[1.0,1.0,4.0\],null\]' - trials "$study" --json # expanded to all points
runs 0 '"legs":\[\[1.0,4.0,7.0\],null\]' - trials "$study" --json

# labels
trains 'print(json.dumps({"scores": [20, 30], "legs": [[1, 4, 7], None], "labels": [1, 0]}))' \
    "${path/cap/labels: 2, cap}" 'direction: minimize'
runs 0 '' - run "$spec" --study "$study" --quiet
runs 0 '"legs":\[\[1.0,4.0,7.0\],null\],"labels":\[1,0\]' - trials "$study" --json
runs 0 'those of 1 of 2 replications; 1 reached the end; 1 of label 0, 1 of label 1' '' check "$spec"
trains 'print(json.dumps({"scores": [20, 30], "legs": [[1, 4, 7], None], "labels": [1, 2]}))' \
    "${path/cap/labels: 2, cap}" 'direction: minimize'
runs 1 - 'trial 1 failed: .*labels\[1\]: expected a whole number from 0 to 1, got 2' \
    run "$spec" --study "$study" --quiet
trains 'print(json.dumps({"scores": [20, 30], "legs": [[1, 4, 7], None]}))' \
    "${path/cap/labels: 2, cap}" 'direction: minimize'
runs 1 - 'trial 1 failed: .*labels: expected the kind of instance of every replication beside legs' \
    run "$spec" --study "$study" --quiet
for of_its_own in '' "$path"; do # no path, or no labels
    trains 'told = {"scores": [20, 30], "labels": ["cat", "dog"]}
if "points" in t:
    told["legs"] = [[1, 4, 7], None]
print(json.dumps(told))' "$of_its_own" 'direction: minimize'
    runs 0 '' - run "$spec" --study "$study" --quiet
done
describe "$path" 'direction: minimize'
runs 0 '' - create "$work/plain.besd" --spec "$spec"
runs 0 '' - ask "$work/plain.besd"
refuses 'labels: it belongs to legs, which are missing' tell "$work/plain.besd" 1 --scores 3,4 --labels '[0, 1]'
refuses 'labels: the path of this study has none' \
    tell "$work/plain.besd" 1 --scores 3,4 --legs '[[1, 2, 3], null]' --labels '[0, 1]'
describe "${path/cap/labels: 9, cap}" 'command: python3 train.py'
refuses 'path: labels: expected 2 to 8, got 9' run "$spec" --study "$work/nine.besd" --quiet
describe "${path/cap/labels: 2, cap}" 'direction: minimize'
runs 0 "" - create "$work/labelled.besd" --spec "$spec"
runs 0 "" - ask "$work/labelled.besd"
refuses 'labels: expected the kind of instance' tell "$work/labelled.besd" 1 --scores 3,4 --legs '[[1, 2, 3], null]'
refuses 'labels: it belongs to legs, which are missing' tell "$work/labelled.besd" 1 --scores 3,4 --labels '[0, 1]'
runs 0 "" - tell "$work/labelled.besd" 1 --scores 3,4 --legs '[[1, 2, 3], null]' --labels '[0, 1]'
runs 0 '"labels":\[0,1\]' - trials "$work/labelled.besd" --json
runs 0 'without subgoals' - run key2 --set labels=1 --budget 20000 --test 4 --study "$work/key2.besd" --quiet
runs 0 '"labels":\[[01],[01],[01],[01],[01]\]' - trials "$work/key2.besd" --json
sed '$a labels: 1' "$2/examples/domains/key2.yaml" >"$work/mine.yaml"
runs 0 '' - run "$work/mine.yaml" --budget 20000 --test 4 --study "$work/mine.besd" --quiet
runs 0 '"labels":\[[01],[01],[01],[01],[01]\]' - trials "$work/mine.besd" --json
refuses 'labels: expected a map with 2 to 8 layouts, this one has 18' run gw20 --set labels=1 --budget 1e6

# domains
runs 0 'objective steps; 1\.\.3 subgoals of 2 coordinates' - domains gw10 --set subgoals=1..3
runs 0 '^    subgoals +1\.\.3 ' - domains gw10 --set subgoals=1..3
runs 0 '^  [123] of up to 3 subgoals (is|are) worth it; expected steps by their number:$' - \
    run gw10 --set subgoals=1..3 --budget 60000 --test 4 --study "$work/gw10.besd" --quiet
runs 0 '"visits":[123],"by_points":\[\{"points":1,.*\{"points":3,.*"stopped":' - \
    run gw10 --set subgoals=1..3 --budget 60000 --test 4 --study "$work/gw10.besd" --quiet --json

finish
