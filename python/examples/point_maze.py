"""A subgoal for PPO in a point maze: Gymnasium-Robotics' physics, Stable-Baselines3's learner, besd's search.

    pip install besd[gymnasium] gymnasium-robotics stable-baselines3
    python point_maze.py --studies 3 --agents 10 --out point_maze

A ball that is pushed by forces shall roll from r to g, round the end of a wall, within four seconds, and is rewarded only
when it arrives. PPO by itself seldom learns that in 6144 interactions. besd looks for the place of one subgoal; the
score of a trial is the share of training episodes that ended at the goal, which tells early from late learners. Every
recommendation is tested by agents that it has not seen, and so are no subgoal, subgoals at random, and one that a
person would choose: the gap that the ball has to pass. Interrupt it and start it again: studies and tests go on where
they were. OUT/point_maze.csv has a row for every tested agent, OUT/point_maze.md the table.
"""

import argparse
import csv
import functools
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import besd

torch.set_num_threads(1)

MAZE = (
    "#########",
    "#r......#",
    "#######.#",
    "#g......#",
    "#########",
)
LOW, HIGH = [-3.5, -1.5], [3.5, 1.5]  # inside of the outer walls; the middle of the maze is (0, 0)
GAP = [3.0, 0.0]
STEPS, FRAMES, GAMMA = 40, 10, 0.99  # of an episode; of the simulator, 0.01 s each, in a step
ENVS, EPISODES = 8, 2  # side by side; of each in a test
TAU = 6144
DESIGNS = ("none", "random", "by hand", "besd")
FIELDS = ("study", "design", "agent", "theta", "success", "seconds")

Row = dict[str, str]


@functools.cache
def mazes() -> list[gymnasium.Env[Any, Any]]:
    """Made once in a process: a wrapper is quickly put around them, a simulator is not quickly begun."""
    cells = [[1 if c == "#" else 0 if c == "." else c for c in row] for row in MAZE]
    made: list[gymnasium.Env[Any, Any]] = []
    for _ in range(ENVS):
        env: gymnasium.Env[Any, Any] = gymnasium.make(
            "gymnasium_robotics:PointMaze_UMaze-v3", maze_map=cells, continuing_task=False, max_episode_steps=STEPS,
            disable_env_checker=True,
        )
        inside: Any = env.unwrapped
        inside.point_env.frame_skip = FRAMES
        Path(inside.tmp_xml_file_path).unlink(missing_ok=True)  # it has been read
        made.append(env)
    return made


def where(env: gymnasium.Env[Any, Any], observation: Any) -> Any:
    return observation["achieved_goal"]


class Learning(BaseCallback):
    """The raw returns of the episodes of a training: 1 where the goal was reached."""

    def __init__(self) -> None:
        super().__init__()
        self.returns: list[float] = []

    def _on_step(self) -> bool:
        self.returns += [info["raw_episode"]["r"] for info in self.locals["infos"] if "raw_episode" in info]
        return True


def learn(subgoals: Any, tau: int, seed: int) -> tuple[Any, float]:
    """An agent after tau interactions, and the share of its episodes in which the goal was reached."""

    def guided(env: gymnasium.Env[Any, Any]) -> Callable[[], gymnasium.Env[Any, Any]]:
        return lambda: besd.SubgoalWrapper(
            env, subgoals, where, reached=0.5, height=2, width=2, gamma=GAMMA, flatten=True
        )

    envs = DummyVecEnv([guided(env) for env in mazes()])
    learning = Learning()
    agent: Any = PPO(
        "MlpPolicy", envs, n_steps=64, batch_size=256, learning_rate=1e-3, gamma=GAMMA, seed=seed, device="cpu"
    )
    agent.learn(tau, callback=learning)
    return agent, float(np.mean(learning.returns))


def success(agent: Any) -> float:
    """The share of test episodes in which it reaches the goal."""
    envs = agent.get_env()
    arrived: list[list[float]] = [[] for _ in range(ENVS)]
    observations: Any = envs.reset()
    while min(len(a) for a in arrived) < EPISODES:
        actions, _ = agent.predict(observations)
        observations, _, over, infos = envs.step(actions)
        for i in np.flatnonzero(over):
            arrived[i].append(infos[i]["raw_episode"]["r"])
    return float(np.mean([a[:EPISODES] for a in arrived]))


def train(trial: besd.Trial) -> list[float]:
    return [learn(trial.theta.reshape(-1, 2), trial.tau, seed)[1] for seed in trial.replication_seeds]


def recommend(path: Path, seed: int, trainings: int, tau: int, jobs: int) -> Any:
    """besd's choice after a budget of so many trainings of full length."""
    with besd.Study.create(
        path, LOW, HIGH, names=["x", "y"], taus=[tau], reps=[1, 2], budget=trainings * tau, seed=seed,
        instances="fresh", best_possible=1,
    ) as study:
        return study.optimize(train, jobs, processes=jobs > 1, progress=True).theta


def subgoals_of(design: str, recommended: Any, seed: int) -> Any:
    if design == "none":
        return []
    if design == "random":
        return [np.random.default_rng(seed).uniform(LOW, HIGH)]  # another one for every agent
    return [GAP if design == "by hand" else recommended]


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def table(rows: list[Row], tau: int) -> str:
    studies = sorted({int(row["study"]) for row in rows})
    heads = ["subgoals", *(f"study {s}" for s in studies), "mean", "2 s.e.", "agents"]
    lines = [f"Success after {tau} interactions:", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for design in DESIGNS:
        scores = {s: [float(r["success"]) for r in rows if r["design"] == design and int(r["study"]) == s] for s in studies}
        every = [x for one in scores.values() for x in one]
        if every:
            means = [f"{np.mean(one):.2f}" if one else "" for one in scores.values()]
            error = 2 * np.std(every) / max(len(every) - 1, 1) ** 0.5
            lines.append(f"| {design} | {' | '.join(means)} | {np.mean(every):.2f} | {error:.2f} | {len(every)} |")
    places = dict.fromkeys(f"study {r['study']}: ({r['theta'].replace(' ', ', ')})" for r in rows if r["design"] == "besd")
    seconds = np.mean([float(r["seconds"]) for r in rows])
    lines += ["", f"besd's subgoals: {'; '.join(places)}. An agent takes {seconds:.1f} seconds of one {platform.machine()} core."]
    return "\n".join(lines) + "\n"


def main(
    studies: int = 3, agents: int = 10, trainings: int = 20, tau: int = TAU, jobs: int = 1, out: Path = Path("point_maze")
) -> list[Row]:
    out.mkdir(parents=True, exist_ok=True)
    numbers = range(1, studies + 1)
    recommended = {n: recommend(out / f"study-{n}.besd", n, trainings, tau, jobs) for n in numbers}
    rows = read(out / "point_maze.csv")
    known = {(row["study"], row["design"], row["agent"]) for row in rows}
    wanted = [(n, "besd", a) for n in numbers for a in range(agents)]
    wanted += [(n, design, a) for n in numbers for a in range(agents) for design in DESIGNS if design != "besd"]
    with (out / "point_maze.csv").open("a", newline="") as file:
        writer: csv.DictWriter[str] = csv.DictWriter(file, FIELDS)
        if not rows:
            writer.writeheader()
        for study, design, agent in wanted:
            if (str(study), design, str(agent)) not in known:
                seed, begun = 10**6 * study + agent, time.process_time()
                subgoals = subgoals_of(design, recommended[study], seed)
                share = success(learn(subgoals, tau, seed)[0])
                theta = " ".join(f"{x:.3f}" for x in np.ravel(subgoals))
                values = (str(study), design, str(agent), theta, f"{share:.4f}", f"{time.process_time() - begun:.1f}")
                rows.append(dict(zip(FIELDS, values, strict=True)))
                writer.writerow(rows[-1])
                file.flush()
    (out / "point_maze.md").write_text(table(rows, tau))
    print(table(rows, tau))
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=3)
    parser.add_argument("--agents", type=int, default=10, help="fresh ones for every test")
    parser.add_argument("--trainings", type=int, default=20, help="budget of a study, in trainings of full length")
    parser.add_argument("--tau", type=int, default=TAU, help="interactions of a training")
    parser.add_argument("--jobs", type=int, default=1, help="trainings side by side, in processes")
    parser.add_argument("--out", type=Path, default=Path("point_maze"))
    main(**vars(parser.parse_args()))
