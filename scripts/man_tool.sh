#!/usr/bin/env bash
# besd.1 from its frame and from what the tool's --help says; on stdout.
# usage: man_tool.sh FRAME TOOL
set -euo pipefail
frame=$1 besd=$2

escape() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"; }

# What the help breaks into lines that begin at the same column is one line again.
join_lines() { sed -E ':again; $!N; s/\n {27}([^ ])/ \1/; t again; P; D'; }

describe_verbs() {
    local verb help
    for verb in $("$besd" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
        help=$("$besd" "$verb" --help | join_lines | escape)
        sed -nE 's/^usage: (.*)/.SS \1/p' <<<"$help"
        head -1 <<<"$help"
        sed -nE 's/^  (\\-\\-[^ ]+)( [^ ]+)? +(.*)/.TP\n.B \1\2\n\3/p' <<<"$help"
        sed -nE 's/^example: (.*)/.PP\nExample:\n.RS\n.nf\n\1\n.fi\n.RE/p' <<<"$help"
    done
}

version=$("$besd" --version)
while IFS= read -r line; do
    if [ "$line" = @VERBS@ ]; then
        describe_verbs
    else
        printf '%s\n' "${line//@VERSION@/${version#besd }}"
    fi
done <"$frame"
