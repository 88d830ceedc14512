#!/usr/bin/env bash
# The page of one study, for every kind of study: what it has, what it has not, and no files beside it.
source "$(dirname "$0")/cli.sh"
source_dir=$2

# has PATTERN PAGE, lacks PATTERN PAGE
has() {
    checks=$((checks + 1))
    grep -qE -e "$1" "$2" || fail "${2##*/} has no '$1'"
}
lacks() {
    checks=$((checks + 1))
    grep -qE -e "$1" "$2" && fail "${2##*/} has '$1'"
}
# heads PAGE: its headings in one line
heads() {
    grep -o '<h2>[^<]*' "$1" | sed 's/<h2>//' | paste -sd'|'
}
# alone FOLDER FILE...: nothing else is in the folder
alone() {
    local folder=$1
    shift
    checks=$((checks + 1))
    [ "$(ls "$folder" | paste -sd' ')" = "$*" ] || fail "expected $* in ${folder##*/}, found $(ls "$folder" | paste -sd' ')"
}
figures() { # how many the page has
    grep -c '<figure>' "$1"
}

runs 0 'keep the figures of studies' - report --help

# a grid of one's own: its map is kept with the study, and nobody speaks of a paper
mkdir "$work/own"
cat >"$work/own/rooms.yaml" <<'end'
name: rooms
map: |
  G...a
  ###..
  ....b
  S....
choose:
  - wall: [a, b]
tau: [40, 120]
reps: [3]
subgoals: 1..2
initial_designs: 4
end
runs 0 '' '' run "$work/own/rooms.yaml" --budget 8000 --test 3 --study "$work/own/rooms.besd" --quiet
page=$work/own/rooms.html
if command -v gnuplot >/dev/null; then
    runs 0 'rooms\.html' - report "$work/own/rooms.besd"
    alone "$work/own" rooms.besd rooms.html rooms.yaml
    [ "$(heads "$page")" = "The recommendation|How it came there|How many subgoals|Where the subgoals are|The legs between them|What the model expects|Why the newest trial|The settings|The trials" ] ||
        fail "rooms: its headings are $(heads "$page")"
    [ "$(figures "$page")" -eq 5 ] || fail "rooms: expected five figures, got $(figures "$page")"
    has 'tried in ROOMS' "$page"
    has 'The legs of ROOMS' "$page"
    has 'Walls:' "$page"
    has 'Subgoals for rooms constants=' "$page"
    lacks '[Pp]aper' "$page"
    lacks "<script|(src|href)=['\"][^#]|model.s scale" "$page"
    has "Content-Security-Policy. content=.default-src 'none'" "$page"
    # what the composed path promises, leg by leg, and how many subgoals are worth it
    has '<caption>The recommended path</caption>' "$page"
    has '<td>the start \(0\.5, 0\.5\)</td>' "$page"
    has '<td>the goal \(0\.5, 3\.5\)</td>' "$page"
    has '<b>[12]</b> of up to 2 subgoals (is|are) worth it' "$page"
    # settings: those that are not as initially are marked, and so are no others
    has '<tr class="ours"><td>direction</td><td>minimize</td><td>maximize</td><td>changed</td>' "$page"
    has '<tr><td>model</td><td>averaged</td><td>averaged</td><td></td>' "$page"
    has '<tr><td>path</td><td>1 to 2 points</td>' "$page"
    # all trials, those after the fiftieth folded away
    count=$("$besd" trials "$work/own/rooms.besd" | grep -c '^ *[0-9]')
    checks=$((checks + 1))
    [ "$(sed -n '/<h2>The trials/,$p' "$page" | grep -c '^<tr><td>')" -eq "$count" ] || fail "rooms: a trial is missing"
    # the scripts and figures when asked for
    runs 0 'kept\.html' - report "$work/own/rooms.besd" --out "$work/own/kept.html" --figures
    for kind in progress number map legs slices; do
        [ -s "$work/own/kept-$kind.gp" ] && [ -s "$work/own/kept-$kind.svg" ] || fail "--figures: no kept-$kind"
    done
    cmp -s "$page" "$work/own/kept.html" && fail "the test compares a page with itself"
    runs 0 '/named\.svg$' - plot legs "$work/own/rooms.besd" --out "$work/named.svg" # the figure itself, or its base
    [ -s "$work/named.svg" ] && [ ! -e "$work/named.svg.svg" ] || fail "--out named.svg is not that file"
    for kind in legs map; do
        runs 0 "own-$kind.png" - plot $kind "$work/own/rooms.besd" --out "$work/own-$kind" --format png
        runs 0 "own-$kind.pdf" - plot $kind "$work/own/rooms.besd" --out "$work/own-$kind" --format pdf
    done
fi

# without gnuplot: a page without figures, no files, one sentence
mkdir "$work/nothing" "$work/bare"
cp "$work/own/rooms.besd" "$work/bare/"
(
    PATH=$work/nothing
    "$besd" report "$work/bare/rooms.besd" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
)
checks=$((checks + 1))
[ "$(cat "$work/code")" -eq 1 ] || fail "without gnuplot: expected exit code 1"
has 'gnuplot was not found, so the page has no figures.*gnuplot-nox' "$work/err"
has 'This figure was not drawn: gnuplot is needed for it\.</p>' "$work/bare/rooms.html"
alone "$work/bare" rooms.besd rooms.html
command -v gnuplot >/dev/null || finish

# a trainer with a path: the box instead of a map; the newest trial and the legs it is to teach
mkdir "$work/walk"
sed -n '/^# file: walk\.py/,/^```/p' "$source_dir/docs/trainer.md" | grep -v '^```' >"$work/walk/walk.py"
sed -n '/^# file: walk\.yaml/,/^```/p' "$source_dir/docs/trainer.md" | grep -v '^```' |
    sed 's/budget: 500/budget: 260/' >"$work/walk/walk.yaml"
(cd "$work/walk" && "$besd" run walk.yaml --study walk.besd --quiet >/dev/null 2>&1)
page=$work/walk/walk.html
runs 0 'walk\.html' - report "$work/walk/walk.besd"
alone "$work/walk" walk.besd walk.html walk.py walk.yaml
has 'The legs between them' "$page"
has 'Trained by python3 walk\.py' "$page"
has '<tspan[^>]*>The legs' "$page"
lacks 'Walls|The legs of [A-Z]|[Pp]aper' "$page"
has 'Trial 13 \(told\): ' "$page"
has 'The newest one that was chosen for its legs' "$page"
has 'Trial [0-9]+ \(told\): it is a path of the most hopeful legs' "$page"
has 'The legs of trial [0-9]+ as they were known before it' "$page"
has 'of leg [1-4] of [1-4], from (the start )?\([0-9.]+, [0-9.]+\) to (the goal )?\([0-9.]+, [0-9.]+\)' "$page"

# no path: no map, no legs; coordinates in their units, at the end of an interval with a warning
mkdir "$work/lamp"
cat >"$work/lamp/lamp.yaml" <<'end'
theta: [{name: <x>, low: 0, high: 10, unit: m}]
tau: [10]
reps: [1]
initial_designs: 6
budget: 560
command: >-
  sed -E 's/.*"<x>":([0-9.e-]+).*/\1/' | awk '{ print "{\"scores\": [" $1 "]}" }'
end
runs 0 '' - run "$work/lamp/lamp.yaml" --study "$work/lamp/lamp.besd" --quiet
runs 0 '"trial":56' - trials "$work/lamp/lamp.besd" --json
page=$work/lamp/lamp.html
runs 0 'lamp\.html' - report "$work/lamp/lamp.besd"
alone "$work/lamp" lamp.besd lamp.html lamp.yaml
[ "$(heads "$page")" = "The recommendation|How it came there|What the model expects|Why the newest trial|The settings|The trials" ] ||
    fail "lamp: its headings are $(heads "$page")"
has '<td>&lt;x&gt; \(m\)</td><td>10</td><td>0</td><td>10</td><td>at the end</td>' "$page"
has 'class="warning">At the end of its interval: <b>&lt;x&gt;</b>' "$page"
has '<summary>The other 6 trials, 51 to 56</summary>' "$page"
[ "$(sed -n '/<h2>The trials/,/<details>/p' "$page" | grep -c '^<tr><td>')" -eq 50 ] || fail "lamp: expected fifty trials before the fold"
[ "$(sed -n '/<details>/,/<\/details>/p' "$page" | grep -c '^<tr><td>')" -eq 6 ] || fail "lamp: expected six trials behind the fold"
has '56 trials told; 560 spent of a budget of 560' "$page"
runs 0 '' '' void "$work/lamp/lamp.besd" 56 --why 'the lamp was off'
runs 0 'void\.html' - report "$work/lamp/lamp.besd" --out "$work/void.html"
has '55 trials told, 1 voided; ' "$work/void.html"
refuses 'legs: theta of this study is no path' plot legs "$work/lamp/lamp.besd"
refuses 'map: theta of this study is no path' plot map "$work/lamp/lamp.besd"
refuses 'number: this study does not choose the number' plot number "$work/lamp/lamp.besd"
runs 0 'how.svg' - plot progress "$work/lamp/lamp.besd" --out "$work/how"

# points of one coordinate have no map, but their legs are told
runs 0 '' '' run mc --set tau=30,60 --budget 1500 --test 2 --study "$work/mc.besd" --set initial_designs=2 --quiet
runs 0 'mc\.html' - report "$work/mc.besd"
lacks 'Where the subgoals are' "$work/mc.html"
has 'The legs between them' "$work/mc.html"
refuses 'legs: expected points of 2 coordinates, got 1' plot legs "$work/mc.besd"

# a method without a model; a study with nothing told
runs 0 '' '' run "$work/own/rooms.yaml" --method random --budget 2000 --test 2 --study "$work/random.besd" --quiet
runs 0 'random\.html' - report "$work/random.besd"
lacks 'What the model expects|How many subgoals' "$work/random.html"
runs 0 '' - create "$work/empty.besd" --spec "$work/lamp/lamp.yaml"
refuses '.' report "$work/empty.besd"
[ -e "$work/empty.html" ] && fail "a page of nothing"
finish
