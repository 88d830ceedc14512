"""`besd.subgoals` from end to end, with a learner of a few lines in the place of a network."""

import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import besd
from besd import _deep

ROOM = "S...#...\n....#...\n....#...\n........\n....#..G"
FLAT = {"flatten": False}


class Room(gymnasium.Env[Any, Any]):
    """The map above in cells of half a metre, the lower left corner at (1, 1); tells nothing of where it is."""

    def __init__(self) -> None:
        self.action_space = gymnasium.spaces.Discrete(4)
        self.observation_space = gymnasium.spaces.Box(0, 10, (2,), np.float64)
        self.rows = ROOM.split()[::-1]

    def _seen(self) -> Any:
        return np.array([1 + 0.5 * (self.x + 0.5), 1 + 0.5 * (self.y + 0.5)])

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.x, self.y, self.time = 0, 4, 0
        return self._seen(), {}

    def step(self, action: Any) -> Any:
        self.time += 1
        x, y = self.x + (0, 1, 0, -1)[action], self.y + (1, 0, -1, 0)[action]
        if 0 <= x < 8 and 0 <= y < 5 and self.rows[y][x] != "#":
            self.x, self.y = x, y
        over = self.rows[self.y][self.x] == "G"
        return self._seen(), float(over), over, self.time >= 60 and not over, {}


def here(env: Any, observation: Any) -> Any:
    return observation


def table(env: Any, tau: int, seed: int, alpha: float = 0.3) -> Any:
    """Q-learning."""
    rng, values = random.Random(seed), dict[Any, list[float]]()

    def row(seen: Any) -> list[float]:
        return values.setdefault((seen["subgoal"], *seen["observation"]), [0.0] * 4)

    def act(seen: Any) -> int:
        most = max(row(seen))
        return rng.choice([a for a in range(4) if row(seen)[a] >= most])

    seen, _ = env.reset()
    for _ in range(tau):
        action = rng.randrange(4) if rng.random() < 0.2 else act(seen)
        after, reward, terminated, truncated, _ = env.step(action)
        row(seen)[action] += alpha * (reward + (0 if terminated else 0.98 * max(row(after))) - row(seen)[action])
        seen = env.reset()[0] if terminated or truncated else after
    return act


def find(**how: Any) -> Any:
    usual: dict[str, Any] = {
        "agent": table, "trainings": 6, "tau": 1200, "count": 1, "position": here, "height": 0.2, "plain": 2, "agents": 2,
        "path": None, "flatten": False,
    }  # fmt: skip
    return besd.subgoals(how.pop("env", Room), **{**usual, **how})


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(besd.sketch, "TRIALS", 8)


def test_from_a_drawing_to_tested_subgoals(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "room.besd"
    how: dict[str, Any] = {"sketch": ROOM, "cell_size": 0.5, "origin": (1, 1), "path": path, "options": {"alpha": 0.4}}
    found = find(**how)
    said = capfd.readouterr()
    assert found.subgoals.shape == (1, 2) and (found.subgoals >= 1).all() and (found.subgoals <= [5, 3.5]).all()
    assert [len(found.agents[name]) for name in ("none", "besd")] == [2, 2]
    assert "6 trainings of 1200 interactions, 2 without subgoals and 2 to test" in said.err and "10 trainings, 12,000" in said.err
    assert "s are left" in said.err and "training 6 of 6: told" in said.err
    assert "| none | 2 |" in said.out and "1" in found.drawing and "#" in found.drawing and "*" in found.drawing
    with besd.Study(path) as study:
        trials = study.trials()
        assert len(trials) == 6 and study.options["initial_designs"] == 1
        assert 1 <= sum(t.reason == "enqueued" for t in trials) <= 2
        assert all('"attempts"' in t.note for t in trials)
    again = find(**how)  # everything is known, nothing is trained
    assert again.agents == found.agents and again.table == found.table
    assert "s are left" not in capfd.readouterr().err
    more = find(**how, agents=3)
    assert more.agents["besd"][:2] == found.agents["besd"] and len(more.agents["besd"]) == 3


def test_the_same_seed_gives_the_same(capfd: Any) -> None:
    one, two = (find(low=[1, 1], high=[5, 3.5], trainings=4, quiet=True) for _ in range(2))
    assert np.array_equal(one.subgoals, two.subgoals) and one.agents == two.agents
    assert capfd.readouterr().out == ""


def test_half_of_the_budget_without_anything_is_told(capfd: Any) -> None:
    find(low=[1, 1], high=[5, 3.5], tau=70, trainings=4, plain=1, agents=1)
    assert capfd.readouterr().err.count("half of the trainings have shown nothing") == 1


def test_a_training_that_dies(capfd: Any) -> None:
    calls: list[int] = []

    def frail(env: Any, tau: int, seed: int) -> Any:
        calls.append(seed)
        if len(calls) == 4:
            raise MemoryError("no room")
        return table(env, tau, seed)

    assert len(find(agent=frail, low=[1, 1], high=[5, 3.5]).agents["besd"]) == 2
    assert "failed" in capfd.readouterr().err and len(set(calls)) == len(calls)


class Silent:
    """A class that takes no seed, and has no policy, gamma or device."""

    def __init__(self, policy: str, env: Any) -> None:
        self.env = env

    def learn(self, tau: int) -> None:
        self.policy = table(self.env, tau, 0)

    def predict(self, seen: Any) -> Any:
        return np.int64(self.policy(seen)), None


def test_a_class_that_ignores_seeds() -> None:
    found = find(agent=Silent, low=[1, 1], high=[5, 3.5], trainings=4, quiet=True)
    assert all(row["success"] is not None for row in found.agents["besd"])


def test_one_that_tests_nothing() -> None:
    def trains(env: Any, tau: int, seed: int) -> None:
        table(env, tau, seed)

    found = find(agent=trains, low=[1, 1], high=[5, 3.5], trainings=4, quiet=True)
    assert found.agents["besd"][0]["success"] is None and "not tested" in found.table


@pytest.mark.parametrize(
    ("how", "error", "said"),
    [
        ({"position": None}, besd.InvalidError, "position: this environment does not say where its agent is"),
        ({"low": None, "high": None}, besd.InvalidError, "low, high: expected the box of positions"),
        ({"high": None}, besd.InvalidError, "low, high: expected both or none"),
        ({"low": [3, 3]}, besd.InvalidError, "position: the agent begins at .* outside of the box"),
        ({"sketch": ROOM, "origin": (20, 20)}, besd.InvalidError, "sketch: expected it to overlap the box"),
        ({"sketch": ROOM, "low": None, "high": None}, besd.InvalidError, None),
        ({"agent": "PPQ"}, besd.BesdError, "agent: "),
        ({"env": Room()}, TypeError, "env: expected the id of an environment or a function"),
        ({"trainings": 1}, besd.InvalidError, "trainings: expected a whole number from 4"),
        ({"count": 9}, besd.InvalidError, "count: expected a whole number from 1 to 8"),
    ],
)
def test_bad_calls(how: dict[str, Any], error: type[Exception], said: str | None) -> None:
    usual = {"low": [1, 1], "high": [5, 3.5], "quiet": True, "trainings": 4, "plain": 1, "agents": 1}
    if said is None:  # cells of side 1 from (0, 0): not what is meant, but the agent is in it
        assert find(**{**usual, **how}).subgoals.shape == (1, 2)
        return
    with pytest.raises(error, match=said):
        find(**{**usual, **how})


def test_what_environments_see(monkeypatch: pytest.MonkeyPatch) -> None:
    spaces = gymnasium.spaces
    image, few = spaces.Box(0, 255, (64, 64, 3), np.uint8), spaces.Box(0, 255, (7, 7, 3), np.uint8)
    assert _deep._flatten_of(image) == "dict" and _deep._flatten_of(few) is True
    assert _deep._flatten_of(spaces.Dict(a=image, b=spaces.Box(0, 1, (2,)))) == "dict"
    assert _deep._flatten_of(spaces.Tuple([spaces.Box(0, 1, (2,)), spaces.Discrete(3)])) is True


def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "room.png"
    found = find(sketch=ROOM, cell_size=0.5, origin=(1, 1), trainings=4, plain=1, agents=1, quiet=True, picture=file)
    assert found.drawing == str(file) and file.stat().st_size > 1000


def test_agents_side_by_side(tmp_path: Path) -> None:
    pytest.importorskip("loky")
    found = find(low=[1, 1], high=[5, 3.5], trainings=4, n_jobs=2, path=tmp_path / "room.besd", quiet=True)
    alone = find(low=[1, 1], high=[5, 3.5], trainings=4, quiet=True)
    assert found.agents["none"] == alone.agents["none"]  # the same seeds
    with besd.Study(tmp_path / "room.besd") as study:
        assert len(study.trials("told")) == 4
