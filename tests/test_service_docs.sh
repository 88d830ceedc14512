#!/usr/bin/env bash
# docs/service.md is followed as it stands, but for the port; its robots find the lamp at (3, 7), and every route and every
# option stands in it.
# usage: test_service_docs.sh TOOL SOURCE_DIR
set -euo pipefail
besd=$1 source_dir=$2
command -v curl >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/tree"
ln -s "$besd" "$work/bin/besd"
ln -s "$source_dir/examples" "$work/tree/"
page=$source_dir/docs/service.md
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

fail() {
    echo "FAILED: $*"
    exit 1
}

{
    echo "trap 'kill \$(jobs -p) 2>/dev/null || true' EXIT" # also when a command fails
    echo "curl() { command curl --fail-with-body --max-time 300 \"\$@\"; echo; }"
    sed -n '/^```sh$/,/^```$/{/^```/d;p}' "$page" |
        sed "s/127\.0\.0\.1:8420/127.0.0.1:$port/; s/^besd serve lab &/besd serve lab --listen 127.0.0.1:$port \&/"
} >"$work/commands"
[ "$(grep -c . "$work/commands")" -ge 30 ] || fail "too few commands in docs/service.md"
(cd "$work/tree" && PATH="$work/bin:$PATH" bash -e "$work/commands" >"$work/said" 2>"$work/log") || {
    tail -n 3 "$work/said"
    tail -n 5 "$work/log"
    fail "docs/service.md does not work as it stands"
}
grep -q '^{"status":"ok"}$' "$work/said" || fail "no health"
best=$(grep -oE '^\{"theta":\{"x":[0-9.]+,"y":[0-9.]+\}' "$work/said" | head -1 | grep -oE '[0-9]+\.?[0-9]*' | paste -sd' ')
awk '{ exit !(NF == 2 && ($1 - 3) ^ 2 < 0.64 && ($2 - 7) ^ 2 < 0.64) }' <<<"$best" || fail "the robots found $best"
for robot in robot1 robot2; do
    [ "$(wc -l <"$work/tree/$robot.log")" -ge 5 ] || fail "$robot did nothing"
done
grep -q '"levers":\[{' "$work/said" || fail "nothing was explained"

# every route of the description and every option of the verb
python3 - "$source_dir" <<'E2' || fail "docs/service.md lacks a route"
import json, re, sys
page = open(sys.argv[1] + "/docs/service.md").read()
lacks = []
for path in json.load(open(sys.argv[1] + "/src/serve/openapi.json"))["paths"]:
    word = path.replace("{study}", "N").replace("{trial}", "ID").replace("{file}", "...")
    if word not in page and f"...{word.partition('/N')[2]}" not in page and word.rpartition("/")[2] not in page:
        lacks.append(path)
print(*lacks, sep="\n")
sys.exit(bool(lacks))
E2
for option in $("$besd" serve --help | sed -nE 's/^  (--[a-z-]+).*/\1/p'); do
    [ "$option" = --help ] || [ "$option" = --listen ] || grep -q -e "\`$option" "$page" || fail "docs/service.md says nothing of $option"
done
echo "docs/service.md: $(grep -c . "$work/commands") lines of commands"
