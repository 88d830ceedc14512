#!/usr/bin/env bash
# Asks and tells are killed, and processes on one study die: nothing acknowledged is lost or doubled. make torture-kills
# kills many more.
exec "$2/scripts/torture_kills.py" "$1" --rounds 40 --trials 40 --workers 4
