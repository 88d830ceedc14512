#!/usr/bin/env bash
# Plugins as their authors meet them: the example, every way to get the table wrong, every check.
source "$(dirname "$0")/cli.sh"
source_dir=$2
cd "$work" || exit 1

# build FAULT: ./FAULT.so is the corridor of faulty_plugin.c with this fault
build() {
    cc -shared -fPIC -O1 -DFAULT="$1" -I"$source_dir/include" -o "$1.so" \
        "$source_dir/tests/faulty_plugin.c" -lm || fail "faulty_plugin.c with $1 does not compile"
}

# fails_check NAME PATTERN FAULT: `besd check` fails in the check of this name, with this in its got or fix
fails_check() {
    build "$3"
    runs 1 "\"name\":\"$1\",\"verdict\":\"failed\",\"got\":\"[^\"]*$2" - check "./$3.so" --json
    grep -q '"fix":"' "$work/out" || fail "check of $3: no fix"
    [ "$(grep -o '"verdict":"failed"' "$work/out" | wc -l)" -le "${4:-1}" ] ||
        fail "check of $3: more than ${4:-1} failed: $(cat "$work/out")"
}

# the example, built as its first comment says
sed -n 's/^ \* *\(cc -shared.*\)$/\1/p' "$source_dir/examples/delivery.c" >how
[ -s how ] || fail "delivery.c does not say how to build it"
(cd "$source_dir" && bash <(sed "s#-o delivery.so#-Wall -Wextra -Werror -o '$work/delivery.so'#" "$work/how")) ||
    fail "delivery.c does not build"
[ "$(wc -l <"$source_dir/examples/delivery.c")" -lt 150 ] || fail "delivery.c has 150 lines or more"
runs 0 'subgoals at .*' - train ./delivery.so --theta 1.5,7.5,8.5,4.5 --instances 20
runs 0 '"domain":"delivery"' - train delivery.so --no-subgoals --instances 4 --json
runs 0 'tau \{300, 900, 1500\}, reps \{5, 20\}' - domains ./delivery.so
runs 0 'tau \{100, 200\}, reps \{3\}' - domains ./delivery.so --set tau=100,200 --set reps=3
runs 0 'greedy episode' - show ./delivery.so --theta 1.5,7.5,8.5,4.5 --path
runs 0 '"fingerprint":null' - show ./delivery.so --json
runs 0 '12 checks, 0 failed' - check ./delivery.so
runs 0 '"passed":true' - check ./delivery.so --set slip=0.1 --json
for threads in 1 2 4; do
    same plugin train ./delivery.so --theta 1.5,7.5,8.5,4.5 --instances 30 --set slip=0.05 --threads $threads --json
done
runs 0 'tested on 20 fresh instances' '' run ./delivery.so --budget 60000 --test 20 --study d.besd
runs 0 '' '' run ./delivery.so --budget 61000 --test 20 --study d.besd
refuses "begun with: slip default → 0.2; choose" run ./delivery.so --set slip=0.2 --study d.besd --quiet
refuses 'environment delivery: expected slip' train ./delivery.so --no-subgoals --set slip=2
refuses 'environment delivery: expected slip .* got wind = 1' train ./delivery.so --no-subgoals --set wind=1
refuses 'tau: expected up to 8 whole numbers' train ./delivery.so --no-subgoals --set tau=5,5
refuses 'reps: expected up to 8 whole numbers' train ./delivery.so --no-subgoals --set reps=0
refuses 'initial_designs: expected one number' train ./delivery.so --no-subgoals --set initial_designs=1,2
refuses "objective: expected steps or return, got 'points'" train ./delivery.so --no-subgoals --set objective=points
refuses 'offers no table of its moves' solve ./delivery.so --instance 1
refuses 'svg: only grids' show ./delivery.so --svg d.svg
refuses 'is not a grid world' show ./delivery.so --map "$source_dir/LICENSE"

# what cannot be loaded
refuses 'plugin: ./none.so: cannot open' train ./none.so --no-subgoals
echo 'no library' >text.so
refuses 'plugin: ./text.so: it is no shared object' train ./text.so --no-subgoals
echo 'int besd_env_pluggin;' >symbol.c
cc -shared -fPIC -o symbol.so symbol.c
refuses './symbol.so: it exports no function besd_env_plugin' train ./symbol.so --no-subgoals
for fault in 'OTHER_VERSION:made for version 2 of besd/env.h, this besd has version 1' \
    'SMALL_TABLE:its table has 8 bytes, expected [0-9]+ to [0-9]+' \
    'LARGE_TABLE:its table has 4096 bytes, expected [0-9]+ to [0-9]+' \
    'NO_STEP:its table lacks .step, which is REQUIRED' \
    'NULL_TABLE:told no table, but NULL' \
    'NO_HANDLE:answered success and made no handle' \
    'ODD_SPEC:its spec has actions = 1, expected 2 to 64'; do
    build "${fault%%:*}"
    refuses "${fault#*:}" train "./${fault%%:*}.so" --no-subgoals
done

# what breaks its contract while it trains
for fault in 'STATE_OUT:told a state, a reward or an observation out of range' 'NAN_REWARD:told a state, a reward or an observation out of range' \
    'NO_TRUNCATION:expected truncation after the cap of 200 steps'; do
    build "${fault%%:*}"
    refuses "${fault#*:}" train "./${fault%%:*}.so" --no-subgoals --instances 8
done

# what only the checks notice
build HONEST
runs 0 '"passed":true' - check ./HONEST.so --json
build OLD_TABLE
runs 0 '"passed":true' - check ./OLD_TABLE.so --json
runs 0 'potential_width +20' - domains ./OLD_TABLE.so
build TOLD
runs 0 '"passed":true' - check ./TOLD.so --json
runs 0 'optimal steps 1[2-9]' - solve ./TOLD.so --instance 1
fails_check determinism 'told something else' CHANCE 3
fails_check handles 'when the other one was used' SHARED
fails_check ranges 'state 20 of 20' STATE_OUT 2
fails_check ranges 'a reward of' NAN_REWARD
fails_check positions 'and later at' MOVING_STATE
fails_check ending 'neither after 200 steps' NO_TRUNCATION
fails_check ending 'truncated after 100 steps' EARLY_TRUNCATION
build ONE_INSTANCE
runs 0 '"name":"instances","verdict":"ok","got":"a fixed world: the same' - check ./ONE_INSTANCE.so --json
fails_check reward '0 rewards and' NO_REWARD
fails_check shaping 'is in the box' FAR_BOX
fails_check shaping 'position never changed' STILL 2
fails_check solvable 'from state 18 by action 1 to a state out of range, 500000000 of 20' MOVE_OUT
fails_check solvable 'its table is NULL' UNTOLD
for fault in 'MOVE_OUT:leads from state 18 by action 1 to a state out of range' 'UNTOLD:its table is NULL'; do
    refuses "environment corridor: .*${fault#*:}" solve "./${fault%%:*}.so" --instance 1
    refuses "environment corridor: .*${fault#*:}" solve "./${fault%%:*}.so" --instances 3
    refuses "environment corridor: .*${fault#*:}" train "./${fault%%:*}.so" --no-subgoals --instances 8
done
# an episode that is cut off early is no better than one that lasts to the cap
runs 0 '"scores":.[0-9.,]*200.0' - train ./EARLY_TRUNCATION.so --no-subgoals --instances 8 --set tau=1 --json
refuses 'surface: .* is neither a grid nor the mountain car' plot surface ./HONEST.so --theta 1,1 --out "$work"
runs 1 'potential_width is too small' - check ./HONEST.so --set potential_width=0.01
runs 1 'potential_width is too large' - check ./HONEST.so --set potential_width=1000000
for domain in gw10 gw20 tr key2 key3 mc; do
    runs 0 '"passed":true' - check $domain --json
done
finish
