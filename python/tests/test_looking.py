"""Frames, pages, figures and everything else that shows what a study holds."""

import math
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from conftest import SMALL, lamp

import besd
from besd import _looking, _tool


@pytest.fixture
def mixed(path: Path) -> Any:
    """Told, failed, asked; with notes and names."""

    def train(trial: besd.Trial) -> Any:
        if trial.id == 3:
            raise OSError("no <robot>")
        if trial.id == 4:
            return {"scores": lamp(trial), "robot": "rover & 2", "loss": np.array([1.5, 2]), "when": datetime}
        if trial.id == 5:
            return {"scores": lamp(trial), "cost": 7, "note": "as it is"}
        return lamp(trial)

    with besd.Study.create(
        path, **SMALL, names=["x", "y <m>"], budget=20_000, direction="minimize", transform="log"
    ) as study:
        study.optimize(train, max_trials=14)
        study.ask()
        yield study


def test_extra_keys_are_kept_as_notes(mixed: besd.Study) -> None:
    assert mixed.get_trial_note(4) == (
        '{"robot": "rover & 2", "loss": [1.5, 2.0], "when": "<class \'datetime.datetime\'>"}'
    )
    assert mixed.get_trial_note(5) == "as it is" and mixed.trial(5).cost == 7
    assert mixed.get_trial_note(3) == "OSError: no <robot>"
    assert mixed.get_trial_note(1) == ""
    mixed.set_trial_note(1, "x" * 1023)
    assert mixed.get_trial_note(1) == "x" * 1023
    with pytest.raises(besd.InvalidError, match="at most 1023 bytes, got 5000"):
        mixed.set_trial_note(1, "x" * 5000)


def test_theta_by_name(mixed: besd.Study) -> None:
    trial = mixed.trial(2)
    assert trial.params == {"x": trial.theta[0], "y <m>": trial.theta[1]}
    assert list(mixed.recommend().params) == ["x", "y <m>"] == list(mixed.names)


def test_times(mixed: besd.Study) -> None:
    asked, ended = mixed.trial_times(1)
    assert ended is not None and asked <= ended <= datetime.now(timezone.utc)
    assert mixed.trial_times(15)[1] is None
    assert (datetime.now(timezone.utc) - asked).total_seconds() < 600


def test_what_else_the_library_knows(mixed: besd.Study) -> None:
    assert mixed.arithmetic == besd.arithmetic() != ""
    assert mixed.initial_cost > 0
    assert mixed.tau_max == 400
    targets = mixed.targets()
    assert targets.shape[1] == 2 and ((targets >= 0) & (targets <= 10)).all()
    with besd.Study.create(None, **SMALL) as fresh:
        assert fresh.targets().shape == (0, 2)


def test_literals_are_the_names_of_the_library() -> None:
    from besd._study import _REASON, _STOP, STATES

    assert set(get_args(besd.State)) == set(STATES.values)
    assert set(get_args(besd.Reason)) == set(_REASON.values)
    assert {*get_args(besd.Stop), "none"} == set(_STOP.values)


def test_dataframe(mixed: besd.Study) -> None:
    pandas = pytest.importorskip("pandas")
    frame = mixed.trials_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "trial"
    assert frame.index.tolist() == list(range(1, 16))
    assert frame.columns.tolist() == [
        "state", "reason", "x", "y <m>", "tau", "reps", "seed", "cost", "mean", "scores", "repeats", "note", "tags",
        "worker", "asked", "ended", "duration", "lease_until", "why",
    ]  # fmt: skip
    for t in mixed.trials():
        row = frame.loc[t.id]
        assert (row["state"], row["reason"], row["tau"], row["seed"]) == (t.state, t.reason, t.tau, t.seed)
        assert row["scores"] == t.scores.tolist() and [row["x"], row["y <m>"]] == t.theta.tolist()
        assert math.isnan(row["mean"]) == (t.state != "told")
    assert frame["asked"].dt.tz is not None and frame["ended"].isna().sum() == 1
    assert frame["seed"].dtype.kind in "iu"
    with besd.Study.create(None, **SMALL) as empty:
        assert len(empty.trials_dataframe()) == 0


def test_html(mixed: besd.Study) -> None:
    shown = mixed._repr_html_()
    assert "15 trials (13 told, 1 asked, 1 failed)" in shown and "the last 10 of 15 trials" in shown
    assert "y &lt;m&gt;" in shown and "y <m>" not in shown
    best = mixed.recommend()._repr_html_()
    assert "expected score" in best and "y &lt;m&gt;" in best
    mixed.close()
    assert "closed" in mixed._repr_html_()


def test_report(mixed: besd.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        _tool.path()
    except besd.UnsupportedError:
        monkeypatch.setattr(_tool, "path", lambda: str(Path(__file__).parents[2] / "build" / "besd"))
    page = mixed.report()
    assert page.startswith("<!") and "</html>" in page
    assert "y \\u003cm\\u003e" in page and "y <m>" not in page
    assert re.match("<iframe srcdoc=", page._repr_html_())
    with besd.Study.create(None, **SMALL) as memory, pytest.raises(besd.InvalidError, match="in a file, got one in memory"):
        memory.report()
    with besd.Study.create(str(mixed.path) + "2", **SMALL) as nothing:
        assert "</html>" in nothing.report()


def test_without_pandas(mixed: besd.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install besd\[plot\]"):
        mixed.trials_dataframe()
    assert len(_looking.rows(mixed)) == 15


class TestFigures:
    @pytest.fixture(autouse=True)
    def no_screen(self) -> Any:
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("Agg")
        yield
        matplotlib.pyplot.close("all")

    def test_best_so_far(self, mixed: besd.Study) -> None:
        ax = besd.plot.best_so_far(mixed)
        labels = ax.get_legend_handles_labels()[1]
        assert labels == ["tau 100", "tau 400", "best so far at tau 400", "failed", "recommendation, 90 %"]
        (steps,) = [line for line in ax.lines if line.get_label() == "best so far at tau 400"]
        best = steps.get_ydata()
        assert all(a >= b for a, b in zip(best, best[1:], strict=False))
        assert best[-1] == min(t.mean for t in mixed.trials("told") if t.tau == 400)
        assert ax.get_yscale() == "log"
        dots = sum(len(c.get_offsets()) for c in ax.collections if str(c.get_label()).startswith("tau"))
        assert dots == 13

    def test_slices(self, mixed: besd.Study) -> None:
        axes = besd.plot.slices(mixed, points=5)
        best = mixed.recommend()
        assert [ax.get_xlabel() for ax in axes] == ["x", "y <m>"]
        for i, ax in enumerate(axes):
            (line,) = [line for line in ax.lines if line.get_label() == "expected"]
            x, y = line.get_data()
            assert best.theta[i] in x and len(x) == 6
            design = best.theta.copy()
            design[i] = x[0]
            assert y[0] == mixed.forecast(design).value
        with pytest.raises(besd.InvalidError, match="axes: expected 2, one for each coordinate, got 1"):
            besd.plot.slices(mixed, axes=axes[:1])

    def test_levers_are_those_of_the_study(self) -> None:
        with besd.Study.create(None, [0, 0], [1, 1], [10, 20], [2], method="random") as study:
            study.add({"theta": [0.5, 0.5], "tau": 20, "scores": [1.0, 2.0, 3.0], "cost": 5.0})
            with pytest.raises(besd.InvalidError, match="levers: expected trials that the study asked for"):
                besd.plot.levers(study)
            study.optimize(lambda trial: trial.theta, max_trials=3)
            labels = [text.get_text() for text in besd.plot.levers(study).get_legend().get_texts()]
            assert labels and all(label.endswith("reps 2") for label in labels)

    def test_levers(self, mixed: besd.Study) -> None:
        ax = besd.plot.levers(mixed, bins=4)
        heights = np.array([[bar.get_height() for bar in group] for group in ax.containers])
        filled = heights.sum(axis=0)
        assert np.isclose(filled[filled > 0], 1).all() and (filled > 0).any()

    def test_paths(self, tmp_path: Path) -> None:
        domain = besd.domains.describe("gw10")
        with besd.Study.create(
            None, domain.low, domain.high, [200, 600], [2], method="random", direction="minimize"
        ) as study:
            study.optimize(lambda trial: trial.theta[:2], max_trials=6)
            ax = besd.plot.paths(study, "gw10")
            best = study.recommend().theta.reshape(2, 2)
            np.testing.assert_array_equal(np.transpose(ax.lines[0].get_data()), best)
            walls = {tuple(p.get_xy()) for p in ax.patches if p.get_facecolor()[:3] == (0.25, 0.25, 0.25)}
            assert {y for _, y in walls} == {2, 3, 4, 5, 6} and max(x for x, _ in walls) == 5
            assert len(besd.plot.paths(study, count=4).collections) == 8
            with pytest.raises(besd.InvalidError, match="subgoals of one or two coordinates"):
                besd.plot.paths(study, count=3)

    def test_nothing_to_show(self) -> None:
        with besd.Study.create(None, **SMALL) as empty:
            for draw in (besd.plot.best_so_far, besd.plot.slices, besd.plot.levers, besd.plot.paths):
                with pytest.raises(besd.InvalidError, match="plot: expected a study with told trials, got none"):
                    draw(empty)
