#!/usr/bin/env bash
# Robots in metres: the example, by every door through which it can be said when a subgoal is reached.
source "$(dirname "$0")/cli.sh"
source_dir=$2
cd "$work" || exit 1

sed -n 's/^ \* *\(cc -shared.*\)$/\1/p' "$source_dir/examples/rover.c" >how
[ -s how ] || fail "rover.c does not say how to build it"
(cd "$source_dir" && bash <(sed "s#-o rover.so#-Wall -Wextra -Werror -o '$work/rover.so'#" "$work/how")) ||
    fail "rover.c does not build"

# scores ARGUMENTS...: the scores of a design
scores() {
    "$besd" train ./rover.so "$@" --reps 10 --instances 5 --json | grep -o '"scores":[^]]*'
}
# mean ARGUMENTS...: their mean, as a whole number
mean() {
    scores "$@" | tr -c '0-9.\n' ' ' | awk '{ for (i = 1; i <= NF; i++) sum += $i; print int(sum / NF) }'
}

# the same robot in other units, 16 to the metre, learns the same to the last bit
metres=0.66,0.5,0.2,0.7 sixteenths=10.56,8,3.2,11.2
for how in '' cell_size=0.08:cell_size=1.28 cell_size=0.1,origin=0.05:cell_size=1.6,origin=0.8 radius=0.1:radius=1.6; do
    checks=$((checks + 1))
    first=${how%%:*} second=${how##*:}
    [ -n "$(scores --theta $metres ${first:+--set ${first//,/ --set }})" ] || fail "$how: no scores"
    [ "$(scores --theta $metres ${first:+--set ${first//,/ --set }})" = \
        "$(scores --theta $sixteenths --set units=16 ${second:+--set ${second//,/ --set }})" ] ||
        fail "$how: the robot in other units learns something else"
done

# in cells of side 1 it learns nothing, within a radius it does
checks=$((checks + 2))
[ "$(mean --theta $metres --set reach=cell)" -gt 290 ] || fail "cells larger than the arena: it learnt"
[ "$(mean --theta $metres)" -lt 200 ] || fail "within a radius: it learnt nothing"
[ "$(mean --theta $metres --set cell_size=0.08)" -lt 200 ] || fail "in small cells: it learnt nothing"

# and check says so
runs 0 'warning +reach +.*1/25 of the box' - check ./rover.so --set reach=cell --probe 30
matches 'got: it is reached in its cell of side 1, which is 1 of the box' "$work/out" || fail "$(cat out)"
matches 'fix: .*cell_size 0.08 or radius 0.04' "$work/out" || fail "no fix: $(cat out)"
matches 'warning +probe +expected: some of 30 random designs' "$work/out" || fail "no probe: $(cat out)"
runs 0 'ok +reach' - check ./rover.so
matches 'told +probe +[1-9][0-9]? of 100 random designs reach the goal' "$work/out" || fail "$(cat out)"
matches 'told +speed .*takes about .* here with its choices' "$work/out" || fail "$(cat out)"
runs 0 'no random designs were tried' - check ./rover.so --probe 0
refuses 'probe: expected 0 to 10000 random designs, got 10001' check ./rover.so --probe 10001

# what is in force is told
runs 0 'reached within 0.06 of it; legs are compared by cells of side 0.0849' - domains ./rover.so
runs 0 'reached within 0.96 of it' - domains ./rover.so --set units=16
runs 0 'potential_width +16.384' - domains ./rover.so --set units=16
runs 0 '"reaching":\{"reach":"radius","radius":0.0(6|5999)' - domains ./rover.so --json
runs 0 '"reaching":\{"reach":"cell","cell_size":2.0,"origin":\[1.0,0.5\]\}' - \
    domains gw10 --set cell_size=2 --set origin=1,0.5 --json
runs 0 'reached by passing over it' - domains mc

# a study goes on with it, and with nothing else
runs 0 'tested on 4 fresh instances' '' run ./rover.so --set radius=0.05 --budget 60000 --test 4 --study r.besd
runs 0 '' '' run ./rover.so --set radius=0.05 --budget 70000 --test 4 --study r.besd
refuses 'is about' run ./rover.so --set radius=0.07 --budget 80000 --test 4 --study r.besd

# refusals
refuses 'radius: expected a number above 0, in the units of positions, got .0.$' domains ./rover.so --set radius=0
refuses "radius: expected a number above 0, .*got '-1'" domains ./rover.so --set radius=-1
refuses "radius: expected a number above 0, .*got 'nan'" domains ./rover.so --set radius=nan
refuses 'radius: expected at most the longest side of the box of subgoals, 0.8, got 2' domains ./rover.so --set radius=2
refuses "cell_size: expected a number above 0, .*got '0'" domains ./rover.so --set cell_size=0
refuses 'origin: expected 2 numbers, as a position has, or one for all, got 3' \
    domains ./rover.so --set cell_size=0.1 --set origin=0,0,0
refuses "reach: expected cell, cross or radius, got 'radios'; did you mean 'radius'" domains ./rover.so --set reach=radios
refuses 'radius: cell_size goes with reach=cell' domains ./rover.so --set cell_size=0.1 --set radius=0.1
refuses 'reach: subgoals are crossed on positions of one number' train gw10 --no-subgoals --set reach=cross
refuses "has no parameter 'radus', did you mean 'radius'" domains gw10 --set radus=1

# a grid in YAML
grid() { # grid LINES...: with these lines at its end
    printf '%s\n' 'name: hall' 'map: |' '  G....' '  .....' '  S....' 'tau: [50]' 'reps: [5]' "$@" >hall.yaml
}
grid 'reach: radius' 'radius: 1.2'
runs 0 'reached within 1.2 of it' - domains hall.yaml
runs 0 'reached in its cell of side 1.5' - domains hall.yaml --set cell_size=1.5
grid 'cell_size: 2' 'origin: [1, 0]'
runs 0 '"cell_size":2.0,"origin":\[1.0,0.0\]' - domains hall.yaml --json
grid 'reach: disc'
refuses "hall.yaml: reach: expected cell, cross or radius, got 'disc' .field reach, line 8" domains hall.yaml
grid 'radius: 0'
refuses "hall.yaml: radius: expected a number above 0, .*field radius, line 8" domains hall.yaml
grid 'radius: 9'
refuses "hall.yaml: radius: expected at most the longest side .*field radius, line 8" domains hall.yaml
grid 'cell_size: 2' 'radius: 1' # the cells of the map have that side
runs 0 '\[0, 10\] x \[0, 6\]' - domains hall.yaml
runs 0 'reached within 1 of it' - domains hall.yaml
grid 'cell_size: 0'
refuses "hall.yaml: cell_size: expected the side of a cell .*field cell_size, line 8" domains hall.yaml
grid 'cell_size: 0.1' 'origin: [1, .nan]'
refuses "hall.yaml: .*origin" domains hall.yaml
grid 'cell_size: 2' 'origin: [1]'
refuses "hall.yaml: .*origin" domains hall.yaml

# a process
if python=$(command -v python3); then
    sed 's/"reach": "cell"/"reach": "radius", "radius": 1.5/' "$source_dir/examples/process_env.py" >near.py
    cmp -s near.py "$source_dir/examples/process_env.py" && fail "process_env.py has another spec"
    runs 0 'reached within 1.5 of it' - domains "cmd:$python near.py"
    runs 0 'goal reached' - train "cmd:$python near.py" --theta 7.5,3.5,1.5,8.5 --instances 2
    sed -i 's/"radius": 1.5/"radius": 15/' near.py
    refuses 'its answer to spec: radius: expected at most the longest side' domains "cmd:$python near.py"
fi

# a path in a study
study() { # study PATH
    printf '%s\n' 'theta: [{name: x, low: 0, high: 0.8}, {name: y, low: 0, high: 0.8}]' 'tau: [10]' 'reps: [2]' \
        'budget: 100' "path: $1" 'command: sh train.sh' >study.yaml
}
echo "echo '{\"scores\": [1, 2]}'" >train.sh
study '{points: 1, cap: 300, cell: 0.08, origin: [0.04, 0]}'
runs 0 '"passed":true' - check study.yaml --probe 6 --json
matches 'the best of 6 is 1.5' "$work/out" || fail "designs of a trainer: $(cat out)"
study '{points: 1, cap: 300, cell: 0.08, origin: [0.04]}'
refuses 'path: origin: expected 2 numbers, got 1' check study.yaml
study '{points: 1, cap: 300, origin: [0.04, 0]}'
refuses 'path: origin: expected 0 where there are no cells' check study.yaml
finish
