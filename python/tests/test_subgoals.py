"""besd.SubgoalWrapper against the definition (paper section 3.2) and against the learner in C."""

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import besd


class Line(gymnasium.Env):
    """Cells 0 to 9 in a row; terminates at 9, truncates after 30 steps; -1 a step."""

    observation_space = spaces.Discrete(10)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.at, self.steps = 0, 0
        return self.at, {"own": "kept"}

    def step(self, action: int) -> Any:
        self.at = max(0, self.at + (1 if action else -1))
        self.steps += 1
        return self.at, -1.0, self.at == 9, self.steps >= 30 and self.at != 9, {"own": "kept"}


def middle(env: gymnasium.Env, observation: int) -> float:
    return observation + 0.5


def walk(env: Any, actions: list[int]) -> list[Any]:
    env.reset()
    return [env.step(a) for a in actions]


def test_shaped_reward_is_the_definition() -> None:
    gamma, height, width = 0.9, 0.3, 2.0
    env = besd.SubgoalWrapper(
        Line(), [[3.2], [6.9]], position=middle, height=height, width=width, gamma=gamma, success="terminated"
    )

    def phi(x: float, target: float) -> float:
        return height * np.exp(-((x - target) ** 2) / (2 * width))

    steps = walk(env, [1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1])
    cells = [0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    stages = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
    targets = [3.2, 6.9]
    for i, (observation, reward, terminated, truncated, info) in enumerate(steps):
        before, after, stage = cells[i] + 0.5, cells[i + 1] + 0.5, stages[i]
        shaping = 0.0 if stage == 2 else gamma * phi(after, targets[stage]) - phi(before, targets[stage])
        assert observation == {"observation": cells[i + 1], "subgoal": stages[i + 1]}
        told = {"own": "kept", "raw_reward": -1.0, "raw_return": -1.0 - i, "subgoal": stages[i + 1]}
        ended = {
            "raw_episode": {"r": -11.0, "l": 11, "subgoal": 2, "success": True},
            "legs": [5.0, 8.0, 11.0],
            "earned": [-5.0, -3.0, -3.0],
        }
        assert info == (told if i < 10 else {**told, **ended})
        assert reward == pytest.approx(-1 + shaping, abs=1e-15)
        assert (terminated, truncated) == (i == 10, False)


def test_potential_is_zero_where_it_ends() -> None:
    env = besd.SubgoalWrapper(Line(), [[9.5]], position=middle, height=1, width=2, gamma=1)
    *_, last = walk(env, [1] * 9)
    assert last[2] and last[1] == pytest.approx(-1 - np.exp(-0.25))
    assert last[4]["subgoal"] == 1  # it is completed all the same


def test_truncation_keeps_the_potential() -> None:
    env = besd.SubgoalWrapper(Line(), [[9.5]], position=middle, height=1, width=2, gamma=1)
    *_, last = walk(env, [0] * 30)
    assert last[3] and not last[2]
    assert last[1] == pytest.approx(-1, abs=1e-15)  # from cell 0 to cell 0: nothing gained


def test_shaping_telescopes_round_a_loop() -> None:
    """With gamma = 1 a walk that returns within a stage gains nothing."""
    env = besd.SubgoalWrapper(gymnasium.make("besd/GW10-v0", wind=0), [9.5, 9.5, 0.5, 9.5])
    rng = np.random.default_rng(3)
    env.reset(seed=1)
    total, start, returns = 0.0, tuple(env.unwrapped.position), 0
    for _ in range(400):
        _, reward, terminated, truncated, info = env.step(int(rng.integers(4)))
        if terminated or truncated or info["subgoal"]:
            break
        total += reward - info["raw_reward"]
        if tuple(info["position"]) == start:
            returns += 1
            assert total == pytest.approx(0, abs=1e-13)
    assert returns > 5


def test_one_subgoal_a_step_in_strict_order_and_not_at_reset() -> None:
    env = besd.SubgoalWrapper(Line(), [[0.5], [0.5], [1.5]], position=middle)
    assert env.reset()[0]["subgoal"] == 0
    assert [s[4]["subgoal"] for s in walk(env, [0, 0, 1, 0])] == [1, 2, 3, 3]


def test_border_belongs_to_the_last_cell() -> None:
    env = besd.SubgoalWrapper(gymnasium.make("besd/GW10-v0", wind=0), [10, 0, 0, 10])
    env.reset(seed=1)
    assert [env.step(1)[4]["subgoal"] for _ in range(9)] == [0] * 8 + [1]


def test_crossing() -> None:
    env = besd.SubgoalWrapper(gymnasium.make("besd/MC-v0", start=-0.5), [-0.55, -0.5])
    env.reset(seed=1)
    before, stage = -0.5, 0
    for i in range(300):
        observation, _, terminated, _, info = env.step(0 if i % 40 < 20 else 2)
        after = observation["observation"][0]
        target = (-0.55, -0.5, np.nan)[stage]
        stage += min(before, after) <= target <= max(before, after)
        assert info["subgoal"] == stage
        before = after
        if terminated:
            break
    assert stage == 2


def test_own_reached() -> None:
    env = besd.SubgoalWrapper(
        Line(), [[5.5]], position=middle, reached=lambda a, b, target: abs(b - target)[0] < 2
    )
    assert [s[4]["subgoal"] for s in walk(env, [1] * 5)] == [0, 0, 0, 1, 1]


def test_no_subgoals_change_nothing() -> None:
    plain = gymnasium.make("besd/KEY2-v0")
    env = besd.SubgoalWrapper(gymnasium.make("besd/KEY2-v0"), [])
    plain.reset(seed=4)
    env.reset(seed=4)
    for action in np.random.default_rng(0).integers(4, size=200).tolist():
        a, b = plain.step(action), env.step(action)
        assert a[0] == b[0]["observation"] and a[1:4] == b[1:4]
        if a[2]:
            break


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
@pytest.mark.parametrize("name", ["GW10", "MC"])
def test_gymnasium_accepts_the_wrapped_environment(name: str) -> None:
    theta = [7.5, 3.5, 1.5, 8.5] if name == "GW10" else [-0.8, 0.4]
    check_env(besd.SubgoalWrapper(gymnasium.make(f"besd/{name}-v0"), theta), skip_render_check=True)


def test_defaults_are_those_of_the_domain() -> None:
    env = besd.SubgoalWrapper(gymnasium.make("besd/MC-v0"), [-0.8, 0.4])
    domain = besd.domains.describe("mc")
    assert (env.height, env.width, env.gamma) == (domain.height, domain.width, domain.gamma)
    assert domain.gamma < 1  # not the wrapper's own default
    env = besd.SubgoalWrapper(Line(), [[1]], position=middle)
    assert (env.height, env.width, env.gamma) == (0.2, 10, 1)


@pytest.mark.parametrize(
    ("arguments", "kind", "sentence"),
    [
        ({"subgoals": [1, 2]}, ValueError, r"one row per subgoal, got an array of shape \(2,\)"),
        ({"subgoals": "ab"}, TypeError, "subgoals: expected numbers"),
        ({"subgoals": [[np.nan]]}, ValueError, "finite"),
        ({"position": None}, TypeError, "position: expected a function"),
        ({"width": 0}, ValueError, "width"),
        ({"height": np.inf}, ValueError, "height"),
        ({"gamma": 1.1}, ValueError, "gamma"),
        ({"reached": "near"}, ValueError, "reached: expected 'cell', 'cross', 'radius', a radius, a besd.Cell or a function"),
        ({"subgoals": [[1, 2]], "reached": "cross"}, ValueError, "one coordinate"),
    ],
)
def test_refusals(arguments: dict[str, Any], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        besd.SubgoalWrapper(Line(), **{"subgoals": [[1]], "position": middle, **arguments})


def test_refusals_of_domains_and_positions() -> None:
    grid = gymnasium.make("besd/GW10-v0")
    for wrong in ([1, 2, 3], [1, 11], [[1, 2, 3]], [[-0.1, 5]]):
        with pytest.raises(besd.InvalidError, match="subgoals: expected positions"):
            besd.SubgoalWrapper(grid, wrong)
    for position in (lambda env, o: [1, 2], lambda env, o: np.nan):
        with pytest.raises(besd.InvalidError, match="position: expected"):
            besd.SubgoalWrapper(Line(), [[1]], position=position).reset()
    with pytest.raises(ResetNeeded):
        besd.SubgoalWrapper(Line(), [[1]], position=middle).step(0)


def learn(env: Any, tau: int, instance: int) -> int:
    """Tabular Q-learning as in docs and C: alpha = 0.11 * 100 / (100 + goals^1.1), epsilon = 0.2."""
    rng = random.Random(instance)
    values: dict[tuple[int, int], list[float]] = {}
    gamma, goals = env.gamma, 0

    def state(observation: dict[str, int]) -> list[float]:
        return values.setdefault((observation["observation"], observation["subgoal"]), [0.0] * 4)

    def best(q: list[float]) -> int:
        highest = max(q)
        return rng.choice([a for a in range(4) if q[a] == highest])

    q = state(env.reset(seed=instance)[0])
    for _ in range(tau):
        a = rng.randrange(4) if rng.random() < 0.2 else best(q)
        observation, reward, terminated, truncated, _ = env.step(a)
        following = state(observation)
        alpha = 0.11 * 100 / (100 + goals**1.1)
        q[a] += alpha * (reward + (0.0 if terminated else gamma * max(following)) - q[a])
        goals += terminated
        q = state(env.reset()[0]) if terminated or truncated else following
    observation, _ = env.reset()
    for steps in range(1, 501):
        observation, _, terminated, _, _ = env.step(best(state(observation)))
        if terminated:
            break
    return steps


@pytest.mark.parametrize(("theta", "expected"), [([7.5, 3.5, 1.5, 8.5], 175.5), ([], 393.6)])
def test_learns_as_the_learner_in_c(theta: list[float], expected: float) -> None:
    """GW10 after 1000 interactions. Expected is what `besd train gw10 --tau 1000 --instances 4000` says
    with `--theta 7.5,3.5,1.5,8.5` and with `--no-subgoals`; ours is within four standard errors."""
    env = besd.SubgoalWrapper(gymnasium.make("besd/GW10-v0"), theta)
    steps = [learn(env, 1000, i) for i in range(80)]
    error = np.std(steps, ddof=1) / np.sqrt(len(steps))
    assert abs(np.mean(steps) - expected) < 4 * error, f"{np.mean(steps):.1f} +- {error:.1f}"
