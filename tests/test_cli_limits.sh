#!/usr/bin/env bash
# Little address space (ulimit -v): what computes nothing does its work, the rest does it or says in a sentence
# that it cannot, and all of it within seconds; and nothing is printed by the libraries.
source "$(dirname "$0")/cli.sh"
case $(ldd "$besd") in *libasan* | *libtsan*) echo "sanitizers take all addresses, skipped"; exit 77 ;; esac
case $(ldd "$besd") in
*openblas-serial*) ;;
*) echo "no OpenBLAS without threads, skipped"; exit 77 ;;
esac
study=$work/s.besd

# limited KILOBYTES ARGUMENTS...: within ten seconds, with the output in $work/out and $work/err
limited() {
    checks=$((checks + 1))
    (ulimit -v "$1" && exec timeout 10 "$besd" "${@:2}") >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

# sound KILOBYTES ARGUMENTS...: the answer that there is without a limit, or one sentence
sound() {
    limited "$@"
    case $code in
    0) cmp -s "$work/want" "$work/out" || fail "besd ${*:2} with $1 kB: another answer: $(head -c 300 "$work/out")" ;;
    1) matches "^besd ${2//-/}: .*memory" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] ||
        fail "besd ${*:2} with $1 kB: no sentence: $(head -c 300 "$work/err")" ;;
    *) fail "besd ${*:2} with $1 kB: exit code $code: $(head -c 300 "$work/err")" ;;
    esac
}

printf '%s\n' 'theta: [{name: x, low: 0, high: 10}, {name: y, low: -1, high: 1}]' 'tau: [10, 40]' 'reps: [2]' \
    'targets: 80' 'initial_designs: 4' 'budget: 600' >"$work/study.yaml"
runs 0 '' - create "$study" --spec "$work/study.yaml"
for trial in 1 2 3 4 5 6 7 8 9; do
    runs 0 '' '' ask "$study"
    runs 0 '' '' tell "$study" $trial --scores "$trial,$((trial * trial % 7))"
done

for kilobytes in 70000 100000 160000 200000 300000; do
    for words in --version options "trials $study --json" "domains --json"; do
        "$besd" $words >"$work/want"
        limited $kilobytes $words
        [ $code -eq 0 ] && cmp -s "$work/want" "$work/out" ||
            fail "besd $words with $kilobytes kB: exit code $code: $(head -c 300 "$work/err")"
    done
    for words in "recommend $study --json" "predict $study --theta 5,0 --json"; do
        "$besd" $words >"$work/want"
        sound $kilobytes $words
    done
    cp "$study" "$work/copy.besd"
    "$besd" ask "$work/copy.besd" --json >"$work/want"
    cp "$study" "$work/copy.besd"
    sound $kilobytes ask "$work/copy.besd" --json
done
limited 100000 recommend "$study"
matches 'the model needs 128 MB more of address space' "$work/err" || fail "100 MB: $(head -c 300 "$work/err")"
limited 300000 recommend "$study" --json
[ $code -eq 0 ] || fail "300 MB are not enough: $(head -c 300 "$work/err")"
finish
