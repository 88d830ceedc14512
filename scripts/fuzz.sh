#!/usr/bin/env bash
# Runs the fuzz targets one after the other, from the corpora in tests/fuzz/corpus; what they find new stays in the
# build folder, and so does an input that breaks one.
# usage: fuzz.sh FOLDER SECONDS [TARGET...]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- study_yaml domain_yaml map answer protocol spec_json study_file text results http picture sketch
for target in "$@"; do
    mkdir -p "$folder/corpus/$target"
    log=$folder/$target.log length=4096
    [ "$target" != study_file ] || length=131072
    "$folder/fuzz_$target" -max_total_time="$seconds" -max_len="$length" -timeout=10 -rss_limit_mb=1024 -verbosity=1 \
        -artifact_prefix="$folder/$target-" "$folder/corpus/$target" "$here/tests/fuzz/corpus/$target" >"$log" 2>&1 || {
        grep -v '^#' "$log" | tail -n 40
        echo "fuzz: $target broke; the input is $folder/$target-*" >&2
        exit 1
    }
    echo "$target: $(grep -E '^Done' "$log" || tail -n 1 "$log")"
done
