"""Earlier results on their way into a study: mappings, tables, files; and what is refused, with its place."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import besd
from besd import _tool
from conftest import SMALL, quick

ROW: dict[str, Any] = {"theta": {"y": 7, "x": 3}, "tau": 400, "scores": [4, 5, 6]}


def test_one_and_many(door: besd.StudyBase) -> None:
    assert door.add(ROW) == [1]
    added = door.trial(1)
    assert (added.state, added.reason, added.theta.tolist(), added.tau, added.reps) == ("told", "added", [3, 7], 400, 3)
    assert (added.scores.tolist(), added.cost, door.spent) == ([4, 5, 6], 0, 0)
    many = [{"theta": [1, 2], "tau": 100, "scores": 9.5, "cost": 11, "note": "by hand"}, {**ROW, "scores": (1,)}]
    assert door.add(many) == [2, 3] and door.add([]) == []
    assert (door.trial(2).note, door.trial(2).cost, door.spent) == ("by hand", 11, 11)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({**ROW, "theta": [1, 2, 3]}, r"results\[1\]: theta: expected 2 numbers, got 3"),
        ({**ROW, "theta": [1, 22]}, r"results\[1\]: theta\[1\]: expected y between 0 and 10, got 22"),
        ({**ROW, "theta": {"x": 1}}, r"results\[1\]: theta: 'y' is missing"),
        ({**ROW, "tau": 50}, r"results\[1\]: tau: expected 100 or 400, got 50"),
        ({**ROW, "tau": 1.5}, r"results\[1\]: tau: expected a whole number, got 1.5"),
        ({**ROW, "scores": []}, r"results\[1\]: scores"),
        ({**ROW, "scores": None}, r"results\[1\]: scores: it is missing"),
        ({**ROW, "scores": [1, float("inf")]}, r"results\[1\]: scores"),
        ({**ROW, "cost": float("inf")}, r"results\[1\]: cost"),
        ({**ROW, "earned": [[1]] * 3}, r"results\[1\]: (earned|legs)"),
        ({**ROW, "cost": -1}, r"results\[1\]: cost"),
        ({**ROW, "score": 3}, r"results\[1\]: there is no member 'score', did you mean 'scores'"),
        ({**ROW, "legs": [[1]] * 3}, r"results\[1\]: legs"),
    ],
)
def test_all_or_none(door: besd.StudyBase, row: dict[str, Any], sentence: str) -> None:
    with pytest.raises(besd.InvalidError, match=sentence):
        door.add([ROW, row])
    assert door.trial_count == 0


def test_what_is_no_result(door: besd.StudyBase) -> None:
    for wrong in (3, b"rows", None):
        with pytest.raises(TypeError, match="results: expected mappings, a table or a file"):
            door.add(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"results\[0\]: expected a mapping"):
        door.add([3])  # type: ignore[list-item]


def test_a_table_there_and_back(door: besd.StudyBase, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    for _ in range(3):
        trial = door.ask()
        assert trial is not None
        door.tell(trial, quick(trial))
    door.set_trial_note(2, "windy")
    door.void(3)
    door.ask()
    with besd.Study.create(tmp_path / "other.besd", **SMALL, names=["x", "y"], direction="minimize") as other:
        assert other.add(door.trials_dataframe()) == [1, 2]  # what was told
        assert [t.scores.tolist() for t in other.trials()] == [t.scores.tolist() for t in door.trials("told")]
        assert (other.trial(2).note, other.trial(2).cost) == ("windy", door.trial(2).cost)
        frame = pandas.DataFrame({"x": [1, 2], "y": [3, 4], "tau": [100, 400], "scores": [5.0, 6.0], "note": [None, "b"]})
        assert other.add(frame) == [3, 4] and other.trial(4).note == "b" and other.trial(3).cost == 0


def test_files_of_the_command_line(door: besd.StudyBase, path: Path, tmp_path: Path) -> None:
    for _ in range(3):
        trial = door.ask()
        assert trial is not None
        door.tell(trial, quick(trial), cost=7)
    door.set_trial_note(1, 'said "go", and went')
    table, lines = tmp_path / "old.csv", tmp_path / "old.jsonl"
    shown = subprocess.run([_tool.path(), "trials", str(path), "--csv"], capture_output=True, text=True, check=True).stdout
    table.write_text(shown)
    with besd.Study(path) as study, lines.open("w") as file:
        for t in study.trials():
            file.write(json.dumps({"theta": t.params, "tau": t.tau, "scores": t.scores.tolist()}) + "\n\n")
    assert door.add(table) == [4, 5, 6] and door.add(str(lines)) == [7, 8, 9]
    for i in (1, 2, 3):
        for copy in (i + 3, i + 6):
            assert door.trial(copy).scores.tolist() == door.trial(i).scores.tolist()
            assert door.trial(copy).theta.tolist() == door.trial(i).theta.tolist()
    assert door.trial(4).note == door.trial(1).note and door.trial(4).cost == 7 and door.trial(7).cost == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x,tau,scores\n1,100,2\n", "line 1: the column 'y' is missing"),
        ("x,y,tau,scores,zeit\n", "line 1: field 5: there is no column 'zeit'"),
        ("x,y,tau,scores,x\n", "line 1: field 5: the column 'x' is there twice"),
        ("x,y,tau,scores\n1,2,100,3\n1,b,100,3\n", "line 3: field 2, y: expected a number, got 'b'"),
        ("x,y,tau,scores\n1,2,100,3 c\n", "line 2: field 4, scores: expected a number, got 'c'"),
        ("x,y,tau,scores\n1,2,100\n", "line 2: expected 4 fields, got 3"),
        ("x,y,tau,scores\n1,2,100,\n", "line 2: scores"),
        ("x,y,tau,scores\n1,2,100,3\n\n1,22,100,3\n", "line 4: theta.1.: expected y between 0 and 10, got 22"),
        ('{"theta": [1, 2], "tau": 100, "scores": [1]}\n{"theta": [1, 2]', "line 2: expected one JSON object"),
        ('{"theta": [1, 2], "tau": 100, "scores": [1]}\n{"tau": 100, "scores": [1]}', "line 2: theta: 'x' is missing"),
    ],
)
def test_files_with_mistakes(door: besd.StudyBase, tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "old.txt"
    file.write_text(text)
    with pytest.raises(besd.InvalidError, match=f"old.txt, {sentence}"):
        door.add(file)
    assert door.trial_count == 0


def test_no_file_and_no_text(door: besd.StudyBase, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        door.add(tmp_path / "none.csv")
    (tmp_path / "binary.csv").write_bytes(b"x,y\xff\n")
    with pytest.raises(besd.InvalidError, match="expected a text of UTF-8"):
        door.add(tmp_path / "binary.csv")
