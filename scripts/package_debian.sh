#!/usr/bin/env bash
# Builds the Debian packages from what git tracks and puts them into DIR (build/packages), then lets lintian
# look at them. usage: package_debian.sh [DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
packages=${1:-build/packages}
rm -rf "$packages"
mkdir -p "$packages/besd"
git ls-files -z | tar --create --null --files-from=- | tar --extract --directory="$packages/besd"
log=$packages/build.log
(cd "$packages/besd" && dpkg-buildpackage --no-sign --build=binary) >"$log" 2>&1 ||
    { tail -40 "$log" >&2; echo "package: the build failed; $log has all of it" >&2; exit 1; }
rm -rf "$packages/besd"
lintian --fail-on error "$packages"/*.changes
ls -l "$packages"/*.deb
