"""The functions of bench/public, on which besd is compared with other people's optimisers; none of them is needed here.
What needs COCO's package is skipped without it."""

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
if not BENCH.is_dir():
    pytest.skip("bench/public is not here", allow_module_level=True)
sys.path[:0] = [str(BENCH / "public"), str(BENCH / "peers")]
from test_problems import *  # noqa: E402, F403
