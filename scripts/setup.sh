#!/usr/bin/env bash
# Looks which Debian or Ubuntu packages are missing; does nothing when all are there.
# Installs the missing ones for root, on a CI machine ($CI is set) and with BESD_SETUP=install, which make
# sets for `make run`, `make test` and `make setup`. Otherwise prints the one line that installs them.
# usage: setup.sh [build] [lint] [python] [memcheck] [browser] [clang] [debian] [container]
set -euo pipefail

build=(gcc make cmake ninja-build pkg-config libc6-dev libjansson-dev librandom123-dev libcmocka-dev
    libopenblas0 libopenblas-dev libnlopt-dev libsqlite3-dev libcyaml-dev libyaml-dev libpng-dev libopenmpi-dev sqlite3
    libmicrohttpd-dev libgnutls28-dev libjs-d3 python3 gnuplot-nox curl)
lint=(clang-format clang-tidy cppcheck libomp-dev)
python=(python3 python3-venv python3-dev)
memcheck=(valgrind)
clang=(clang libomp-dev libclang-rt-dev)
browser=(chromium)
grep -qs '^ID=ubuntu' /etc/os-release && browser=() # has it as a snap only: tests in a browser are skipped
debian=(build-essential debhelper dpkg-dev fakeroot lintian)
container=(debootstrap)

wanted=()
for group in "${@:-build}"; do
    case $group in
    build) wanted+=("${build[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    python) wanted+=("${python[@]}") ;;
    memcheck) wanted+=("${memcheck[@]}") ;;
    clang) wanted+=("${clang[@]}") ;;
    browser) wanted+=("${browser[@]}") ;;
    debian) wanted+=("${debian[@]}") ;;
    container) wanted+=("${container[@]}") ;;
    *) echo "setup: unknown group '$group'" >&2; exit 2 ;;
    esac
done

command -v dpkg-query >/dev/null || exit 0 # another system: CMake says what it misses

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

root=$([ "$(id -u)" -eq 0 ] && echo yes || echo no)
if [ "$root" = no ] && [ -z "${CI:-}" ] && [ "${BESD_SETUP:-}" != install ]; then
    echo "setup: packages are missing; this line installs them:" >&2
    echo "    sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
fi

echo "setup: installing ${missing[*]}"
sudo=()
[ "$root" = yes ] || sudo=(sudo)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ "${sudo[@]}" apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${sudo[@]}" \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 ||
    { cat "$log" >&2; echo "setup: could not install ${missing[*]}" >&2; exit 1; }
