#!/usr/bin/env bash
# A study with a command as its trainer: every way for a command to go wrong, several at once, and runs
# that are interrupted or killed and go on.
source "$(dirname "$0")/cli.sh"
spec=$work/study.yaml
study=$work/s.besd
export BESD_TEST_MARK="$work" # what our commands can be told by

# describe COMMAND [LINES...]: a study.yaml with this command
describe() {
    printf '%s\n' 'theta: [{name: x, low: 0, high: 10, unit: m}, {name: y, low: -1, high: 1}]' \
        'tau: [10, 40]' 'reps: [2]' 'targets: 80' 'initial_designs: 4' 'budget: 600' 'seed: 5' \
        "${@:2}" 'command: |-' "  ${1//$'\n'/$'\n  '}" >"$spec"
}

# breaks PATTERN COMMAND [LINES...]: the failure is told with this sentence, and the run gives up
breaks() {
    describe "${@:2}"
    rm -f "$study"
    local begin
    begin=$(date +%s)
    runs 1 - "^besd run: trial 1 failed: the command $1" run "$spec" --study "$study" --jobs 3
    matches '^besd run: [2-8] trials failed and none succeeded, so it stops here' "$work/err" ||
        fail "$2: it did not give up: $(tail -1 "$work/err")"
    [ $(($(date +%s) - begin)) -le 50 ] || fail "$2: it took too long to notice"
}

# a command that cannot start ends the run at once; its trials are charged nothing and wait for the mended one
cannot_start() {
    describe "$2"
    rm -f "$study"
    runs 1 - "^besd run: the command could not start, so nothing is charged: it $1" run "$spec" --study "$study" --jobs 3
    [ "$(grep -vc '^\[trial ' "$work/err")" -eq 1 ] || fail "$2: expected one sentence"
    runs 0 '"state":"asked"' - trials "$study" --json
    ! matches '"state":"(failed|told)"' "$work/out" || fail "$2: a trial is charged"
}
cannot_start 'ended with exit code 127 \(command not found\); it said: .*besd-nonesuch: .*not found$' besd-nonesuch
echo 'echo never' >"$work/plain.sh"
cannot_start 'ended with exit code 126 \(not executable\); it said: .*plain.sh: .*ermission denied$' ./plain.sh
runs 1 'got: the command could not start, .*ended with exit code 126' '' check "$spec"
describe 'cat >/dev/null; echo "{\"scores\": [1, 2]}"'
runs 0 'recommendation after [0-9]+ trials at cost 600' - run "$spec" --study "$study" --quiet
runs 0 '^    1 told ' - trials "$study"

# commands that do not work
breaks 'ended with exit code 127' 'echo begun; exit 127' # it did start
breaks 'ended with exit code 3; it said: warming up \| bad luck$' 'echo warming up >&2; echo bad luck >&2; exit 3'
breaks 'ended with exit code 4$' 'echo "{\"cost\": 7}"; exit 4'
runs 0 '"state":"failed","reason":"initial","cost":7.0,"worker":"besd run","note":"the command ended with exit code 4"' - trials "$study" --json
# nothing was told yet, so a mended command goes on in the same study
describe 'cat >/dev/null; echo "{\"scores\": [1, 2]}"'
runs 0 'recommendation after [0-9]+ trials \(and [2-8] that failed\)' - run "$spec" --study "$study" --quiet
runs 0 'the command ended with exit code 4$' - trials "$study"
describe 'cat >/dev/null; echo "{\"scores\": [2, 2]}"'
refuses 'was begun with' run "$spec" --study "$study"
breaks 'was killed by signal 9$' 'kill -9 $$'
breaks 'ended with exit code 139 \(killed by signal 11\)' 'sh -c "kill -11 \$\$"; exit $?'
breaks 'was killed after its time-out of 0.3 seconds; it said: zzz' 'echo zzz >&2; sleep 60; true' 'timeout: 0.3'
breaks 'closed its standard output without an answer and went on' 'exec >&-; sleep 60'
breaks "ended with exit code 1; it said: .*last line without an end$" 'printf "last line without an end" >&2; exit 1'
breaks 'ended with exit code 1; it said: caf\?  x$' 'printf "caf\351\t\033x" >&2; exit 1' # neither UTF-8 nor printable

# answers that are none
answers() {
    local pattern=${1%\$} end=
    [ "$pattern" = "$1" ] || end='(; its answer was .*)?$'
    shift
    breaks "gave no valid answer: $pattern$end" "$@"
}
answers 'expected one JSON object, got nothing$' true
answers "expected one JSON object, got 'hello" 'echo hello'
answers "expected one JSON object, got one that is not finished: '\{\"scores\": \[1,'" "echo '{\"scores\": [1,'"
answers "expected one JSON object and nothing else, got '\{\"scores\": \[3, 4\]\}' after it" \
    "echo '{\"scores\": [1, 2]}'; echo '{\"scores\": [3, 4]}'"
answers "expected one JSON object, got 'loading...'?" "echo 'loading... {\"scores\": [1, 2]}'"
answers "expected one JSON object, got '\[1, 2\]'" "echo '[1, 2]'"
answers 'cost: expected a number from 0 to 1e300, got 1e308?' "echo '{\"scores\": [1, 2], \"cost\": 1e308}'"
answers 'scores: expected 2, one for every replication, got 3; its answer was \{"scores":\[1,2,3\]\}$' \
    "echo '{\"scores\": [1, 2, 3]}'"
runs 0 'got 3; its answer was \{"scores":\[1,2,3\]\}$' - trials "$study" # refused values are kept
answers 'scores: expected a list of 2 numbers, got 7$' "echo '{\"scores\": 7}'"
answers 'scores: expected a list of 2 numbers, got nothing but "score"$' "echo '{\"score\": [1, 2]}'"
answers "scores: expected finite numbers, got '\{\"scores\": \[1, NaN\]\}', which JSON does not know" \
    "echo '{\"scores\": [1, NaN]}'"
answers 'scores\[1\]: expected a number, got null$' "echo '{\"scores\": [1, null]}'"
answers 'scores\[0\]: expected a number, got "high"$' "echo '{\"scores\": [\"high\", 2]}'"
answers 'scores\[0\]: expected a positive number, because the study takes logarithms, got 0$' \
    "echo '{\"scores\": [0, 2]}'" 'transform: log'
answers 'cost: expected a number from 0 to 1e300, got -1' "echo '{\"scores\": [1, 2], \"cost\": -1}'"
answers 'note: expected a text, got 7$' "echo '{\"scores\": [1, 2], \"note\": 7}'"
breaks 'printed over 16777216 bytes, which is no answer' 'head -c 100000000 /dev/zero | tr "\0" a'
describe "echo '{\"scores\": [1e200, -1e200]}'"
rm -f "$study"
runs 1 - 'trial 1 failed: scores: their mean .* too large to compute with' run "$spec" --study "$study"

# descriptions that cannot be run, and options that do not belong
sed -i '/command:/,$d' "$spec"
refuses 'study.yaml: it has no command: to train with; add one, or go step by step with besd create, ask and tell' \
    run "$spec"
refuses 'it has no command: that could be checked' check "$spec"
describe true
sed -i '/budget/d' "$spec"
refuses 'it has no budget:, so it would never end' run "$spec"
describe true 'timeout: -1'
refuses 'timeout: expected seconds from 0 \(none\) to 1e\+07, got -1 \(line: 8\)' run "$spec"
describe true 'retries: 101'
refuses 'retries: expected 0 to 100, got 101 \(line: 8\)' run "$spec"
describe true
sed -i -e '/command:/,$d' "$spec"
echo 'command: "  "' >>"$spec"
refuses 'command: expected a command, got blanks \(line: 8\)' run "$spec"
describe true 'comand: x'
refuses "comand.*line: 8.*did you mean 'command'" run "$spec"
describe true
for jobs in 0 -1 257; do
    runs 2 - "--jobs: expected 1 to 256 trials at once, got $jobs" run "$spec" --jobs "$jobs"
done
runs 2 - '--jobs belongs to STUDY.yaml' run gw10 --jobs 0
runs 2 - 'belong to a domain' run "$spec" --set wind=0
runs 2 - 'belong to a domain' check "$spec" --set wind=0
runs 2 - '--jobs belongs to STUDY.yaml' run gw10 --jobs 2

# a trainer that works without reading its input, and leaves a child that holds its output
describe "sleep 60 & echo '{\"scores\": [1, 2]}'"
rm -f "$study"
runs 0 '^recommendation after [12][0-9] trials at cost 600:' '^100 %  trial [12][0-9], 600 of 600 interactions' run "$spec" --study "$study"
matches '^  x = [0-9.]+ m, y = [-0-9.]+$' "$work/out" || fail "no recommendation in units: $(cat "$work/out")"
matches "^  $besd run $spec --study $study --budget 1200\$" "$work/out" || fail "how to go on: $(tail -1 "$work/out")"

runs 0 '"trials":[0-9]+,"cost":700.0,"failed":0,"stopped":"the budget of 700 is spent"' - \
    run "$spec" --study "$study" --budget 700 --quiet --json
runs 0 '"study":".*s.besd",.*"cost":700.0' - run "$spec" --study "$study" --quiet --json # the larger one stays
checks=$((checks + 1))
(cd "$work" && "$besd" run study.yaml --seed 8 --quiet --json) | grep -q '"study":"study-8.besd",.*"seed":8,' &&
    [ -e "$work/study-8.besd" ] || fail "the study is not named after its description and seed"

# a trainer with chance in it; options that follow are added to its answer
cat >"$work/train.sh" <<'SH'
read -r trial
echo "$trial" >>asked
field() { echo "$trial" | sed -E "s/.*\"$1\":([^],}]*).*/\1/"; }
[ -z "${PAUSE-}" ] || sleep "$PAUSE"
awk -v x="$(field x)" -v y="$(field y)" -v seed="$(field instance_seed)" -v more="$1" 'BEGIN {
    srand(seed % 1000000)
    value = -(x - 3) ^ 2 - 5 * y * y
    printf "{\"scores\": [%.6f, %.6f]%s}\n", value + rand(), value + rand(), more
}'
SH

# what it is asked, in the folder of its description; cost and note come back
describe 'sh train.sh ", \"cost\": 30, \"note\": \"warm\""'
rm -f "$study"
runs 0 '^\{"command":"sh train.sh .*"theta":\{.*"trials":20,"cost":600.0,"failed":0,"stopped":"the budget of 600 is spent"' - \
    run "$spec" --study "$study" --quiet --json
number='-?[0-9.e-]+'
matches "^\{\"trial\":1,\"theta\":\{\"x\":$number,\"y\":$number\},\"theta_array\":\[$number,$number\],\"tau\":10,\"reps\":2,\"seed\":[0-9]{1,16},\"seed32\":[0-9]{1,10},\"instance_seed\":[0-9]{1,16},\"replication_seeds\":\[[0-9]{1,16},[0-9]{1,16}\]\}\$" \
    "$work/asked" || fail "the trainer was asked: $(head -1 "$work/asked")"
grep -oE '[0-9]+' <<<"$(sed 's/.*instance_seed//' "$work/asked")" >"$work/seeds"
checks=$((checks + 2))
[ "$(wc -l <"$work/seeds")" -eq 60 ] && [ "$(sort -u "$work/seeds" | wc -l)" -eq 60 ] ||
    fail "expected 60 different seeds, got $(sort -u "$work/seeds" | wc -l)"
[ "$(sort -n "$work/seeds" | tail -1)" -lt $((1 << 53)) ] || fail "a seed does not fit in 53 bits"
runs 0 '"cost":30.0,"worker":"besd run","note":"warm","scores":\[' - trials "$study" --json
sed -i 's/warm/cold/' "$spec"
refuses "command: the study in .* was begun with 'sh train.sh .*warm.*', got 'sh train.sh .*cold.*'; choose another" \
    run "$spec" --study "$study"
runs 0 '' - create "$work/hand.besd" --spec "$spec"
runs 0 '' - ask "$work/hand.besd"
refuses 'the trials in .* were not begun by a command; go on with ask and tell' run "$spec" --study "$work/hand.besd"

# how to go on is a command line that does, whatever the names are made of
mkdir "$work/my lab"
describe 'sh ../train.sh'
mv "$spec" "$work/my lab/it's.yaml"
runs 0 '^  .*besd run .* --budget 1200$' - run "$work/my lab/it's.yaml" --budget=600 --study "$work/my lab/a\$b" --quiet
line=$(tail -1 "$work/out")
(besd() { "$besd" "$@"; } && eval "$line") >"$work/out" 2>&1 || fail "$line: $(cat "$work/out")"
checks=$((checks + 1))
matches '(the budget of 1200 is spent|[0-9]+ of the budget of 1200 is left)' "$work/out" || fail "$line: $(cat "$work/out")"
matches '^  .*besd run .* --budget 2400$' "$work/out" || fail "$line: $(tail -1 "$work/out")"

# a trial that fails at times: recorded with cost and reason, the study goes on; retries run it again
describe 'case $(tee request) in *\"trial\":3,* | *\"trial\":10,*) echo battery >&2; exit 3 ;; esac; sh train.sh <request'
rm -f "$study"
runs 0 '^recommendation after 1[0-9] trials \(and 2 that failed\) at cost 600:' '^\[trial 3\] battery$' \
    run "$spec" --study "$study"
matches '^besd run: trial 10 failed: the command ended with exit code 3; it said: battery$' "$work/err" ||
    fail "trial 10: $(cat "$work/err")"
runs 0 '"trial":3,[^}]*\}[^}]*"state":"failed","reason":"[a-z]+","cost":20.0,"worker":"besd run","note":"the command ended with exit code 3; it said: battery"' - \
    trials "$study" --json
describe 'cat >request; n=$(tr -dc 0-9 <request | cut -c1-9); [ -e again.$n ] || { : >again.$n; exit 1; }; sh train.sh <request' \
    'retries: 1'
rm -f "$study"
runs 0 '"trials":1[0-9],"cost":[0-9.]+,"failed":0,' 'trial 1 failed, once more: the command ended with exit code 1' \
    run "$spec" --study "$study" --quiet --json
describe 'echo run >>runs; exit 1' 'retries: 2'
rm -f "$study"
runs 1 - '2 trials failed and none succeeded' run "$spec" --study "$study"
checks=$((checks + 1))
[ "$(wc -l <"$work/runs")" -eq 6 ] || fail "2 retries of 2 trials: $(wc -l <"$work/runs") runs, expected 6"

# one that breaks after a while
describe 'cat >request; grep -q "\"trial\":[1-6]," request || exit 3; sh train.sh <request' ''
rm -f "$study"
runs 1 - '^besd run: 4 trials in a row failed, so it stops here; .*; the same command goes on from here$' run "$spec" --study "$study"

# several at once, and no two of them the same; the first ones wait for each other
describe 'cat >request.$$; echo "begin $(cut -d"{" -f3 request.$$)" >>log
until [ $(grep -c begin log) -ge 4 ]; do sleep 0.02; done
PAUSE=0.05 sh train.sh <request.$$
echo "end $(cut -d"{" -f3 request.$$)" >>log' 'timeout: 20'
rm -f "$study"
runs 0 '"cost":600.0,"failed":0' - run "$spec" --study "$study" --jobs 4 --quiet --json
checks=$((checks + 2))
sed -E 's/^([a-z]+) (.*),"reps".*/\1 \2/' "$work/log" >"$work/events"
awk '$1 == "begin" { if ($2 in running) twice++; running[$2]; now++; if (now > most) most = now }
    $1 == "end" { delete running[$2]; now-- }
    END { print most + 0, twice + 0, now + 0 }' "$work/events" >"$work/counts"
[ "$(cat "$work/counts")" = "4 0 0" ] ||
    fail "expected 4 at once, 0 twice, 0 at the end, got $(cat "$work/counts"): $(cat "$work/events")"

# killed or interrupted in the middle of a trial, and begun again: as if nothing had happened
describe 'sh train.sh'
runs 0 '' '' run "$spec" --study "$work/whole.besd"
same trials trials "$work/whole.besd" --json
# interrupt SIGNAL STUDY: begins a run, sends it a signal in the middle of trial 5, sets $code
interrupt() {
    rm -f "$work/stopped"
    HOLD=5 "$besd" run "$spec" --study "$2" >/dev/null 2>"$work/err.$1" &
    local job=$!
    await test -e "$work/stopped" # trial 5 has begun
    kill "-$1" $job
    wait $job 2>/dev/null
    code=$?
}
describe 'cat >request; if [ "$HOLD" ] && grep -q "\"trial\":$HOLD," request; then : >stopped; sleep 61; fi; sh train.sh <request'
runs 0 '' '' run "$spec" --study "$work/other.besd"
same trials trials "$work/other.besd" --json
for signal in INT TERM KILL; do
    interrupt $signal "$work/$signal.besd"
    checks=$((checks + 2))
    if [ $signal != KILL ]; then
        [ "$code" -eq 1 ] || fail "$signal: expected exit code 1, got $code"
        matches 'interrupted; every told trial is kept. Go on with:' "$work/err.$signal" ||
            fail "$signal: $(tail -3 "$work/err.$signal")"
    fi
    await alone # trainers die at once, or right after their besd
    runs 0 '"trial":5,[^}]*\}[^}]*"state":"asked"' - trials "$work/$signal.besd" --json
    runs 0 '' '' run "$spec" --study "$work/$signal.besd"
    same trials trials "$work/$signal.besd" --json
done

# check: what is wrong is told with a fix, what is odd is a warning
describe 'sh train.sh'
runs 0 '^6 checks, 0 failed, 0 warnings$' - check "$spec"
matches '^told +speed +.* seconds for a trial of cost 20; the budget of 600 pays for 30 of these' "$work/out" ||
    fail "check: $(cat "$work/out")"
describe "echo '{\"scores\": [1, 2]}'"
runs 0 '"command":"echo .*"passed":true.*"name":"chance","verdict":"warning".*"name":"designs","verdict":"warning"' - \
    check "$spec" --json
describe 'date "+{\"scores\": [1, 0.%N]}"'
runs 0 '^warning determinism ' - check "$spec"
[ "$(tail -n 1 "$work/out")" = '6 checks, 0 failed, 1 warning' ] || fail "check: $(tail -n 1 "$work/out")"
describe "echo '{\"scores\": [1, 2]}'" 
sed -i 's/reps: .*/reps: [2, 3]/' "$spec"
runs 1 '^failed  replications expected: 3 scores when reps is 3$' - check "$spec"
describe 'echo no arm >&2; exit 4'
runs 1 'got: the command ended with exit code 4; it said: no arm$' '^\[check\] no arm$' check "$spec"
matches 'fix: mend what the sentence names; docs/trainer.md' "$work/out" || fail "no fix is told"
matches '^1 checks, 1 failed, 0 warnings$' "$work/out" || fail "a trainer that does not answer was checked on"
describe 'sleep 62'
"$besd" check "$spec" >"$work/out" 2>"$work/err" &
job=$!
await eval '[ -n "$(left_alive)" ]' # by then besd listens to signals
kill -INT $job
wait $job
[ $? -eq 1 ] && matches '^besd check: interrupted$' "$work/err" || fail "an interrupted check: $(cat "$work/err")"
runs 2 - 'unexpected argument' check "$spec" "$spec"

checks=$((checks + 1))
[ -z "$(left_alive)" ] || fail "processes are left: $(left_alive)"
finish
