"""The built-in domains as Gymnasium environments."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import besd

IDS = [f"besd/{name.upper()}-v0" for name in besd.domains.names()]


def test_all_six_are_registered() -> None:
    assert IDS == [f"besd/{name}-v0" for name in ("GW10", "GW20", "TR", "KEY2", "KEY3", "MC")]
    assert set(IDS) <= set(gymnasium.registry)


@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_has_nothing_to_say(env_id: str) -> None:
    check_env(gymnasium.make(env_id).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("env_id", IDS)
def test_same_seed_same_episode(env_id: str) -> None:
    def episode(env: gymnasium.Env, seed: int) -> list:
        observation, info = env.reset(seed=seed)
        actions = np.random.default_rng(1)
        record = [(observation, tuple(info["position"]))]
        for _ in range(300):
            observation, reward, terminated, truncated, info = env.step(actions.integers(env.action_space.n))
            record.append((np.asarray(observation).tolist(), reward, terminated, truncated, tuple(info["position"])))
            if terminated or truncated:
                break
        return record[1:]

    one, other = gymnasium.make(env_id), gymnasium.make(env_id)
    first = episode(one, 5)
    episode(other, 6)
    assert episode(other, 5) == first == episode(one, 5)


def test_instances_vary_and_stay() -> None:
    env = gymnasium.make("besd/GW10-v0", wind=0)
    walls = set()
    for seed in range(60):
        env.reset(seed=seed)
        drawn = env.unwrapped.instance
        env.reset()
        assert env.unwrapped.instance == drawn
        height = 0
        for _ in range(9):  # straight up until the wall
            height = env.step(0)[4]["position"][1]
        walls.add(height - 0.5)
    assert walls == {1, 2, 3, 4, 5}  # one below the wall's row, 2 to 6
    env.reset(options={"instance": 3})
    assert env.unwrapped.instance == 3


def test_parameters() -> None:
    env = gymnasium.make("besd/GW10-v0", cap=7, wind=0)
    env.reset(seed=1)
    flags = [env.step(2)[2:4] for _ in range(7)]
    assert flags == [(False, False)] * 6 + [(False, True)]
    for wrong, kind, sentence in [
        ({"cap": 0}, ValueError, "cap"),
        ({"gama": 1}, ValueError, "did you mean 'gamma'"),
        ({"wind": "strong"}, TypeError, "wind: expected a number, got str"),
        ({"wind": float("nan")}, ValueError, "wind"),
        ({"render_mode": "svg"}, ValueError, "render_mode"),
    ]:
        with pytest.raises(kind, match=sentence):
            besd.domains.DomainEnv("gw10", **wrong)
    with pytest.raises(besd.UnknownNameError, match="gw10"):
        besd.domains.describe("gw11")


def test_described_as_in_the_paper() -> None:
    key3, car = besd.domains.describe("key3"), besd.domains.describe("mc")
    assert (key3.subgoals, key3.gamma, key3.height, key3.width) == (3, 0.999, 0.2, 10)
    assert key3.low.tolist() == [0] * 6 and key3.high.tolist() == [10] * 6
    assert (key3.taus, key3.reps, key3.direction, key3.reached) == ((400, 700, 1000), (5, 20), "minimize", "cell")
    assert (car.low.tolist(), car.high.tolist(), car.reached) == ([-1.2] * 2, [0.5] * 2, "cross")
    assert besd.domains.describe("tr").direction == "maximize"


def test_goal_pays_and_terminates() -> None:
    env = gymnasium.make("besd/GW10-v0", wind=0)
    env.reset(seed=0)
    moves = [1] * 6 + [0] * 9 + [3] * 6
    for i, action in enumerate(moves):
        _, reward, terminated, truncated, _ = env.step(action)
        if terminated:
            break
        assert reward == 0
    assert (reward, terminated, truncated) == (1, True, False)
    assert i == 19  # twenty steps, the optimum


def test_misuse_raises() -> None:
    env = besd.domains.DomainEnv("gw10")
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.position  # noqa: B018
    env.reset(seed=1)
    for action in (4, -1, 1.0, "up", None, np.array([0, 1])):
        with pytest.raises(InvalidAction, match="expected 0 to 3"):
            env.step(action)
    with pytest.raises(ValueError, match="options"):
        env.reset(options={"instanse": 3})
    with pytest.raises(ValueError, match="instance"):
        env.reset(options={"instance": -3})
    env.close()
    env.close()
    with pytest.raises(besd.ClosedError, match="gw10"):
        env.step(0)
    with pytest.raises(besd.ClosedError):
        env.reset()
    short = besd.domains.DomainEnv("gw10", cap=1)
    short.reset(seed=1)
    short.step(0)
    with pytest.raises(ResetNeeded):
        short.step(0)


def test_vectorised() -> None:
    envs = gymnasium.make_vec("besd/MC-v0", num_envs=3, vectorization_mode="sync")
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (3, 2) and len(set(observations[:, 0])) == 3
    envs.close()
