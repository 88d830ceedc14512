#!/usr/bin/env bash
# report with several studies: the table, the figure and its numbers, what differs, refusals.
source "$(dirname "$0")/cli.sh"

# make FILE DIRECTION LINE...: a study of one coordinate; lines of YAML besides.
make() {
    local file=$1 direction=$2
    shift 2
    printf '%s\n' 'theta: [{name: x, low: 0, high: 1, unit: m}]' 'tau: [10, 20]' 'reps: [2]' \
        'initial_designs: 4' "direction: $direction" "$@" >"$work/study.yaml"
    runs 0 '' - create "$file" --spec "$work/study.yaml"
}

# feed FILE SCORE...: tells the scores to trials at tau 20, and to those at tau 10 one that would be the best.
# What a line of the figure has to be is written beside: cost and best score, whenever that is better.
feed() {
    local file=$1 spent=0 best='' id tau
    shift
    : >"$file.steps"
    while [ $# -gt 0 ]; do
        "$besd" ask "$file" --json >"$work/trial"
        id=$(grep -o '"trial":[0-9]*' "$work/trial" | cut -d: -f2)
        tau=$(grep -o '"tau":[0-9]*' "$work/trial" | cut -d: -f2)
        spent=$((spent + 2 * tau))
        if [ "$tau" -eq 10 ]; then
            "$besd" tell "$file" "$id" --scores 0.5,0.5 >/dev/null
        elif [ "$1" = fail ]; then
            "$besd" fail "$file" "$id" >/dev/null
            shift
        else
            "$besd" tell "$file" "$id" --scores "$1,$1" >/dev/null
            if [ -z "$best" ] || [ "$1" -lt "$best" ]; then
                best=$1
                echo "$spent $best" >>"$file.steps"
            fi
            shift
        fi
    done
    echo "$spent $best" >>"$file.steps"
}

# has PATTERN PAGE, lacks PATTERN PAGE
has() {
    checks=$((checks + 1))
    grep -qE -e "$1" "$2" || fail "${2##*/} has no '$1'"
}
lacks() {
    checks=$((checks + 1))
    grep -qE -e "$1" "$2" && fail "${2##*/} has '$1'"
}
# cells NUMBER PAGE: so many in every row of the first table
cells() {
    checks=$((checks + 1))
    sed '/<\/table>/q' "$2" | awk -F'<td>' -v n="$1" '/<tr><td>/ { rows++; wrong += NF - 1 != n } END { exit !rows || wrong }' ||
        fail "${2##*/}: expected $1 cells in every row"
}

mkdir "$work/s" "$work/t"
make "$work/s/a.besd" minimize 'transform: log' 'seed: 1'
feed "$work/s/a.besd" 9 5 7 3
make "$work/s/b.besd" minimize 'transform: log' 'seed: 2' 'model: paper' 'budget: 5000'
feed "$work/s/b.besd" 8 fail 8 2
make "$work/s/empty.besd" minimize 'transform: log' 'seed: 3'

"$besd" report --help >"$work/help"
has 'FILE\|DIR\.\.\.' "$work/help"

# without gnuplot there are page, script and data; an older figure is not taken for this one
mkdir "$work/nothing"
printf '<svg viewBox="0 0 6 4"></svg>' >"$work/s/studies-best.svg"
(
    PATH=$work/nothing
    "$besd" report "$work/s/a.besd" "$work/s/b.besd" "$work/s/empty.besd" --figures >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
)
checks=$((checks + 1))
[ "$(cat "$work/code")" -eq 1 ] || fail "without gnuplot: expected exit code 1"
has 'gnuplot-nox' "$work/err"
page=$work/s/studies.html
has 'was not drawn' "$page"

# the lines: the best so far at the largest tau, and up to what was spent
checks=$((checks + 1))
{ cat "$work/s/a.besd.steps" && printf '\n\n' && cat "$work/s/b.besd.steps"; } >"$work/expected"
awk '/^EOD/ { inside = 0 } inside { print } /<< EOD/ { inside = 1; if (blocks++) printf "\n\n" }' \
    "$work/s/studies-best.gp" >"$work/data"
cmp -s "$work/expected" "$work/data" || fail "the figure has other numbers: $(cat "$work/data")"
[ "$(wc -l <"$work/s/a.besd.steps")" -eq 4 ] || fail "the test has no steps: $(cat "$work/s/a.besd.steps")"
has 'set logscale y' "$work/s/studies-best.gp"
has "label 'a\.besd'" "$work/s/studies-best.gp"
sed "s/'\."'"\\n"'"\.'/ /g" "$work/s/studies-best.gp" >"$work/footer"
has 'trials told at tau 20, .* Without a line: 1 study with nothing told\.' "$work/footer"

# the table: a row for each, dashes where nothing was told, failed trials in brackets
cells 11 "$page"
has '<td>a\.besd</td><td>besd</td><td>averaged</td><td>1</td><td>[0-9]+</td>.*<td>3</td>' "$page"
has '<td>b\.besd</td><td>besd</td><td>paper</td><td>2</td><td>[0-9]+ \(1 failed\)</td>.*<td>2</td>' "$page"
has '<td>empty\.besd</td><td>besd</td><td>averaged</td><td>3</td><td>0</td><td>0</td><td>–</td><td>–</td><td>–</td><td>–</td>' "$page"
has '<th>x \(m\)</th>' "$page"
expected=$("$besd" recommend "$work/s/a.besd" --json | grep -o '"value":[0-9.]*' | cut -d: -f2)
has "<td>a\.besd<.*<td>$(printf '%.4g' "$expected")</td><td>-?[0-9.]+ – -?[0-9.]+</td><td>-?[0-9.]+ ± [0-9.]+</td>" "$page"

# what differs, seeds apart
has '<li>model: <b>averaged</b> in a\.besd and empty\.besd, <b>paper</b> in b\.besd</li>' "$page"
has '<li>budget: <b>none</b> in a\.besd and empty\.besd, <b>5000</b> in b\.besd</li>' "$page"
lacks '<li>(seed|tau|theta|caution)' "$page"
runs 1 - '' report "$work/s/a.besd" "$work/s/empty.besd" --out "$work/nothing/no/page.html"

# files of one name have their folders; a method without a model
make "$work/t/a.besd" minimize 'transform: log' 'method: random'
feed "$work/t/a.besd" 4
if command -v gnuplot >/dev/null; then
    runs 0 'pair\.html' - report "$work/s/a.besd" "$work/t/a.besd" --out "$work/pair.html"
    page=$work/pair.html
    [ -e "$work/pair-best.gp" ] || [ -e "$work/pair-best.svg" ] && fail "files beside the page that nobody asked for"
    has '<td>s/a\.besd</td>' "$page"
    has '<td>t/a\.besd</td><td>random</td><td>–</td>' "$page"
    has '<li>method: <b>besd</b> in s/a\.besd, <b>random</b> in t/a\.besd</li>' "$page"
    lacks '<li>(model|initial_reps)' "$page"
    has '</svg>' "$page"
    lacks 'href=.http|<script' "$page"
    # more than can be told apart: grey, and eight names
    for i in 1 2 3 4 5 6 7 8 9; do
        cp "$work/t/a.besd" "$work/t/copy$i.besd"
    done
    runs 0 'many\.html' - report "$work"/t/*.besd "$work/s/a.besd" "$work/s/b.besd" --out "$work/many.html" --figures
    [ "$(grep -c "^set label '.*besd' at" "$work/many-best.gp")" -eq 8 ] || fail "expected eight names"
    [ "$(grep -c 'with steps' "$work/many-best.gp")" -eq 12 ] || fail "expected twelve lines"
    [ "$(grep -c 'with steps.*#c4c4c4' "$work/many-best.gp")" -eq 4 ] || fail "expected four grey lines"
    has "label 's/b.besd'" "$work/many-best.gp" # the best, and the last that was given
    has 'Grey: all but the 8' "$work/many-best.gp"
fi

# no figure where scores cannot share an axis, and the page says why; other coordinates are left out
make "$work/up.besd" maximize 'transform: log'
feed "$work/up.besd" 4
runs 0 'mixed\.html' - report "$work/s/a.besd" "$work/up.besd" --out "$work/mixed.html"
has 'no figure: the studies differ in <code>direction</code>' "$work/mixed.html"
lacks '<figure|score is better' "$work/mixed.html"
[ -e "$work/mixed-best.gp" ] && fail "a figure of two directions"
has '<li>direction: <b>minimize</b> in a\.besd, <b>maximize</b> in up\.besd</li>' "$work/mixed.html"
printf '%s\n' 'theta: [{name: "<y>", low: 0, high: 2}]' 'tau: [10]' 'reps: [2]' >"$work/study.yaml"
runs 0 '' - create "$work/y.besd" --spec "$work/study.yaml"
runs 0 '' - report "$work/s/empty.besd" "$work/y.besd" --out "$work/other.html"
cells 10 "$work/other.html"
has 'coordinates are left out' "$work/other.html"
has 'no figure: nothing has been told yet' "$work/other.html"
has '<li>theta: <b>\[x\]</b> in empty\.besd, <b>\[&lt;y&gt;\]</b> in y\.besd</li>' "$work/other.html"
sed -i 's/"<y>", low: 0, high: 2/x, low: 0, high: 2, unit: m/' "$work/study.yaml"
runs 0 '' - create "$work/box.besd" --spec "$work/study.yaml"
runs 0 '' - report "$work/s/empty.besd" "$work/box.besd" --out "$work/box.html"
has '<li>theta, x: <b>\[0, 1\] m</b> in empty\.besd, <b>\[0, 2\] m</b> in box\.besd</li>' "$work/box.html"

# what is refused
echo 'not a study' >"$work/text.besd"
refuses 'text\.besd: it is not a besd study' report "$work/s/a.besd" "$work/text.besd"
refuses 'report: [^ ]*/t: it is a folder; a page is of one comparison, or of studies' report "$work/s/a.besd" "$work/t"
refuses '/s: it is a folder' report "$work/s" "$work/t"
refuses 'nowhere\.besd: No such file' report "$work/s/a.besd" "$work/nowhere.besd"
refuses 'the same study as .*/s/a\.besd' report "$work/s/a.besd" "$work/s/b.besd" "$work/t/../s/a.besd"
runs 2 - 'FILE\|DIR\.\.\. is missing' report
finish
