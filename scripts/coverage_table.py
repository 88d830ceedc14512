#!/usr/bin/env python3
"""What scripts/coverage.sh prints, from the JSON of gcov on standard input, one object per line."""
import collections
import json
import os
import sys

root = os.path.join(os.getcwd(), "")
lines = collections.defaultdict(collections.Counter)  # of a file: line -> how often it was run
entries = collections.Counter()                       # (file, line, function) -> how often entered

# a header, and a source that is compiled twice, counts in several objects: hence the sums
for record in map(json.loads, sys.stdin):
    for source in record["files"]:
        path = os.path.normpath(os.path.join(record["current_working_directory"], source["file"]))
        if not path.startswith(root):
            continue
        name = path[len(root):]
        if name.split("/")[0] not in ("src", "lab"):
            continue
        for line in source["lines"]:
            lines[name][line["line_number"]] += line["count"]
        for function in source["functions"]:
            plain = function["name"].split(".")[0]  # of the versions for several processors
            entries[name, function["start_line"], plain] += function["execution_count"]


def print_row(title, files):
    all_lines = sum(len(lines[f]) for f in files)
    run = sum(count > 0 for f in files for count in lines[f].values())
    functions = [count for (f, _, _), count in entries.items() if f in files]
    print(f"{title:<12} {len(files):>6} {all_lines:>7} {100 * run / max(all_lines, 1):>7.1f} % "
          f"{len(functions):>10} {sum(c > 0 for c in functions):>8}")


print(f"{"folder":<12} {'files':>6} {'lines':>7} {'covered':>9} {'functions':>10} {'entered':>8}")
for folder in sorted({"/".join(f.split("/")[:2]) for f in lines}):
    print_row(folder, {f for f in lines if f.startswith(folder + "/")})
print_row("all", set(lines))

never = sorted(key for key, count in entries.items() if not count)
if never:
    print("\nno test enters:")
for name, line, function in never:
    print(f"  {name}:{line} {function}")
