#!/usr/bin/env bash
# Trainers of one's own: what besd init writes runs as it is, studies are gone on with by their files, recommendations
# are tested beside training without a design, and methods are compared.
source "$(dirname "$0")/cli.sh"
cd "$work"

# init: three languages, both directions; all pass the check and find their secret place
for language in python shell c; do
    direction=$([ $language = shell ] && echo maximize || echo minimize)
    runs 0 "^$language.yaml and $language.(py|sh|c) are written" - init $language --language $language \
        --direction $direction --coordinates x1=0..10,y1=-5..10
    runs 0 '^6 checks, 0 failed, 0 warnings' '' check $language.yaml
done
before=$(cat python.py)
refuses 'python.py: it exists; choose another NAME, or remove it' init python
[ "$(cat python.py)" = "$before" ] || fail 'init has written over a file'
refuses "coordinates: expected NAME=LOW..HIGH .* got 'x'" init other --coordinates x
refuses 'coordinates: x: expected a low end below the high end, got 3..3' init other --coordinates x=3..3
refuses 'coordinates: x is there twice' init other --coordinates x=0..1,x=0..2
refuses "coordinates: .*no name is trial, .*got 'tau=0..1'" init other --coordinates tau=0..1
refuses "language: expected python, shell, c; got 'pyhton', did you mean 'python'" init other --language pyhton
runs 2 - "NAME: expected letters, digits and _ as in rover2, got '../x'" init ../x
[ ! -e other.yaml ] || fail 'init has written something that it refused'
runs 0 '^\{"description":"study.yaml","trainer":"study.py","language":"python","coordinates":2\}' - init --json

# asked on a terminal
python3 - "$besd" <<'PYTHON' || fail 'init does not ask its three questions'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], [sys.argv[1], "init", "asked"])
text = ""
for answer in (b"a=0..1, b=0..2\n", b"minimize\n", b"\n"):
    while text.count("] ") < 1:
        text += os.read(terminal, 1024).decode()
    text = ""
    os.write(terminal, answer)
try:
    while some := os.read(terminal, 1024):
        text += some.decode()
except OSError:
    pass
assert os.waitpid(child, 0)[1] == 0 and "asked.py are written" in text, text
PYTHON
matches '^  - \{name: b, low: 0, high: 2\}$' asked.yaml || fail 'init has not heard its answers'
matches '^direction: minimize' asked.yaml || fail 'init has not heard its answers'

# a study that is gone on with by its file: with the options that it was begun with
runs 0 'c.yaml, seed 4: the budget of 3200 is spent' '' run c.yaml --method random --seed 4 --budget 3200
runs 0 'seed 4: the budget of 6400 is spent' 'note: trains with the command of c.yaml' run c-4.besd --budget 6400
runs 0 '"method":"random"' '' run c-4.besd --json --quiet
refuses 'method: the study has "random", got "ei"; to go on with it, say .method: random. in the description, or --method random' \
    run c-4.besd --method ei --quiet
runs 2 - '--study belongs to its description' run c-4.besd --study other.besd
chmod o+w c.yaml
refuses 'c.yaml: it belongs to somebody else, or others may change it' run c-4.besd --quiet
chmod o-w c.yaml
mv c.yaml elsewhere.yaml
refuses 'a study file starts no trainer by itself, and no description lies beside it; say: besd run STUDY.yaml --study c-4.besd' \
    run c-4.besd --quiet
mv elsewhere.yaml c.yaml
sed 's/exec/exec  /' c.yaml >other.yaml
cp c-4.besd other-4.besd
refuses 'command: the study in other-4.besd was begun with' run other-4.besd --quiet

# the test: on fresh seeds, beside training without a design; what was trained is not trained again
runs 0 'tested on 4 fresh seeds, tau 400, 2 replications each' 'the test trains 8 times, which costs up to 6400' \
    run c-4.besd --test 4
matches '^  with this design +[0-9.]+ \+- [0-9.]+ score' "$work/out" || fail 'no score with the design'
matches '^  it gains +[0-9.]+, with 95 % confidence between [0-9.]+ and [0-9.]+' "$work/out" || fail 'no gain'
matches '^  the test has cost 6400 on top of the budget' "$work/out" || fail 'no cost of the test'
runs 0 '"test":\{"seeds":4,"tau":400,"reps":2,"failed":0,"cost":0.0,' '' run c-4.besd --test 4 --json --quiet
runs 0 '"test":\{"seeds":6,"tau":400,"reps":2,"failed":0,"cost":3200.0,' '' run c-4.besd --test 6 --json --quiet --jobs 3
python3 - "$work/out" <<'PYTHON' || fail 'the figures of the test do not belong together'
import json, math, sys
t = json.load(open(sys.argv[1]))["test"]
assert math.isclose(t["gain"], t["no_subgoals_mean"] - t["mean"]) and t["gain_low"] <= t["gain"] <= t["gain_high"]
PYTHON
runs 2 - '--test: expected 0 to 1000 seeds, got 1001' run c-4.besd --test 1001

# a trainer that cannot do without a design is tested alone; a failed training counts as the worst possible score
cat >stern.sh <<'SH'
read -r trial
case $trial in *'"theta":null'*) echo 'no design' >&2; exit 3 ;; esac
seed=$(echo "$trial" | sed -E 's/.*"seed":([0-9]+).*/\1/')
case $trial in *'"trial":'[12],*) ;; *) [ $((seed % 2)) = 0 ] || exit 4 ;; esac
echo '{"scores": [7]}'
SH
printf '%s\n' 'theta: [{name: x, low: 0, high: 10}]' 'tau: [10]' 'reps: [1]' 'budget: 20' 'command: sh stern.sh' >stern.yaml
runs 0 'without any design there is nothing to compare with: the command ended with exit code 3; it said: no design' '' \
    run stern.yaml --test 8
failed=$(sed -nE 's/^  ([0-9]+) trainings? failed and (is|are) left out/\1/p' "$work/out")
[ "${failed:-0}" -ge 1 ] || fail 'no training of the test has failed'
echo 'worst_possible: 3' >>stern.yaml
rm stern-0.besd
runs 0 '"failed":0,' '' run stern.yaml --test 8 --json --quiet
python3 - "$work/out" "$failed" <<'PYTHON' || fail 'failed trainings do not count as the worst possible score'
import json, math, sys
t, failed = json.load(open(sys.argv[1]))["test"], int(sys.argv[2])
assert math.isclose(t["mean"], (3 * failed + 7 * (8 - failed)) / 8) and t["no_subgoals_mean"] is None, t
PYTHON

# methods and seeds compared: priced first, a study each, gone on with
runs 0 '^2 methods, 2 seeds each: 4 studies of cost 3200, each tested on 3 fresh seeds; .* up to 32000$' - \
    compare c.yaml --out lab --replications 2 --budget 3200 --test 3 --price
[ ! -e lab ] || fail 'the price has been paid'
runs 0 '^  besd +2 seeds +[0-9.]+ \+- [0-9.]+' 'study 4 of 4: lab/random-2.besd' \
    compare c.yaml --out lab --replications 2 --budget 3200 --test 3
matches '^  random +2 seeds .* besd less this: .*, with 95 % confidence between' "$work/out" || fail 'no difference'
matches '^  without any design' "$work/out" || fail 'nothing without a design'
cp lab/summary.json first.json
runs 0 '' '' compare c.yaml --out lab --replications 2 --budget 3200 --test 3 --quiet
cmp -s first.json lab/summary.json || fail 'another summary when nothing was left to do'
runs 0 '"methods":\[\{"method":"besd:model=paper"' - compare c.yaml --out lab --replications 1 --budget 3200 --json --quiet \
    --methods besd:model=paper,random
refuses 'methods: ql learns on a domain' compare c.yaml --out lab --methods ql
refuses 'budget: expected a number above 0 for every study' compare c.yaml --out lab --budget 1e
runs 2 - 'one STUDY.yaml and nothing beside it' compare c.yaml gw10 --out lab
runs 2 - '--jobs belong to a STUDY.yaml' compare gw10 --out lab --price

# what a newcomer types
refuses "domain: there is no 'python'; did you mean 'python.yaml'" run python
refuses 'python.py: it is a file, and no domain: .* .besd init. writes one' run python.py
refuses 'lab: it is a folder, and no domain' run lab
runs 2 - "unexpected argument '-budget', did you mean '--budget'" run c.yaml -budget 500
runs 2 - "unexpected argument '2'; numbers of one list have commas and no blanks" tell c-4.besd 1 --scores 1 2
runs 2 - "expected FILE TRIAL, got 'c-4.besd' alone" tell c-4.besd --scores 1,2
runs 2 - "unexpected argument 'c.yaml'; expected FILE" create c-4.besd c.yaml
runs 2 - "numbers separated by commas, in the order of the coordinates and without their names" \
    predict c-4.besd --theta x1=3,y1=2
runs 0 'model: averaged or paper' - options

# paths in other units than their box
printf '%s\n' 'theta: [{name: x, low: 0, high: 12}, {name: y, low: 0, high: 12}]' 'tau: [10]' 'reps: [1]' 'budget: 200' \
    'direction: minimize' 'path: {points: 1, cap: 100, cell: 50, to: [11, 11]}' \
    "command: \"echo '{\\\"scores\\\": [7]}'\"" >wide.yaml
runs 0 'warning path .*expected: cells smaller than the box' '' check wide.yaml
refuses 'path: cell: 50 is as wide as the whole box \(12\), so that all points are one place' run wide.yaml --quiet
sed -i 's/cell: 50, to: .11, 11./cell: 1, to: [11, 110]/' wide.yaml
runs 0 'got: path: to: 110 is outside the box of y, which goes from 0 to 12' '' check wide.yaml
refuses 'path: to: 110 is outside the box of y' run wide.yaml --quiet
[ ! -e wide-0.besd ] || fail 'a study was begun that is refused'
finish
