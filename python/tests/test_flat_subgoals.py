"""besd.SubgoalWrapper as deep-RL libraries want it: flat observations, ways to reach, records, vectors."""

import pickle
from typing import Any

import gymnasium
import minigrid  # noqa: F401  (registers MiniGrid's environments)
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from test_subgoals import Line, middle, walk

import besd


class Sees(gymnasium.Env[Any, Any]):
    """Observes a sample of any space; walks to and fro on a line."""

    action_space = spaces.Discrete(2)

    def __init__(self, space: spaces.Space[Any]) -> None:
        self.observation_space = space
        self.at = 0.0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.observation_space.seed(seed)
        self.at = 0.0
        return self.observation_space.sample(), {}

    def step(self, action: Any) -> Any:
        self.at += 1 if action else -1
        return self.observation_space.sample(), 1.0, False, False, {}


def at(env: Any, observation: Any) -> Any:
    return env.unwrapped.at


SPACES = [
    spaces.Box(-1, 1, (3,), np.float32),
    spaces.Box(-np.inf, np.inf, (2,), np.float64),
    spaces.Box(0, 255, (4, 4, 3), np.uint8),
    spaces.Box(-1, 1, ()),
    spaces.Discrete(5, start=-2),
    spaces.MultiDiscrete([3, 2, 4]),
    spaces.MultiDiscrete([[3, 2], [4, 2]], start=np.array([[1, 0], [0, -1]])),
    spaces.MultiBinary((2, 3)),
    spaces.Dict({"b": spaces.Discrete(3), "a": spaces.Box(0, 1, (2, 2)), "c": spaces.Dict({"d": spaces.MultiBinary(2)})}),
    spaces.Tuple((spaces.Discrete(2), spaces.Box(-1, 1, (2,)))),
]


@pytest.mark.parametrize("space", SPACES, ids=lambda s: type(s).__name__)
def test_flat_is_what_gymnasium_flattens(space: spaces.Space[Any]) -> None:
    inner = Sees(space)
    env = besd.SubgoalWrapper(inner, [[1.0], [5.0]], at, flatten=True)
    flat_space = env.observation_space
    assert isinstance(flat_space, spaces.Box) and flat_space.dtype == np.float32
    expected = spaces.flatten_space(space)
    seen, _ = env.reset(seed=3)
    for _ in range(5):
        assert flat_space.contains(seen)
        seen, *_ = env.step(1)
    size = spaces.flatdim(space)
    space.seed(9)
    again = [space.sample() for _ in range(3)]
    for sample in again:
        row = env._staged.one(sample, 1)
        np.testing.assert_array_equal(row[:size], spaces.flatten(space, sample).astype(np.float32))
        assert row[size:].tolist() == [0, 1, 0]
    np.testing.assert_array_equal(flat_space.low[:size], expected.low.astype(np.float32))
    batch = gymnasium.vector.utils.concatenate(space, again, gymnasium.vector.utils.create_empty_array(space, 3))
    rows = env._staged.many(batch, np.array([0, 2, 1]))
    for row, sample, stage in zip(rows, again, [0, 2, 1], strict=True):
        np.testing.assert_array_equal(row, env._staged.one(sample, stage))


def test_stage_forms() -> None:
    def seen(**options: Any) -> Any:
        env = besd.SubgoalWrapper(Line(), [[1.5], [3.5]], middle, **options)
        env.reset(seed=1)
        observation = env.step(1)[0]
        assert env.observation_space.contains(observation)
        return observation

    assert seen() == {"observation": 1, "subgoal": 1}
    one_hot = seen(stage="one-hot")
    assert one_hot["subgoal"].tolist() == [0, 1, 0]
    assert seen(flatten=True).tolist() == [0, 1] + [0] * 8 + [0, 1, 0]
    assert seen(flatten=True, stage="index").tolist() == [0, 1] + [0] * 8 + [1]
    assert seen(flatten="dict", stage="index") == {"observation": 1, "subgoal": 1}


@pytest.mark.parametrize("flatten", [True, "dict"])
def test_minigrid_images(flatten: Any) -> None:
    """The mission is a text and left out; the image and the direction stay."""
    env = besd.SubgoalWrapper(
        gymnasium.make("MiniGrid-DoorKey-5x5-v0"),
        [[1.5, 1.5]],
        lambda env, observation: np.add(env.unwrapped.agent_pos, 0.5),
        flatten=flatten,
    )
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    if flatten is True:
        assert observation.shape == (4 + 7 * 7 * 3 + 2,)
    else:
        assert set(observation) == {"direction", "image", "subgoal"}
        assert observation["image"].shape == (7, 7, 3) and observation["subgoal"].tolist() == [1, 0]
    for action in (0, 1, 2):
        assert env.observation_space.contains(env.step(action)[0])


@pytest.mark.parametrize(
    ("space", "flatten", "sentence"),
    [
        (spaces.Sequence(spaces.Discrete(2)), True, "flatten: expected an observation with a fixed number of numbers"),
        (
            spaces.Dict({"a": spaces.Discrete(2), "graph": spaces.Graph(spaces.Discrete(2), None)}),
            True,
            "flatten: expected an observation with a fixed number of numbers, got Graph.* in 'graph'",
        ),
        (spaces.Text(5), True, "flatten: expected an observation with numbers, got Text"),
        (spaces.Text(5), "dict", "flatten: expected an observation with numbers, got Text"),
        (spaces.Dict({"subgoal": spaces.Discrete(2)}), "dict", "without 'subgoal'"),
        (spaces.Discrete(2), "box", "flatten: expected True, False or 'dict', got 'box'"),
    ],
)
def test_what_cannot_be_flattened(space: spaces.Space[Any], flatten: Any, sentence: str) -> None:
    with pytest.raises(besd.InvalidError, match=sentence):
        besd.SubgoalWrapper(Sees(space), [[1.0]], at, flatten=flatten)


def stages(reached: Any, subgoals: Any = ((2.5,),), moves: int = 5) -> list[int]:
    env = besd.SubgoalWrapper(Line(), subgoals, middle, reached)
    return [s[4]["subgoal"] for s in walk(env, [1] * moves)]


def test_ways_to_reach() -> None:
    assert stages(1.0) == [1, 1, 1, 1, 1]  # at 1.5, one away
    assert stages(0.99) == [0, 1, 1, 1, 1]
    assert stages(besd.Cell()) == stages("cell") == [0, 1, 1, 1, 1]
    assert stages(besd.Cell(size=2)) == [0, 1, 1, 1, 1]  # [2, 4)
    assert stages(besd.Cell(origin=1, size=2)) == [1, 1, 1, 1, 1]  # [1, 3)
    assert stages(besd.Cell(origin=[-1], size=[0.75]), [[2.2]], 3) == [0, 1, 1]  # [2, 2.75)
    assert stages(lambda before, after, subgoal: bool(after[0] > 3)) == [0, 0, 1, 1, 1]
    for wrong, sentence in [
        (0, "reached: expected a radius above 0, got 0"),
        (-1.0, "radius"),
        (float("nan"), "radius"),
        (True, "reached: expected 'cell', 'cross', 'radius', a radius"),
        (besd.Cell(size=0), "size: expected a cell larger than 0"),
        (besd.Cell(size=[1, 2]), r"size: expected one finite number or 1 of them, got \[1, 2\]"),
        (besd.Cell(origin=float("nan")), "origin: expected one finite number"),
    ]:
        with pytest.raises(besd.InvalidError, match=sentence):
            stages(wrong)


def test_flat_theta_and_no_subgoals() -> None:
    def where(env: Any, observation: Any) -> Any:
        return [observation + 0.5, 0.5]

    theta = np.array([1.5, 0.5, 3.5, 0.5])
    env = besd.SubgoalWrapper(Line(), theta, where, count=2)
    assert env.subgoals.tolist() == [[1.5, 0.5], [3.5, 0.5]]
    assert [s[4]["subgoal"] for s in walk(env, [1] * 4)] == [1, 1, 2, 2]
    for none in ([], np.empty((0, 2)), [[]]):
        env = besd.SubgoalWrapper(Line(), none, lambda env, o: pytest.fail("nobody needs the position"), flatten=True)
        assert [s[1] for s in walk(env, [1] * 3)] == [-1, -1, -1]
        assert env.observation_space.shape == (11,)
    with pytest.raises(besd.InvalidError, match="subgoals: expected 3 positions of equal length, got 4 numbers"):
        besd.SubgoalWrapper(Line(), theta, where, count=3)
    with pytest.raises(besd.InvalidError, match="with count=K the theta of a trial will do"):
        besd.SubgoalWrapper(Line(), theta, where)
    with pytest.raises(besd.InvalidError, match="subgoals: expected 1 rows, got 2"):
        besd.SubgoalWrapper(Line(), theta.reshape(2, 2), where, count=1)


def test_the_record_of_an_episode_survives_another_one() -> None:
    """RecordEpisodeStatistics outside records what the agent is paid; the raw return stands beside it."""
    inner = besd.SubgoalWrapper(Line(), [[3.5]], middle, height=1, width=2)
    env = gymnasium.wrappers.RecordEpisodeStatistics(inner)
    *_, last = walk(env, [1] * 9)
    info = last[4]
    assert info["raw_episode"] == {"r": -9.0, "l": 9, "subgoal": 1, "success": False}
    assert info["raw_return"] == -9.0 and info["episode"]["r"] != -9.0
    assert "raw_episode" not in walk(env, [1] * 3)[-1][4]


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
@pytest.mark.filterwarnings("ignore:.*not within the observation space")
@pytest.mark.parametrize("name", ["GW10", "MC"])
def test_gymnasium_accepts_flat_observations(name: str) -> None:
    theta = [7.5, 3.5, 1.5, 8.5] if name == "GW10" else [-0.8, 0.4]
    env = besd.SubgoalWrapper(gymnasium.make(f"besd/{name}-v0"), theta, flatten=True)
    check_env(env, skip_render_check=True)


MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def lines(count: int, mode: AutoresetMode) -> Any:
    return gymnasium.vector.SyncVectorEnv([Line for _ in range(count)], autoreset_mode=mode)


@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("reached", ["cell", "cross", 1.0, besd.Cell(0.25, 1.5), lambda b, a, t: bool(a[0] >= t[0])])
@pytest.mark.parametrize("mode", MODES)
def test_many_are_as_one(mode: AutoresetMode, reached: Any, flatten: bool) -> None:
    """The wrapper of many does what many wrapped ones do, episode after episode."""
    options = {"height": 0.7, "width": 3.0, "gamma": 0.9, "reached": reached, "flatten": flatten}
    subgoals = [[2.5], [5.5], [4.5]]
    many = besd.SubgoalVectorWrapper(lines(3, mode), subgoals, lambda envs, o: o + 0.5, **options)
    ones = gymnasium.vector.SyncVectorEnv(
        [lambda: besd.SubgoalWrapper(Line(), subgoals, middle, **options) for _ in range(3)], autoreset_mode=mode
    )
    assert many.observation_space == ones.observation_space
    np.testing.assert_equal(many.reset(seed=1)[0], ones.reset(seed=1)[0])
    rng, ended, deepest = np.random.default_rng(4), 0, 0
    for _ in range(150):
        actions = (rng.random(3) < [0.8, 0.6, 0.5]).astype(int)
        a, b = many.step(actions), ones.step(actions)
        np.testing.assert_equal(a[0], b[0])
        np.testing.assert_allclose(a[1], b[1], rtol=0, atol=1e-15)
        np.testing.assert_array_equal(a[2], b[2])
        np.testing.assert_array_equal(a[3], b[3])
        over = a[2] | a[3]
        ended += over.sum()
        deepest = max(deepest, a[4]["subgoal"].max())
        told = b[4]["final_info"] if mode == AutoresetMode.SAME_STEP and over.any() else b[4]
        if over.any():
            np.testing.assert_array_equal(a[4]["_raw_episode"], over)
            for key in ("r", "l", "subgoal"):
                np.testing.assert_array_equal(a[4]["raw_episode"][key][over], told["raw_episode"][key][over])
    assert ended > 10 and deepest == 3


def test_many_that_are_reset_by_hand() -> None:
    env = besd.SubgoalVectorWrapper(lines(2, AutoresetMode.DISABLED), [[1.5]], lambda envs, o: o + 0.5)
    env.reset(seed=1)
    env.step(np.array([1, 1]))
    assert env.stages.tolist() == [1, 1]
    env.reset(options={"reset_mask": np.array([True, False])})
    assert env.stages.tolist() == [0, 1]


def test_many_domains_by_make_vec() -> None:
    """Their infos have the position."""
    envs = gymnasium.make_vec("besd/GW10-v0", num_envs=3, vectorization_mode="sync", wind=0)
    env = besd.SubgoalVectorWrapper(envs, [[3.5, 0.5]], reached="cell", flatten=True)
    env.reset(seed=1)
    for _ in range(3):
        observations, *_ = env.step(np.array([1, 1, 0]))
    assert env.stages.tolist() == [1, 1, 0] and observations.shape == (3, 102)
    wrapped = gymnasium.make_vec(
        "besd/GW10-v0", 2, "sync", wrappers=[lambda env: besd.SubgoalWrapper(env, [7.5, 3.5], flatten=True)]
    )
    assert wrapped.reset(seed=1)[0].shape == (2, 102)


def test_refusals_of_many() -> None:
    for position, sentence in [
        (lambda envs, o: [[1.0, 2.0]] * 2, r"position: expected 2 rows of 1 numbers as in a subgoal, got shape \(2, 2\)"),
        (lambda envs, o: [np.nan, 1], "position: expected finite numbers, got .nan"),
        (None, "position: expected a function of .envs, observations., got none"),
    ]:
        with pytest.raises((besd.InvalidError, TypeError), match=sentence):
            besd.SubgoalVectorWrapper(lines(2, MODES[0]), [[1.5]], position).reset()


def test_wrapped_environments_pickle() -> None:
    env = besd.SubgoalWrapper(gymnasium.make("besd/KEY2-v0"), [7.5, 3.5, 1.5, 8.5], flatten=True, reached=besd.Cell())
    other = pickle.loads(pickle.dumps(env))
    np.testing.assert_equal(env.reset(seed=5)[0], other.reset(seed=5)[0])
    np.testing.assert_equal(env.step(1), other.step(1))
