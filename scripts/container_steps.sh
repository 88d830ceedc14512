#!/usr/bin/env bash
# Tries the Containerfile where no container runtime runs: debootstrap makes the image that each FROM names,
# chroot runs the steps in it, and the last image optimises subgoals for GW10 as its own user. For root, on
# Debian or Ubuntu; needs some 3 GB in DIR. usage: container_steps.sh [DIR]
# It knows what the Containerfile uses: FROM debian:SUITE, COPY [--from=STAGE], RUN, ENV, WORKDIR, USER,
# ENTRYPOINT; CMD, EXPOSE and VOLUME change nothing here. Any other instruction is refused.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "container: chroot needs root" >&2; exit 1; }
work=$(realpath -m "${1:-/var/tmp/besd-container}")
mirror=${MIRROR:-http://deb.debian.org/debian}
mkdir -p "$work"

# inside COMMAND...: in the root of the stage, with a /proc and processes of its own that end with it
inside() {
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$0/proc" && exec chroot "$@"' "$root" "${as[@]}" "$root" "$@"
}

# from IMAGE [AS NAME]
from() {
    local suite=${1##*:}
    suite=${suite%-slim}
    [[ $1 == *debian:* ]] || { echo "container: only images of Debian are known here, not $1" >&2; exit 1; }
    [ -e "$work/$suite.tar" ] || {
        debootstrap --variant=minbase "$suite" "$work/$suite" "$mirror" >"$work/debootstrap.log" 2>&1 ||
            { tail "$work/debootstrap.log" >&2; exit 1; }
        tar --create --file="$work/$suite.tar" --directory="$work/$suite" --exclude=./proc/* .
        rm -rf "${work:?}/$suite"
    }
    root=$work/stage-${3:-last} folder=/ as=() settings=()
    rm -rf "$root"
    mkdir -p "$root"
    tar --extract --file="$work/$suite.tar" --directory="$root"
}

# copy [--from=STAGE] SOURCE... TARGET: a folder's contents, as containers do it
copy() {
    local place=$PWD without=(--exclude-from="$work/ignored")
    if [[ $1 == --from=* ]]; then
        place=$work/stage-${1#--from=} without=()
        shift
    fi
    local target=${*: -1} pattern source
    [[ $target == /* ]] || target=$folder/$target
    mkdir -p "$root$target"
    for pattern in "${@:1:$#-1}"; do
        for source in "$place"/${pattern#/}; do
            if [ -d "$source" ]; then
                tar --create --directory="$source" "${without[@]}" . | tar --extract --directory="$root$target"
            else
                cp "$source" "$root$target"
            fi
        done
    done
}

# a line for every instruction, without comments; .dockerignore as tar says it
sed -e '/^#/d' -e '/^$/d' Containerfile | sed -e ':join' -e '/\\$/{N;s/\\\n */ /;b join' -e '}' >"$work/steps"
sed -e 's,^\*\*/,,;t' -e 's,^,./,' .dockerignore >"$work/ignored"
entry=() number=0
while read -r instruction words <&3; do
    number=$((number + 1))
    echo "== $instruction $words"
    case $instruction in
    FROM) from $words ;;
    COPY) copy $words ;;
    RUN) inside env DEBIAN_FRONTEND=noninteractive "${settings[@]}" sh -ec "cd '$folder'; $words" </dev/null >"$work/step-$number.log" 2>&1 ||
        { tail -30 "$work/step-$number.log" >&2; echo "container: the step failed" >&2; exit 1; } ;;
    ENV) eval "settings+=($words)" ;; # NAME="VALUE" NAME="VALUE", as the shell reads it
    WORKDIR) folder=$words && mkdir -p "$root$folder" ;;
    USER) as=(--userspec="$words") ;;
    ENTRYPOINT) mapfile -t entry < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$words") ;;
    CMD | EXPOSE | VOLUME) ;;
    *) echo "container: unknown instruction $instruction" >&2; exit 1 ;;
    esac
done 3<"$work/steps"

echo "== ${entry[*]} run gw10 --budget 60000 --seed 1, as $(inside id -un) in $folder"
inside env "${settings[@]}" sh -ec "cd '$folder'; rm -f gw10-1.besd; exec \"\$@\"" "${entry[@]}" \
    "${entry[@]}" run gw10 --budget 60000 --seed 1
du -sh --exclude="$root/var/cache/apt" "$root" | sed "s,$root,is the size of the last image," # theirs keep no cache
