#!/usr/bin/env bash
# The page of one study, for every kind of study: what it has inside, what it has not, and no files beside it. What a
# browser makes of it: test_static_page.sh.
source "$(dirname "$0")/cli.sh"
source_dir=$2
command -v python3 >/dev/null || exit 77

# alone FOLDER FILE...: nothing else is in the folder
alone() {
    local folder=$1
    shift
    checks=$((checks + 1))
    [ "$(ls "$folder" | paste -sd' ')" = "$*" ] || fail "expected $* in ${folder##*/}, found $(ls "$folder" | paste -sd' ')"
}

# a grid of one's own: its map is kept with the study
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
runs 0 'rooms\.html' - report "$work/own/rooms.besd"
alone "$work/own" rooms.besd rooms.html rooms.yaml
says "$page" 'study()["name"], study()["domain"]' "('rooms', 'rooms')"
says "$page" 'of("map")["cells"]' "['G...w', '###..', '....w', 'S....']"
says "$page" 'sorted(o for o in study()["changed"] if o in ("direction", "model"))' "['direction']"
says "$page" 'of("legs")["counts"], of("legs")["path"][0]["from"], of("legs")["path"][-1]["to"]' "('time', [0.5, 0.5], [0.5, 3.5])"
says "$page" '[p["points"] for p in of("legs")["numbers"]["points"]]' '[1, 2]'
says "$page" 'len(of("slices")["coordinates"]), len(of("recommend")["theta_array"])' '(4, 4)'
says "$page" 'sum("value" in p for p in of("curve")["points"]) > 5' True # hindsight
says "$page" 'of("events?newest=40")["events"][-1]["what"]' told
count=$("$besd" trials "$work/own/rooms.besd" | grep -c '^ *[0-9]')
says "$page" 'len(of("trials")["trials"])' "$count"

# one file: nothing is loaded, one policy names what may run, and the same study gives the same page but for the time
says "$page" 'len(re.findall("(src|href)=[\"\x27](?!data:|#|/\")", only))' 0
says "$page" '"default-src \x27none\x27; script-src \x27sha256-" in text and "unsafe" not in only' True
says "$page" 'len(re.findall("<script", text))' 3
runs 0 'again\.html' - report "$work/own/rooms.besd" --out "$work/own/again.html"
checks=$((checks + 1))
cmp -s <(sed 's/"made":[0-9.]*//' "$page") <(sed 's/"made":[0-9.]*//' "$work/own/again.html") || fail "another page of the same study"

# neither gnuplot nor a path to anything is needed; a page that cannot be written leaves the old one
mkdir "$work/nothing" "$work/bare"
cp "$work/own/rooms.besd" "$work/bare/"
(
    PATH=$work/nothing
    "$besd" report "$work/bare/rooms.besd" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
)
checks=$((checks + 1))
[ "$(cat "$work/code")" -eq 0 ] || fail "without gnuplot: expected exit code 0"
alone "$work/bare" rooms.besd rooms.html
refuses 'nothing/no/page\.html: No such file' report "$work/own/rooms.besd" --out "$work/nothing/no/page.html"

# a trainer with a path: the box instead of a map, an outline and a picture around it
mkdir "$work/walk"
sed -n '/^# file: walk\.py/,/^```/p' "$source_dir/docs/trainer.md" | grep -v '^```' >"$work/walk/walk.py"
sed -n '/^# file: walk\.yaml/,/^```/p' "$source_dir/docs/trainer.md" | grep -v '^```' |
    sed 's/budget: 500/budget: 260/' >"$work/walk/walk.yaml"
printf '\x89PNG\r\n\x1a\nrest' >"$work/walk/floor.png"
cat >>"$work/walk/walk.yaml" <<'end'
outline: [{name: "</script><b>", polygon: [[1, 1], [3, 1], [3, 2]]}, {polygon: [[-5, 4], [2, 4], [2, 5], [-5, 5]]}]
picture: {file: floor.png, extent: [0, 0, 10, 10]}
end
(cd "$work/walk" && "$besd" run walk.yaml --study walk.besd --quiet >/dev/null 2>"$work/err") || fail "walk: $(cat "$work/err")"
page=$work/walk/walk.html
runs 0 'walk\.html' - report "$work/walk/walk.besd"
says "$page" 'of("map")["kind"], len(of("map")["outline"]), of("map")["outline"][0]["name"]' "('box', 2, '</script><b>')"
says "$page" 'of("map")["picture"]["data"][:22], of("map")["picture"]["extent"]' "('data:image/png;base64,', [0.0, 0.0, 10.0, 10.0])"
says "$page" 'study()["command"]' 'python3 walk.py'
says "$page" '[b["trial"] > 0 and len(b["legs"]) > 1 for b in of("legs")["before"]][:1]' '[True]'
says "$page" 'text.count("</script>")' 3

# an outline of a study that is there, with everything that is wrong with others
printf 'outline: [{polygon: [[1, 1], [3, 1], [3, 2]]}]\n' >"$work/outline.yaml"
runs 0 '' - set "$work/walk/walk.besd" --outline "$work/outline.yaml"
runs 0 'walk\.html' - report "$work/walk/walk.besd"
says "$page" 'len(of("map")["outline"]), of("map")["picture"]' '(1, None)'
printf 'outline: [{polygon: [[100, 1], [103, 1], [103, 2]]}]\n' >"$work/outline.yaml"
refuses 'outline: 1: all of it lies outside of the box' set "$work/walk/walk.besd" --outline "$work/outline.yaml"
printf 'outline: [{polygon: [[1, 1], [3, 1]]}]\n' >"$work/outline.yaml"
refuses 'outline' set "$work/walk/walk.besd" --outline "$work/outline.yaml"
printf 'picture: {file: nowhere.png, extent: [0, 0, 1, 1]}\n' >"$work/outline.yaml"
refuses 'picture: .*/nowhere\.png: No such file' set "$work/walk/walk.besd" --outline "$work/outline.yaml"
truncate -s 100M "$work/nowhere.png"
refuses 'nowhere\.png has 100\.0 MB, expected at most 2 MB, because' set "$work/walk/walk.besd" --outline "$work/outline.yaml"
echo text >"$work/nowhere.png"
refuses 'nowhere\.png: expected PNG, JPEG or WebP' set "$work/walk/walk.besd" --outline "$work/outline.yaml"
printf 'picture: {file: walk/floor.png, extent: [1, 0, 0, 1]}\n' >"$work/outline.yaml"
refuses 'extent: expected left, bottom, right, top' set "$work/walk/walk.besd" --outline "$work/outline.yaml"
runs 2 - 'expected a number or none, got nothing' set "$work/walk/walk.besd"

# no path: no map, no legs; a method without a model; all failed; nothing told
mkdir "$work/lamp"
cat >"$work/lamp/lamp.yaml" <<'end'
theta: [{name: <x>, low: 0, high: 10, unit: m}]
tau: [10]
reps: [1]
initial_designs: 6
command: >-
  sed -E 's/.*"<x>":([0-9.e-]+).*/\1/' | awk '{ print "{\"scores\": [" $1 "]}" }'
end
runs 0 '' - run "$work/lamp/lamp.yaml" --budget 100 --study "$work/lamp/lamp.besd" --quiet
page=$work/lamp/lamp.html
runs 0 'lamp\.html' - report "$work/lamp/lamp.besd"
says "$page" '[of(what) for what in ("map", "legs", "explain")]' '[None, None, None]'
says "$page" 'study()["theta"][0]["name"], of("slices")["coordinates"][0]["name"]' "('<x>', '<x>')"
printf 'outline: [{polygon: [[1, 1], [3, 1], [3, 2]]}]\n' >"$work/outline.yaml"
refuses 'outline: a map has points of two coordinates, the study has 1 in all' set "$work/lamp/lamp.besd" --outline "$work/outline.yaml"
refuses 'legs: theta of this study is no path' plot legs "$work/lamp/lamp.besd"
refuses 'map: theta of this study is no path' plot map "$work/lamp/lamp.besd"
refuses 'number: this study does not choose the number' plot number "$work/lamp/lamp.besd"
runs 0 '' '' run "$work/own/rooms.yaml" --method random --budget 2000 --test 2 --study "$work/random.besd" --quiet
runs 0 'random\.html' - report "$work/random.besd"
says "$work/random.html" 'of("slices"), of("recommend")["value"] > 0' '(None, True)'
runs 0 '' - create "$work/empty.besd" --spec "$work/lamp/lamp.yaml"
runs 0 'empty\.html' - report "$work/empty.besd"
says "$work/empty.html" 'of("trials")["trials"], of("recommend"), study()["budget"]' '([], None, None)'
runs 0 '' - ask "$work/empty.besd"
runs 0 '' '' fail "$work/empty.besd" 1 --note 'it fell over'
runs 0 'empty\.html' - report "$work/empty.besd"
says "$work/empty.html" 'of("trials")["trials"][0]["note"], of("recommend")' "('it fell over', None)"
if command -v gnuplot >/dev/null; then
    for kind in legs map; do
        runs 0 "own-$kind.png" - plot $kind "$work/own/rooms.besd" --out "$work/own-$kind" --format png
        runs 0 "own-$kind.pdf" - plot $kind "$work/own/rooms.besd" --out "$work/own-$kind" --format pdf
    done
    runs 0 '/named\.svg$' - plot legs "$work/own/rooms.besd" --out "$work/named.svg" # the figure itself, or its base
    [ -s "$work/named.svg" ] && [ ! -e "$work/named.svg.svg" ] || fail "--out named.svg is not that file"
    runs 0 'how.svg' - plot progress "$work/lamp/lamp.besd" --out "$work/how"
fi
finish
