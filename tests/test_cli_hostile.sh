#!/usr/bin/env bash
# Names, notes, titles, paths and answers of others run nothing, steer no terminal and break no page.
source "$(dirname "$0")/cli.sh"

mkdir "$work/here"
cd "$work/here" || exit 1
has_gnuplot=$(command -v gnuplot)

# A word that rings, clears the screen in two ways, turns the direction of writing and begins a new line.
steering=$'\e[2J\u009b2J\a\u202e\u2066\u200f\u061c\nx\x7f'
yaml_steering='\e[2J\u009b2J\a\u202e\u2066\u200f\u061c\nx\x7f' # the same between double quotes of YAML

# steers FILE: is there anything in it that a terminal obeys?
steers() {
    LC_ALL=C grep -aqP '[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]' "$1"
}

# is_clean CODE PATTERN ARGUMENTS...: this exit code, the pattern on either stream, nothing steers
is_clean() {
    local code=$1 pattern=$2 got
    shift 2
    checks=$((checks + 1))
    "$besd" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ "$got" -eq "$code" ] || fail "besd $1 $2: expected exit code $code, got $got: $(head -c 300 "$work/err" | cat -v)"
    cat "$work/out" "$work/err" >"$work/both"
    grep -Eq -e "$pattern" "$work/both" || fail "besd $1 $2: no '$pattern' in $(head -c 600 "$work/both" | cat -v)"
    steers "$work/both" && fail "besd $1 $2: it steers the terminal: $(head -c 600 "$work/both" | cat -v)"
}

# nothing_ran WHAT
nothing_ran() {
    checks=$((checks + 1))
    [ -z "$(find "$work" -name 'PWNED*' ! -name '*.*')" ] || fail "$1 ran a command"
    find "$work" -name 'PWNED*' ! -name '*.*' -delete
}

# describe FILE LINE: a study whose every text is hostile, with one more line
describe() {
    cat >"$1" <<end
theta:
  - {name: "f''", low: 0, high: 1, unit: "'"}
  - {name: "<svg\x0conload=alert(1)>|\`touch PWNED\`", low: 0, high: 1, unit: "a&\"b$yaml_steering"}
tau: [10, 20]
reps: [2]
budget: 4000
initial_designs: 3
$2
end
}

# feed STUDY: told until a model can be made
feed() {
    local id
    for id in 1 2 3 4 5 6 7; do
        "$besd" ask "$1" >/dev/null && "$besd" tell "$1" $id --scores 0.$id,0.4 >/dev/null || fail "feeding $1"
    done
}

describe s.yaml ''
for name in '<touch PWNED;' '|touch PWNED;' '`touch PWNED`' '$(touch PWNED)' "';touch PWNED;'" '";system("touch PWNED")#'; do
    runs 0 '' '' create "$name.besd" --spec s.yaml
    feed "./$name.besd"
    [ -z "$has_gnuplot" ] || runs 0 '' - report "./$name.besd"
    [ -z "$has_gnuplot" ] || runs 0 '' - report "$name.besd"
    nothing_ran "report $name"
done
if [ -n "$has_gnuplot" ]; then
    cp '<touch PWNED;.besd' plain.besd
    for name in '<touch PWNED;' '|touch PWNED;' '`touch PWNED`' $'a\nsystem "touch PWNED"\n' '~' '-' '+'; do
        for format in svg pdf png; do
            runs 0 '' - plot slices plain.besd --out "$name" --format $format
            [ -s "./$name.$format" ] || fail "plot --out $name: no figure"
        done
        runs 0 '' - plot surface gw10 --out "$name"
        runs 0 '' - report plain.besd --out "./$name.html"
        runs 0 '' - report plain.besd '|touch PWNED;.besd' --out "./$name.html"
        nothing_ran "--out $name"
    done
fi

# a page: texts of others are JSON, and what a browser makes of them is test_static_page.sh's
harmless() {
    checks=$((checks + 1))
    grep -q "Content-Security-Policy\" content=\"default-src 'none'" "$1" || fail "$1 has no policy"
    says "$1" 'len(re.findall("<(img|iframe|svg|object)", only)), len(re.findall("<script", text)), "<" in inside' '(0, 3, False)'
    says "$1" 'bool(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", only + inside))' False
    says "$1" '"\\u003csvg" in inside' True
}
if command -v python3 >/dev/null; then
    runs 0 '' - report plain.besd
    harmless plain.html
    says plain.html "'f\'\'' in [c['name'] for c in study()['theta']]" True
    cp plain.besd '<script>alert(1)<script>"&.besd'
    runs 0 '' - report plain.besd '<script>alert(1)<script>"&.besd' --out two.html
    harmless two.html
    says two.html '[s["name"] for s in d["/v1/studies"]["studies"]]' "['plain', '<script>alert(1)<script>\"&']"
fi

# a comparison: names of domains and of methods, and figures that somebody else has put there
cat >evil.yaml <<end
name: "<svg\x0conload=alert(1)>;'\`touch\x0cPWNED\`"
title: "</title><script>alert(1)</script>\`touch PWNED\`''$yaml_steering"
map: |
  G...#
  ....D
  S..K.
tau: [50, 100]
reps: [5]
end
is_clean 0 '^<svg onload=alert\(1\)>.*: steps' compare evil.yaml --methods besd,random --replications 1 --budget 20000 --test 3 --quiet --out "$steering"
cp -r "$steering" lab
python3 - lab/results.besd <<'end'
import sqlite3, sys
file = sqlite3.connect(sys.argv[1])
file.execute("update job set method = ? where method = 'random'", ("<svg\x0conload=alert(1)>'&\x1b[2J\u202e`touch PWNED`",))
file.commit()
end
mkdir lab/figures
for kind in surface slices paths; do # none of which these results have
    echo gp >lab/figures/$kind.gp
    echo '<svg viewBox="0 0 6 4"><script>alert(1)</script></svg>' >lab/figures/$kind.svg
done
if [ -n "$has_gnuplot" ]; then
    is_clean 0 'lab/index.html' report lab
    harmless lab/index.html
    for kind in cost profile learning levers; do
        is_clean 0 "$kind.png" plot $kind lab --format png
    done
    for kind in surface values; do
        is_clean 0 'x.svg' plot $kind evil.yaml --theta 1.5,1.5,2.5,1.5 --out x
        grep -Eq '<script|onload=[^<]*>$' x.svg && fail "$kind: a tag: $(grep -o '.*<script.*' x.svg)"
        steers x.svg && fail "$kind: x.svg holds control characters"
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' x.svg || fail "$kind: x.svg is no XML"
    done
fi
nothing_ran "a comparison"

# the terminal: a study and a domain
is_clean 0 '^s \[2J.* x \.besd: a study of 2 coordinates' create "s$steering.besd" --spec s.yaml
study="s$steering.besd"
is_clean 0 '^trial 1: f.. = .* <svg onload=alert\(1\)>\|`touch PWNED` = .* a&"b \[2J\?2J \?\?\?\? x' ask "$study"
is_clean 0 '"trial":2' ask "$study" --json
is_clean 0 '^recorded' fail "$study" 1 --note "no luck$steering"
is_clean 0 'no luck \[2J\?2J \?\?\?\? x' trials "$study"
is_clean 0 'no luck' trials "$study" --json
is_clean 0 '\\u001B\[2J\\u009b2J\\u0007\\u202e\\u2066\\u200f\\u061c\\nx\\u007f' domains evil.yaml --json
python3 -c 'import json, sys; sys.exit(not json.load(open(sys.argv[1]))["title"].endswith(sys.argv[2]))' "$work/out" "$steering" ||
    fail "domains --json has another title: $(cat "$work/out")"
cp plain.besd "$study" 2>/dev/null || cp '<touch PWNED;.besd' "$study"
for verb in recommend trials certify "predict --theta 0.5,0.5"; do
    is_clean 0 "" ${verb%% *} "$study" $(echo "$verb" | cut -s -d' ' -f2-)
done
is_clean 0 'onload' domains evil.yaml
is_clean 0 'onload' show evil.yaml
is_clean 0 'onload' solve evil.yaml
is_clean 0 'onload' train evil.yaml --no-subgoals --tau 50 --instances 2
is_clean 0 '' check evil.yaml
is_clean 0 '<svg onload.*-1\.besd' run evil.yaml --budget 20000 --test 2 --quiet
is_clean 0 'onload' run evil.yaml --budget 20000 --test 2 --quiet --json
sed -i 's|^name:.*|name: ../above|' evil.yaml # a name is no path
is_clean 1 "expected a word without blanks and '/'" run evil.yaml --budget 20000 --test 2 --quiet

# a trainer: what it says, answers and fails with; its command and its file
cat >trainer.sh <<'end'
printf 'at work \033[2J\302\233 \342\200\256\n' >&2
read -r question
case $question in
*'"trial":1,'* | *'"trial": 1,'*) printf '{"scores": [1, 2], "note": "\\u001b[2J\\u009b\\u202e noted"}\n' ;;
*'"trial":2,'* | *'"trial": 2,'*) printf '{"error": "\\u001b[2J\\u009b\\u202e gone"}\n' ;;
*'"trial":3,'* | *'"trial": 3,'*) printf 'no \033[2J\302\233\342\200\256 JSON\n' ;;
*) printf '{"scores": [1, 2]}\n' ;;
esac
end
describe "run$steering.yaml" "command: \"bash trainer.sh # \\e[2J\\u009b2J\\u202e\""
is_clean 0 'at work' run "run$steering.yaml" --budget 300 --study "run$steering.besd"
is_clean 0 'noted' trials "run$steering.besd"
is_clean 1 'at work' check "run$steering.yaml"
cp "run$steering.yaml" other.yaml && sed -i 's|bash trainer|bash ./trainer|' other.yaml
is_clean 1 'was begun with' run other.yaml --budget 300 --study "run$steering.besd"

# an environment that answers so
cat >env.py <<'end'
import json, sys
for line in sys.stdin:
    print(json.dumps({"error": "\x1b[2J\u009b\u202e broken\nnow", "name": "x"}), flush=True)
end
is_clean 1 'cmd:|env.py' check 'cmd:python3 env.py'
printf 'import sys\nprint("no \\x1b[2J JSON", flush=True)\nsys.stdin.read()\n' >noise.py
is_clean 1 'noise.py|JSON' check 'cmd:python3 noise.py'

# what is refused
is_clean 2 "no verb '  ?\[2J" "$steering"
is_clean 2 'there is no option' ask x "--$steering"
is_clean 2 'unexpected argument' ask x "$steering"
is_clean 2 'expected .*, got' run gw10 --seed "$steering"
is_clean 1 '\[2J' trials "nowhere$steering.besd"
is_clean 1 '\[2J' run "nowhere$steering.yaml"
is_clean 1 "no '.*\[2J" run "gw10$steering"
is_clean 1 '\[2J' plot "$steering" gw10
is_clean 1 '\[2J' plot surface gw10 --format "$steering"
is_clean 1 '\[2J' run gw10 --set "$steering=1"
is_clean 2 '\[2J' run gw10 --method "$steering"
is_clean 1 '\[2J' compare gw10 --methods "$steering" --out x
printf 'theta:\n  - {name: a, low: 0, high: 1}\ntau: [1]\nreps: [1]\n"%s": 1\n' "$yaml_steering" >bad.yaml
is_clean 1 'bad.yaml' create b.besd --spec bad.yaml
nothing_ran "something"

# the command to go on with can be copied, whatever its words hold
is_clean 0 'go on with' run gw10 --budget 20000 --test 2 --quiet --study "$steering.besd"
"$besd" run gw10 --budget 20000 --test 2 --quiet --study "$steering.besd" | tail -1 >"$work/command"
checks=$((checks + 1))
# shellcheck disable=SC2034
eval "words=($(cat "$work/command"))"
[ "${words[4]}" = "$steering.besd" ] || fail "the command to go on with names another study: $(cat -v "$work/command")"
finish
