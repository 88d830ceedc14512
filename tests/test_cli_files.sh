#!/usr/bin/env bash
# What can happen to a study's file: it goes while it is used, has an odd name, is old, damaged or begun by
# several at once; and what is printed cannot be written.
source "$(dirname "$0")/cli.sh"
source=$2
study=$work/s.besd
command -v sqlite3 >/dev/null || exit 77

# describe COMMAND BUDGET: a study with this trainer
describe() {
    printf '%s\n' 'theta: [{name: x, low: 0, high: 10}]' 'tau: [10, 40]' 'reps: [2]' 'targets: 40' \
        "budget: $2" "command: '$1'" >"$work/study.yaml"
}

# goes NAME COMMAND...: removes or replaces the file under a run, which must tell and not say that all is well
goes() {
    local name=$1
    shift
    checks=$((checks + 1))
    "$besd" "$@" >"$work/out" 2>"$work/err" </dev/null &
    local run=$!
    for _ in $(seq 500); do
        [ -e "$study" ] && [ "$(sqlite3 "$study" 'SELECT count(*) FROM trial' 2>/dev/null)" -ge 2 ] 2>/dev/null && break
        sleep 0.02
    done
    if [ "$name" = removed ]; then
        rm "$study"
    else # at once: between the two it would be removed
        echo 'something else' >"$work/other"
        mv "$work/other" "$study"
    fi
    wait $run
    local code=$?
    [ $code -eq 1 ] || fail "$name: expected exit code 1, got $code"
    grep -Eq "s.besd: the file was $name .* put it back" "$work/err" || fail "$name: $(tail -3 "$work/err")"
    grep -q 'the study is in' "$work/out" && fail "$name: says where the study is, which is gone"
    rm -f "$study"*
}

goes removed run gw20 --study "$study" --budget 4000000 --quiet
goes replaced run gw20 --study "$study" --budget 4000000 --quiet
describe 'sleep 0.1; echo "{\"scores\": [1, 2]}"' 4000
goes removed run "$work/study.yaml" --study "$study" --quiet

# a name is a name
(
    cd "$work" || exit 1
    "$besd" run gw10 --study 'file:l.besd?mode=memory' --budget 40000 --test 2 --quiet >out 2>err
) || fail "file:l.besd?mode=memory: $(cat "$work/err")"
[ -s "$work/file:l.besd?mode=memory" ] || fail "the study of an odd name was not kept"
(cd "$work" && "$besd" recommend 'file:l.besd?mode=memory' >out 2>err) || fail "an odd name: $(cat "$work/err")"

# a long name leaves room for the reason
long=$work/$(printf 'x%.0s' $(seq 230))
long=$long/$(printf 'y%.0s' $(seq $((490 - ${#long}))))
mkdir -p "$long"
describe 'echo "{\"scores\": [1, 2]}"' 400
runs 0 'the study is in /.*yyy/t.besd;' '' run "$work/study.yaml" --study "$long/t.besd" --quiet
sqlite3 "$long/t.besd" 'CREATE TABLE more(x)'
refuses "^besd trials: /.*xxx\.\.\.xxx.*/t\.besd: it has the table 'more', which a besd study does not have$" \
    trials "$long/t.besd"
mkdir -p "$long/$long"
: >"$long/$long/s.besd"
refuses '^besd trials: /.*\.\.\..*/s\.besd: it cannot be opened: .* longer than SQLite takes' trials "$long/$long/s.besd"

# three that begin one new study at once: one makes it, the others join it
for round in 1 2 3; do
    rm -f "$study"*
    for i in 1 2 3; do
        "$besd" run gw10 --study "$study" --budget 60000 --test 2 --quiet >"$work/out.$i" 2>"$work/err.$i" &
        eval "run$i=$!"
    done
    for i in 1 2 3; do
        eval "wait \$run$i" || fail "round $round, run $i: $(cat "$work/err.$i")"
        checks=$((checks + 1))
    done
done
# with a trainer one is at work and the others say so
describe 'sleep 0.3; echo "{\"scores\": [1, 2]}"' 100
rm -f "$study"*
for i in 1 2 3; do
    "$besd" run "$work/study.yaml" --study "$study" --quiet >"$work/out.$i" 2>"$work/err.$i" &
    eval "run$i=$!"
done
good=0
for i in 1 2 3; do
    checks=$((checks + 1))
    if eval "wait \$run$i"; then
        good=$((good + 1))
    else
        grep -q "another 'besd run' is at work on" "$work/err.$i" || fail "run $i: $(cat "$work/err.$i")"
    fi
done
[ $good -ge 1 ] || fail "none of three runs made the study"

# a trainer that costs nothing ends
describe 'echo "{\"scores\": [1, 2], \"cost\": 0}"' 4000
rm -f "$study"*
refuses '100 trials in a row cost 0; the run stops, because the budget would never be spent' run "$work/study.yaml" --study "$study" --quiet
[ "$(sqlite3 "$study" 'SELECT count(*) FROM trial')" = 100 ] || fail "expected 100 free trials"

# a missing trial is damage, and so is a trigger
cp "$study" "$work/hole.besd"
sqlite3 "$work/hole.besd" 'DELETE FROM score WHERE trial = 3; DELETE FROM trial WHERE id = 3'
for verb in trials recommend ask report; do
    runs 1 - 'hole.besd: it is damaged: (trial 3 is|some of its trials are) missing' $verb "$work/hole.besd"
done
runs 1 - 'hole.besd: it is damaged: trial 3 is missing' tell "$work/hole.besd" 3 --scores 1,2
cp "$study" "$work/trigger.besd"
sqlite3 "$work/trigger.besd" 'CREATE TRIGGER t BEFORE UPDATE ON trial BEGIN SELECT RAISE(IGNORE); END'
for verb in trials recommend ask report; do
    runs 1 - "trigger.besd: it has the trigger 't', which a besd study does not have" $verb "$work/trigger.besd"
done
runs 1 - "trigger 't'" tell "$work/trigger.besd" 3 --scores 1,2
cp "$study" "$work/large.besd"
sqlite3 "$work/large.besd" 'UPDATE trial SET model_mean = 1e308 WHERE id = 3'
for verb in trials recommend ask; do
    runs 1 '' 'large.besd: trial 3 is damaged' $verb "$work/large.besd"
done

# the clock is set back: what was asked has been asked just now
sqlite3 "$study" "UPDATE trial SET state = 0, asked_at = datetime('now', '+3 days') WHERE id = 100"
runs 0 'asked 0 seconds ago' - trials "$study"
sqlite3 "$study" "UPDATE trial SET asked_at = 'tomorrow' WHERE id = 100"
runs 1 '' 's.besd: trial 100 is damaged' trials "$study"

# looking at an old study does not change it
sqlite3 "$work/old.besd" <"$source/tests/data/study-1.sql"
cp "$work/old.besd" "$work/old.copy"
runs 0 'failed' - trials "$work/old.besd"
runs 0 '6.47' - recommend "$work/old.besd"
runs 0 'expected score' - predict "$work/old.besd" --theta 5,0
runs 0 '' '' certify "$work/old.besd"
runs 0 'old.html' '' report "$work/old.besd" --out "$work/old.html"
cmp "$work/old.besd" "$work/old.copy" || fail "looking at an old study changed it"
runs 0 'told' - tell "$work/old.besd" 11 --scores 40,41
[ "$(sqlite3 "$work/old.besd" 'PRAGMA user_version')" = 5 ] || fail "a tell did not bring the study up to date"

# one description, one document
describe 'echo "{\"scores\": [1, 2]}"' 400
printf '%s\n' '---' 'budget: 1' >>"$work/study.yaml"
refuses 'study.yaml: a second document begins \(line: 7\), expected one' create "$work/two.besd" --spec "$work/study.yaml"
describe 'echo "{\"scores\": [1, 2]}"' 400
printf '%s\n' '...' '[' >>"$work/study.yaml"
refuses 'study.yaml: .*<document start>' create "$work/two.besd" --spec "$work/study.yaml"
cp "$source/examples/domains/gw10.yaml" "$work/gw10.yaml"
printf '%s\n' '---' 'cap: 1' >>"$work/gw10.yaml"
refuses 'gw10.yaml: a second document begins' domains "$work/gw10.yaml"
describe 'echo "{\"scores\": [1, 2]}"' 400
sed -i '1i ---' "$work/study.yaml"
runs 0 'a study of 1 coordinate' - create "$work/one.besd" --spec "$work/study.yaml"

# what cannot be written is told
for words in --help --version help 'trials --help' 'run --help' "trials $study.x --help"; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    "$besd" $words >/dev/full 2>"$work/err" && fail "besd $words >/dev/full: expected exit code 1"
    grep -q 'standard output could not be written: No space left' "$work/err" || fail "besd $words: $(cat "$work/err")"
done
finish
