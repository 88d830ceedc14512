#!/usr/bin/env bash
# besd.3 from its frame and from the public headers, which are the manual: the comment at the top of
# each, then its declarations as they stand; on stdout.
# usage: man_library.sh FRAME VERSION HEADER...
set -euo pipefail
frame=$1 version=$2
shift 2

describe_header() {
    local header=$1
    echo ".SH $(basename "$(dirname "$header")")/$(basename "$header")"
    echo ".nf"
    # Guards, includes and the C++ bracket are the compiler's business.
    awk '/^#(ifndef|define) BESD_[A-Z]+_H$/ || /^#endif$/ && !depth { next }
         /^#ifdef __cplusplus/ { skip = 1 }
         /^#if/ { depth++ }
         !skip && !/^#include/ { print }
         /^#endif/ { if (depth) depth--; skip = 0 }' "$header" |
        cat -s | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
    echo ".fi"
}

while IFS= read -r line; do
    if [ "$line" = @HEADERS@ ]; then
        for header in "$@"; do describe_header "$header"; done
    else
        printf '%s\n' "${line//@VERSION@/$version}"
    fi
done <"$frame"
