"""docs/deep.md, followed literally with shorter trainings, and what needs Stable-Baselines3 itself."""

import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import besd

pytest.importorskip("stable_baselines3")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the libraries themselves

TUTORIAL = Path(__file__).parents[2] / "docs" / "deep.md"
EXAMPLES = Path(__file__).parents[1] / "examples"
SHORTER = {"trainings=20, tau=6144": "trainings=4, tau=512, plain=1, agents=2", "taus=[1024]": "taus=[512]"}


def test_every_block_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    pytest.importorskip("minigrid")
    monkeypatch.chdir(tmp_path)
    text = TUTORIAL.read_text()
    blocks = [(m.start(), m.group(1)) for m in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]
    assert len(blocks) == 4 and all(any(long in block for _, block in blocks) for long in SHORTER)
    names: dict[str, object] = {}
    for start, block in blocks:
        for long, short in SHORTER.items():
            block = block.replace(long, short)
        exec(compile("\n" * (text[:start].count("\n") + 1) + block, str(TUTORIAL), "exec"), names)
    assert (tmp_path / "rooms.besd").exists()
    assert (tmp_path / "rooms.png").stat().st_size > 1000
    assert "| none | 1 |" in capfd.readouterr().out


@pytest.mark.parametrize("name", ["deep_minigrid", "deep_maze", "cleanrl_loop"])
def test_examples_run(name: str, tmp_path: Path) -> None:
    pytest.importorskip("minigrid" if name == "deep_minigrid" else "torch" if name == "cleanrl_loop" else "gymnasium_robotics")
    names: dict[str, Any] = {"__name__": name}
    exec(compile((EXAMPLES / f"{name}.py").read_text(), name, "exec"), names)
    how = {} if name == "cleanrl_loop" else {"plain": 1, "agents": 1, "tests": 2}
    path = str(tmp_path / "study.besd")
    names["main"](trainings=4, tau=512, path=path, **how)
    with besd.Study(path) as study:
        assert len(study.trials("told")) == 4


class Seen(gymnasium.Env[Any, Any]):
    """A row of cells that is seen as a picture, as a tuple or as a dict of both."""

    def __init__(self, how: str) -> None:
        image = gymnasium.spaces.Box(0, 255, (36, 36, 3), np.uint8)
        pair = gymnasium.spaces.Tuple([gymnasium.spaces.Discrete(8), gymnasium.spaces.Box(0, 8, (1,))])
        self.how, self.action_space = how, gymnasium.spaces.Discrete(2)
        spaces = {"image": image, "tuple": pair, "dict": gymnasium.spaces.Dict(a=image, b=gymnasium.spaces.Discrete(8))}
        self.observation_space = spaces[how]
        self.x = 0

    def seen(self) -> Any:
        image = np.full((36, 36, 3), 30 * self.x, np.uint8)
        pair = (self.x, np.array([self.x + 0.5], np.float32))
        return {"image": image, "tuple": pair, "dict": {"a": image, "b": self.x}}[self.how]

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.x, self.time = 0, 0
        return self.seen(), {}

    def step(self, action: Any) -> Any:
        self.x, self.time = min(max(self.x + 2 * int(action) - 1, 0), 7), self.time + 1
        return self.seen(), float(self.x == 7), self.x == 7, self.time >= 30, {}


@pytest.mark.parametrize("how", ["image", "tuple", "dict"])
def test_pictures_tuples_and_dicts(how: str) -> None:
    found = besd.subgoals(
        lambda: Seen(how), "PPO", 4, tau=64, count=1, position=lambda env, observation: [env.unwrapped.x + 0.5], low=[0], high=[8],
        path=None, plain=1, agents=1, tests=1, quiet=True, options={"n_steps": 32, "batch_size": 32, "n_epochs": 1},
    )  # fmt: skip
    assert found.subgoals.shape == (1, 1) and found.agents["besd"][0]["success"] is not None


def test_a_learner_that_is_not_there() -> None:
    with pytest.raises(besd.InvalidError, match="agent: expected one of .*PPO.*, got 'PPQ'"):
        besd.subgoals(lambda: Seen("tuple"), "PPQ", 4, position=lambda env, observation: [1.0], low=[0], high=[8], count=1,
                      path=None, quiet=True)  # fmt: skip


def test_the_callback_and_the_model_know_the_same() -> None:
    from stable_baselines3 import A2C

    from besd.integrations.sb3 import SubgoalCallback

    env = besd.SubgoalWrapper(Seen("tuple"), [[4.5]], lambda env, observation: [env.unwrapped.x + 0.5], flatten=True)
    model, callback = A2C("MlpPolicy", env, seed=1, device="cpu"), SubgoalCallback()
    model.learn(600, callback=callback)
    assert callback.episodes == env.record.training.count > 0
    assert callback.share == env.record.training.success
    with besd.Study.create(None, [0], [8], [600], [1], trainings=20) as study:
        trial = study.ask()
        assert trial is not None and trial.finish(model)["scores"] == [callback.share]
