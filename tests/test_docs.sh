#!/usr/bin/env bash
# The tutorials are followed as they stand, the recorded session of the protocol is played again, and
# nothing is missing in the descriptions of a study.
# usage: test_docs.sh TOOL SOURCE_DIR
set -euo pipefail
besd=$1 source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# follow PAGE COMMANDS: does what a tutorial says. Blocks that begin with "file: NAME" are files, blocks of
# sh are commands, of which there must be so many lines; in the root of a source tree, of which the
# tutorials need include and examples.
mkdir "$work/bin"
ln -s "$besd" "$work/bin/besd"
follow() {
    local page=$1 least=$2 count
    rm -rf "$work/tree" "$work/commands"
    mkdir "$work/tree"
    ln -s "$source_dir/include" "$source_dir/examples" "$work/tree/"
    awk -v work="$work" '
        /^```[a-z]/ { language = substr($0, 4); text = ""; name = ""; next }
        /^```$/ && language {
            if (name) printf "%s", text > (work "/tree/" name)
            else if (language == "sh") printf "%s", text > (work "/commands")
            language = ""; next
        }
        language && text == "" && /file: / { name = $0; sub(/.*file: /, "", name); sub(/ .*/, "", name) }
        language { text = text $0 "\n" }' "$source_dir/docs/$page"
    count=$(grep -c . "$work/commands")
    [ "$count" -ge "$least" ] || { echo "FAILED: only $count commands found in $page"; exit 1; }
    if ! (cd "$work/tree" && PATH="$work/bin:$PATH" bash -e "$work/commands" >"$work/said" 2>&1); then
        tail -20 "$work/said"
        echo "FAILED: the tutorial in docs/$page does not work as it stands"
        exit 1
    fi
    echo "docs/$page: $count lines of commands"
}

# said COUNT PATTERN: so many lines of what the commands printed
said() {
    [ "$(grep -cE "$2" "$work/said")" -eq "$1" ] || { echo "FAILED: expected $1 lines with '$2'"; exit 1; }
}

follow environments.md 15
said 5 'checks, 0 failed'

follow sketch.md 6
said 1 'checks, 0 failed'
said 5 '^x1 = [0-9.]+, y1 = [0-9.]+, x2 = [0-9.]+, y2 = [0-9.]+  score'

follow trainer.md 15
[ "$(grep -o '{"scores": \[[0-9., ]*\]}' "$work/said" | sort | uniq -c | awk '{ print $1 }')" = 2 ] ||
    { echo "FAILED: lamp.py and examples/trainer.py were to answer the same"; exit 1; }
said 2 '^6 checks, 0 failed'
said 3 '^  x = [23]\.[0-9]+ m, y = [67]\.[0-9]+ m$' # the lamp is at (3, 7)
said 1 '"passed":true'
said 1 '^tested on 5 fresh seeds, tau 400, 2 replications each'
said 2 '^2 methods, 2 seeds each: 4 studies of cost 5000, each tested on 3 fresh seeds'
said 1 '^  random +2 seeds .* besd less this'
said 1 '^\{"command":"sed .*"theta":\{"x":(2\.[5-9]|3\.[0-4])'

follow study.md 15
said 1 'added 2 results as trials 2 to 3'
said 1 '^trial 5: x = 2.5 m, y = 4 m'
said 2 'is restored'
said 1 'tagged    trial 2  by ada'
[ "$(grep -c , "$work/tree/copy.csv")" -eq 5 ] || { echo "FAILED: expected a line of names and four trials"; exit 1; }

# every field of study.yaml, and what a coordinate and an option may be, stands in both descriptions; fields
# are the options, which the tool prints, and what src/cli/study_yaml.c has besides
source=$source_dir/src/cli/study_yaml.c
quoted() { grep -oE 'CYAML_FIELD_[A-Z_]+\("[a-z_-]+"' | cut -d'"' -f2; }
printed() { # EXPRESSION of an option o
    "$besd" options --json |
        python3 -c "import json, sys; [print(*$1, sep='\n') for o in json.load(sys.stdin)['options']]" | grep .
}
own=$(sed -n '/ fields\[\]/,/CYAML_FIELD_END/p' "$source" | quoted)
parts=$(sed -n '/ \(coordinate\|path\|task\)_fields\[\]/,/CYAML_FIELD_END/p' "$source" | quoted)
options=$(printed '[o["name"]]')
choices=$(printed 'o["choices"]')
[ "$(wc -w <<<"$own")" -ge 6 ] && [ "$(wc -w <<<"$parts")" -ge 12 ] ||
    { echo "FAILED: the fields are not found in src/cli/study_yaml.c"; exit 1; }
[ "$(wc -w <<<"$options")" -ge 19 ] && [ "$(wc -w <<<"$choices")" -ge 14 ] ||
    { echo "FAILED: besd options prints too few"; exit 1; }
sed 's/\\-/-/g' "$source_dir/man/besd-study.5" >"$work/besd-study.5"
# says FILE PATTERN WORD
says() {
    grep -qE "$2" "$1" || { echo "FAILED: ${1##*/} says nothing of '$3'"; exit 1; }
}
for field in $own $options; do
    says "$source_dir/docs/study.md" "^\| \`$field\` \|" "$field"
    says "$work/besd-study.5" "^\.B $field\$" "$field"
done
for word in $parts $choices; do
    says "$source_dir/docs/study.md" "^\|.*[\`{ ]$word[\`,}]" "$word"
done
for word in $parts; do
    says "$work/besd-study.5" "^\.(I|IR|RI) (.* )?$word( |\$)" "$word"
done
for word in $choices; do
    says "$work/besd-study.5" "^[A-Z](.*[ ,])?$word[,;]" "$word"
done
python3 "$source_dir/scripts/options.py" --check "$besd" || { echo "FAILED: what is made from besd options"; exit 1; }
echo "study.yaml: $(wc -w <<<"$own $options") fields, $(wc -w <<<"$parts $choices") words"

# docs/protocol.md: what is sent gets the answers that are written there
sed -n 's/^    > //p' "$source_dir/docs/protocol.md" >"$work/sent"
sed -n 's/^    < //p' "$source_dir/docs/protocol.md" >"$work/expected"
[ -s "$work/expected" ] || { echo "FAILED: no session in docs/protocol.md"; exit 1; }
python3 "$source_dir/examples/process_env.py" 2 <"$work/sent" >"$work/answered"
diff "$work/expected" "$work/answered" || { echo "FAILED: the session in docs/protocol.md is another"; exit 1; }
echo "docs/protocol.md: $(wc -l <"$work/sent") messages"
