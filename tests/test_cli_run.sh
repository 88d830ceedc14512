#!/usr/bin/env bash
# besd run: where a study lies and what it belongs to, budgets, and refusals that name the cause.
source "$(dirname "$0")/cli.sh"
sources=$2
mkdir "$work/lab"
cat >"$work/lab/rooms.yaml" <<'YAML'
name: rooms
map: |
  G.......
  aaaa....
  bbbb....
  S.......
choose:
  - wall: [a, b]
wind: 0.02
tau: [100, 200]
reps: [2]
initial_designs: 2
YAML
cat >"$work/lab/lamp.yaml" <<'YAML'
tau: [10]
reps: [2]
theta:
  - {name: x, low: 0, high: 10}
initial_designs: 4
budget: 100
seed: 5
command: 'echo "{\"scores\": [1, 2]}"'
YAML
rooms=$work/lab/rooms.yaml lamp=$work/lab/lamp.yaml

# exists FILE...
exists() {
    checks=$((checks + 1))
    for file; do [ -e "$file" ] || fail "$file is not there"; done
}
# inside FOLDER ARGUMENTS...: besd in this folder
inside() { (cd "$1" && "$besd" "${@:2}") >"$work/out" 2>"$work/err" || fail "besd ${*:2}: $(cat "$work/err")"; }

# the study lies beside its description, of a domain or with a trainer; an old one where it was is found
mkdir "$work/elsewhere"
inside "$work/elsewhere" run ../lab/rooms.yaml --budget 4000 --test 0 --quiet
inside "$work/elsewhere" run ../lab/lamp.yaml --quiet
exists "$work/lab/rooms-1.besd" "$work/lab/lamp-5.besd"
[ -z "$(ls "$work/elsewhere")" ] || fail "something was put into the current folder: $(ls "$work/elsewhere")"
for file in rooms-1 lamp-5; do mv "$work/lab/$file.besd" "$work/elsewhere"; done
inside "$work/elsewhere" run ../lab/rooms.yaml --budget 5000 --test 0 --quiet
matches 'note: the study is rooms-1.besd in the current folder' "$work/err" || fail "an old place: $(cat "$work/err")"
inside "$work/elsewhere" run ../lab/lamp.yaml --quiet
matches 'note: the study is lamp-5.besd in the current folder' "$work/err" || fail "an old place: $(cat "$work/err")"
mv "$work/elsewhere"/*.besd "$work/lab"

# scores that are all the same: said when the initial design is over, and at the end, and in the JSON
sed 's/\[1, 2\]/[7, 7]/' "$work/lab/lamp.yaml" >"$work/lab/dark.yaml"
runs 0 'note: all 5 trials have scored the same.*show partial success' '^note: all 2 trials have scored the same' \
    run "$work/lab/dark.yaml"
runs 0 '"alike":5,"warning":"all 5 trials have scored the same' - recommend "$work/lab/dark-5.besd" --json

# no test at the end, in both forms
runs 0 'go on with a larger budget' - run "$rooms" --test 0 --quiet
matches 'tested on' "$work/out" && fail "--test 0 tested"
runs 0 '"stopped":"the budget of 5000 is spent"\}$' - run "$rooms" --test 0 --quiet --json
runs 2 - '--test takes 0 or more' run "$rooms" --test -1
runs 2 - '--test 0: ql does nothing but its test' run gw10 --method ql --test 0

# the study alone is enough, wherever one stands, with what was set
runs 0 '' - run "$rooms" --set cap=100 --study "$work/set.besd" --budget 4000 --test 0 --quiet
inside "$work/elsewhere" run "$work/set.besd" --budget 5000 --test 0 --quiet
matches 'the budget of 5000 is spent' "$work/out" || fail "set.besd did not go on: $(cat "$work/out")"
printf 'S..\n...\n..G\n' >"$work/lab/small.txt"
(cd "$work/lab" && "$besd" run gw10 --map small.txt --study "$work/map.besd" --budget 40000 --test 0 --quiet) >/dev/null 2>"$work/err" ||
    fail "--map: $(cat "$work/err")"
inside "$work/elsewhere" run "$work/map.besd" --budget 50000 --test 0 --quiet

# plain learning that needs no help is told so; what to go on with is more than was spent
printf 'SG\n' >"$work/lab/short.txt"
runs 0 'so no subgoals are needed: learning without them achieves the best there is' - run gw10 --map "$work/lab/short.txt" \
    --set wind=0 --study "$work/short.besd" --budget 60000 --test 20 --quiet
runs 0 ' --budget 120000$' - run gw10 --map "$work/lab/short.txt" --set wind=0 --study "$work/short.besd" --budget 60000 --test 0 --quiet
runs 0 " --budget 1[0-9]{5}\$" - run gw10 --map "$work/lab/short.txt" --set wind=0 --study "$work/short.besd" --budget 7000 --test 0 --quiet

# another domain: which constants differ
refuses 'constants differ from those that the study in .*set.besd was begun with: cap 100 → 500; choose another --study' \
    run "$rooms" --study "$work/set.besd"
runs 0 'no baseline: learning without subgoals was not measured, because it costs more than a tenth of the budget' - run gw10 --study "$work/gw.besd" --budget 30000 --test 0 --quiet
runs 0 'without any design' - run gw10 --study "$work/dear.besd" --budget 60000 --test 0 --quiet
! matches 'not compared' "$work/out" || fail "compared, and said not to be: $(cat "$work/out")"
refuses 'begun with: wind_low 0 → 0.1, wind_high 0.02 → 0.1; choose' run gw10 --set wind=0.1 --study "$work/gw.besd"
refuses 'begun with: map; choose' run gw10 --map "$work/lab/small.txt" --study "$work/gw.besd"
refuses "is about 'gw10', got 'tr'" run tr --study "$work/gw.besd"
refuses 'instance-mode: the study in .* was begun with fresh instances, got shared' run gw10 --study "$work/gw.besd" --instance-mode shared
sed -i 's/wind: 0.02/wind: [0, 0.03]/' "$rooms"
refuses 'wind_low 0.02 → 0, wind_high 0.02 → 0.03; choose' run "$work/set.besd"
mv "$rooms" "$work/lab/gone.yaml"
refuses "its domain cannot be loaded any more: .*rooms.yaml: No such file.*; say 'besd run DOMAIN --study" run "$work/set.besd"
mv "$work/lab/gone.yaml" "$rooms"

# a program is not started on the word of a file: it says what to type
cat >"$work/env.sh" <<'SH'
#!/bin/sh
: >"$(dirname "$0")/started"
exec python3 "$(dirname "$0")/my_env.py"
SH
chmod +x "$work/env.sh"
cp "$sources/examples/process_env.py" "$work/my_env.py"
if command -v python3 >/dev/null; then
    runs 0 '' - run "cmd:$work/env.sh" --study "$work/cmd.besd" --set tau=20 --set reps=2 --budget 500 --test 0 --quiet
    rm -f "$work/started"
    refuses "is a program; besd does not start programs that a file names; say: besd run 'cmd:.*env.sh' --set 'tau=20' --set 'reps=2' --study" \
        run "$work/cmd.besd"
    [ ! -e "$work/started" ] || fail "a study's file has started a program"
    # and nobody types what leaves its quotation marks
    for set in "x=1'; touch started; '" null; do
        python3 - "$work/cmd.besd" "$set" <<'PY'
import json, sqlite3, sys
c = sqlite3.connect(sys.argv[1])
name = c.execute("SELECT value FROM text WHERE key = 'note:domain_origin'").fetchone()[0]
origin = {**json.loads(name), "set": [None if sys.argv[2] == "null" else sys.argv[2]]}
c.execute("UPDATE text SET value = ? WHERE key = 'note:domain_origin'", [json.dumps(origin)])
c.commit()
PY
        refuses "is a program; .*; say: besd run DOMAIN --study" run "$work/cmd.besd"
    done
fi

# a run that is refused changes nothing; a smaller budget is obeyed
budget_is() {
    runs 0 "the budget of $1 is spent" - run "$work/gw.besd" --test 0 --quiet
}
refuses 'constants differ' run gw10 --set wind=0.1 --study "$work/gw.besd" --budget 90000
budget_is 30000
sed 's/echo/printf/' "$lamp" >"$work/lab/other.yaml"
refuses 'was begun with' run "$work/lab/other.yaml" --study "$work/lab/lamp-5.besd" --budget 9000
runs 0 'the budget of 100 is spent' - run "$lamp" --quiet
runs 0 'the budget of 140 is spent' - run "$lamp" --quiet --budget 140
runs 0 'the budget of 60 is spent' - run "$lamp" --quiet --budget 60
runs 0 '"cost":140.0' - recommend "$work/lab/lamp-5.besd" --json
runs 0 'the budget of 20000 is spent' - run "$work/gw.besd" --budget 20000 --test 0 --quiet

# a budget that pays for nothing: what would
refuses 'budget: 10 does not pay for a single trial; the first costs 1000, and 300000 would do for a small study' \
    run gw10 --budget 10 --study "$work/never.besd"
refuses 'budget: 5 does not pay for a single trial; the first costs 20, and 267 would do' run "$lamp" --budget 5 --study "$work/never.besd"
[ ! -e "$work/never.besd" ] || fail "a refused run has made a study"

# the remaining time is told when there is something to judge by, not after the first trial of a resumed run
"$besd" run gw10 --study "$work/gw.besd" --budget 60000 --test 0 >"$work/out" 2>"$work/err" || fail "resumed: $(cat "$work/err")"
checks=$((checks + 1))
grep '%  trial' "$work/err" | head -1 | grep -q 'left' && fail "the first step was judged by: $(head -2 "$work/err")"
matches '%  trial .*, 0:[0-5][0-9] left at this pace$' "$work/err" || fail "no remaining time: $(cat "$work/err")"

# files that are something else
refuses 'docs/study.md: it is neither a domain nor a study nor the description of one; expected a built-in domain, FILE.yaml' \
    run "$sources/docs/study.md"
refuses "lamp.yaml is a description of a study, not a study; its study is in $work/lab/lamp-5.besd: besd recommend $work/lab/lamp-5.besd" recommend "$lamp"
refuses 'lamp.yaml is a description of a study, not a study; its study is in .*: besd trials .*lamp-5.besd' trials "$lamp"
refuses 'lamp.yaml describes a study with a trainer of its own, and no domain; its study is in .*lamp-5.besd' show "$lamp"
mv "$work/lab/lamp-5.besd" "$work/lab/moved.besd"
refuses "not a study; 'besd run .*lamp.yaml' makes one of it" recommend "$lamp"

# lines of what is wrong in theta, in whatever style it is written
printf '%s\n' '  - name: y' '    low: 3' '    high: 2' >"$work/coordinate"
sed "/name: x/r $work/coordinate" "$lamp" >"$work/lab/box.yaml"
refuses 'y: expected a box with low < high, got low 3 and high 2 \(line: 5\)' run "$work/lab/box.yaml"
sed -i 's/name: y/name: x/; s/high: 2$/high: 4/' "$work/lab/box.yaml"
refuses "theta: the name 'x' is given twice \(line: 5\)" run "$work/lab/box.yaml"

# what a worker has by name is left to it
runs 0 '' - run gw10 --budget 12000 --study "$work/shared.besd" --quiet --test 0
runs 0 '' - set "$work/shared.besd" --budget 20000
runs 0 'trial [0-9]+: ' - ask "$work/shared.besd" --worker robot --lease 600
taken=$(grep -oE '^trial [0-9]+' "$work/out" | grep -oE '[0-9]+')
BESD_WHO=ada runs 0 '' '^note: the budget is 14000 now, it was 20000$' run gw10 --budget 14000 --study "$work/shared.besd" --test 0
runs 0 "^ *$taken asked" - trials "$work/shared.besd"
runs 0 'told +trial [0-9]+ +by ada' - events "$work/shared.besd"

# wind as one number is the same as twice that number
sed 's/wind: .*/wind: 0.05/' "$rooms" >"$work/lab/one.yaml"
sed 's/wind: .*/wind: [0.05, 0.05]/' "$rooms" >"$work/lab/two.yaml"
same wind show "$work/lab/one.yaml" --json
same wind show "$work/lab/two.yaml" --json
sed 's/wind: .*/wind: 2/' "$rooms" >"$work/lab/one.yaml"
refuses 'wind.*line 9' show "$work/lab/one.yaml"

# comparisons: a budget for each, for the others, and one for domains of one's own
compare() { runs 0 "$1" - compare "$rooms" gw10 --methods random --replications 1 --test 2 --at-points --quiet --out "$work/$2" "${@:3}"; }
compare '^gw10: .*budget 20000$' both --budget gw10=20000,rooms=3000
matches '^rooms: .*budget 3000$' "$work/out" || fail "rooms: $(cat "$work/out")"
compare '^rooms: .*budget 5000$' others --budget gw10=20000,5000
compare '^rooms: .*budget [1-9][0-9]+$' own --budget gw10=20000
# their maps are kept with a comparison, so that paths can be drawn
if command -v gnuplot >/dev/null; then
    runs 0 '' - compare "$rooms" --methods besd --replications 1 --test 2 --at-points --quiet --out "$work/mine" --budget 4000
    mv "$rooms" "$work/lab/gone.yaml"
    runs 0 'paths.svg' - plot paths "$work/mine"
    matches 'ROOMS' "$work/mine/paths.svg" || fail "there are no paths in rooms"
    mv "$work/lab/gone.yaml" "$rooms"
    for file in "$work/mine"/map-*.txt; do echo '?!' >"$file"; done # damaged, and not there
    refuses 'paths: besd was run in no domain whose map is known' plot paths "$work/mine"
    rm "$work/mine"/map-*.txt
    refuses 'paths: besd was run in no domain whose map is known' plot paths "$work/mine"
fi
refuses "budget: expected one of the domains that are compared, got 'gw'" compare gw10 --budget gw=3 --out "$work/none"
refuses "expected a number above 0, or DOMAIN=NUMBER for each, got 'gw10=x'" compare gw10 --budget gw10=x --out "$work/none"
[ ! -e "$work/none" ] || fail "a refused comparison has made its folder"
finish
