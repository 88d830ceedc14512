#!/usr/bin/env bash
# Little address space (ulimit -v): what computes nothing does its work, the rest does it or says in a sentence
# that it cannot, and all of it within seconds; and nothing is printed by the libraries. The same without OpenBLAS.
source "$(dirname "$0")/cli.sh"
case $(ldd "$besd") in *libasan* | *libtsan*) echo "sanitizers take all addresses, skipped"; exit 77 ;; esac
case $(ldd "$besd") in *openblas*) fail "besd is linked with OpenBLAS, which asks for memory before main does" ;; esac
study=$work/s.besd
export OMP_NUM_THREADS=2

# limited KILOBYTES ARGUMENTS...: ended by a clock that is for what hangs, with the output in $work/out and $work/err
limited() {
    checks=$((checks + 1))
    (ulimit -v "$1" && exec timeout 60 "$besd" "${@:2}") >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

# wanted ARGUMENTS...: what there is without a limit, in $work/want
wanted() { "$besd" "$@" >"$work/want" 2>"$work/err" </dev/null || fail "besd $*: $(head -c 300 "$work/err")"; }

# sound KILOBYTES ARGUMENTS...: the answer that there is without a limit, or one sentence; libgomp has its own
sound() {
    limited "$@"
    case $code in
    0) cmp -s <(without_times "$work/want") <(without_times "$work/out") || fail "besd ${*:2} with $1 kB: another answer: $(head -c 300 "$work/out")" ;;
    1) matches "^(besd $2: .*memory|libgomp: )" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] ||
        fail "besd ${*:2} with $1 kB: no sentence: $(head -c 300 "$work/err")" ;;
    *) fail "besd ${*:2} with $1 kB: exit code $code: $(head -c 300 "$work/err")" ;;
    esac
}

# answers KILOBYTES ARGUMENTS...: the answer, whatever the limit
answers() {
    limited "$@"
    [ $code -eq 0 ] && cmp -s "$work/want" "$work/out" ||
        fail "besd ${*:2} with $1 kB: exit code $code: $(head -c 300 "$work/err")"
}

printf '%s\n' 'theta: [{name: x, low: 0, high: 10}, {name: y, low: -1, high: 1}]' 'tau: [10, 40]' 'reps: [2]' \
    'targets: 80' 'initial_designs: 4' 'budget: 600' \
    "command: |-" "  echo '{\"scores\": [1, 2]}'" >"$work/study.yaml"
runs 0 '' - create "$study" --spec "$work/study.yaml"
for trial in 1 2 3 4 5 6 7 8 9; do
    runs 0 '' '' ask "$study"
    runs 0 '' '' tell "$study" $trial --scores "$trial,$((trial * trial % 7))"
done

# The words of a verb; it starts with a copy of the study, and without what it made last.
limits="60000 80000 100000 130000 160000 180000 200000 220000 250000 300000 350000 400000"
while read -r kind words; do
    words=${words//STUDY/$work/copy.besd}
    words=${words//WORK/$work}
    for kilobytes in wanted $limits; do
        rm -rf "$work"/new* && cp "$study" "$work/copy.besd"
        case $kilobytes in wanted) wanted $words ;; *) $kind "$kilobytes" $words ;; esac
    done
done <<'VERBS'
answers --version
answers options
answers domains --json
answers trials STUDY --json
answers train gw10 --theta 7.5,3.5,1.5,8.5 --tau 200 --instances 4 --threads 1
sound recommend STUDY --json
sound predict STUDY --theta 5,0 --json
sound ask STUDY --json
sound create WORK/new.besd --spec WORK/study.yaml
sound run WORK/study.yaml --study WORK/new.besd --quiet
sound run gw10 --study WORK/new.besd --budget 6000 --targets 40 --draws 2 --test 5 --quiet
sound compare gw10 --methods besd:targets=40,draws=2 --replications 2 --budget 6000 --out WORK/new --threads 2 --quiet
VERBS

limited 100000 recommend "$study"
matches 'OpenBLAS needs [0-9]+ MB more of address space' "$work/err" || fail "100 MB: $(head -c 300 "$work/err")"
limited 300000 recommend "$study" --json
[ $code -eq 0 ] || fail "300 MB are not enough: $(head -c 300 "$work/err")"
limited 100000 create "$work/never.besd" --spec "$work/study.yaml"
[ $code -eq 1 ] && [ ! -e "$work/never.besd" ] || fail "a study that could not be made was left behind"

# Something else in its place: what computes says so, and what does not never notices.
mkdir "$work/lib"
: >"$work/lib/libopenblas.so.0"
export LD_LIBRARY_PATH=$work/lib
runs 0 gw10 - domains
runs 0 told - trials "$study"
refuses "OpenBLAS \(Debian's package libopenblas0\), which the model computes with, cannot be opened: " recommend "$study"
if command -v cc >/dev/null; then
    echo 'double cblas_ddot(void); double cblas_ddot(void) { return 0; }' >"$work/other.c"
    cc -shared -fPIC "$work/other.c" -o "$work/lib/libopenblas.so.0"
    refuses 'libopenblas.so.0: it has no function cblas_dgemv; is it OpenBLAS\?' recommend "$study"
fi
unset LD_LIBRARY_PATH
finish
