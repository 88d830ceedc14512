#!/usr/bin/env bash
# Pages that `besd report` writes in Chromium: see static_page.py. Skipped where scripts/browser_venv.sh was not run.
# usage: test_static_page.sh TOOL SOURCE_DIR [FOLDER for pictures]
set -euo pipefail
tool=$1 source_dir=$2
python=$source_dir/build/browser-venv/bin/python
chromium=$(command -v chromium) && "$python" -c 'import playwright' 2>/dev/null || {
    echo "test_static_page: no Chromium with Playwright; scripts/browser_venv.sh brings both" >&2
    exit 77
}
exec "$python" "$source_dir/tests/static_page.py" "$tool" "$chromium" "$source_dir" "${@:3}"
