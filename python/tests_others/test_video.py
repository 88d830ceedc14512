"""Gymnasium's RecordVideo films the six domains."""

from pathlib import Path

import gymnasium
import pytest

import besd

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", besd.domains.names())
def test_record_video(name: str, tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    inner = gymnasium.make(f"besd/{name.upper()}-v0", render_mode="rgb_array", cap=10)
    theta = besd.domains.describe(name).low
    env = gymnasium.wrappers.RecordVideo(besd.SubgoalWrapper(inner, theta), str(tmp_path))
    env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(1)
        over = terminated or truncated
    env.close()
    (film,) = tmp_path.glob("*.mp4")
    assert film.stat().st_size > 500
