#!/usr/bin/env bash
# create, ask, tell, fail, trials, recommend, predict and run as a user meets them.
source "$(dirname "$0")/cli.sh"
spec=$work/study.yaml
study=$work/s.besd

yaml() {
    printf '%s\n' "$@" >"$spec"
}
box='theta: [{name: x, low: 0, high: 10, unit: m}, {name: y, low: -1, high: 1}]'

for verb in create ask tell fail trials recommend predict certify run; do
    runs 0 'example: besd' - $verb --help
done

# descriptions with mistakes: file, line and field, and nothing is left behind
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'bugdet: 500'
refuses "study.yaml: .*bugdet.*line: [0-9]+.*did you mean 'budget'" create "$study" --spec "$spec"
yaml "$box" 'tau: [10, forty]' 'reps: [2, 4]'
refuses "study.yaml: .*forty.*line: 2" create "$study" --spec "$spec"
yaml "$box" 'reps: [2, 4]'
refuses 'study.yaml: .*tau' create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'direction: upwards'
refuses "study.yaml: direction: expected one of maximize, minimize, got 'upwards' .line: 4" create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'seed: 1' 'model: averged'
refuses "study.yaml: model: expected one of .*, got 'averged', did you mean 'averaged'\? .line: 5" create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'seed: 1' 'model: extended'
refuses "study.yaml: model: 'extended' is gone, because it was no better; expected one of paper, averaged .line: 5" create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'budget: much'
refuses "study.yaml: budget: expected a number, got 'much' .line: 4" create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'targets: 2.5'
refuses "study.yaml: targets: expected a whole number, got '2.5' .line: 4" create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'discrete: maybe'
refuses "study.yaml: discrete: expected true or false, got 'maybe' .line: 4" create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'explore: -1'
refuses 'study.yaml: explore: expected a number in \[0, 1\], got -1 .line: 4' create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'explore_until: 2' # the old name of an option
refuses 'study.yaml: search_until: expected a number in \[0, 1\], got 2 .line: 4' create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'search_until: 0.5' 'explore_until: 0.5'
refuses 'explore_until: it is the old name of search_until, which is there as well .line: 5' create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'explore_until: 0.375'
runs 0 '' - create "$work/renamed.besd" --spec "$spec"
sed -i 's/explore_until: 0.375/search_until: 0.25/' "$spec"
refuses 'search_until: the study has 0.375, got 0.25' create "$work/renamed.besd" --spec "$spec"
yaml "$box" 'tau: [10, 40]' "$(printf '\treps: [2, 4]')"
refuses 'study.yaml: ' create "$study" --spec "$spec"
yaml 'theta: [{name: x, low: 3, high: 1}]' 'tau: [10]' 'reps: [2]'
refuses 'x: expected a box with low < high, got low 3 and high 1' create "$study" --spec "$spec"
yaml "$box" 'tau: [10, 10]' 'reps: [2, 4]'
refuses 'tau: expected distinct levels from 1, got 10' create "$study" --spec "$spec"
yaml "$box" 'tau: [10]' 'reps: [0]'
refuses 'reps: expected distinct levels from 1 to 4096, got 0' create "$study" --spec "$spec"
yaml "$box" 'tau: [10]'
runs 0 '' - create "$work/alone.besd" --spec "$spec"
runs 0 '"reps":1,' - ask "$work/alone.besd" --json
yaml "$box" 'tau: [10]' 'reps: [2]' 'budget: -5'
refuses 'budget: expected a number in' create "$study" --spec "$spec"
refuses 'nowhere.yaml' create "$study" --spec "$work/nowhere.yaml"
runs 2 - '--spec FILE is missing' create "$study"
[ -e "$study" ] && fail "a refused description left a study behind"

# a study step by step
yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'direction: minimize' 'transform: log' 'budget: 1400' \
    'targets: 80' 'initial_designs: 4' 'seed: 5'
runs 0 'a study of 2 coordinates; its initial design costs 350' - create "$study" --spec "$spec"
runs 0 'a study of 2 coordinates' - create "$study" --spec "$spec" # again: the same, so fine
sed 's/seed: 5/seed: 6/' "$spec" >"$work/other.yaml"
refuses 'seed: the study has 5, got 6' create "$study" --spec "$work/other.yaml"
refuses 'no trial has been told yet' recommend "$study"
refuses 'no trial has been told yet' predict "$study" --theta 1,0
runs 0 '"trial":1,"theta":\{"x":[0-9.e-]+,"y":[0-9.e-]+\},"theta_array":\[[0-9.e-]+,[0-9.e-]+\],"tau":10,"reps":2,.*"reason":"initial"' - \
    ask "$study" --json
refuses 'trial 1 has 2 replications, got 1 score' tell "$study" 1 --scores 3
refuses 'scores\[1\]: expected a finite number, got -?nan' tell "$study" 1 --scores 3,nan
refuses 'scores\[0\]: expected a positive number' tell "$study" 1 --scores 0,4
refuses 'has no trial 9' tell "$study" 9 --scores 3,4
runs 2 - 'TRIAL: expected a whole number' tell "$study" one --scores 3,4
runs 2 - 'give either --scores or' tell "$study" 1
runs 0 '^told$' - tell "$study" 1 --scores 3,4
runs 0 'was told these scores before; nothing changed' - tell "$study" 1 --scores 3,4
runs 0 '"repeated":true' - tell "$study" 1 --scores 3,4 --json
refuses 'trial 1 has been told already, with other scores' tell "$study" 1 --scores 3,5
refuses 'trial 1 has been told; it cannot fail any more' fail "$study" 1
runs 0 '' - ask "$study"
runs 0 'recorded as failed' - fail "$study" 2 --cost 5 --note 'flat tyre'
runs 0 '^told$' - tell "$study" 2 --scores 3,4 # late, but welcome
for id in 3 4 5 6 7 8; do
    runs 0 '' - ask "$study"
    runs 0 '' - tell "$study" $id --scores $((id + 2)),$((id + 3))
done
runs 0 'largest knowledge gradient per cost' - ask "$study" --explain
runs 0 '<- chosen' - ask "$study" --explain
runs 0 '"levers":\[\{"tau":10,"reps":2,"cost":20.0,"kg":.*"target_points":\[\[' - \
    ask "$study" --explain --dump-targets --json
runs 0 '"state":"asked"' - trials "$study" --json
runs 0 '"scores":\[3.0,4.0\]' - trials "$study" --json
runs 0 ' told +initial ' - trials "$study"
runs 0 '^ +flat tyre$' - trials "$study"
runs 0 '^ +asked [0-9]+ seconds? ago and neither told nor failed$' - trials "$study"
runs 0 '"asked_at":[0-9]+' - trials "$study" --json
runs 0 '"theta":\{.*"theta_array":\[.*"mean":.*"sd":.*"value":.*"trials":8,"cost":' - recommend "$study" --json
runs 0 '"hyperparameters":\{"prior_mean":.*"lengthscales":\[.*"sigma_phi":\[\[.*"env_sd":' - \
    predict "$study" --theta 1,0 --tau 10 --json
runs 0 '"delta":0.05[0-9]*,"targets":80,.*"bound":' - certify "$study" --json
runs 0 'with probability 0.9 ' - certify "$study" --delta 0.1
refuses 'delta: expected a number in \(0, 1\], got 0' certify "$study" --delta 0
refuses 'theta: expected 2 numbers, got 1' predict "$study" --theta 1
refuses 'x: expected a number in \[0, 10\], got 11' predict "$study" --theta 11,0
refuses 'tau: expected one of the study.s levels .10.*, got 20' predict "$study" --theta 1,0 --tau 20
for _ in $(seq 90); do
    "$besd" ask "$study" >"$work/out" 2>&1 || fail "ask failed: $(cat "$work/out")"
    grep -q '^done: ' "$work/out" && break
done
runs 0 '^done: .*budget of 1400' - ask "$study"
runs 0 '"done":true,"reason":".*"stopped":"(budget|remainder)"' - ask "$study" --json
refuses 'only a failed trial can be asked again' ask "$study" --again 1

# the prior mean may be that of all trials, which is another number as soon as the chosen ones do not score like the
# initial ones
prior_mean() { # of the study in a new file, from the description with these lines
    local other=$work/$1.besd id
    shift
    yaml "$box" 'tau: [10, 40]' 'reps: [2, 4]' 'targets: 80' 'initial_designs: 4' 'seed: 5' "$@"
    runs 0 '' - create "$other" --spec "$spec"
    for id in 1 2 3 4 5 6 7 8 9 10; do
        runs 0 '' - ask "$other"
        runs 0 '^told' - tell "$other" $id --mean $((id > 8 ? 20 : id % 3)) --variance 1 --count 2
    done
    runs 0 '"hyperparameters":' - predict "$other" --theta 1,0 --tau 10 --json
    grep -Eo '"prior_mean":[0-9.]+' "$work/out" >"$work/prior"
}
prior_mean initial 'model: paper'
grep -qx '"prior_mean":1.125' "$work/prior" || fail "of the initial trials: $(cat "$work/prior")"
prior_mean all 'model: paper' 'mean_of_all: true'
grep -Eqx '"prior_mean":4.90*[0-9]?' "$work/prior" || fail "of all trials: $(cat "$work/prior")"
matches '"env_sd":[0-9.e-]+,"rep_sd":[0-9.e-]+' "$work/out" || fail "noise: $(head -c 600 "$work/out")"

# files that are no studies
echo 'not a study' >"$work/text"
refuses 'it is not a besd study' ask "$work/text"
refuses 'No such file' ask "$work/nowhere"
: >"$work/empty"
refuses 'empty' trials "$work/empty"
if command -v sqlite3 >/dev/null; then
    sqlite3 "$work/foreign" 'CREATE TABLE t(x)'
    refuses 'it is not a besd study' ask "$work/foreign"
    cp "$study" "$work/newer"
    sqlite3 "$work/newer" 'PRAGMA user_version=99' >/dev/null
    refuses 'written by a newer besd' ask "$work/newer"
fi

# what is too small to square, too large to print or said twice
describe() {
    printf '%s\n' 'theta: [{name: x, low: 0, high: 1}]' 'tau: [10]' 'reps: [1]' "$@" >"$work/small.yaml"
    rm -f "$work/small"
    runs 0 '' - create "$work/small" --spec "$work/small.yaml"
}
describe
for i in 1 2 3 4; do
    runs 0 '' - ask "$work/small"
    runs 0 told - tell "$work/small" $i --scores ${i}e-170
done
runs 0 '^trial 5' - ask "$work/small"
runs 0 '"value":[1-4]\.[0-9]*e-170' - recommend "$work/small" --json
describe 'transform: log'
runs 0 '' - ask "$work/small"
refuses 'too large to compute with' tell "$work/small" 1 --mean 801 --variance 0 --count 1
runs 2 - '--cost belongs to --scores' tell "$work/small" 1 --mean 1 --variance 0 --count 1 --cost 7
runs 2 - '--variance and --count belong to --mean' tell "$work/small" 1 --scores 1 --count 1
refuses 'cost: expected a number from 0' tell "$work/small" 1 --scores 1 --cost -1
refuses 'cost: expected a number from 0 to 1e300' tell "$work/small" 1 --scores 1 --cost 1.7e308
refuses 'cost: expected a number from 0 to 1e300, got -1' fail "$work/small" 1 --cost -1
letters=$(printf 'é%.0s' {1..600})
runs 0 '' - fail "$work/small" 1 --cost 3 --note "a$letters"
runs 0 '"cost":3.0,"note":"a(é){509}\.\.\."' - trials "$work/small" --json
runs 0 '' - fail "$work/small" 1 # as planned, and for the same reason
runs 0 '"cost":10.0,"note":"aé' - trials "$work/small" --json
runs 0 '' - fail "$work/small" 1 --note -h
runs 0 '"note":"-h"' - trials "$work/small" --json
runs 0 '' - tell "$work/small" 1 --scores 5 --cost 4
runs 0 '"cost":4.0,"note":"-h","scores":\[5.0\],"mean":5.0,' - trials "$work/small" --json
if command -v sqlite3 >/dev/null; then
    sqlite3 "$work/small" 'DROP TABLE score'
    refuses 'score' trials "$work/small" --json
fi
describe 'explore: 0' 'caution: 0' 'method: hb'
if command -v sqlite3 >/dev/null; then
    checks=$((checks + 1))
    sqlite3 "$work/small" "SELECT value FROM text WHERE key = 'spec'" |
        grep -q '"caution":0.0.*"explore":0.0.*"method":"hyperband"' || fail 'zeros in a description'
fi
for method in besd random ei ei-paper lcb hyperband hyperband-paper; do
    describe "method: $method"
done
describe 'seed: 9223372036854775807'
printf 'seed: 9223372036854775808\n' >"$work/seed"
sed -i '/^seed/d' "$work/small.yaml"
cat "$work/seed" >>"$work/small.yaml"
refuses "seed: expected .* 0 to 9223372036854775807, got '9223372036854775808' .line: 4" create "$work/seeded" --spec "$work/small.yaml"

# run: the same seed gives the same study; interrupted and resumed equals uninterrupted, where choices do not
# depend on the budget
run() {
    runs 0 '"test":\{"instances":20,' - run gw10 --targets 150 --confirm 0 --initial-share 1 --search-until 1 --test 20 --quiet --json "$@"
}
run --budget 120000 --study "$work/whole.besd"
run --budget 98000 --study "$work/parts.besd" # what 33 trials cost, to the last interaction
run --budget 120000 --study "$work/parts.besd"
same trials trials "$work/whole.besd" --json
same trials trials "$work/parts.besd" --json

# one that was begun on another kind of processor goes on, with a note
sqlite3 "$work/parts.besd" "UPDATE text SET value = 'OpenBLAS Z80' WHERE key = 'arithmetic'"
runs 0 . 'note: the study was begun with the arithmetic of OpenBLAS Z80' run "$work/parts.besd" --test 5

# a study knows what it is about; a refused run leaves none behind
runs 0 '"test":\{"instances":20,' - run "$work/parts.besd" --budget 121000 --test 20 --quiet --json
runs 0 'go on with a larger budget' - run "$work/parts.besd" --test 5 --quiet
runs 2 - 'knows its domain' run "$work/parts.besd" --set cap=3
refuses 'No such file' run "$work/nowhere.besd"
refuses "it is about no domain; go on with 'besd ask'" run "$study"
refuses "is a study and no domain; 'besd run " train "$study" --no-subgoals
refuses 'budget: 10 does not pay for a single trial' run gw10 --budget 10 --study "$work/poor.besd"
[ -e "$work/poor.besd" ] && fail "a refused run left a study behind"
runs 0 'best single trial: [0-9]+ with a mean score of [0-9.]+ at tau 1000, luck included' - recommend "$work/parts.besd"

# the options of a study on the command line: what is no value is a mistake of usage, what is out of range is
# the study's word; a study that says something else is another one
runs 2 - "--budget: expected a number, got 'abc'" run gw10 --budget abc
runs 2 - "--seed: expected a whole number from 0 .*, got '-1'" run gw10 --seed -1
runs 2 - "--model: expected one of paper, averaged, got 'big'" run gw10 --model big
runs 2 - "there is no option '--explor', did you mean '--explore'" run gw10 --explor 0
runs 2 - '--direction and --transform belong to STUDY.yaml' run gw10 --direction maximize
refuses 'explore: expected a number in \[0, 1\], got -1' run gw10 --explore -1 --study "$work/poor.besd"
refuses 'caution: expected a number in \[0, 100\], got -1' run gw10 --caution -1 --study "$work/poor.besd"
refuses 'targets: expected a number in \[1, 20000\], got 0' run gw10 --targets 0 --study "$work/poor.besd"
[ -e "$work/poor.besd" ] && fail "a refused option left a study behind"
all="--explore 0 --caution 0 --mean-of-all --setup-cost 5 --interaction-price 2 --search-until 0.5 --discrete
    --initial-crossed --initial-designs 2 --initial-reps 20 --model paper --targets 77 --stop-below 1e-9 --tau-max-share 0.1"
runs 0 '"test":\{"instances":2,' - run gw10 $all --seed 4 --budget 240000 --test 2 --quiet --json --study "$work/options.besd"
if command -v sqlite3 >/dev/null; then
    checks=$((checks + 1))
    sqlite3 "$work/options.besd" "SELECT value FROM text WHERE key IN ('spec', 'budget')" >"$work/kept"
    for word in '"explore":0.0' '"caution":0.0' '"mean_of_all":true' '"setup_cost":5.0' '"interaction_price":2.0' \
        '"search_until":0.5' '"discrete":true' '"initial_crossed":true' '"initial_designs":2' '"initial_reps":20' \
        '"model":"paper"' '"targets":77' '"stop_below":1.*e-0*9,' '"tau_max_share":0.10*1\?,' '"seed":4' '^240000.0$'; do
        grep -q "$word" "$work/kept" || fail "--option: $word is not in $(cat "$work/kept")"
    done
fi
runs 0 '"test":' - run gw10 ${all/search-until/explore-until} --seed 4 --budget 240000 --test 2 --quiet --json \
    --study "$work/options.besd" # its old name
runs 0 'search-until X' - run --help
[ "$("$besd" run --help | grep -c explore-until)" = 0 ] || fail "the help has the old name of an option"
refuses 'search_until: the study has 0.5, got 0.25' run gw10 ${all/until 0.5/until 0.25} --seed 4 --study "$work/options.besd"

# learners without subgoals: the numbers of a comparison
runs 0 '  ql +[0-9.]+ \+- [0-9.]+ steps' - run gw10 --method ql --test 40
runs 0 '"method":"ql","seed":3,"cost":0.0,"test":\{"instances":40,"mean":' - run gw10 --method ql --test 40 --seed 3 --json
runs 0 'training in 10 instances has cost 10000' - run gw10 --method tql --test 20
runs 2 - 'tql has no budget' run gw10 --method tql --budget 5
runs 2 - 'ql has no budget' run gw10 --method ql --model paper
runs 0 '  ql ' - run gw10 --method QL --test 3
runs 2 - '--method: expected one of besd, random, ei, .*, got .besdd., did you mean .besd' run gw10 --method besdd
refuses "the constants differ from those that the study in .* was begun with: wind_low 0 → 0.02" \
    run gw10 --study "$work/whole.besd" --set wind=0.02
refuses 'seed: the study has 1, got 2' run gw10 --study "$work/whole.besd" --seed 2
runs 0 'with these subgoals' 'of 120000 interactions, best expected' run gw10 --method random --budget 120000 --test 10 \
    --study "$work/random.besd"
runs 0 'go on with a larger budget' '' run tr --budget 185000 --targets 100 --test 10 --model paper \
    --study "$work/tr.besd"
# the printed command says again what the study belongs to
runs 0 "--set cap=300 --budget 240000" '' run gw10 --budget 120000 --targets 100 --test 10 \
    --set cap=300 --instance-mode fresh --study "$work/set.besd"
# instances are as the study was begun with when nothing is said, and stay so
for mode in shared fresh; do
    study="$work/$mode.besd"
    runs 0 'larger budget' '' run gw10 --budget 40000 --targets 50 --test 2 --model paper --instance-mode $mode \
        --study "$study"
    runs 0 'larger budget' '' run gw10 --budget 46000 --test 2 --study "$study"
    runs 0 'larger budget' '' run "$study" --budget 52000 --test 2
done
refuses "was begun with shared instances, got fresh" run gw10 --instance-mode fresh --study "$work/shared.besd"
refuses "was begun with fresh instances, got shared" run gw10 --instance-mode shared --study "$work/fresh.besd"
finish
