"""What a new user does first: the tool, the beginning of the tutorial, the checker, the pictures.

    python wheel_check.py [docs/python.md]

Run by the tests and by cibuildwheel in a venv that has the wheel and Gymnasium, and nothing else of ours.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import gymnasium
from gymnasium.utils.env_checker import check_env

import besd
import besd.domains

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "python.md"
TOOL = Path(sysconfig.get_path("scripts"), "besd")


def tool(*arguments: str) -> str:
    return subprocess.run([TOOL, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def main(tutorial: Path) -> None:
    assert "usage: besd" in tool("--help")
    for block in re.findall(r"^```python\n(.*?)^```$", tutorial.read_text(), re.M | re.S)[:3]:
        exec(block, globals())
    assert tool("recommend", "moth.besd")
    for name in besd.domains.names():
        for mode in ("rgb_array", "ansi"):
            env = gymnasium.make(f"besd/{name.upper()}-v0", render_mode=mode)
            env.reset(seed=1)
            assert len(env.render()) > 10
        check_env(gymnasium.make(f"besd/{name.upper()}-v0").unwrapped, skip_render_check=True)
    with besd.Study.create("bare.besd", [0, 0], [10, 10], [100, 400], [2], budget=4000) as study:
        study.optimize(lambda trial: [-abs(trial.theta[0] - 3)] * trial.reps)
        assert study.report().startswith("<!")
    used = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libopenblas.so" in line}
    print("all is well", besd.__file__, *used)


if __name__ == "__main__":
    where = Path(sys.argv[1] if len(sys.argv) > 1 else TUTORIAL).resolve()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main(where)
        os.chdir("/")
