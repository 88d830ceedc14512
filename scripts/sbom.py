#!/usr/bin/env python3
"""What besd is made of, as SPDX 2.3 in JSON: besd itself, what is linked to it, what is opened when it runs, and what is
put into it. The build calls this with the versions that it has found (cmake --build build --target sbom).

    sbom.py VERSION OUT RELATION:NAME=VERSION[=FILE]...

RELATION is one of those of SPDX between besd and the package (DYNAMIC_LINK, RUNTIME_DEPENDENCY_OF, CONTAINS,
BUILD_DEPENDENCY_OF). A FILE is what was put in; its SHA-256 is noted. The same things always give the same bytes: the
date is SOURCE_DATE_EPOCH, else that of the last commit, else 0."""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

LICENSES = {
    "jansson": "MIT",
    "nlopt": "LGPL-2.1-or-later",
    "sqlite3": "blessing",
    "libcyaml": "ISC",
    "libyaml": "MIT",
    "libmicrohttpd": "LGPL-2.1-or-later",
    "gnutls": "LGPL-2.1-or-later",
    "openblas": "BSD-3-Clause",
    "random123": "BSD-3-Clause",
    "mpi": "NOASSERTION",
    "d3": "BSD-3-Clause",
}
# "a DEPENDENCY_OF b" is said of the package, the others of besd.
OF_THE_PACKAGE = ("RUNTIME_DEPENDENCY_OF", "BUILD_DEPENDENCY_OF")


def date() -> str:
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        here = Path(__file__).resolve().parent
        asked = subprocess.run(["git", "-C", str(here), "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
        epoch = asked.stdout.strip() or "0"
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(epoch)))


def package(name: str, version: str, content: Path | None) -> dict[str, Any]:
    if name == "d3" and content and (found := re.search(rb'version:"([0-9.]+)"', content.read_bytes()[:2000])):
        version = found[1].decode()
    described: dict[str, Any] = {
        "SPDXID": f"SPDXRef-{name}",
        "name": name,
        "versionInfo": version or "NOASSERTION",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": LICENSES.get(name, "NOASSERTION"),
        "licenseDeclared": LICENSES.get(name, "NOASSERTION"),
        "copyrightText": "NOASSERTION",
    }
    if content:
        described["checksums"] = [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(content.read_bytes()).hexdigest()}]
    return described


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    version, out, *parts = sys.argv[1:]
    besd = {**package("besd", version, None), "licenseConcluded": "MIT", "licenseDeclared": "MIT"}
    packages, relations = [besd], [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-besd")]
    for part in parts:
        relation, _, rest = part.partition(":")
        name, found, *path = rest.split("=", 2)
        one = package(name, found, Path(path[0]) if path else None)
        packages.append(one)
        ends = (one["SPDXID"], relation, "SPDXRef-besd") if relation in OF_THE_PACKAGE else ("SPDXRef-besd", relation, one["SPDXID"])
        relations.append(ends)
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"besd-{version}",
        "creationInfo": {"created": date(), "creators": ["Tool: besd-sbom"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": r, "relatedSpdxElement": b} for a, r, b in relations],
    }
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    document["documentNamespace"] = f"urn:besd:sbom:{version}:{digest[:32]}"
    Path(out).write_text(json.dumps(document, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
