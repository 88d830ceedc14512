"""The deep suite: what subgoals are worth to an agent whose trainings are few (deep_problems.py has the problems).

    python deep_suite.py --rows deep.csv --part start            # no real training: none, random, by hand, sketches
    python deep_suite.py --rows deep.csv --part search --methods besd besd+sketch tpe random --trainings 20 --studies 4
    python deep_suite.py --rows deep.csv --part best             # 300 trainings, to know what can be reached
    python deep_suite.py --rows deep.csv --page deep.md

Every row is one design of one study: its mean success over fresh agents, each tested in 20 episodes. What has a row is not
done again; --minutes ends a call early. A search sees the score of besd's deep trainers, half share and half test success.
"""

import argparse
import csv
import functools
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from deep_problems import PROBLEMS, Problem, has_way

import besd

FIELDS = ("problem", "half", "method", "trainings", "study", "agents", "success", "error", "share", "seconds", "theta")
STARTS = ("none", "random", "by hand", "sketch", "coarse sketch", "wrong sketch")
GAMMA, ALPHA, EPSILON, TESTS, OUR_TESTS = 0.98, 0.3, 0.15, 20, 10

Row = dict[str, str]


def width_of(problem: Problem) -> float:
    """Of potentials: the paper's in the cells of subgoals."""
    scale = problem.reached.size if isinstance(problem.reached, besd.Cell) else 1.0
    return 10.0 * float(scale) ** 2 if problem.learner == "table" else 2.0


def wrapped(problem: Problem, theta: Any, **how: Any) -> besd.SubgoalWrapper:
    count = problem.count if len(theta) else None
    return besd.SubgoalWrapper(
        problem.make(), theta, problem.position, reached=problem.reached, count=count, gamma=GAMMA, width=width_of(problem),
        height=0.2 if problem.learner == "table" else 2.0, **how,
    )  # fmt: skip


def table_agent(problem: Problem, theta: Any, tau: int, seed: int, tests: int) -> Any:
    """Q-learning in a table of cells and stages."""
    env = wrapped(problem, theta)
    rng = random.Random(seed)
    side, actions = problem.seen, int(env.action_space.n)  # type: ignore[attr-defined]
    values: dict[Any, list[float]] = {}

    def row(seen: Any) -> list[float]:
        key = (seen["subgoal"], *(int(x / side) for x in seen["observation"][:2]), *seen["observation"][2:])
        return values.setdefault(key, [0.0] * actions)

    def choose(here: list[float], epsilon: float) -> int:
        if rng.random() < epsilon:
            return rng.randrange(actions)
        most = max(here)
        return rng.choice([a for a in range(actions) if here[a] >= most])

    seen, _ = env.reset(seed=seed + 1_000_003)
    here = row(seen)
    for _ in range(tau):
        action = choose(here, EPSILON)
        seen, reward, terminated, truncated, _ = env.step(action)
        there = row(seen)
        here[action] += ALPHA * (reward + (0.0 if terminated else GAMMA * max(there)) - here[action])
        here = row(env.reset()[0]) if terminated or truncated else there
    with env.testing():
        for _ in range(tests):
            seen, _ = env.reset()
            over = False
            while not over:
                seen, _, terminated, truncated, _ = env.step(choose(row(seen), 0.05))
                over = terminated or truncated
    return env


def ppo_agent(problem: Problem, theta: Any, tau: int, seed: int, tests: int) -> Any:
    """Stable-Baselines3's PPO in one environment."""
    import torch
    from stable_baselines3 import PPO

    torch.set_num_threads(1)
    env = wrapped(problem, theta, flatten=True)
    agent = PPO("MlpPolicy", env, n_steps=512, batch_size=256, learning_rate=1e-3, gamma=GAMMA, seed=seed, device="cpu")
    agent.learn(tau)
    with env.testing():
        for _ in range(tests):
            seen, _ = env.reset()
            over = False
            while not over:
                seen, _, terminated, truncated, _ = env.step(agent.predict(seen)[0])
                over = terminated or truncated
    return env


def learn(problem: Problem, theta: Any, seed: int, tests: int) -> Any:
    """A wrapped environment in which one agent was trained and tested."""
    return (ppo_agent if problem.learner == "ppo" else table_agent)(problem, theta, problem.tau, seed, tests)


def score(problem: Problem, theta: Any, seed: int) -> float:
    record = learn(problem, theta, seed, OUR_TESTS).record
    return 0.5 * record.training.success + 0.5 * record.tests.success


def box(problem: Problem) -> tuple[Any, Any]:
    return np.tile(problem.low, problem.count), np.tile(problem.high, problem.count)


@functools.cache
def sketched(problem: Problem, kind: str, seed: int) -> Any:
    """The best ten designs of a sketch, within the problem's box; None: this sketch has no way to the goal."""
    sketch = problem.sketch(kind)
    if not all(has_way(rows) for rows in sketch.maps):
        return None
    found = besd.sketch.designs(sketch, problem.count, 10, reached=problem.reached, width=width_of(problem), seed=seed)
    return np.clip(found.thetas, *box(problem))


# ---- searches: each takes a problem, how many trainings, a seed, and perhaps designs to begin with ----


def by_besd(problem: Problem, trainings: int, seed: int, first: Any) -> Any:
    low, high = box(problem)
    options: Any = {"initial_designs": max(2, trainings // 4), "instances": "fresh", "best_possible": 1}
    with besd.Study.create(None, low, high, [problem.tau], [1], budget=trainings * problem.tau, seed=seed, **options) as study:
        learnt = 0
        for theta in first[: max(1, trainings // 3)]:
            if learnt >= 2 and study.trial_count >= 3:
                break
            study.enqueue(theta)
            trial = study.ask()
            assert trial is not None
            value = score(problem, trial.theta, trial.seed32)
            study.tell(trial, [value])
            learnt += value > 0.1
        for trial in study:
            study.tell(trial, [score(problem, trial.theta, trial.seed32)])
        return study.recommend().theta


def by_optuna(kind: str, problem: Problem, trainings: int, seed: int, first: Any) -> Any:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    low, high = box(problem)
    names = [f"x{i}" for i in range(len(low))]
    sampler = optuna.samplers.TPESampler(seed=seed) if kind == "tpe" else optuna.samplers.GPSampler(seed=seed)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    for theta in first:
        study.enqueue_trial(dict(zip(names, map(float, theta), strict=True)))

    def objective(trial: Any) -> float:
        theta = [trial.suggest_float(name, a, b) for name, a, b in zip(names, low, high, strict=True)]
        return score(problem, np.array(theta), 7919 * seed + trial.number)

    study.optimize(objective, n_trials=trainings)
    return np.array([study.best_params[name] for name in names])


def by_random(problem: Problem, trainings: int, seed: int, first: Any) -> Any:
    """Six tenths at random, then the best three again in turn; the best mean."""
    rng = np.random.default_rng(seed)
    low, high = box(problem)
    scores: dict[tuple[float, ...], list[float]] = {}
    once = round(0.6 * trainings)
    for i in range(once):
        theta = first[i] if i < len(first) else rng.uniform(low, high)
        scores.setdefault(tuple(map(float, theta)), []).append(score(problem, np.array(theta), 7919 * seed + i))
    best = sorted(scores, key=lambda t: -np.mean(scores[t]))[:3]
    for i in range(once, trainings):
        theta = best[i % len(best)]
        scores[theta].append(score(problem, np.array(theta), 7919 * seed + i))
    return np.array(max(best, key=lambda t: np.mean(scores[t])))


SEARCHES: dict[str, Callable[..., Any]] = {
    "besd": by_besd, "tpe": functools.partial(by_optuna, "tpe"), "gp": functools.partial(by_optuna, "gp"), "random search": by_random,
}  # fmt: skip


def best_known(problem: Problem, seed: int) -> Any:
    """300 trainings: the sketch's ten and 140 random designs once, the best 20 five times more, the best 5 ten times more."""
    rng = np.random.default_rng(seed)
    low, high = box(problem)
    first = sketched(problem, "good", seed)
    designs = [*map(tuple, first), tuple(problem.by_hand), *(tuple(rng.uniform(low, high)) for _ in range(139))]
    scores: dict[Any, list[float]] = {d: [score(problem, np.array(d), i)] for i, d in enumerate(designs)}
    for most, again in ((20, 5), (5, 10)):
        for d in sorted(scores, key=lambda d: -np.mean(scores[d]))[:most]:
            scores[d] += [score(problem, np.array(d), 1000 * len(scores[d]) + i) for i in range(again)]
    often = [d for d in scores if len(scores[d]) > 10]
    return np.array(max(often, key=lambda d: np.mean(scores[d])))


# ---- rows ----


def design(problem: Problem, method: str, trainings: int, study: int) -> Any:
    """None: there is none. 'random' has another one for every agent."""
    if method in ("none", "random"):
        return ()
    if method == "by hand":
        return problem.by_hand
    if method.endswith("sketch") and "+" not in method:
        found = sketched(problem, method.removesuffix("sketch").strip() or "good", study)
        return None if found is None else found[0]
    if method == "best known":
        return best_known(problem, study)
    name, _, start = method.partition("+")
    first = sketched(problem, start.removesuffix("sketch").strip() or "good", study) if start else []
    return SEARCHES[name](problem, trainings, study, first)


def measure(problem: Problem, method: str, trainings: int, study: int, agents: int) -> Row | None:
    begun = time.process_time()
    theta = design(problem, method, trainings, study)
    if theta is None:
        return None
    successes, shares = [], []
    for agent in range(agents):
        seed = 10**6 * study + agent
        tried = np.random.default_rng(seed).uniform(*box(problem)) if method == "random" else np.array(theta)
        record = learn(problem, tried, seed, TESTS).record
        successes.append(record.tests.success)
        shares.append(record.training.success)
    error = np.std(successes) / max(agents - 1, 1) ** 0.5
    values = (
        problem.name, problem.half, method, trainings, study, agents, f"{np.mean(successes):.4f}", f"{error:.4f}",
        f"{np.mean(shares):.4f}", f"{time.process_time() - begun:.1f}", " ".join(f"{x:.3f}" for x in theta),
    )  # fmt: skip
    return dict(zip(FIELDS, map(str, values), strict=True))


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def key(row: Row) -> tuple[str, ...]:
    return row["problem"], row["method"], row["trainings"], row["study"]


def run(path: Path, jobs: list[tuple[Problem, str, int, int, int]], minutes: float) -> None:
    known, end = {key(row) for row in read(path)}, time.monotonic() + 60 * minutes
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer: csv.DictWriter[str] = csv.DictWriter(file, FIELDS)
        if is_new:
            writer.writeheader()
        for problem, method, trainings, study, agents in jobs:
            if (problem.name, method, str(trainings), str(study)) in known or time.monotonic() > end:
                continue
            row = measure(problem, method, trainings, study, agents)
            if row is not None:
                writer.writerow(row)
                file.flush()
                print(f"{row['problem']:12} {method:16} {trainings:3} {study:2} {row['success']} +- {row['error']}", flush=True)


def jobs_of(given: argparse.Namespace) -> list[tuple[Problem, str, int, int, int]]:
    chosen = [p for p in PROBLEMS if not given.problems or p.name in given.problems]
    if given.part == "start":
        return [(p, m, 0, s, given.agents) for s in range(1, given.studies + 1) for p in chosen for m in given.methods or STARTS
                if s == 1 or m.endswith("sketch")]  # fmt: skip
    if given.part == "best":
        return [(p, "best known", 300, 1, given.agents) for p in chosen]
    return [(p, m, t, s, given.agents) for s in range(1, given.studies + 1) for p in chosen for t in given.trainings
            for m in given.methods or ("besd", "besd+sketch")]  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--part", choices=("start", "search", "best"))
    parser.add_argument("--problems", nargs="*", default=[])
    parser.add_argument("--methods", nargs="*", default=[])
    parser.add_argument("--trainings", nargs="*", type=int, default=[20])
    parser.add_argument("--studies", type=int, default=1)
    parser.add_argument("--agents", type=int, default=20, help="fresh ones for every row")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--page", type=Path)
    arguments = parser.parse_args()
    if arguments.part:
        run(arguments.rows, jobs_of(arguments), arguments.minutes)
    if arguments.page:
        from deep_page import page

        arguments.page.write_text(page(read(arguments.rows)))
