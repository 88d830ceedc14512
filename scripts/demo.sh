#!/usr/bin/env bash
# What `make run` shows: learning on GW10 without and with a good design of subgoals.
set -euo pipefail
cd "$(dirname "$0")/.."
design=6.3,8.7,1.5,9.3
echo "Learning to cross a 10x10 room with a wall that is never in the same place, 1000 interactions,"
echo "200 unseen instances. The best possible policy needs 20 steps without wind."
echo
build/besd train gw10 --no-subgoals
echo
build/besd train gw10 --theta $design
echo
build/besd show gw10 --theta $design --path --instance 5
