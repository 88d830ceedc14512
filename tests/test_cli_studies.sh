#!/usr/bin/env bash
# report with several studies: all of them are in one page, under names that tell them apart; refusals. What a browser
# makes of it: test_static_page.sh.
source "$(dirname "$0")/cli.sh"
command -v python3 >/dev/null || exit 77

# make FILE DIRECTION LINE...: a study of one coordinate; lines of YAML besides.
make() {
    local file=$1 direction=$2
    shift 2
    printf '%s\n' 'theta: [{name: x, low: 0, high: 1, unit: m}]' 'tau: [10, 20]' 'reps: [2]' \
        'initial_designs: 4' "direction: $direction" "$@" >"$work/study.yaml"
    runs 0 '' - create "$file" --spec "$work/study.yaml"
}

# feed FILE SCORE...: tells the scores to trials at tau 20, and to those at tau 10 one that would be the best.
feed() {
    local file=$1 id tau
    shift
    while [ $# -gt 0 ]; do
        "$besd" ask "$file" --json >"$work/trial"
        id=$(grep -o '"trial":[0-9]*' "$work/trial" | cut -d: -f2)
        tau=$(grep -o '"tau":[0-9]*' "$work/trial" | cut -d: -f2)
        if [ "$tau" -eq 10 ]; then
            "$besd" tell "$file" "$id" --scores 0.5,0.5 >/dev/null
        elif [ "$1" = fail ]; then
            "$besd" fail "$file" "$id" >/dev/null
            shift
        else
            "$besd" tell "$file" "$id" --scores "$1,$1" >/dev/null
            shift
        fi
    done
}

names='[s["name"] for s in d["/v1/studies"]["studies"]]'
mkdir "$work/s" "$work/t"
make "$work/s/a.besd" minimize 'transform: log' 'seed: 1'
feed "$work/s/a.besd" 9 5 7 3
make "$work/s/b.besd" minimize 'transform: log' 'seed: 2' 'model: paper' 'budget: 5000'
feed "$work/s/b.besd" 8 fail 8 2
make "$work/s/empty.besd" minimize 'transform: log' 'seed: 3'
runs 0 'FILE\|DIR\.\.\.' - report --help

runs 0 'studies\.html' - report "$work/s/a.besd" "$work/s/b.besd" "$work/s/empty.besd"
page=$work/s/studies.html
says "$page" "$names" "['a', 'b', 'empty']"
says "$page" 'study("b")["options"]["model"], study("b")["budget"], study("b")["trials"]["failed"]' "('paper', 5000.0, 1)"
says "$page" 'of("trials", "empty")["trials"], of("recommend", "empty")' '([], None)'
expected=$("$besd" recommend "$work/s/a.besd" --json | grep -o '"value":[0-9.]*' | cut -d: -f2)
says "$page" 'of("recommend", "a")["value"]' "$expected"

# files of one name have their folders; a folder has all its studies, broken ones with their sentence
make "$work/t/a.besd" minimize 'transform: log' 'method: random'
feed "$work/t/a.besd" 4
runs 0 'pair\.html' - report "$work/s/a.besd" "$work/t/a.besd" --out "$work/pair.html"
says "$work/pair.html" "$names" "['s/a', 't/a']"
says "$work/pair.html" 'study("t/a")["options"]["method"]' random
echo 'not a study' >"$work/t/text.besd"
runs 0 'studies\.html' - report "$work/t"
says "$work/t/studies.html" "$names" "['a', 'text']"
says "$work/t/studies.html" '"it is not a besd study" in d["/v1/studies"]["studies"][1]["error"]' True

# what is refused
refuses 'text\.besd: it is not a besd study' report "$work/s/a.besd" "$work/t/text.besd"
refuses '/t: it is a folder; a page is of one folder, or of studies' report "$work/s/a.besd" "$work/t"
refuses '/s: it is a folder' report "$work/s" "$work/t"
refuses 'nowhere\.besd: No such file' report "$work/s/a.besd" "$work/nowhere.besd"
refuses 'the same study as .*/s/a\.besd' report "$work/s/a.besd" "$work/s/b.besd" "$work/t/../s/a.besd"
mkdir "$work/none"
refuses 'none: expected the folder of a comparison .results.besd. or one with studies' report "$work/none"
runs 1 - '' report "$work/s/a.besd" "$work/s/empty.besd" --out "$work/nothing/no/page.html"
runs 2 - 'FILE\|DIR\.\.\. is missing' report
finish
