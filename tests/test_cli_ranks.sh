#!/usr/bin/env bash
# besd run STUDY.yaml under mpirun: rank 0 has the study, the others train. Ranks and runs that die, commands
# that fail, interrupts.
source "$(dirname "$0")/cli.sh"
command -v mpirun >/dev/null && ldd "$besd" | grep -q libmpi || exit 77
spec=$work/study.yaml
export BESD_TEST_MARK="$work"

cat >"$work/train.sh" <<'SH'
read -r trial
id=$(echo "$trial" | sed -E 's/.*"trial":([0-9]+).*/\1/')
echo "begin $id rank ${BESD_RANK:-none} $(echo "$trial" | md5sum)" >>log
env | grep -E '^(OMPI_COMM_WORLD|PMIX_RANK)' >>environment
while [ -e gate ] && [ ! -e go ]; do sleep 0.02; done
[ -z "${PAUSE-}" ] || sleep "$PAUSE"
[ "$id" != "${BREAK-}" ] || { echo battery >&2; exit 3; }
echo "$trial" | sed -E 's/.*"x":([-0-9.e]+).*/\1/' | awk '{ print "{\"scores\": [" (-($1 - 3) ^ 2) ", 1], \"note\": \"by rank\"}" }'
SH
printf '%s\n' 'theta: [{name: x, low: 0, high: 10}]' 'tau: [10]' 'reps: [2]' 'targets: 80' \
    'initial_designs: 4' 'budget: 400' 'seed: 5' 'command: sh train.sh' >"$spec"
cat >"$work/rank" <<'SH'
#!/bin/sh
echo $$ >"$1.$OMPI_COMM_WORLD_RANK"
shift
exec "$@"
SH
chmod +x "$work/rank"

told() { # in $work/s.besd: trials that are told, and none that is asked
    runs 0 '' - trials "$work/s.besd"
    checks=$((checks + 1))
    grep -q ' asked ' "$work/out" && fail "a trial was left: $(grep asked "$work/out")"
    [ "$(grep -c ' told ' "$work/out")" -eq "$1" ] || fail "expected $1 told trials: $(cat "$work/out")"
}

# three ranks: two train, all trials are told, and the commands know nothing of MPI but the rank's number
ranks 3 "$besd" run "$spec" --study "$work/s.besd" >"$work/out" 2>"$work/err" || fail "mpirun: $(cat "$work/err")"
checks=$((checks + 5))
[ "$(grep -c '^recommendation after 20 trials at cost 400:' "$work/out")" -eq 1 ] || fail "mpirun: $(cat "$work/out")"
[ "$(cut -d' ' -f4 "$work/log" | sort | uniq -c | awk '{ print $2 }' | tr '\n' ' ')" = "1 2 " ] ||
    fail "who trained: $(cut -d' ' -f4 "$work/log" | sort | uniq -c)"
[ "$(cut -d' ' -f2 "$work/log" | sort | uniq -d | wc -l)" -eq 0 ] || fail "a trial was run twice: $(cat "$work/log")"
[ ! -s "$work/environment" ] || fail "the commands see MPI: $(sort -u "$work/environment")"
[ ! -e "$work/s.besd-run" ] || fail "the file of claims was left"
told 20
matches 'by rank' "$work/out" || fail "the notes did not come back"

# two ranks are one trainer: the same study as without MPI, byte for byte
ranks 2 "$besd" run "$spec" --study "$work/two.besd" --quiet >/dev/null 2>"$work/err" || fail "2 ranks: $(cat "$work/err")"
same trials trials "$work/two.besd" --json
runs 0 '' - run "$spec" --study "$work/none.besd" --quiet
same trials trials "$work/none.besd" --json

# a command that fails is told as ever, with what it said, and its trial is on record
rm -f "$work"/s.besd* "$work/log"
BREAK=3 ranks 3 "$besd" run "$spec" --study "$work/s.besd" >"$work/out" 2>"$work/err" || fail "a failing trial: $(cat "$work/err")"
matches '^besd run: trial 3 failed: the command ended with exit code 3; it said: battery$' "$work/err" || fail "trial 3: $(cat "$work/err")"
matches '^\[trial 3\] battery$' "$work/err" || fail "standard error did not come: $(cat "$work/err")"
matches '^recommendation after 19 trials \(and 1 that failed\)' "$work/out" || fail "a failing trial: $(cat "$work/out")"

# a run that is refused ends for all ranks, with one sentence
sed 's/command: .*/command: other/' "$spec" >"$work/other.yaml"
checks=$((checks + 1))
ranks 3 "$besd" run "$work/other.yaml" --study "$work/s.besd" >"$work/out" 2>"$work/err"
code=$?
[ $code -eq 1 ] || fail "a refused run: $code, $(cat "$work/err")"
[ "$(grep -c 'was begun with' "$work/err")" -eq 1 ] || fail "a refused run: $(cat "$work/err")"

# begin [OPTIONS OF MPIRUN]: four ranks in the background whose commands wait for `go`; mpirun is $job
begin() {
    rm -f "$work"/pid.*
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
        mpirun --oversubscribe "$@" -n 4 "$work/rank" "$work/pid" "$besd" run "$spec" --study "$work/s.besd" >"$work/out" 2>"$work/err" &
    job=$!
}

# a rank is killed: mpirun ends the job, no trainer is left, and the same command goes on with the same seeds
for who in 1 0; do
    rm -f "$work"/s.besd* "$work/log" "$work/go"
    : >"$work/gate"
    begin
    await begun 3
    kill -9 "$(cat "$work/pid.$who")"
    wait $job && fail "rank $who killed: mpirun ended with 0"
    await alone '^besd\|/besd$'
    : >"$work/go"
    ranks 3 "$besd" run "$spec" --study "$work/s.besd" >"$work/out" 2>"$work/err" || fail "after rank $who: $(cat "$work/err")"
    told 20
    for id in 1 2 3; do
        [ "$(grep "begin $id " "$work/log" | wc -l)" -eq 2 ] &&
            [ "$(grep "begin $id " "$work/log" | cut -d' ' -f5 | sort -u | wc -l)" -eq 1 ] ||
            fail "rank $who killed, trial $id: $(grep "begin $id " "$work/log")"
    done
done

# mpirun --enable-recovery: the others go on, and one of them has the trial of the dead
rm -f "$work"/s.besd* "$work/log" "$work/go"
begin --enable-recovery
await begun 3
dead=$(grep 'begin 1 ' "$work/log" | cut -d' ' -f4)
kill -9 "$(cat "$work/pid.$dead")"
await grep -q 'the rank that trained trial 1 is lost; another one will' "$work/err"
: >"$work/go"
wait $job || fail "with --enable-recovery: $?, $(cat "$work/err")"
checks=$((checks + 2))
[ "$(grep 'begin 1 ' "$work/log" | cut -d' ' -f5 | sort -u | wc -l)" -eq 1 ] || fail "trial 1 has other seeds"
[ "$(grep 'begin 1 ' "$work/log" | grep -vc "rank $dead ")" -eq 1 ] || fail "trial 1: $(grep 'begin 1 ' "$work/log")"
matches '^recommendation after 20 trials' "$work/out" || fail "with --enable-recovery: $(cat "$work/out")"
told 20

# an interrupt at mpirun, or at one rank
for signal in INT TERM; do
    rm -f "$work"/s.besd* "$work/log" "$work/go"
    begin
    await begun 3
    kill -$signal $job
    wait $job && fail "$signal: mpirun ended with 0"
    await alone '^besd\|/besd$'
    runs 0 ' asked ' - trials "$work/s.besd"
done
rm -f "$work"/s.besd* "$work/log" "$work/go"
begin
await begun 3
gone=$(grep 'begin 1 ' "$work/log" | cut -d' ' -f4)
open=0 # a thread of MPI's that takes the signal would keep it from the one that waits for it
for thread in /proc/"$(cat "$work/pid.$gone")"/task/*/status; do
    (($((0x$(awk '/^SigBlk/ { print $2 }' "$thread"))) & 1 << 14)) || open=$((open + 1))
done
checks=$((checks + 1))
[ "$open" -le 1 ] || fail "SIGTERM may go to $open threads"
kill -TERM "$(cat "$work/pid.$gone")" # say, its machine is wanted back: it gives back its trial
await grep -q 'the rank that trained trial 1 is lost' "$work/err"
: >"$work/go"
wait $job || fail "a rank that leaves: $?, $(cat "$work/err")"
told 20
rm -f "$work"/s.besd* "$work/log" "$work/go"
begin
await begun 3
kill -TERM "$(cat "$work/pid.0")"
wait $job
matches 'interrupted; every told trial is kept. Go on with:' "$work/err" || fail "rank 0: $(cat "$work/err")"
await alone '^besd\|/besd$'
finish
