#!/usr/bin/env bash
# Who may install packages: root, CI machines, and `make run`, `make test` and `make setup`. All others are
# told the line to type. The commands that would install are stand-ins here.
# usage: test_setup.sh TOOL SOURCE_DIR
set -euo pipefail
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CI BESD_SETUP MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

mkdir "$work/bin"
stand_in() { # NAME LINE
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
stand_in dpkg-query '[ "$4" != "$LACKS" ] && echo "install ok installed"'
stand_in id 'echo "$WHO"'
stand_in sudo 'echo "sudo $*" >>"$DONE"'
stand_in apt-get 'echo "apt-get $*" >>"$DONE"'

# expect NAME STATUS DONE WORD... -- COMMAND: the exit code, what was installed, and words that were said
expect() {
    local name=$1 status=$2 expected=$3 got=0
    shift 3
    local words=()
    while [ "$1" != -- ]; do words+=("$1") && shift; done
    shift
    : >"$work/done"
    env PATH="$work/bin:$PATH" DONE="$work/done" "$@" >"$work/said" 2>&1 || got=$?
    [ "$got" -eq "$status" ] || { cat "$work/said"; echo "FAILED: $name: exit code $got, not $status"; exit 1; }
    [ "$(grep -c install "$work/done")" = "$expected" ] ||
        { cat "$work/done"; echo "FAILED: $name: expected $expected installations"; exit 1; }
    for word in "${words[@]}"; do
        grep -qF -- "$word" "$work/said" || { cat "$work/said"; echo "FAILED: $name: '$word' was not said"; exit 1; }
    done
}

setup=$source_dir/scripts/setup.sh
line='sudo apt-get install --no-install-recommends libnlopt-dev'
expect "nothing is missing" 0 0 -- WHO=1000 LACKS=none "$setup" build
expect "a user is told" 1 0 "$line" -- WHO=1000 LACKS=libnlopt-dev "$setup" build
expect "a package of another group" 0 0 -- WHO=1000 LACKS=valgrind "$setup" build
expect "a package of this group" 1 0 valgrind -- WHO=1000 LACKS=valgrind "$setup" build memcheck
expect "a CI machine installs" 0 1 installing -- WHO=1000 LACKS=libnlopt-dev CI=true "$setup" build
expect "who asks for it installs" 0 1 installing -- WHO=1000 LACKS=libnlopt-dev BESD_SETUP=install "$setup" build
grep -q '^sudo apt-get install .*libnlopt-dev$' "$work/done" || { echo "FAILED: a user installs by sudo"; exit 1; }
expect "root installs" 0 1 installing -- WHO=0 LACKS=libnlopt-dev "$setup" build
grep -q '^apt-get install .*libnlopt-dev$' "$work/done" || { echo "FAILED: root needs no sudo"; exit 1; }
expect "an unknown group" 2 0 "unknown group 'nonsense'" -- WHO=0 LACKS=none "$setup" nonsense

make=(make -s -C "$source_dir")
expect "make build" 2 0 "$line" -- WHO=1000 LACKS=libnlopt-dev "${make[@]}" build
expect "make bench" 2 0 "$line" -- WHO=1000 LACKS=libnlopt-dev "${make[@]}" bench
expect "make" 2 0 "$line" -- WHO=1000 LACKS=libnlopt-dev "${make[@]}"
expect "make setup" 0 1 installing -- WHO=1000 LACKS=libnlopt-dev "${make[@]}" setup
for goal in run test test-python; do # these would build: only what make tells the script is looked at
    said=$(printf 'include Makefile\n_said: ; @echo $(BESD_SETUP)\n' |
        make -s -C "$source_dir" -f - MAKECMDGOALS=$goal _said)
    [ "$said" = install ] || { echo "FAILED: make $goal does not install"; exit 1; }
done
echo "setup: all as promised"
