#!/usr/bin/env bash
# Format, clang-tidy and cppcheck; quiet when all is well. Needs a configured build/.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t sources < <(git ls-files '*.c' ':!src/cli/skeletons') # which are half a program
git ls-files '*.c' '*.h' ':!src/cli/skeletons' | xargs clang-format --dry-run --Werror
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build \
    --extra-arg=-I"$PWD/include" --extra-arg=-I"$PWD/src" --extra-arg=-I"$PWD/lab" 2>/dev/null # fuzz targets are built elsewhere
cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --std=c11 -Iinclude -Isrc -Ilab src lab bench
echo "lint: ${#sources[@]} sources, nothing to say"
