"""Studies that learn from earlier ones."""

from pathlib import Path

import pytest

import besd
from conftest import served

BOX = ([0, 0], [10, 10], [10, 30], [2, 4])
FEW = {"names": ["x", "y"], "targets": 40, "draws": 2, "initial_designs": 4}


def run(study: besd.Study, trials: int) -> list[str]:
    reasons = []
    for _ in range(trials):
        t = study.ask()
        assert t is not None
        level = -((t.theta[0] - 3) ** 2) / 50 - (t.theta[1] - 7) ** 2 / 50 - 0.01 * (30 - t.tau)
        study.tell(t, [level + 0.02 * r for r in range(t.reps)])
        reasons.append(t.reason)
    return reasons


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with besd.Study.create(tmp_path / "old.besd", *BOX, seed=5, **FEW) as study:
        run(study, 14)
    return tmp_path / "old.besd"


def test_a_study_learns(old: Path, tmp_path: Path) -> None:
    before = old.read_bytes()
    with besd.Study.create(tmp_path / "new.besd", *BOX, sources=[old], **FEW) as study:
        (source,) = study.sources
        assert (source.name, source.trials, source.likeness, source.related, source.share) == ("old", 14, None, None, None)
        assert 3 <= source.rows <= 14 and source.matched.startswith("all coordinates by name")
        assert run(study, 8).count("source") == 4
        (source,) = study.sources
        assert source.likeness is not None and source.related is not None and source.share is not None
        assert 0 <= source.likeness <= source.related <= 1 and 0 <= source.share <= 1
        best = study.recommend()
        assert best.sources == (source,)
        assert "source old" in best._repr_html_()
        assert "source" in [event.what for event in study.events()]
    assert old.read_bytes() == before
    old.unlink()
    with besd.Study(tmp_path / "new.besd") as study:  # it does not need the earlier one
        assert study.sources == (source,)
    with besd.Study.create(tmp_path / "new.besd", *BOX, sources=[old], **FEW) as study:
        assert study.sources == (source,)


def test_sources_are_paths_and_studies(old: Path) -> None:
    with besd.Study(old) as first, besd.Study.create(None, *BOX, seed=6, **FEW) as second:
        run(second, 6)
        with besd.Study.create(None, *BOX, sources=[first, second], **FEW) as study:
            assert [source.name for source in study.sources] == ["old", "study 2"]
        assert first.trial_count == 14  # it stays open
    with besd.Study.create(None, *BOX, sources=[str(old)], **FEW) as study:
        assert [source.name for source in study.sources] == ["old"]
    with besd.Study.create(None, *BOX, **FEW) as study:
        assert study.sources == ()
        run(study, 2)
        assert study.recommend().sources == ()


def test_refusals(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.besd"
    with pytest.raises(TypeError, match="expected a list of paths and studies"):
        besd.Study.create(new, *BOX, sources=str(old), **FEW)
    with pytest.raises(TypeError, match="expected paths and studies, got 7"):
        besd.Study.create(new, *BOX, sources=[7], **FEW)
    with pytest.raises(besd.StudyFileError, match="nowhere"):
        besd.Study.create(new, *BOX, sources=[tmp_path / "nowhere.besd"], **FEW)
    with pytest.raises(besd.InvalidError, match="expected files of different names, got old twice"):
        besd.Study.create(new, *BOX, sources=[old, str(old)], **FEW)
    with pytest.raises(besd.InvalidError, match="expected the coordinate u"):
        besd.Study.create(new, *BOX, sources=[old], **{**FEW, "names": ["u", "y"]})
    with besd.Study.create(None, *BOX, **FEW) as empty, pytest.raises(besd.InvalidError, match="nothing was told"):
        besd.Study.create(new, *BOX, sources=[empty], **FEW)
    assert not new.exists()  # what is refused leaves no file behind
    with pytest.raises(besd.InvalidError, match="it is the study itself"):
        besd.Study.create(old, *BOX, seed=5, sources=[old], **FEW)
    other = tmp_path / "other.besd"
    other.write_bytes(old.read_bytes())
    with pytest.raises(besd.InvalidError, match="has trials already"):
        besd.Study.create(old, *BOX, seed=5, sources=[other], **FEW)


def test_over_the_network(old: Path, tmp_path: Path) -> None:
    with besd.Study.create(tmp_path / "new.besd", *BOX, sources=[old], **FEW) as study:
        run(study, 5)
        expected = study.sources
    with served(tmp_path) as address, besd.connect(f"{address}/study/new") as remote:
        assert remote.recommend().sources == expected
        assert "source" in [trial.reason for trial in remote.trials()]
    with served(tmp_path) as address, besd.connect(f"{address}/study/old") as remote:
        assert remote.recommend().sources == ()
