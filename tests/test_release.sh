#!/usr/bin/env bash
# The files of a release are the same whoever makes them and when, say what is in them, and are signed by whatever
# command the maintainer names.
# usage: test_release.sh TOOL SOURCE_DIR
set -euo pipefail
source_dir=$2
build=$(dirname "$1")
git -C "$source_dir" rev-parse HEAD > /dev/null 2>&1 || { echo "no repository, so no release"; exit 77; }
command -v python3 > /dev/null || { echo "no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/sign" <<'SIGN'
#!/bin/sh
echo "signed by a maintainer" > "$1.asc"
SIGN
chmod +x "$work/sign"
(umask 077 && TZ=Asia/Tokyo "$source_dir/scripts/release.sh" "$build" "$work/one" > /dev/null 2> "$work/said")
grep -q "not signed; BESD_SIGN names the command" "$work/said"
BESD_SIGN="$work/sign" LC_ALL=C "$source_dir/scripts/release.sh" "$build" "$work/two" > /dev/null 2>&1
name=$(basename "$work"/one/*.tar.gz .tar.gz)
for end in tar.gz spdx.json sha256; do
    cmp "$work/one/$name.$end" "$work/two/$name.$end"
done
grep -q "signed by a maintainer" "$work/two/$name.sha256.asc"
(cd "$work/two" && sha256sum --quiet -c "$name.sha256")
tar -tzf "$work/one/$name.tar.gz" > "$work/list"
grep -qx "$name/CMakeLists.txt" "$work/list"
if grep -v "^$name/" "$work/list"; then echo "FAILED: the tarball has files beside its folder"; exit 1; fi
python3 - "$work/one/$name.spdx.json" <<'CHECK'
import json, re, sys
s = json.load(open(sys.argv[1]))
assert s["spdxVersion"] == "SPDX-2.3" and s["dataLicense"] == "CC0-1.0" and s["SPDXID"] == "SPDXRef-DOCUMENT"
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", s["creationInfo"]["created"])
packages = {p["SPDXID"]: p for p in s["packages"]}
for p in packages.values():
    assert p["name"] and p["versionInfo"] and p["downloadLocation"] and p["licenseConcluded"], p
for name in ("jansson", "nlopt", "sqlite3", "libcyaml", "libyaml", "libmicrohttpd", "gnutls", "openblas"):
    assert re.match(r"\d", packages[f"SPDXRef-{name}"]["versionInfo"]), packages[f"SPDXRef-{name}"]
related = {r["spdxElementId"] for r in s["relationships"]} | {r["relatedSpdxElement"] for r in s["relationships"]}
assert related == set(packages) | {"SPDXRef-DOCUMENT"}, related
CHECK
echo "release: $name, $(wc -l < "$work/list") files"
