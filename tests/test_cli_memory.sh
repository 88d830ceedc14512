#!/usr/bin/env bash
# Allocations fail one at a time, here a few of each verb: the same answer or a sentence, never another answer.
# make torture-memory fails many more.
starved=$(dirname "$1")/tests/libstarved.so
[ -e "$starved" ] || { echo "sanitizers have a malloc of their own, skipped"; exit 77; }
exec "$2/scripts/torture_memory.py" "$1" "$starved" --first 7 --most 12 \
    --only create options domains trials recommend recommend-text predict ask tell show check \
    trials-csv events add restore note
