#!/usr/bin/env bash
# What `make run` shows: subgoals for GW10, optimised from nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -f build/gw10.besd build/gw10.besd-*
echo "GW10: a 10x10 room with a wall that is never in the same place; the goal pays, nothing else does."
echo "besd looks for two subgoals that teach the agent to get there, within 300 000 interactions."
echo
build/besd run gw10 --budget 300000 --seed 1 --study build/gw10.besd
