"""Tests with other people's libraries, which are too large for every run: `make test-python-all`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
