#!/usr/bin/env bash
# What one may do to a study by the command line: add, enqueue, void, tell --replace, restore, set, ask
# --worker --lease, renew, note, events, trials --csv.
source "$(dirname "$0")/cli.sh"
export BESD_WHO=ada
study=$work/s.besd
sql() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()' "$study" "$1"; }
member() { python3 -c 'import json, sys; print(eval("json.load(sys.stdin)" + sys.argv[1]))' "$1" <"$work/out"; }
is() { # EXPECTED MEMBER: of the JSON that was printed last
    checks=$((checks + 1))
    [ "$(member "$2")" = "$1" ] || fail "$2: expected '$1', got '$(member "$2")'"
}
create() {
    printf '%s\n' 'theta:' '  - {name: x, low: 0, high: 10, unit: m}' '  - {name: "y, up", low: 0, high: 10}' \
        'tau: [10, 30]' 'reps: [2, 4]' 'targets: 60' 'initial_designs: 2' 'model: paper' 'budget: 1000' "${@:2}" >"$work/s.yaml"
    runs 0 'a study of 2 coordinates' - create "$1" --spec "$work/s.yaml"
}
create "$study"

# earlier results
runs 0 '^added as trial 1$' - add "$study" --theta 3,4 --tau 30 --scores 31,28 --note 'old logs'
refuses 'theta\[1\]: expected y, up between 0 and 10, got 14' add "$study" --theta 3,14 --tau 30 --scores 31
refuses 'theta: expected 2 numbers, got 3' add "$study" --theta 3,4,5 --tau 30 --scores 31
refuses 'tau: expected 10 or 30, got 31' add "$study" --theta 3,4 --tau 31 --scores 31
runs 2 - 'give either --theta, --tau and --scores, or --from' add "$study"
runs 2 - 'belong together' add "$study" --theta 3,4 --tau 30
runs 2 - 'give either' add "$study" --theta 3,4 --tau 30 --scores 1 --from x.csv
runs 2 - 'do not go with --from' add "$study" --from x.csv --cost 3
refuses 'x.csv: No such file' add "$study" --from "$work/x.csv"
refuses 'it cannot be read: Is a directory' add "$study" --from "$work"
printf 'x,"y, up",tau,scores\n1,2,30,5 6\n1,2,30,5 x\n' >"$work/x.csv"
refuses 'x.csv, line 3: field 4, scores: expected' add "$study" --from "$work/x.csv"
printf 'x,"y, up",tau,scores\n1,2,30,5 6\n\n1,20,30,5\n' >"$work/x.csv"
refuses 'x.csv, line 4: theta\[1\]: expected y, up between' add "$study" --from "$work/x.csv"
runs 0 '"trial":1' - trials "$study" --json
is 1 '["trials"].__len__()' # none of them
printf '{"theta": {"x": 1, "y, up": 2}, "tau": 10, "scores": [4.5]}\n{"theta": [9, 9], "tau": 30, "scores": [1, 2, 3], "cost": 5}\n' >"$work/x.jsonl"
runs 0 'added 2 results as trials 2 to 3' - add "$study" --from "$work/x.jsonl"
"$besd" add "$study" --from - --json <"$work/x.jsonl" >"$work/out" || fail 'add --from -'
is 4 '["first"]'
is 2 '["added"]'

# wishes
runs 0 'trial 6 waits; the next ask gives it' - enqueue "$study" --theta 5,5 --note idea
refuses 'reps: expected 2 or 4, got 3' enqueue "$study" --theta 5,5 --reps 3
refuses 'tau: expected one of the study.s, got 0' enqueue "$study" --theta 5,5 --tau 0
refuses 'reps: expected one of the study.s, got -2' enqueue "$study" --theta 5,5 --reps -2
runs 2 - 'theta is missing' enqueue "$study"
runs 0 'enqueued .*' - trials "$study"
matches ' waits; the next ask gives it' "$work/out" || fail 'trials says nothing of the waiting one'

# leases
runs 0 '"worker":"robot1"' - ask "$study" --worker robot1 --lease 60 --json
is 6 '["trial"]'
is 5.0 '["theta"]["y, up"]'
is enqueued '["reason"]'
seed=$(member '["seed"]')
refuses 'lease: expected seconds above 0, at most 1e\+09, got 0' ask "$study" --lease 0
refuses 'got -5' ask "$study" --lease -5
refuses 'worker: expected a name' ask "$study" --worker ''
runs 2 - 'do not go with --again' ask "$study" --again 3 --worker r
runs 0 'is leased anew' - renew "$study" 6 --worker robot1 --lease 600
refuses "it is robot1's, not robot2's" renew "$study" 6 --worker robot2 --lease 600
refuses 'lease: expected the seconds from now on, got none' renew "$study" 6 --worker robot1
refuses 'trial 1 is told; there is no lease to renew' renew "$study" 1 --worker robot1 --lease 6
sql 'UPDATE work SET since = since - 601'
runs 0 'by robot1 and neither told nor failed; its lease has ended, the next ask gives it' - trials "$study"
refuses "the lease of 'robot1' ended" renew "$study" 6 --worker robot1 --lease 6
runs 0 '"worker":"robot2"' - ask "$study" --worker robot2 --lease 60 --json
is 6 '["trial"]'
is "$seed" '["seed"]'
runs 0 '^told$' - tell "$study" 6 --scores 7,8
refuses 'has been told' tell "$study" 6 --scores 7,9
runs 0 '' - tell "$study" 6 --scores 7,8 --json
is True '["repeated"]'

# corrections
runs 0 'is voided: the model no longer sees it; what it cost stays spent' - void "$study" 1 --why 'a wheel was loose'
runs 0 'voided: a wheel was loose' - trials "$study"
refuses 'trial 1 is voided; only a told trial can be told anew, so restore it first' tell "$study" 1 --replace --scores 1,2
refuses 'trial 1 was voided; restore it first' tell "$study" 1 --scores 31,28
refuses 'trial 2 was neither voided nor replaced; there is nothing to restore' restore "$study" 2
runs 0 'is restored' - restore "$study" 1
runs 0 'told anew; .besd restore. undoes it' - tell "$study" 1 --replace --scores 3.1,2.8
runs 0 'its scores are replaced$' - trials "$study"
runs 0 'told anew' - tell "$study" 1 --replace --scores 3,2 --why typo
runs 0 'its scores are replaced: typo' - trials "$study"
runs 0 '"state":"told"' - restore "$study" 1 --json
is '[3.1, 2.8]' '["scores"]'
is 1 '["replaced"]'
runs 0 '' - restore "$study" 1 --json
is '[31.0, 28.0]' '["scores"]'
runs 2 - 'why belongs to --replace' tell "$study" 1 --scores 1,2 --why x
runs 2 - 'replace takes --scores' tell "$study" 1 --mean 1 --variance 1 --count 2 --replace
runs 2 - 'TRIAL: expected a whole number' void "$study" one
refuses 'has no trial 77' void "$study" 77

# budget
runs 0 'the budget is 500 now; ' - set "$study" --budget 500
runs 0 'so the study is over' - set "$study" --budget 1
runs 0 'done: the budget of 1 is spent' - ask "$study"
refuses 'budget: the trial costs 60, and 0 are left; raise the budget first' enqueue "$study" --theta 5,5
for wrong in much 1e400 nan inf ''; do
    runs 2 - "budget: expected a number or none, got '$wrong'" set "$study" --budget "$wrong"
done
refuses 'budget: expected a number from 0' set "$study" --budget -3
runs 2 - 'got nothing' set "$study"
runs 0 'the study has no limit now' - set "$study" --budget none
runs 0 '"budget":1000.0' - set "$study" --budget 1000 --json

# notes and tags
runs 0 'is noted' - note "$study" 2 --text $'two\nlines, "quoted"' --tag wet --tag 'b b'
refuses 'tag: expected a word' note "$study" 2 --text other --tag a,b # and the note stays
refuses 'give --text, --tag or --untag' note "$study" 2
runs 0 'tags: b b,wet' - trials "$study"
runs 0 '' - note "$study" 2 --untag wet --json
is "['b b']" '["tags"]'

# what happened
runs 0 'added     trial 1  by ada' - events "$study"
matches 'voided    trial 1  by ada.*a wheel was loose' "$work/out" || fail 'events: no reason'
runs 0 '' - events "$study" --json
is added '["events"][0]["what"]'
is ada '["events"][0]["who"]'
is 'a wheel was loose' '["events"][[e["what"] for e in json.loads(open("'"$work/out"'").read())["events"]].index("voided")]["detail"]["why"]'
count=$(member '["events"].__len__()')
runs 0 '' - events "$study" --after "$count" --json
is 0 '["events"].__len__()'

# a table of it, and back
runs 0 '^trial,state,reason,x,"y, up",tau,reps,seed,cost,mean,scores,worker,asked_at,ended_at,duration,tags,note$' - trials "$study" --csv
cp "$work/out" "$work/all.csv"
matches ',b b,"two lines, ""quoted"""$' "$work/all.csv" || fail 'trials --csv: quotes'
runs 2 - 'give either --csv or --json' trials "$study" --csv --json
runs 0 '"trial"' - ask "$study" --worker w --lease 5 --json # left out of the table's results
"$besd" trials "$study" --csv >"$work/all.csv"
create "$work/t.besd"
runs 0 'added 6 results as trials 1 to 6' - add "$work/t.besd" --from "$work/all.csv"
matches '1 row of trials that were not told is left out' "$work/out" || fail 'add: nothing is said of what was left out'
columns() { python3 -c 'import csv, sys
for r in csv.DictReader(open(sys.argv[1])): r["state"] == "told" and print(r["x"], r["y, up"], r["tau"], r["cost"], r["scores"], r["mean"], r["tags"], r["note"], sep="|")' "$1"; }
"$besd" trials "$work/t.besd" --csv >"$work/back.csv"
[ "$(columns "$work/all.csv")" = "$(columns "$work/back.csv")" ] || fail 'trials --csv and add --from: something was lost'
"$besd" trials "$study" --json | python3 -c 'import json, sys; [print(json.dumps(t)) for t in json.load(sys.stdin)["trials"]]' >"$work/all.jsonl"
create "$work/u.besd"
runs 0 'added 6 results' - add "$work/u.besd" --from "$work/all.jsonl"
"$besd" trials "$work/u.besd" --csv >"$work/back.csv"
[ "$(columns "$work/all.csv")" = "$(columns "$work/back.csv")" ] || fail 'JSON lines: something was lost'

# a file with a tag that is none adds nothing
python3 - "$work/all.csv" >"$work/bad.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
rows[1]["tags"] = "a,,b"
out = csv.DictWriter(sys.stdout, rows[0])
out.writeheader()
out.writerows(rows)
PY
create "$work/v.besd"
refuses "bad.csv, line 3: field [0-9]+, tags: expected words of 1 to 63 bytes with commas between them, got 'a,,b'" add "$work/v.besd" --from "$work/bad.csv"
runs 0 '"trials":\[\]' - trials "$work/v.besd" --json

# names of others stay text
sql "UPDATE work SET worker = char(27) || '[31m' || char(10) || 'evil'; UPDATE event SET who = char(27) || ']0;x' WHERE id = 1"
runs 0 '' - trials "$study"
runs 0 '' - events "$study"
runs 0 '' - trials "$study" --csv
! grep -q $'\x1b' "$work/out" || fail 'a name steers the terminal'
sql "UPDATE event SET at = 9e999 WHERE id = 3"
runs 1 '' 'the event 3 is damaged' events "$study"
refuses 'the event 3 is damaged' events "$study" --json
# what a note replaces is not lost
rm -f "$study"*
create "$study"
runs 0 '' - ask "$study"
runs 0 '' - note "$study" 1 --text 'first words'
runs 0 '' - note "$study" 1 --text 'other words'
runs 0 '"what":"noted","trial":1,"detail":\{"before":"first words"\}' - events "$study" --json
finish
