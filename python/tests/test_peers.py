"""The accounts of bench/peers, which compares besd with other people's optimisers; none of them is needed here."""

import sys
from pathlib import Path

import pytest

PEERS = Path(__file__).parents[2] / "bench" / "peers"
if not PEERS.is_dir():
    pytest.skip("bench/peers is not here", allow_module_level=True)
sys.path.insert(0, str(PEERS))
from test_accounts import *  # noqa: E402, F403
