#!/usr/bin/env bash
# Both ask_tell find the lamp at (3, 7); a study begun by the C program goes on in the tool. own_agent
# sends its agent through the door.
# usage: run_examples.sh ASK_TELL TOOL SOURCE_DIR OWN_AGENT
set -euo pipefail
example=$1 besd=$2 source=$3 own_agent=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# near NAME TEXT: the first two numbers in TEXT are within 0.8 of (3, 7)
near() {
    echo "$1: $2"
    grep -oE '\-?[0-9]+\.?[0-9]*' <<<"$2" | head -2 | paste -sd' ' |
        awk '{ exit !(($1 - 3) ^ 2 < 0.64 && ($2 - 7) ^ 2 < 0.64) }'
}

near "ask_tell.c" "$("$example" "$work/moth.besd")"
near "ask_tell.sh" "$("$source/examples/ask_tell.sh" "$besd" "$work/shell.besd")"

# the tool sees the same trials and, with a finished budget, asks for nothing more
"$besd" ask "$work/moth.besd" | grep -q '^done: '
"$besd" recommend "$work/moth.besd" >/dev/null
[ "$("$besd" trials "$work/moth.besd" --json | grep -o '"state":"told"' | wc -l)" -gt 20 ]

# begun by the C program and continued by the tool: ask and tell the rest of a study whose first trials
# the C program made, and compare with the study that the C program made alone
sqlite3=$(command -v sqlite3 || true)
if [ -n "$sqlite3" ]; then
    cp "$work/moth.besd" "$work/begun.besd"
    "$sqlite3" "$work/begun.besd" 'DELETE FROM score WHERE trial > 24; DELETE FROM trial WHERE id > 24;
        DELETE FROM fit WHERE told >= 24;'
    for id in $(seq 25 32); do
        "$besd" ask "$work/begun.besd" >/dev/null
        scores=$("$besd" trials "$work/moth.besd" --json | sed 's/{"trial"/\n&/g' |
            grep "^{\"trial\":$id," |
            sed -E 's/.*"scores":\[([^]]*)\].*/\1/')
        "$besd" tell "$work/begun.besd" $id --scores "$scores" >/dev/null
    done
    trials() { "$besd" trials "$1" --json | grep -oE '"trial":[0-9]+,"theta":\{[^}]*\}' | head -32; }
    [ "$(trials "$work/moth.besd")" = "$(trials "$work/begun.besd")" ] ||
        { echo "FAILED: the study that the tool continued differs"; exit 1; }
fi

# the subgoal is beyond the wall and not near the goal, which is 24 steps from the start
said=$("$own_agent" "$work/rooms.besd")
echo "own_agent.c: $said"
grep -oE '[0-9]+\.?[0-9]*' <<<"$said" | paste -sd' ' |
    awk '{ exit !(NF == 3 && $1 >= 4 && $2 >= 4 && $3 < 48) }' ||
    { echo "FAILED: expected a subgoal beyond the door"; exit 1; }
"$besd" trials "$work/rooms.besd" | grep ' told ' >/dev/null
