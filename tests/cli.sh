# What the shell tests of the tool share; sourced. $besd is the tool, $work a folder of the test's own.
set -u
besd=$1
tests_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# runs CODE STDOUT_PATTERN STDERR_PATTERN ARGUMENTS...: exit code, and what each stream must contain
# (an extended regular expression; '' for anything, '-' for nothing at all).
runs() {
    local code=$1 out=$2 err=$3 got
    shift 3
    "$besd" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    checks=$((checks + 1))
    [ "$got" -eq "$code" ] || fail "besd $*: expected exit code $code, got $got: $(head -c 300 "$work/err")"
    matches "$out" "$work/out" || fail "besd $*: stdout does not match '$out': $(head -c 300 "$work/out")"
    matches "$err" "$work/err" || fail "besd $*: stderr does not match '$err': $(head -c 300 "$work/err")"
}

matches() {
    case $1 in
    '') return 0 ;;
    -) [ ! -s "$2" ] ;;
    *) grep -Eq -e "$1" "$2" ;;
    esac
}

# refuses PATTERN ARGUMENTS...: exit code 1, nothing on stdout, exactly one line on stderr.
refuses() {
    local pattern=$1
    shift
    runs 1 - "$pattern" "$@"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "besd $*: expected one sentence on stderr"
}

# says PAGE EXPRESSION VALUE: what a page has inside (page_json.py)
says() {
    local got
    checks=$((checks + 1))
    got=$(python3 "$tests_dir/page_json.py" "$1" "$2" 2>&1)
    [ "$got" = "$3" ] || fail "${1##*/}: $2 is $got, expected $3"
}

# Trials as JSON without what depends on the clock.
without_times() {
    sed -E 's/,"(asked_at|ended_at|lease_until|age|duration)":[0-9.e+-]+//g' "$@"
}

# same NAME COMMAND...: the output is byte for byte, but for times, that of the first command of this name.
same() {
    local name=$1
    shift
    checks=$((checks + 1))
    "$besd" "$@" 2>&1 | without_times >"$work/same.$name.new" || fail "besd $*: failed"
    if [ -e "$work/same.$name" ]; then
        cmp -s "$work/same.$name" "$work/same.$name.new" || fail "besd $*: other bytes than before"
    else
        mv "$work/same.$name.new" "$work/same.$name"
    fi
}

# left_alive [MORE]: trainers (train.sh, and what sleeps in it) that a test has started with BESD_TEST_MARK="$work", and
# processes of MORE
left_alive() {
    grep -lsz "^BESD_TEST_MARK=$work\$" /proc/[0-9]*/environ 2>/dev/null | grep -oE '[0-9]+' |
        while read -r id; do grep -qsz "^train.sh\|^sleep${1+\|$1}" "/proc/$id/cmdline" && echo "$id"; done
}
alone() { [ -z "$(left_alive "$@")" ]; }

# await COMMAND...: until it succeeds
await() {
    for _ in $(seq 1000); do
        "$@" && return
        sleep 0.02
    done
    fail "waited in vain for: $*"
}

# begun NUMBER: so many lines of $work/log say that a trainer has begun
begun() { [ -e "$work/log" ] && [ "$(grep -c begin "$work/log")" -ge "$1" ]; }

# ranks NUMBER PROGRAM ARGUMENTS...: under mpirun; a hang is ended by the clock, with exit code 124. Open
# MPI itself leaks, which a sanitized build would tell.
ranks() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
        timeout 120 mpirun --oversubscribe -n "$1" "${@:2}"
}

finish() {
    echo "$checks checks, $failures failures"
    [ "$failures" -eq 0 ]
}
