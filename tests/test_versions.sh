#!/usr/bin/env bash
# One version in all places that name it. A release changes them together (docs/release.md).
# usage: test_versions.sh TOOL SOURCE_DIR
set -euo pipefail
besd=$1 source_dir=$2
version=$("$besd" --version) # "besd 1.2.3"
version=${version#besd }

# agrees FILE SED: the version that a file names, found by an expression of sed
agrees() {
    local found
    found=$(sed -nE "$2" "$source_dir/$1" | head -1)
    [ "$found" = "$version" ] ||
        { echo "FAILED: $1 has the version '$found', the tool '$version'"; exit 1; }
}

number='([0-9]+\.[0-9]+\.[0-9]+)'
agrees CMakeLists.txt "s/^project\(besd VERSION $number.*/\1/p"
agrees python/CMakeLists.txt "s/^project\(besd_python VERSION $number.*/\1/p"
agrees debian/changelog "s/^besd \($number(~[a-z0-9]+)?\).*/\1/p"
agrees CITATION.cff "s/^version: $number\$/\1/p"
agrees docs/install.md "s/.*libbesd\.so\.$number.*/\1/p"
abi=$(sed -nE 's/^#define BESD_ABI ([0-9]+)$/\1/p' "$source_dir/include/besd/besd.h")
[ -n "$abi" ] || { echo "FAILED: besd.h has no BESD_ABI"; exit 1; }
for place in "debian/control:^Package: libbesd$abi\$" "debian/control: libbesd$abi \(=" \
    "docs/install.md:libbesd\.so\.$abi\`" "docs/install.md:\`libbesd$abi\`" ".gitignore:^/debian/libbesd$abi/"; do
    grep -Eq "${place#*:}" "$source_dir/${place%%:*}" ||
        { echo "FAILED: ${place%%:*} has nothing like '${place#*:}', and BESD_ABI is $abi"; exit 1; }
done
minor=${version%.*} # all that find_package takes for the same
stale=$(grep -ohE 'find_package\(besd [0-9.]+' "$source_dir"/README.md "$source_dir"/docs/*.md | grep -vx "find_package(besd $minor" || true)
[ -z "$stale" ] || { echo "FAILED: a page has '$stale', the tool is $version"; exit 1; }
[ -e "$source_dir/debian/libbesd$abi.install" ] || { echo "FAILED: there is no debian/libbesd$abi.install"; exit 1; }
echo "versions: all $version, ABI $abi"
