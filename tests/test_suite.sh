#!/usr/bin/env bash
# The problems of suite/: the generator writes the files that are kept, and every line of a list names
# a domain that loads with what is set of it, a budget, and two scores.
source "$(dirname "$0")/cli.sh"
suite=$2/suite
cd "$2" || exit 1 # domains in the lists are named from there

for half in develop validate more; do
    mkdir -p "$work/made/$half"
done
python3 "$suite/generate.py" "$work/made" || fail "suite/generate.py failed"
for half in develop validate more; do
    diff -r "$suite/$half" "$work/made/$half" || fail "$half: the files are not those of generate.py"
done

is_number='^-?[0-9]+(\.[0-9]+)?$'
for list in develop validate more builtin; do
    problems=0
    while read -r name domain budget none best settings; do
        [[ $name == \#* ]] && continue
        problems=$((problems + 1))
        [[ $budget =~ $is_number && $none =~ $is_number && $best =~ $is_number ]] ||
            fail "$list: $name: expected budget and two scores, got '$budget $none $best'"
        [[ $domain == cliffs* ]] && continue
        sets=()
        for setting in $settings; do
            sets+=(--set "$setting")
        done
        runs 0 . - domains "$domain" "${sets[@]}" --json
    done <"$suite/$list.txt"
    [ $problems -ge 4 ] || fail "$list: expected problems, found $problems"
done

# one of each kind that users have and the paper has not
for half in develop validate; do
    grep -q '[<>^V]' <(sed -n '/^map/,/^[a-z]*:/p' "$suite/$half"/oneway*.yaml) || fail "$half: nothing is one-way"
    grep -q '^car[0-9]* mc ' "$suite/$half.txt" || fail "$half: nothing is continuous"
done
finish
