#!/usr/bin/env bash
# The tutorial is followed as it stands, and the recorded session of the protocol is played again.
# usage: test_docs.sh TOOL SOURCE_DIR
set -euo pipefail
besd=$1 source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# docs/environments.md: blocks that begin with "file: NAME" are files, blocks of sh are commands; in the
# root of a source tree, of which the tutorial needs include and examples.
mkdir "$work/bin" "$work/tree"
ln -s "$besd" "$work/bin/besd"
ln -s "$source_dir/include" "$source_dir/examples" "$work/tree/"
awk -v work="$work" '
    /^```[a-z]/ { language = substr($0, 4); text = ""; name = ""; next }
    /^```$/ && language {
        if (name) printf "%s", text > (work "/tree/" name)
        else if (language == "sh") printf "%s", text > (work "/commands")
        language = ""; next
    }
    language && text == "" && /file: / { name = $0; sub(/.*file: /, "", name); sub(/ .*/, "", name) }
    language { text = text $0 "\n" }' "$source_dir/docs/environments.md"
count=$(grep -c . "$work/commands")
[ "$count" -ge 15 ] || { echo "FAILED: only $count commands found in environments.md"; exit 1; }
if ! (cd "$work/tree" && PATH="$work/bin:$PATH" bash -e "$work/commands" >"$work/said" 2>&1); then
    tail -20 "$work/said"
    echo "FAILED: the tutorial in docs/environments.md does not work as it stands"
    exit 1
fi
[ "$(grep -c 'checks, 0 failed' "$work/said")" -eq 4 ] || { echo "FAILED: four checks were to pass"; exit 1; }

# docs/protocol.md: what is sent gets the answers that are written there
sed -n 's/^    > //p' "$source_dir/docs/protocol.md" >"$work/sent"
sed -n 's/^    < //p' "$source_dir/docs/protocol.md" >"$work/expected"
[ -s "$work/expected" ] || { echo "FAILED: no session in docs/protocol.md"; exit 1; }
python3 "$source_dir/examples/process_env.py" 2 <"$work/sent" >"$work/answered"
diff "$work/expected" "$work/answered" || { echo "FAILED: the session in docs/protocol.md is another"; exit 1; }
echo "docs: $count lines of commands, $(wc -l <"$work/sent") messages"
