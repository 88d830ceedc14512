#!/usr/bin/env bash
# compare: killed and continued, over MPI, on a domain of one's own, and what it refuses.
source "$(dirname "$0")/cli.sh"

source_folder=$2
small="gw10 tr --methods besd,lcb,hyperband,tql --replications 2 --budget 40000 --test 5 --quiet"

# identical FOLDER: the exports of the undisturbed comparison
identical() {
    checks=$((checks + 1))
    for file in curves learning trials summary comparisons reach changes table1; do
        cmp -s "$work/whole/$file.csv" "$1/$file.csv" || fail "$file.csv in $1: other bytes"
    done
}

runs 0 '' - compare $small --out "$work/whole" --threads 2

# kill -9 at several moments; what is finished stays, the rest follows
for moment in 0.1 0.3 0.6; do
    "$besd" compare $small --out "$work/killed" --threads 2 >/dev/null 2>&1 &
    sleep "$moment"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
done
runs 0 '' - compare $small --out "$work/killed" --threads 2
identical "$work/killed"

# every change is tested, and the points of the curves are what was in force there
checks=$((checks + 1))
awk -F, 'FNR == 1 { next } { run = $1 "," $2 "," $3 }
    NR == FNR { n[run]++; cost[run, n[run]] = $4; mean[run, n[run]] = $5; next }
    $2 != "tql" && $5 != "" { for (k = n[run]; k && cost[run, k] + 0 > $4 + 0;) k--; seen++; wrong += mean[run, k] != $5 }
    END { exit !(seen > 100 && !wrong) }' "$work/whole/changes.csv" "$work/whole/curves.csv" ||
    fail "the points of the curves are not those of the changes"
runs 0 '' - compare $small --out "$work/points" --at-points
checks=$((checks + 1))
cmp -s "$work/whole/curves.csv" "$work/points/curves.csv" || fail "--at-points: other curves"
[ -e "$work/points/changes.csv" ] && fail "--at-points: there are changes"

# three that begin in one new folder at once
together=()
for i in 1 2 3; do
    "$besd" compare $small --out "$work/together" --threads 1 >/dev/null 2>"$work/err$i" &
    together+=($!)
done
for i in 1 2 3; do
    checks=$((checks + 1))
    wait "${together[i - 1]}" || fail "compare beside two others: $(head -c 300 "$work/err$i")"
done
identical "$work/together"

# learning without subgoals is what ql scores, with other levers as well
runs 0 '' - compare tr --set tau=400,4000 --methods ql,random --replications 1 --budget 200000 --test 50 --quiet \
    --out "$work/long"
checks=$((checks + 1))
plain=$(sed -n 's/.*without subgoals \([0-9.]*\),.*/\1/p' "$work/out")
scored=$(awk -F, '$2 == "ql" { last = $5 } END { printf "%.4g", last }' "$work/long/summary.csv")
[ -n "$plain" ] && [ "$plain" = "$scored" ] || fail "without subgoals $plain, ql $scored"

# stopped politely, in the middle of far too much work: it says so, and what was finished is kept
# has_finished NUMBER FOLDER: so many jobs of a comparison are over and kept
has_finished() { [ "$(sqlite3 -readonly "$2/results.besd" 'SELECT count(*) FROM job' 2>/dev/null || echo 0)" -ge "$1" ]; }
much="gw10 --methods random --replications 5000 --budget 40000 --test 5 --threads 1"
for signal in $(command -v sqlite3 >/dev/null && echo INT TERM); do
    : >"$work/err"
    "$besd" compare $much --out "$work/$signal" >"$work/out" 2>"$work/err" &
    await has_finished 2 "$work/$signal"
    kill -$signal $!
    wait $!
    code=$?
    checks=$((checks + 1))
    [ $code -eq 1 ] || fail "compare under SIG$signal: expected exit code 1, got $code"
    matches 'stopped; finished jobs are kept' "$work/err" || fail "SIG$signal: $(head -c 300 "$work/err")"
    runs 0 'random +([2-9]|[0-9]{2,}) ' 'note: the folder also holds [0-9]+ more runs? of random' compare ${much/5000/1} --out "$work/$signal"
done

# stopped twice, in the middle of a long job: the second signal ends it, though it is of another kind
catches_term() { # PROCESS
    local caught
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
    ((0x${caught:-0} & 0x4000))
}
"$besd" compare gw20 --methods besd --replications 2 --threads 1 --out "$work/twice" >/dev/null 2>&1 &
for ((i = 0; i < 600; i++)); do
    [ -e "$work/twice/results.besd" ] && catches_term $! && break # until then it may still be the shell
    sleep 0.1
done
kill -INT $!
for ((i = 0; i < 100; i++)); do
    catches_term $! || break
    sleep 0.1
done
kill -TERM $!
wait $! 2>/dev/null
code=$?
checks=$((checks + 1))
[ $code -eq $((128 + 15)) ] || fail "compare under SIGINT and SIGTERM: expected exit code 143, got $code"

# over MPI, when it is there and compiled in
if command -v mpirun >/dev/null && ldd "$besd" | grep -q libmpi; then
    checks=$((checks + 1))
    ranks 3 "$besd" compare $small --out "$work/ranks" >"$work/out" 2>&1 || fail "mpirun: $(head -c 300 "$work/out")"
    identical "$work/ranks"
    checks=$((checks + 1))
    ranks 2 "$besd" compare $small --out /dev/null/no >"$work/out" 2>&1
    [ $? -ne 124 ] || fail "mpirun: ranks wait for a comparison that was refused"
else
    checks=$((checks + 1))
    OMPI_COMM_WORLD_SIZE=2 "$besd" compare $small --out "$work/ranks" >"$work/out" 2>&1 &&
        fail "a launch by mpirun without MPI was accepted"
    grep -q 'MPI: it is not compiled in' "$work/out" || fail "no word about MPI"
fi

# a domain of one's own has no budget by default
runs 0 'gw10|random' - compare "$source_folder/examples/domains/gw10.yaml" --methods random \
    --replications 1 --budget 30000 --test 5 --quiet --out "$work/own"
refuses 'budget: expected a number above 0' compare gw10 --budget 0 --out "$work/zero"

# what the folder holds besides is named
part="gw10 --methods lcb --replications 1 --budget 40000 --test 5"
runs 0 'hyperband +2 ' 'note: the folder also holds besd .2 runs., hyperband .2 runs., 1 more run of lcb, tql .2 runs., the domain tr$' \
    compare $part --out "$work/whole"
runs 0 'hyperband +2 ' - compare $part --out "$work/whole" --quiet
runs 0 '"domains"' - compare $part --out "$work/whole" --json --quiet
runs 0 '' '' compare ${small/--quiet/} --out "$work/whole"
checks=$((checks + 1))
grep -q 'also holds' "$work/err" && fail "a note of what was asked for: $(cat "$work/err")"

# refusals
runs 2 - "--out is missing; it takes a folder for the results .see 'besd compare --help'" compare gw10
refuses "out: expected a folder" compare gw10 --out ''
refuses 'out: the name of the folder is too long' compare gw10 --out "$(printf 'long%.0s' {1..300})"
refuses 'nowhere/none: No such file or directory' compare gw10 --out "$work/nowhere/none"
refuses 'curves.csv/results.besd: .*: Not a directory' compare gw10 --out "$work/whole/curves.csv"
refuses "methods: expected one or more, got ''" compare gw10 --methods '' --out "$work/none"
refuses "replications: expected 1 to" compare gw10 --replications 0 --out "$work/none"
refuses "there is no 'bsd', did you mean 'besd'" compare gw10 --methods bsd --out "$work/none"
refuses "there is no 'xyzzy'; known are besd, .*, tql" compare gw10 --methods xyzzy --out "$work/none"
refuses "'dicrete' is no option .* 'discrete'.; known are tau, .*, model, .*, confirm, .*" \
    compare gw10 --methods besd:dicrete=true --out "$work/none"
refuses "discrete: expected true or false, got '3'" compare gw10 --methods besd:discrete=3 --out "$work/none"
refuses 'tau_max_share: expected a number in \[0, 1\], got 2' compare gw10 --methods besd:tau_max_share=2 --out "$work/none"
refuses "did you mean 'gw10'" compare gw1 --out "$work/none"
refuses "'lcb' is given twice" compare gw10 --methods lcb,lcb --out "$work/none"
refuses 'other settings for gw10: budget: 40000, now 50000' compare gw10 --methods lcb \
    --replications 1 --budget 50000 --test 5 --out "$work/whole"
refuses "other settings for gw10: domain: 'gw10', now 'gw10 wind[^']*'; choose" compare gw10 --set wind=0.05 --methods lcb \
    --replications 1 --budget 40000 --test 5 --out "$work/whole"
refuses 'other settings for gw10: seed: 1, now 2; choose' compare gw10 --methods lcb \
    --replications 1 --budget 40000 --test 5 --seed 2 --out "$work/whole"
refuses "budget: 40000, now 100000; test instances: 5, now 200; seed: 1, now 2; domain: 'gw10', now 'gw10 wind[^']*'; choose" \
    compare gw10 --set wind=0.5 --methods lcb --budget 100000 --seed 2 --out "$work/whole"
refuses 'budget: 100 does not pay for a single trial of besd on gw10' compare gw10 --methods ql,besd --budget 100 --out "$work/none"
runs 0 'tested on the same instances' 'note: on gw10 the initial design of besd:model=paper costs 90000 of the budget of 100000' compare gw10 --methods besd:model=paper --replications 1 \
    --budget 100000 --test 5 --out "$work/tight"
refuses "'gw10' is given twice" compare gw10 gw10 --methods lcb --replications 1 --out "$work/none"
mkdir "$work/foreign"
echo 'not results' >"$work/foreign/results.besd"
refuses 'results.besd: it is not the results of a comparison' compare gw10 --methods lcb --out "$work/foreign"
refuses 'results.besd: it is not the results of a comparison' report "$work/foreign"
mkdir "$work/damaged"
head -c 30000 "$work/whole/results.besd" >"$work/damaged/results.besd"
refuses 'results.besd: it is not the results of a comparison, or it is damaged' compare gw10 --methods lcb --budget 40000 --test 5 --out "$work/damaged"
refuses 'whole/results.besd holds results of other settings for gw10: budget: 40000, now 1600000' paper --quick --out "$work/whole"
if command -v sqlite3 >/dev/null; then
    cp -r "$work/whole" "$work/newer"
    sqlite3 "$work/newer/results.besd" 'PRAGMA user_version=9' >/dev/null
    refuses 'written by a newer besd .schema 9, this one knows 3.; choose another folder' compare gw10 --methods lcb --replications 1 \
        --budget 40000 --test 5 --out "$work/newer"
    refuses 'written by a newer besd .schema 9, this one knows 3.; choose another folder' report "$work/newer"
fi
finish
