#!/usr/bin/env bash
# Names all that the Python package is built from, and the Python ($1): what was built for another name is out of date.
set -euo pipefail
cd "$(dirname "$0")/.."
"$1" --version
find python src lab include cmake CMakeLists.txt -type f \
    -not -path '*/__pycache__/*' -not -path '*/.pytest_cache/*' -not -path 'python/tests*' \
    -not -path 'python/examples/*' -not -name '*.so' -print0 | sort -z | xargs -0 sha256sum
