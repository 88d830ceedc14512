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
echo "versions: all $version"
