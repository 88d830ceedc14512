#!/usr/bin/env bash
# Processes as environments: the example, every way to break the protocol, and that nothing is left
# behind. Each refusal must come before a fault of 60 seconds would be over, with one sentence.
source "$(dirname "$0")/cli.sh"
source_dir=$2
python3=$(python3 -c 'import sys; print(sys.executable)') || { echo "skipped: there is no python3"; exit 0; }
example="cmd:$python3 $source_dir/examples/process_env.py"
faulty="cmd:$python3 $source_dir/tests/faulty_env.py"
theta=7.5,3.5,1.5,8.5
export BESD_TEST_MARK="$work" # what our children can be told by

# breaks FAULT PATTERN [ARGUMENTS...]: training on this fault is refused with this sentence
breaks() {
    local fault=$1 pattern=$2 begin
    shift 2
    begin=$(date +%s)
    refuses "$pattern" train "$faulty $fault 2>/dev/null" --no-subgoals --instances 16 --threads 1 "$@"
    [ $(($(date +%s) - begin)) -le 50 ] || fail "$fault: it took too long to notice"
}

# results: any number of threads and lanes gives the same bytes
runs 0 'python-grid: the process' - domains "$example"
runs 0 'tau \{200, 600, 1000\}, reps \{5, 20\}' - domains "$example"
runs 0 'goal reached by' - train "$example" --theta $theta --instances 16
for threads in 1 2 3; do
    same lanes train "$example" --theta $theta --instances 24 --tau 300 --set wind=0.2 --every 100 --threads $threads --json
done
same lanes train "$example 1" --theta $theta --instances 24 --tau 300 --set wind=0.2 --every 100 --threads 1 --json
same lanes train "$example 7" --theta $theta --instances 24 --tau 300 --set wind=0.2 --every 100 --threads 2 --json
runs 0 '"learner":"sarsa"' - train "$example" --theta $theta --instances 2 --learner sarsa --json
runs 0 'greedy episode after 1000' - show "$example" --theta $theta --path
runs 0 '"passed":true' - check "$example" --json
runs 0 'tested on 4 fresh instances' '' run "$example" --budget 40000 --test 4 --study "$work/p.besd"
runs 0 '"passed":true' - check "$faulty honest 4" --json

# what does not start, and what says no
refuses 'exit code 127 \(command not found\)' train "cmd:besd-nonesuch 2>/dev/null" --no-subgoals
refuses 'exit code 0 while an answer was due' train "cmd:true" --no-subgoals
refuses 'it says: ValueError: expected the parameters wind and cap, got wnd' train "$example" --no-subgoals --set wnd=1
refuses "reset_timeout: expected a number" train "$example" --no-subgoals --set reset_timeout=0

# hello and spec
breaks version 'answer to hello: expected protocol 1, got 2'
breaks name 'answer to hello: expected "name" as a word without blanks'
breaks lanes '"lanes" as a whole number from 1 to 16, got 99'
breaks no-cap 'expected "cap" as a whole number from 1 to [0-9]+, got nothing'
breaks low 'answer to spec: expected "low" as a list of 2 numbers, got \[0\]'
breaks box 'expected low\[1\] < high\[1\], got 0 and 0'
breaks reach "its answer to spec: reach: expected cell, cross or radius, got 'touch'"
breaks setting "gamma: expected a number in \[0, 1\], got '7'"

# reset and step
breaks hang-reset 'gave no answer within 0.5 seconds' --set reset_timeout=0.5
breaks hang-step 'gave no answer within 0.5 seconds' --set step_timeout=0.5
breaks dribble 'gave no answer within 0.5 seconds' --set step_timeout=0.5
breaks reset-reward 'answer to reset: expected reward 0 and end 0'
breaks exit 'ended with exit code 3 while an answer was due'
breaks killed 'was killed by signal 9 while an answer was due'
breaks closes 'closed its standard output while an answer was due'
breaks rubbish "answer to step is not JSON: '<html>hello"
breaks partial "ended in the middle of a line, after '\{\"step\":\[\[1,'"
breaks long 'sent a line of over 1048576 bytes'
breaks two-lines 'sent more than one line for one message'
breaks state 'expected a state from 0 to 19, got \[20,'
breaks state-real 'expected a state from 0 to 19, got \[1.5,'
breaks position 'expected observation 0 in its declared range \[0, 20\]'
breaks nan 'is not JSON, which has no NaN and no infinity'
breaks null 'expected a number as reward'
breaks end 'expected 0, 1 \(terminated\) or 2 \(truncated\) as end'
breaks short-row 'expected a row of 5: state, reward, end and 2 numbers'
breaks few-rows 'expected a list of 8 rows'
breaks other-key 'expected \{"step": ...\}'
breaks list 'expected \{"step": ...\}'
breaks bytes 'answer to step is not JSON'
breaks error 'it says: the arm has hit the wall'
breaks no-truncation 'expected truncation \(end 2\) after the cap of 200 steps'
runs 1 'the environment failed: its answer to step: expected a state' - check "$faulty state"
runs 1 'the environment failed: expected truncation' - check "$faulty no-truncation"
for learner in sarsa double-q; do
    breaks state 'expected a state from 0 to 19' --learner $learner
done
breaks hang-reset 'gave no answer within 0.5 seconds' --set reset_timeout=0.5 --learner sarsa

# Ctrl-C stops besd between two trials, not the child in the middle of one; and the study goes on
"$besd" run "$example" --budget 10000000 --quiet --study "$work/int.besd" >"$work/out" 2>"$work/err" &
job=$!
await eval '[ "$("$besd" trials "$work/int.besd" 2>/dev/null | grep -c told)" -ge 2 ]'
kill -INT $job
wait $job
code=$?
checks=$((checks + 1))
[ $code -eq 1 ] || fail "an interrupted run ended with exit code $code, expected 1"
grep -q "interrupted; every told trial is kept" "$work/err" || fail "Ctrl-C: $(head -c 300 "$work/err")"
grep -q "besd run 'cmd:.*' --study" "$work/err" || fail "Ctrl-C: how to go on is not quoted"
grep -q asked <<<"$("$besd" trials "$work/int.besd")" && fail "Ctrl-C left a trial half done"

# kill -9 of besd ends its children too
"$besd" run "$example" --budget 10000000 --quiet --study "$work/kill.besd" >/dev/null 2>&1 &
job=$!
sleep 1
kill -9 $job
wait $job 2>/dev/null

# a child that does not end when it should is ended
runs 0 'goal reached' - train "$faulty stays" --no-subgoals --instances 2 --threads 1

# nothing is left behind: no process of this test but itself
left=$(grep -lsz "^BESD_TEST_MARK=$work\$" /proc/[0-9]*/environ 2>/dev/null | grep -oE '[0-9]+' |
    while read -r id; do grep -qs 'faulty_env\|process_env' "/proc/$id/cmdline" && echo "$id"; done)
checks=$((checks + 1))
[ -z "$left" ] || fail "processes are left: $left"
finish
