#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that are missing; does nothing when all are there.
# usage: setup.sh [build] [lint] [python] [memcheck] [browser] [clang]
set -euo pipefail

build=(gcc make cmake ninja-build pkg-config libc6-dev libjansson-dev librandom123-dev libcmocka-dev
    libopenblas0 libopenblas-dev libnlopt-dev libsqlite3-dev libcyaml-dev libyaml-dev libopenmpi-dev sqlite3
    libmicrohttpd-dev libjs-d3 python3 gnuplot-nox curl)
lint=(clang-format clang-tidy cppcheck libomp-dev)
python=(python3 python3-venv python3-dev)
memcheck=(valgrind)
clang=(clang libomp-dev libclang-rt-dev)
browser=(chromium)

wanted=()
for group in "${@:-build}"; do
    case $group in
    build) wanted+=("${build[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    python) wanted+=("${python[@]}") ;;
    memcheck) wanted+=("${memcheck[@]}") ;;
    clang) wanted+=("${clang[@]}") ;;
    browser) wanted+=("${browser[@]}") ;;
    *) echo "setup: unknown group '$group'" >&2; exit 2 ;;
    esac
done

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "setup: installing ${missing[*]}"
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ "${sudo[@]}" apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${sudo[@]}" \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 ||
    { cat "$log" >&2; echo "setup: could not install ${missing[*]}" >&2; exit 1; }
