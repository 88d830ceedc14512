#!/usr/bin/env bash
# The files of a release: the tarball of the last commit, what it is made of, their sums, and a signature of the sums.
# The same commit gives the same tarball on every machine: git takes the files and the dates from the commit, and gzip
# writes neither name nor date. It is made twice and compared.
#
# BESD_SIGN is the command of whoever signs; it gets the file of sums, for example
#     BESD_SIGN='gpg --armor --detach-sign' make release        or 'ssh-keygen -Y sign -n file -f KEY'
# usage: release.sh BUILD_FOLDER OUT_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
commit=$(git rev-parse HEAD)
version=$(sed -nE 's/^project\(besd VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
name=besd-$version
git diff --quiet HEAD || echo "release: the working tree differs from the last commit, which is what is packed" >&2

pack() {
    git -c core.autocrlf=false -c tar.umask=0022 archive --format=tar --prefix="$name/" "$commit" | gzip -n -9
}
pack > "$out/$name.tar.gz"
pack | cmp - "$out/$name.tar.gz"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit") cmake --build "$build" --target sbom > /dev/null
cp "$build/$name.spdx.json" "$out/"
cd "$out"
sha256sum "$name.tar.gz" "$name.spdx.json" > "$name.sha256"
cat "$name.sha256"
if [ -n "${BESD_SIGN:-}" ]; then
    $BESD_SIGN "$name.sha256"
else
    echo "release: not signed; BESD_SIGN names the command that does it" >&2
fi
