"""besd.Study against the C library it stands for."""

import os
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import SMALL, history, lamp

import besd


def test_finds_the_lamp(study: besd.Study) -> None:
    for trial in study:
        study.tell(trial, lamp(trial))
    best = study.recommend()
    assert np.hypot(*(best.theta - [3, 7])) < 0.8
    assert study.stopped == "remainder"  # after confirming, nothing shorter than a full training is bought
    assert "20000" in (study.stop_message or "")
    assert study.ask() is None
    assert 20_000 - 2 * 400 < best.cost == study.spent <= 20_000
    assert best.trials == study.trial_count == len(study.trials("told"))


def test_trial_holds_what_was_asked_and_told(study: besd.Study) -> None:
    trial = study.ask()
    assert trial is not None
    assert (trial.id, trial.state, trial.reason) == (1, "asked", "initial")
    assert trial.theta.shape == (2,) and trial.theta.dtype == np.float64
    assert ((trial.theta >= 0) & (trial.theta <= 10)).all()
    assert trial.tau in (100, 400) and trial.reps in (2, 8)
    assert trial.cost == trial.tau * trial.reps
    assert np.isnan(trial.mean) and trial.scores.size == 0
    study.tell(trial, [2.0, 4.5], cost=77)
    told = study.trial(1)
    assert told.state == "told" and told.cost == 77 and told.mean == 3.25
    assert told.scores.tolist() == [2.0, 4.5]
    np.testing.assert_array_equal(told.theta, trial.theta)
    assert told.seed == trial.seed
    with pytest.raises(ValueError):
        trial.theta[0] = 1  # a trial is a record


def test_fail_and_ask_again(study: besd.Study) -> None:
    first, second = study.ask(), study.ask()
    assert first is not None and second is not None
    study.fail(first, "battery", cost=5)
    study.fail(second)
    failed = study.trials("failed")
    assert [t.cost for t in failed] == [5, second.cost]
    again = study.ask_again(first)
    assert again is not None
    assert again.reason == "retry" and again.id == 3
    np.testing.assert_array_equal(again.theta, first.theta)
    assert (again.tau, again.reps) == (first.tau, first.reps) and again.seed != first.seed


def test_resumes_bit_for_bit(tmp_path: Path) -> None:
    options = {**SMALL, "budget": 20_000, "direction": "minimize", "transform": "log"}
    with besd.Study.create(tmp_path / "whole.besd", **options) as whole:
        whole.optimize(lamp, max_trials=20)
        expected = history(whole)
    for _ in range(4):
        with besd.Study.create(tmp_path / "parts.besd", **options) as part:
            part.optimize(lamp, max_trials=5)
    with besd.Study(tmp_path / "parts.besd") as part:
        assert history(part) == expected


def test_in_memory_is_the_same_study(told: besd.Study) -> None:
    with besd.Study.create(None, **told.options) as memory:
        assert memory.path is None
        memory.optimize(lamp, max_trials=12)
        assert history(memory) == history(told)


def test_options_make_the_same_study(told: besd.Study, tmp_path: Path) -> None:
    named = {**told.options, "names": ["x", "y"], "units": ["m", "mm"], "method": "ei-paper", "model": "paper"}
    named |= {"seed": 2**63 - 1, "discrete": True, "setup_cost": 3.5, "tau_max_share": 0.25, "stop_below": 1e-9}
    with besd.Study.create(tmp_path / "a.besd", **named) as study:
        options = study.options
    assert options.keys() == named.keys()
    for key, value in named.items():
        np.testing.assert_array_equal(options[key], value, err_msg=key)


@pytest.mark.parametrize("method", ["besd", "random", "ei", "ei-paper", "lcb", "hyperband", "hyperband-paper"])
def test_warns_of_a_dear_initial_design_as_the_command_line(tmp_path: Path, tool: str, method: str) -> None:
    warned = 0
    for budget in (20, 15_000, 60_000, 10_000_000):
        spec = tmp_path / "study.yaml"
        spec.write_text(
            "theta:\n  - {name: x, low: 0, high: 10}\n  - {name: y, low: 0, high: 10}\n"
            f"tau: [100, 400]\nreps: [2, 8]\nmethod: {method}\nbudget: {budget}\n"
            "setup_cost: 12.5\ninteraction_price: 1.5\n"
        )
        command = [tool, "create", str(tmp_path / f"{budget}.besd"), "--spec", str(spec)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        notes = [line.removeprefix("note: ") for line in said.splitlines() if "note: the initial design" in line]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            besd.Study.create(
                None, [0, 0], [10, 10], [100, 400], [2, 8],
                method=method, budget=budget, setup_cost=12.5, interaction_price=1.5,
            ).close()
        assert [str(w.message) for w in caught] == notes
        assert all(w.filename == __file__ for w in caught)
        warned += len(notes)
        with besd.Study(tmp_path / f"{budget}.besd") as study:
            cost = besd._study.lib.besd_study_initial_cost(study._handle)
        assert f"its initial design costs {cost:.12g}\n" in said
    assert warned == (0 if method in ("random", "hyperband", "hyperband-paper") else 3 if method != "besd" else 1)


def test_a_study_under_way_does_not_warn(path: Path) -> None:
    with pytest.warns(UserWarning, match="the initial design costs 1000; the budget of 1000 ends before it does"):
        study = besd.Study.create(path, **SMALL, budget=1000)
    study.ask()
    study.close()
    besd.Study.create(path, **SMALL, budget=1000).close()


def test_every_option_of_the_header_is_known(study: besd.Study) -> None:
    """Fields of besd_study_options that are not numbers must be arguments of `create`."""
    from besd._besd import ffi

    counts = {"size", "dimension", "tau_count", "reps_count"}
    assert set(study.options) == {name for name, _ in ffi.typeof("besd_study_options").fields} - counts


def test_predict_shapes_and_agreement(told: besd.Study) -> None:
    one_mean, one_sd = told.predict([3, 7])
    assert np.shape(one_mean) == () and one_sd > 0
    grid = np.random.default_rng(0).uniform(0, 10, (4, 3, 2))
    mean, sd = told.predict(grid, tau=100)
    assert mean.shape == sd.shape == (4, 3)
    single = told.predict(grid[2, 1], 100)
    np.testing.assert_allclose((mean[2, 1], sd[2, 1]), single, rtol=1e-12)  # many at once are summed up in another order
    best = told.recommend()
    assert told.predict(best.theta)[0] == pytest.approx(best.mean, abs=1e-9)
    assert np.exp(-best.mean) <= best.value <= 1.5 * np.exp(-best.mean)
    assert best.low < best.value < best.high and best.better is None


def test_forecast(told: besd.Study) -> None:
    best = told.recommend()
    f = told.forecast(best.theta)
    assert (f.mean, f.sd, f.value, f.low, f.high, f.tried) == (
        best.mean, best.sd, best.value, best.low, best.high, best.tried
    )
    mean, sd = told.predict([3, 7], tau=100)
    early = told.forecast([3, 7], tau=100)
    assert early.mean == pytest.approx(float(mean)) and early.sd == pytest.approx(float(sd))
    with pytest.raises(besd.InvalidError, match="theta: expected 2 numbers"):
        told.forecast([[3, 7]])


def test_best_mean_of_the_paper(plain: besd.Study) -> None:
    grid = np.random.default_rng(0).uniform(0, 10, (12, 2))
    assert (plain.predict(grid)[0] <= plain.recommend().mean + 1e-9).all()


def test_posterior_follows_from_the_hyperparameters(plain: besd.Study) -> None:
    """docs/study.md says how to recompute the model; NumPy does."""
    h = plain.hyperparameters()
    assert h.lengthscales.shape == (2,) and h.sigma_phi.shape == (2, 2)
    assert h.env_sd.shape == h.rep_sd.shape == (2,)

    def matern(r: np.ndarray) -> np.ndarray:
        s = np.sqrt(5) * r
        return (1 + s + s * s / 3) * np.exp(-s)

    def kernel(a: np.ndarray, ta: np.ndarray, b: np.ndarray, tb: np.ndarray) -> np.ndarray:
        gap = a[:, None] - b[None]
        main = matern(np.linalg.norm(gap / h.lengthscales, axis=-1))
        bases = np.c_[np.ones(len(ta)), ta] @ h.sigma_phi @ np.c_[np.ones(len(tb)), tb].T
        return main * bases

    trials = plain.trials()
    theta = np.array([t.theta for t in trials])
    t = np.array([t.tau for t in trials]) / 400
    y = np.array([-np.log(t.scores).mean() for t in trials]) - h.prior_mean
    level = np.array([[100, 400].index(t.tau) for t in trials])
    noise = h.env_sd[level] ** 2 + h.rep_sd[level] ** 2 / np.array([t.reps for t in trials])
    k = kernel(theta, t, theta, t) + np.diag(noise)
    at, one = np.array([[3.0, 7.0], [9.0, 1.0]]), np.ones(2)
    cross = kernel(at, one, theta, t)
    mean = h.prior_mean + cross @ np.linalg.solve(k, y)
    variance = np.diag(kernel(at, one, at, one) - cross @ np.linalg.solve(k, cross.T))
    got_mean, got_sd = plain.predict(at)
    np.testing.assert_allclose(got_mean, mean, rtol=1e-6)
    np.testing.assert_allclose(got_sd, np.sqrt(variance), rtol=1e-6)


def test_explanation(told: besd.Study) -> None:
    for _ in range(5):  # until one is chosen by the model, not by a share
        asked = told.ask_explained()
        assert asked is not None
        trial, why = asked
        if trial.reason == "kg":
            break
    assert why.why and len(why.levers) == 4 and why.candidates
    assert {(v.tau, v.reps) for v in why.levers} == {(a, b) for a in (100, 400) for b in (2, 8)}
    chosen = max(why.levers, key=lambda v: v.log_kg - np.log(v.cost))
    assert (chosen.tau, chosen.reps) == (trial.tau, trial.reps)
    assert why.candidates[0].theta.shape == (2,)


def test_certificate(told: besd.Study) -> None:
    tight, loose = told.certify(0.01), told.certify(0.5)
    assert tight.bound == pytest.approx(tight.fill_distance * tight.lipschitz_norm)
    assert tight.bound > loose.bound > 0
    assert tight.lipschitz.shape == (2,)


def test_summary_is_the_scores_as_the_model_sees_them(study: besd.Study, tmp_path: Path) -> None:
    with besd.Study.create(tmp_path / "b.besd", **study.options) as other:
        for _ in range(12):
            a, b = study.ask(), other.ask()
            assert a is not None and b is not None
            scores = lamp(a)
            study.tell(a, scores)
            seen = np.log(scores)
            other.tell_summary(b, seen.mean(), seen.var(ddof=1), len(seen))
        np.testing.assert_allclose(study.predict([3, 7]), other.predict([3, 7]), rtol=1e-9)
        assert other.trial(1).scores.size == 0


def test_notes(study: besd.Study) -> None:
    assert study.get_note("robot") == ""
    for value in ("Käthe", "x" * 5000, "y" * 255, "z" * 254, ""):
        study.set_note("robot", value)
        assert study.get_note("robot") == value


@pytest.mark.parametrize(
    "use",
    [
        lambda s: s.ask(),
        lambda s: s.ask_explained(),
        lambda s: s.ask_again(1),
        lambda s: s.tell(1, [1, 2]),
        lambda s: s.tell_summary(1, 0, 1, 2),
        lambda s: s.fail(1),
        lambda s: s.recommend(),
        lambda s: s.predict([1, 2]),
        lambda s: s.hyperparameters(),
        lambda s: s.certify(),
        lambda s: s.trial(1),
        lambda s: s.trials(),
        lambda s: s.trial_count,
        lambda s: s.spent,
        lambda s: s.options,
        lambda s: s.stopped,
        lambda s: s.set_note("a", "b"),
        lambda s: s.get_note("a"),
        lambda s: s.optimize(lamp),
        lambda s: next(iter(s)),
        lambda s: s.__enter__(),
    ],
)
def test_closed_study_raises(told: besd.Study, use: object) -> None:
    told.close()
    told.close()
    with pytest.raises(besd.ClosedError, match="it was closed"):
        use(told)  # type: ignore[operator]
    assert "closed" in repr(told)


def test_forked_child_leaves_the_study_alone(told: besd.Study) -> None:
    """A database that crosses a fork is corrupted; the child must be told, the parent must go on."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told.ask()
            said = "asked"
        except besd.ClosedError as error:
            said = str(error)
        told.close()
        os.write(writer, said.encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert "fork" in os.read(reader, 1000).decode()
    assert told.ask() is not None


def test_forked_child_waits_for_no_thread_that_it_has_not(told: besd.Study) -> None:
    """Threads of the parent hold the study's lock when it forks; in the child they are gone."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            told.recommend()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                signal.alarm(10)  # which ends it if it waits
                code = 1
                try:
                    told.trials()
                except besd.ClosedError as error:
                    code = 0 if "fork" in str(error) and "closed" in repr(told) else 2
                told.close()
                os._exit(code)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert told.ask() is not None


def test_threads_share_a_study(study: besd.Study) -> None:
    asked: list[int] = []

    def work() -> None:
        for _ in range(5):
            trial = study.ask()
            assert trial is not None
            study.tell(trial, lamp(trial))
            asked.append(trial.id)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(asked) == list(range(1, 21))


def test_two_processes_share_a_file(told: besd.Study, path: Path) -> None:
    code = f"import besd; s = besd.Study({str(path)!r}); t = s.ask(); s.tell(t, [1.5] * t.reps); print(t.id)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(out) == 13
    assert told.trial(13).state == "told"


def test_memory_does_not_grow(tmp_path: Path) -> None:
    """1000 asks and tells after the first 100, and 200 studies opened and closed."""
    code = f"""
import besd, resource
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
study = besd.Study.create({str(tmp_path / "long.besd")!r}, [0], [1], [1], [1], method="random", targets=64)
def work(n):
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, trial.theta)
work(100); first = peak(); work(1000)
for _ in range(200):
    besd.Study({str(tmp_path / "long.besd")!r}).recommend()
print(peak() - first)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(out) < 8, f"grew by {out} MiB"


def test_a_budget_in_trainings() -> None:
    space: dict[str, object] = {"low": [0, 0], "high": [10, 10], "taus": [100, 400], "reps": [2, 8]}
    with besd.Study.create(None, **space, trainings=40, interaction_price=0.5, setup_cost=3) as study:  # type: ignore[arg-type]
        assert study.budget == 40 * (400 * 2 * 0.5 + 3)
    with pytest.raises(besd.InvalidError, match="trainings: it says the budget in trainings"):
        besd.Study.create(None, **space, trainings=40, budget=5)  # type: ignore[arg-type]
    with pytest.raises(besd.InvalidError, match="trainings: expected a whole number from 1"):
        besd.Study.create(None, **space, trainings=0)  # type: ignore[arg-type]
