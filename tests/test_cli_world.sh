#!/usr/bin/env bash
# domains, show, train and solve as a user meets them: exit codes, messages, JSON, same bytes.
source "$(dirname "$0")/cli.sh"
theta=7.5,3.5,1.5,8.5

# the overview and every verb's help
runs 2 - 'usage: besd VERB'
runs 0 'usage: besd VERB' - --help
runs 0 '^besd [0-9]' - --version
runs 2 - "no verb 'trian', did you mean 'train'" trian
for verb in domains show train solve; do
    runs 0 'example: besd' - $verb --help
done

# results
runs 0 '"name":"mc"' - domains --json
runs 0 'wind_high +0.02' - domains gw10
runs 0 '"wind_low":0.05' - domains gw10 --set wind=0.05 --json
runs 0 '"optimal":20.0,' - solve gw10 --instance 3 --set wind=0 --json
runs 0 '"optimal":37.0,' - solve gw20 --set wind=0 --json
runs 0 '"optimal":15.7479' - solve tr --json
runs 0 '"smallest":20.0,"largest":24.0' - solve key2 --json
runs 0 'optimal steps (8[3-9]|9[0-9]|10[0-5]) ' - solve mc --instance 1
for field in domain theta tau reps instances objective mean se success_rate cost scores seed; do
    runs 0 "\"$field\":" - train gw10 --theta $theta --tau 200 --reps 2 --instances 3 --json
done
runs 0 '"legs":\[(\[(null|[0-9]+\.0),(null|[0-9]+\.0),(null|[0-9]+\.0)\],?){6}\]' - \
    train gw10 --theta $theta --tau 200 --reps 2 --instances 3 --json
runs 0 '^  subgoal 1 reached by [0-9.]+ %, after [0-9.]+ steps on average$' - train gw10 --theta $theta --instances 20
runs 0 '"success_rate":0.0,"cost":4000.0,.*"legs":\[(\[2.0,null,null,null\],?){4}\]' - \
    train key3 --theta 1.5,1.5,5.5,5.5,8.5,2.5 --instances 4 --json
runs 0 '"theta":null' - train gw10 --no-subgoals --tau 200 --instances 2 --json
runs 0 '"curve":\[\{"interactions":100,.*"interactions":250,' - \
    train gw10 --no-subgoals --tau 250 --every 100 --instances 2 --json
runs 0 '"cost":1000.0,' - train gw10 --no-subgoals --tau 100 --reps 5 --instances 2 --json
runs 0 '"instance_mode":"fresh"' - train gw10 --no-subgoals --tau 1e2 --instance-mode fresh --json
runs 0 '"learner":"double-q"' - train tr --no-subgoals --tau 100 --learner double-q --json
runs 0 'goal reached by' - train key3 --theta 1.5,2.5,8.5,3.5,1.5,8.5 --instances 5
runs 0 'legend|S start' - show gw10 --theta $theta
runs 0 '"path":\[\{"from":\[0.5,0.5\]' - show gw10 --theta $theta --path --json
runs 0 '' - show mc --theta -0.82,0.47 --path --svg "$work/mc.svg"
grep -q '</svg>' "$work/mc.svg" || fail "show --svg wrote no figure"

# the same bytes for any number of threads
for threads in 1 2 4; do
    same grid train gw10 --theta $theta --reps 3 --instances 50 --every 300 --threads $threads --json
    same car train mc --theta -0.82,0.47 --tau 2000 --reps 5 --instances 4 --threads $threads --json
done

# what is refused: one sentence, exit code 1
refuses "no 'gw11', did you mean 'gw10'" train gw11 --no-subgoals
refuses 'theta: expected 4 numbers .*, got 3' train gw10 --theta 1,2,3
refuses 'theta\[3\]: expected a number in \[0, 10\], got 11' train gw10 --theta 1,2,3,11
refuses 'theta\[0\]: expected a number in \[0, 10\], got -?nan' train gw10 --theta nan,1,2,3
refuses 'theta\[1\]: .* got inf' show gw10 --theta 1,inf,2,3
refuses 'tau: expected 1 to [0-9]+ interactions, got 0' train gw10 --no-subgoals --tau 0
refuses 'tau: .* got -5' train gw10 --no-subgoals --tau -5
refuses 'reps: expected 1 to [0-9]+, got 0' train gw10 --no-subgoals --reps 0
refuses 'instances: expected 1 to [0-9]+, got 0' train gw10 --no-subgoals --instances 0
refuses 'every: expected 1 to tau = 1000, got 2000' train gw10 --no-subgoals --every 2000
refuses 'learner: expected q, sarsa, double-q; got .zarsa., did you mean .sarsa' \
    train gw10 --no-subgoals --learner zarsa
refuses "wind: expected a number in \[0, 1\], got '2'" train gw10 --no-subgoals --set wind=2
refuses "wind: expected a number in \[0, 1\], got 'windy'" solve gw10 --set wind=windy
refuses "cap: expected a whole number" solve gw10 --set cap=1.5
refuses "no parameter 'wnd', did you mean 'wind'" solve gw10 --set wnd=0.1
refuses "no parameter 'wind'" solve mc --set wind=0.1
refuses 'wind_low: expected at most wind_high' solve gw10 --set wind_low=0.5
refuses 'set: expected name=value' solve gw10 --set wind
refuses 'instances: expected 1 to' solve gw10 --instances 0
refuses 'No such file' solve gw10 --map "$work/nowhere"
refuses 'is not a grid world' solve mc --map "$0"

map() {
    printf '%s\n' "$@" >"$work/map"
}
map 'G..' '...'
refuses "expected one start 'S', found 0" solve gw10 --map "$work/map"
map 'S..' '...'
refuses "expected at least one goal 'G'" show gw10 --map "$work/map"
map 'S#G'
refuses 'no sequence of moves leads from the start to a goal' solve gw10 --map "$work/map" --set wind=0
map 'S.G' '..'
refuses 'map line 2: expected 3 cells as above, got 2' solve gw10 --map "$work/map"
map 'S.x.G' 'choose wall: x | y'
refuses "map line 2: 'y' is not" solve gw10 --map "$work/map"
map 'S...G' 'aa.bb' 'choose wall: a | b'
runs 0 '"optimal":4.0' - solve gw10 --map "$work/map" --set wind=0 --json

# wrong usage: exit code 2
runs 2 - 'DOMAIN is missing' train
runs 2 - 'give either --theta or --no-subgoals' train gw10
runs 2 - "no option '--instnces', did you mean '--instances'" train gw10 --no-subgoals --instnces 4
runs 2 - '--tau: expected a whole number, got .many.' train gw10 --no-subgoals --tau many
runs 2 - '--theta: expected numbers separated by commas' train gw10 --theta 1,,2
runs 2 - '--tau needs a value' train gw10 --tau
runs 2 - '--json takes no value' domains --json=yes
runs 2 - "unexpected argument 'tr'" solve gw10 tr
runs 2 - '--instance-mode: expected shared or fresh' train gw10 --no-subgoals --instance-mode odd

# an output that cannot be written is an error, not silence
checks=$((checks + 1))
"$besd" domains --json >/dev/full 2>"$work/err" && fail "a full disk went unnoticed"
grep -q 'could not be written' "$work/err" || fail "a full disk gave no sentence"
"$besd" show gw10 --svg /dev/full >"$work/out" 2>&1 && fail "a full disk under --svg went unnoticed"
finish
