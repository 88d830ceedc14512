#!/usr/bin/env bash
# docs/ros2.md is followed as it stands, with a stand-in of rclpy and a port of its own; then the worker's odd moments.
# usage: test_ros2.sh TOOL SOURCE_DIR
set -euo pipefail
besd=$1 source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
mkdir "$work/bin" "$work/tree"
ln -s "$besd" "$work/bin/besd"
ln -s "$source_dir/examples" "$work/tree/"
sed -n '/^```sh$/,/^```$/{/^```/!p}' "$source_dir/docs/ros2.md" | sed "s/8420/$port/g" >"$work/commands"
[ "$(grep -c . "$work/commands")" -ge 6 ] || { echo 'FAILED: too few commands in docs/ros2.md'; exit 1; }
(cd "$work/tree" && PYTHONDONTWRITEBYTECODE=1 PATH="$work/bin:$PATH" bash -e "$work/commands" >"$work/said" 2>&1) ||
    { tail -20 "$work/said"; echo 'FAILED: docs/ros2.md does not work as it stands'; exit 1; }
grep -qE 'the study is over: the budget of 14000 is spent' "$work/said" || { cat "$work/said"; exit 1; }
grep -qE '^x = [23]\.[0-9]+ m, y = [67]\.[0-9]+ m$' "$work/said" || { tail -5 "$work/said"; exit 1; } # the lamp is at (3, 7)
PYTHONDONTWRITEBYTECODE=1 timeout 120 python3 "$source_dir/tests/ros2_worker.py" "$besd" "$source_dir" "$work" "$(free_port)"
