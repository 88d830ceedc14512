"""docs/python.md, followed literally."""

import re
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[2] / "docs" / "python.md"


def test_every_block_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = TUTORIAL.read_text()
    blocks = [(m.start(), m.group(1)) for m in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]
    assert len(blocks) >= 6
    names: dict[str, object] = {}
    for start, block in blocks:
        line = text[:start].count("\n") + 1
        exec(compile("\n" * line + block, str(TUTORIAL), "exec"), names)
    assert (tmp_path / "moth.besd").exists()
