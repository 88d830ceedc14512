#!/usr/bin/env bash
# Several runs of one study at once: they share its trials, none is run twice, and those of a run that was
# killed are taken over by the one that is left, or by the next.
source "$(dirname "$0")/cli.sh"
spec=$work/study.yaml
export BESD_TEST_MARK="$work"

# A trainer that notes when it begins and ends, and waits for a file `go` when there is one called `gate`.
cat >"$work/train.sh" <<'SH'
read -r trial
id=$(echo "$trial" | sed -E 's/.*"trial":([0-9]+).*/\1/')
echo "begin $id $(echo "$trial" | md5sum)" >>log
while [ -e gate ] && [ ! -e go ]; do sleep 0.02; done
sleep 0.05
echo "end $id" >>log
echo "{\"scores\": [$id, 2]}"
SH
printf '%s\n' 'theta: [{name: x, low: 0, high: 10}]' 'tau: [10]' 'reps: [2]' 'targets: 80' \
    'initial_designs: 4' 'budget: 400' 'seed: 5' 'command: sh train.sh' >"$spec"

# begin NAME [OPTIONS]: a run in the background; its process is in $job
begin() {
    "$besd" run "$spec" --study "$work/s.besd" "${@:2}" >"$work/$1.out" 2>"$work/$1.err" &
    job=$!
}

# once: every trial of the study has begun exactly once, but for these
once() {
    checks=$((checks + 1))
    grep begin "$work/log" | cut -d' ' -f2 | sort -n | uniq -d | grep -vx "${1:-none}" >"$work/twice"
    [ ! -s "$work/twice" ] || fail "run twice: $(tr '\n' ' ' <"$work/twice")"
}

# two at work: both find something to do, both end with the same recommendation
begin one
first=$job
await begun 1
begin two --jobs 2
wait $first || fail "the first run: $(cat "$work/one.err")"
wait $job || fail "the second run: $(cat "$work/two.err")"
once
checks=$((checks + 4))
[ "$(grep -c begin "$work/log")" -eq 20 ] || fail "expected 20 trials, got $(grep -c begin "$work/log")"
grep -q recommendation "$work/one.out" && grep -q recommendation "$work/two.out" || fail "a run told nothing"
[ "$(sed -n 3p "$work/one.out")" = "$(sed -n 3p "$work/two.out")" ] || fail "they recommend different designs"
[ ! -e "$work/s.besd-run" ] || fail "the file of claims was left"

# one is killed in the middle of a trial: nothing of its trainer is left, and the other takes it over
rm -f "$work"/s.besd* "$work/log"
: >"$work/gate"
begin one
first=$job
await begun 1
begin two
await begun 2
[ -e "$work/s.besd-run" ] || fail "there is no file of claims"
kill -9 $first
wait $first 2>/dev/null
await eval 'test $(left_alive | wc -l) -le 2' # the other's shell and its sleep
: >"$work/go"
wait $job || fail "the run that was left: $(cat "$work/two.err")"
once 1
checks=$((checks + 3))
[ "$(grep -c 'begin 1 ' "$work/log")" -eq 2 ] || fail "trial 1 was not taken over: $(cat "$work/log")"
[ "$(grep 'begin 1 ' "$work/log" | sort -u | wc -l)" -eq 1 ] || fail "trial 1 was run with other seeds"
runs 0 '^ +20 told' - trials "$work/s.besd"
grep -q asked "$work/out" && fail "a trial was left: $(grep asked "$work/out")"

# the last trial is somebody else's: the run that has nothing to do waits for it, and has it when that one dies
rm -f "$work"/s.besd* "$work/log" "$work/go"
sed -i 's/budget: 400/budget: 20/' "$spec"
begin one
first=$job
await begun 1
begin two
await grep -q 'waits for the last trials of another run (1)' "$work/two.err"
kill -9 $first
wait $first 2>/dev/null
await begun 2
: >"$work/go"
wait $job || fail "the run that waited: $(cat "$work/two.err")"
once 1

# the same when the other asks for the last trial while this one waits for its turn to ask
rm -f "$work"/s.besd* "$work/log" "$work/go"
sed -i 's/budget: 20/budget: 40/' "$spec"
begin one
first=$job
await begun 1
exec {turn}>"$work/s.besd-ask"
flock "$turn" # the turn is ours when trial 1 is told, and the first run cannot ask for its second
: >"$work/go"
await eval '[ "$("$besd" trials "$work/s.besd" | grep -c told)" -ge 1 ]'
sleep 0.3
kill -STOP $first
rm -f "$work/go" "$work/s.besd-ask"
exec {turn}>&-
begin two
await begun 2
kill -CONT $first
await grep -q 'waits for the last trials of another run (1)' "$work/one.err"
: >"$work/go"
wait $first || fail "the run that waited for its turn: $(cat "$work/one.err")"
wait $job || fail "the run that took its turn: $(cat "$work/two.err")"
checks=$((checks + 1))
grep -q 'recommendation after 2 trials' "$work/one.out" || fail "expected two trials: $(cat "$work/one.out")"
sed -i 's/budget: 40/budget: 20/' "$spec"

# both killed: the next run begins with their trials, seeds and all
rm -f "$work"/s.besd* "$work/log" "$work/go"
sed -i 's/budget: 20/budget: 400/' "$spec"
begin one --jobs 2
first=$job
await begun 2
begin two
await begun 3
kill -9 $first $job
wait $first $job 2>/dev/null
await alone
: >"$work/go"
begin three
wait $job || fail "the third run: $(cat "$work/three.err")"
checks=$((checks + 1))
for id in 1 2 3; do
    [ "$(grep "begin $id " "$work/log" | wc -l)" -eq 2 ] && [ "$(grep "begin $id " "$work/log" | sort -u | wc -l)" -eq 1 ] ||
        fail "trial $id: $(grep " $id" "$work/log")"
done

# somebody tells, voids or fails by hand what a run is training: that stays, and the run goes on
rm -f "$work"/s.besd* "$work/log" "$work/go"
: >"$work/gate"
begin one --jobs 3
await begun 3
runs 0 '' - tell "$work/s.besd" 1 --scores 7,8
runs 0 '' - tell "$work/s.besd" 2 --scores 7,8
runs 0 '' - void "$work/s.besd" 2
runs 0 '' - fail "$work/s.besd" 3
: >"$work/go"
wait $job || fail "the run beside a hand: $(cat "$work/one.err")"
grep -q 'trial 1 was told by somebody else' "$work/one.err" || fail "nothing was said: $(cat "$work/one.err")"
grep -q 'trial 2 was voided by somebody else' "$work/one.err" || fail "nothing was said: $(cat "$work/one.err")"
checks=$((checks + 2))
once
runs 0 '"mean":7.5' - trials "$work/s.besd" --json
rm -f "$work/gate"

# a domain's study, too
"$besd" run gw10 --study "$work/d.besd" --budget 60000 --test 5 --quiet >"$work/one.out" 2>"$work/one.err" &
first=$!
"$besd" run gw10 --study "$work/d.besd" --budget 60000 --test 5 --quiet >"$work/two.out" 2>"$work/two.err" || fail "gw10: $(cat "$work/two.err")"
wait $first || fail "gw10: $(cat "$work/one.err")"
runs 0 'told' - trials "$work/d.besd"
grep -q asked "$work/out" && fail "gw10: a trial was left: $(grep asked "$work/out")"
checks=$((checks + 1))

# all is given out, but a trial still runs: the share is of what is done
cat >"$work/second.sh" <<'SH'
read -r trial
case $trial in *'"trial":2,'*) while [ ! -e second ]; do sleep 0.02; done ;; esac
echo '{"scores": [1, 2]}'
SH
printf '%s\n' 'theta: [{name: x, low: 0, high: 10}]' 'tau: [10]' 'reps: [2]' 'initial_designs: 2' 'budget: 40' \
    'command: sh second.sh' >"$work/two.yaml"
"$besd" run "$work/two.yaml" --study "$work/two.besd" --jobs 2 >"$work/one.out" 2>"$work/one.err" &
job=$!
await grep -q '%' "$work/one.err"
: >"$work/second"
wait $job || fail "two trials: $(cat "$work/one.err")"
grep -E '%' "$work/one.err" | sed 's/, best.*//' >"$work/shares"
printf '%s\n' ' 50 %  trial 1, 40 of 40 interactions, 1 trial still runs' '100 %  trial 2, 40 of 40 interactions' | cmp -s - "$work/shares" ||
    fail "the shares of two trials: $(cat "$work/one.err")"
checks=$((checks + 1))

# somebody tells by hand what a domain's run is training: that stays, and the run goes on
cat >"$work/slow_env.py" <<PY
import os, sqlite3, sys, time
sys.path.insert(0, "$2/examples")
import process_env
def is_trial():
    return sqlite3.connect("$work/slow.besd").execute("SELECT count(*) FROM trial WHERE state = 0").fetchone()[0]
class Slow(process_env.Grid):
    def instance(self, seed):
        while "FREE" not in os.environ and os.path.exists("$work/gate") and (os.path.exists("$work/held") or is_trial()):
            open("$work/held", "w").close()
            time.sleep(0.02)
        super().instance(seed)
process_env.serve(Slow, "slow", 1)
PY
run_slowly() {
    "$besd" run "cmd:python3 $work/slow_env.py" --study "$work/slow.besd" --set tau=20 --set reps=2 --test 0 --budget "$1" --quiet
}
run_slowly 400 >"$work/one.out" 2>"$work/one.err" || fail "slow: $(cat "$work/one.err")"
: >"$work/gate"
run_slowly 600 >"$work/one.out" 2>"$work/one.err" &
job=$!
await test -e "$work/held"
runs 0 '' - trials "$work/slow.besd" --csv
asked=$(grep -E '^[0-9]+,asked' "$work/out" | cut -d, -f1)
runs 0 '' - tell "$work/slow.besd" "$asked" --scores 7,8
rm "$work/gate"
wait $job || fail "a domain's run beside a hand: $(cat "$work/one.err")"
checks=$((checks + 2))
[ "$(cat "$work/one.err")" = "besd run: trial $asked was told by somebody else; that stays" ] ||
    fail "expected one line about trial $asked, got: $(cat "$work/one.err")"
grep -q 'the budget of 600 is spent' "$work/one.out" || fail "the run did not go on: $(cat "$work/one.out")"
runs 0 "^$asked,told,.*,7 8,"  - trials "$work/slow.besd" --csv

# two runs of a domain: the one that has nothing left to ask for waits for the other
rm "$work/held"
: >"$work/gate"
run_slowly 640 >"$work/one.out" 2>"$work/one.err" &
first=$!
await test -e "$work/held"
FREE=1 "$besd" run "cmd:python3 $work/slow_env.py" --study "$work/slow.besd" --set tau=20 --set reps=2 --test 0 --budget 640 \
    >"$work/two.out" 2>"$work/two.err" &
job=$!
await grep -q 'waits for the last trials of another run (1)' "$work/two.err"
rm "$work/gate"
wait $first || fail "the domain's run that had the last trial: $(cat "$work/one.err")"
wait $job || fail "the domain's run that waited: $(cat "$work/two.err")"
checks=$((checks + 1))
grep -q recommendation "$work/two.out" && cmp -s "$work/one.out" "$work/two.out" || fail "they end differently: $(diff "$work/one.out" "$work/two.out")"

# what the other's trial did not cost is spent after all; and who does not want to wait any longer may go
rm "$work/held"
: >"$work/gate"
wait_slowly() {
    FREE=1 "$besd" run "cmd:python3 $work/slow_env.py" --study "$work/slow.besd" --set tau=20 --set reps=2 --test 0 --budget 680 \
        >"$work/$1.out" 2>"$work/$1.err" &
    job=$!
    await grep -q 'waits for the last trials of another run (1)' "$work/$1.err"
}
run_slowly 680 >"$work/one.out" 2>"$work/one.err" &
first=$!
await test -e "$work/held"
wait_slowly three
kill -INT $job
wait $job
[ $? -eq 1 ] || fail "an interrupted wait: expected exit code 1"
grep -q 'interrupted; every told trial is kept' "$work/three.err" || fail "an interrupted wait: $(cat "$work/three.err")"
[ ! -s "$work/three.out" ] || fail "an interrupted wait recommends: $(cat "$work/three.out")"
wait_slowly two
runs 0 '' - trials "$work/slow.besd" --csv
asked=$(grep -E '^[0-9]+,asked' "$work/out" | cut -d, -f1)
runs 0 '' - tell "$work/slow.besd" "$asked" --scores 7,8 --cost 0
wait $job || fail "the domain's run that was to ask again: $(cat "$work/two.err")"
grep -q 'at cost 680' "$work/two.out" || fail "some of the budget was left: $(cat "$work/two.out")"
rm "$work/gate"
wait $first || fail "the domain's run whose trial was told: $(cat "$work/one.err")"
checks=$((checks + 4))

# what a worker has asked for by name is left to it
runs 0 '' - run gw10 --study "$work/d.besd" --budget 61000 --test 0 --quiet
runs 0 '' - set "$work/d.besd" --budget 100000
runs 0 '' - ask "$work/d.besd" --worker ann --json
asked=$(grep -oE '"trial": ?[0-9]+' "$work/out" | grep -oE '[0-9]+')
runs 0 '' - run gw10 --study "$work/d.besd" --budget 100000 --test 0 --quiet
runs 0 '"state": ?"asked"' - trials "$work/d.besd" --json
runs 0 '' - trials "$work/d.besd"
grep -qE "^ *$asked .*asked" "$work/out" || fail "trial $asked was ann's: $(cat "$work/out")"
checks=$((checks + 1))
await alone
finish
