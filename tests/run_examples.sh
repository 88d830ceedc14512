#!/usr/bin/env bash
# Both examples find the lamp at (3, 7); a study begun by the C program goes on in the tool.
set -euo pipefail
example=$1 besd=$2 source=$3
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

# begun by the C program, killed half-way, continued by the tool: the same trials as uninterrupted
(
    "$example" "$work/cut.besd" >/dev/null &
    pid=$!
    for _ in $(seq 200); do
        count=$("$besd" trials "$work/cut.besd" --json 2>/dev/null | grep -o '"state":"told"' | wc -l) || count=0
        [ "$count" -ge 22 ] && break
        sleep 0.02
    done
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
) 2>/dev/null
"$example" "$work/cut.besd" >/dev/null 2>&1 || true
first=$("$besd" trials "$work/moth.besd" --json | grep -oE '"theta":\[[^]]*\]' | head -20)
second=$("$besd" trials "$work/cut.besd" --json | grep -oE '"theta":\[[^]]*\]' | head -20)
[ "$first" = "$second" ] || { echo "FAILED: the continued study differs"; exit 1; }
