"""`besd.subgoals`: from an environment to tested subgoals for a deep agent, in one call.

It trains without subgoals first, then searches, then trains fresh agents with what it recommends. A score is half the
share of training episodes that succeed and half the success of test episodes, one agent a trial. With a sketch of the arena
the first trainings are the sketch's best designs, spread apart, until two agents have learnt something; from there on the
ordinary search decides. Everything is kept in the study's file, so the same call goes on where it was stopped.
"""

import functools
import inspect
import json
import math
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

import gymnasium
import numpy as np
import numpy.typing as npt

from . import sketch as sketches
from ._arguments import Floats, integer, vector
from ._deep_drawing import draw, in_text
from ._errors import InvalidError, UnsupportedError
from ._plan import Reached
from ._record import Success, finish
from ._records import Recommendation, Trial
from ._study import Study
from ._subgoals import Position, SubgoalWrapper
from .domains import DomainEnv

_LEARNT = 0.1  # a score above this is more than luck
_FIRST = 3  # designs of the sketch that are trained in any case
_PPO = {"n_steps": 512, "batch_size": 256, "learning_rate": 1e-3}  # SB3's own are for trainings of millions of steps


@dataclass(frozen=True)
class Job:
    """What every training of a study has in common."""

    make: Callable[[], Any]
    agent: Any
    options: Mapping[str, Any]
    tau: int
    tests: int
    count: int
    gamma: float
    wrapping: Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """What `besd.subgoals` gives; it prints as a table with a drawing."""

    subgoals: Floats
    """One in a row."""
    recommendation: Recommendation
    agents: dict[str, list[dict[str, Any]]] = field(repr=False)
    """Of 'none' and 'besd' every agent: 'score', 'share' of training episodes, 'success' of its tests."""
    table: str = field(repr=False)
    drawing: str = field(repr=False)
    """A picture's file, or a drawing in letters."""
    path: str | None

    def __str__(self) -> str:
        return f"{self.table}\n{self.drawing}"


# ---- one agent ----


def _learner(agent: Any) -> Any:
    if not isinstance(agent, str):
        return agent
    try:
        import stable_baselines3
    except ImportError:
        raise UnsupportedError(f"agent: '{agent}' needs Stable-Baselines3; 'pip install stable-baselines3' brings it") from None
    known = [name for name in stable_baselines3.__all__ if name.isupper() or name[-1].isdigit()]
    if agent not in known:
        raise InvalidError(f"agent: expected one of {', '.join(known)}, a class or a function, got '{agent}'")
    import torch

    torch.set_num_threads(1)  # small networks on several threads wait more than they work
    return getattr(stable_baselines3, agent)


def _policy(job: Job, env: SubgoalWrapper, seed: int) -> Callable[[Any], Any] | None:
    """Trains; then from observations to actions."""
    learner = _learner(job.agent)
    if not inspect.isclass(learner):
        given: Any = learner(env, job.tau, seed, **job.options)
    else:
        options: dict[str, Any] = {"device": "cpu", **(_PPO if job.agent == "PPO" else {}), "gamma": job.gamma, **job.options}
        takes = inspect.signature(learner).parameters
        if not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in takes.values()):
            options = {name: value for name, value in options.items() if name in takes or name in job.options}
        if "seed" in takes:
            options.setdefault("seed", seed)
        is_dict = isinstance(env.observation_space, gymnasium.spaces.Dict)
        made: Any = learner
        given = made(options.pop("policy", "MultiInputPolicy" if is_dict else "MlpPolicy"), env, **options)
        given.learn(job.tau)
    if callable(getattr(given, "predict", None)):
        return functools.partial(_predicted, given)
    return given if callable(given) else None


def _predicted(model: Any, observation: Any) -> Any:
    return model.predict(observation)[0]


def _wrap(job: Job, env: Any, subgoals: npt.ArrayLike) -> SubgoalWrapper:
    given = np.asarray(subgoals, np.float64)
    return SubgoalWrapper(env, given, count=job.count if given.size else None, gamma=job.gamma, **job.wrapping)


def _train(job: Job, subgoals: npt.ArrayLike, seed: int, environment_seed: int) -> dict[str, Any]:
    """One agent, its scores as `Trial.finish` has them, and one of the ways that it went in its tests."""
    made = job.make()
    try:
        env = _wrap(job, made, subgoals)
        env.reset(seed=environment_seed)
        policy = _policy(job, env, seed)
        if policy is not None:
            with env.testing():
                for _ in range(job.tests):
                    _episode(env, policy)
        done = finish(env, 1)
        way = env.record.paths[-1] if env.record.paths else []
        step = max(1, len(way) // 40)
        return {**done, "way": [[round(x, 3) for x in place] for place in way[::step]]}
    finally:
        made.close()


def _episode(env: Any, policy: Callable[[Any], Any]) -> None:
    observation, _ = env.reset()
    is_discrete, over = isinstance(env.action_space, gymnasium.spaces.Discrete), False
    while not over:
        action = policy(observation)
        observation, _, terminated, truncated, _ = env.step(int(action) if is_discrete else action)
        over = terminated or truncated


def _train_trial(job: Job, trial: Trial) -> dict[str, Any]:
    done = _train(job, trial.theta, trial.replication_seeds[0], trial.environment_seeds[0])
    return {name: done[name] for name in ("scores", "share", "test_success", "attempts")}


def _train_fresh(job: Job, subgoals: Any, seed: int) -> dict[str, Any]:
    words = np.random.SeedSequence(seed, spawn_key=(3,)).generate_state(2, np.uint32)
    done = _train(job, subgoals, int(words[0]), int(words[1]))
    return {"score": done["scores"][0], "share": done["share"][0], "success": done["test_success"][0], "way": done["way"]}


# ---- what the environment says of itself ----


def _made(env: Any) -> Callable[[], Any]:
    if isinstance(env, str):
        return functools.partial(gymnasium.make, env)
    if not callable(env) or isinstance(env, gymnasium.Env):
        raise TypeError(f"env: expected the id of an environment or a function that makes one, got {type(env).__name__}")
    made: Callable[[], Any] = env
    return made


def _achieved(env: Any, observation: Any) -> Any:
    return observation["achieved_goal"]


def _minigrid_place(env: Any, observation: Any) -> Any:
    return np.add(env.unwrapped.agent_pos, 0.5)


def _table_place(wide: int, env: Any, observation: Any) -> Any:
    return observation % wide + 0.5, observation // wide + 0.5


def _own_place(env: Any, observation: Any) -> Any:
    return env.unwrapped.position(observation)


def _position_of(env: Any, observation: Any) -> Position | None:
    inside = env.unwrapped
    if isinstance(inside, DomainEnv):
        return None
    if callable(getattr(inside, "position", None)):
        return _own_place
    if isinstance(observation, dict) and "achieved_goal" in observation:
        return _achieved
    if hasattr(inside, "agent_pos"):
        return _minigrid_place
    if hasattr(inside, "desc") and hasattr(inside, "ncol"):
        return functools.partial(_table_place, inside.ncol)
    raise InvalidError(
        "position: this environment does not say where its agent is; give a function of (env, observation) that returns "
        f"its coordinates (observations are {env.observation_space})"
    )


def _flatten_of(space: Any) -> Any:
    """Images stay what they are, for a policy that has eyes."""
    parts: list[Any] = list(cast(Any, space).values()) if isinstance(space, gymnasium.spaces.Dict) else [space]
    has_image = any(len(part.shape or ()) == 3 and part.dtype == np.uint8 and min(part.shape[:2]) > 8 for part in parts)
    return "dict" if has_image else True


def _box(env: Any, low: Any, high: Any, drawn: sketches.Designs | None) -> tuple[Floats, Floats]:
    if (low is None) != (high is None):
        raise InvalidError("low, high: expected both or none")
    inside = env.unwrapped
    if low is not None:
        box = vector("low", low), vector("high", high)
    elif drawn is not None:
        box = drawn.low, drawn.high
    elif isinstance(inside, DomainEnv):
        box = inside.domain.position_low, inside.domain.position_high
    elif hasattr(inside, "position_low"):
        box = vector("position_low", inside.position_low), vector("position_high", inside.position_high)
    else:
        try:
            known = sketches.of(env)
        except InvalidError:
            raise InvalidError("low, high: expected the box of positions, because no sketch says it") from None
        corners = known.to_units([[0, 0], [len(known.maps[0][0]), len(known.maps[0])]], len(known.maps[0]))
        box = corners.min(axis=0), corners.max(axis=0)
    if drawn is not None and ((drawn.high <= box[0]) | (drawn.low >= box[1])).any():
        raise InvalidError(
            f"sketch: expected it to overlap the box from {box[0]} to {box[1]}, got a map from {drawn.low} to {drawn.high}; "
            "look at cell_size and origin"
        )
    return box


def _check_place(job: Job, env: Any, box: tuple[Floats, Floats]) -> None:
    probe = _wrap(job, env, np.tile((box[0] + box[1]) / 2, job.count))
    probe.reset(seed=0)
    place = np.array(probe.place)
    if ((place < box[0] - 1e-6) | (place > box[1] + 1e-6)).any():
        raise InvalidError(
            f"position: the agent begins at {place}, outside of the box from {box[0]} to {box[1]}; look at position, and at "
            "cell_size and origin of a sketch"
        )


# ---- many agents ----


def _fresh(study: Study, note: str, train: Callable[[int], Any], first: int, wanted: int, jobs: int, say: Any) -> list[Any]:
    """So many agents, those of an earlier call among them."""
    known: list[Any] = json.loads(study.get_note(note) or "[]")
    while len(known) < wanted:
        seeds = range(first + len(known), first + min(wanted, len(known) + jobs))
        begun = time.monotonic()
        if len(seeds) == 1:
            known.append(train(seeds[0]))
        else:
            known += list(_executor(jobs).map(train, seeds))
        study.set_note(note, json.dumps(known))
        say(time.monotonic() - begun)
    return known[:wanted]


def _executor(jobs: int) -> Any:
    try:
        loky: Any = import_module("loky")
    except ImportError:
        raise UnsupportedError("n_jobs: several need loky; 'pip install besd[parallel]' brings it") from None
    return loky.get_reusable_executor(jobs)


def _search(study: Study, job: Job, trainings: int, starts: Floats, jobs: int, say: Callable[[str], None]) -> None:
    """The sketch's designs first, until two agents have learnt; then the ordinary search."""
    train = functools.partial(_train_trial, job)
    told = False

    def settled(study: Study, trial: Trial) -> None:
        nonlocal told
        known = study.trials("told")
        best = max((t.mean for t in known), default=0.0)
        say(f"training {trial.id} of {trainings}: {trial.state} {trial.mean:.2f}, best {best:.2f}")
        if not told and len(known) >= trainings / 2 and best <= _LEARNT:
            told = True
            say(f"half of the trainings have shown nothing (best {best:.2f}): a longer tau, easier episodes or a sketch of the "
                "arena would help more than the other half")  # fmt: skip

    most = min(len(starts), max(1, trainings // 3))
    begun = sum(t.reason == "enqueued" for t in study.trials())
    while begun < most:
        learnt = sum(t.mean > _LEARNT for t in study.trials("told"))
        if learnt >= 2 and begun >= _FIRST:
            break
        now = min(jobs, most - begun)
        for theta in starts[begun : begun + now]:
            study.enqueue(theta, note="of the sketch")
        begun += now
        study.optimize(train, jobs, processes=jobs > 1, max_trials=now, callback=settled)
    study.optimize(train, jobs, processes=jobs > 1, callback=settled)


def _table(agents: dict[str, list[dict[str, Any]]], subgoals: Floats) -> str:
    lines = ["| subgoals | agents | share of training episodes | success of tests | s.e. |", "|---|---|---|---|---|"]
    for name, rows in agents.items():
        where = " -> ".join("(" + ", ".join(f"{x:.3g}" for x in place) + ")" for place in subgoals)
        tests = [row["success"] for row in rows if row["success"] is not None]
        error = float(np.std(tests)) / math.sqrt(max(len(tests) - 1, 1)) if tests else math.nan
        success = f"{np.mean(tests):.2f}" if tests else "not tested"
        lines.append(
            f"| {name if name == 'none' else where} | {len(rows)} | {np.mean([row['share'] for row in rows]):.2f} | {success} | {error:.2f} |"
        )
    return "\n".join(lines)


@dataclass(frozen=True)
class _Plan:
    trainings: int
    plain: int
    agents: int
    jobs: int
    seed: int


def _run(
    job: Job, plan: _Plan, path: str | None, box: tuple[Floats, Floats], known: sketches.Designs | None, say: Callable[[str], None]
) -> tuple[Recommendation, dict[str, list[dict[str, Any]]]]:
    """Agents without subgoals, the search, agents with what it recommends."""
    low, high = np.tile(box[0], job.count), np.tile(box[1], job.count)
    starts = np.zeros((0, len(low))) if known is None or not known.learnt else np.clip(known.thetas, low, high)
    with Study.create(
        path, low, high, [job.tau], [1], budget=plan.trainings * job.tau, seed=plan.seed,
        initial_designs=plan.trainings // 4, instances="fresh", best_possible=1,
    ) as study:  # fmt: skip

        def took(seconds: float) -> None:
            left = plan.trainings - study.trial_count + plan.agents
            say(f"{seconds:.1f} s; about {left * seconds / plan.jobs:.0f} s are left")

        train = functools.partial(_train_fresh, job, [])
        rows = {"none": _fresh(study, "plain agents", train, 0, plan.plain, plan.jobs, took)}
        _search(study, job, plan.trainings, starts, plan.jobs, say)
        best = study.recommend()
        train = functools.partial(_train_fresh, job, best.theta)
        rows["besd"] = _fresh(study, "tested agents", train, 10**6, plan.agents, plan.jobs, lambda seconds: None)
    return best, rows


def _shown(
    job: Job, box: tuple[Floats, Floats], best: Recommendation, rows: dict[str, list[dict[str, Any]]],
    sketch: tuple[sketches.Sketch, sketches.Designs] | None, picture: Any, path: Any,
) -> Found:  # fmt: skip
    places = best.theta.reshape(job.count, -1)
    ways = [row["way"] for row in rows["besd"] if row["way"]]
    cells = None if sketch is None else (sketch[1].cells, sketch[1].low, sketch[1].high, sketch[0].downwards)
    drawing = in_text(box, places, ways, cells) if picture is None else draw(os.fspath(picture), box, places, ways, cells)
    return Found(places, best, rows, _table(rows, places), drawing, None if path is None else os.fspath(path))


def subgoals(
    env: Any,
    agent: Any = "PPO",
    trainings: int = 30,
    *,
    sketch: Any = None,
    cell_size: float | None = None,
    origin: Sequence[float] | None = None,
    tau: int = 6144,
    count: int = 2,
    position: Position | None = None,
    low: npt.ArrayLike | None = None,
    high: npt.ArrayLike | None = None,
    success: Success | None = None,
    reached: Reached | None = None,
    height: float = 2.0,
    width: float | None = None,
    gamma: float = 0.99,
    options: Mapping[str, Any] | None = None,
    flatten: Any = None,
    path: str | os.PathLike[str] | None = "subgoals.besd",
    plain: int = 3,
    agents: int = 5,
    tests: int = 10,
    n_jobs: int = 1,
    seed: int = 1,
    picture: str | os.PathLike[str] | None = None,
    quiet: bool = False,
) -> Found:
    """Finds the subgoals that an agent learns best with, and tests them with fresh agents.

    env: the id of an environment, or a function that makes one.
    agent: a class of Stable-Baselines3 by name, or any class like these, with `options` for its keywords; or a function
        agent(env, tau, seed) that trains in the wrapped env and returns a function of an observation that gives an action.
    trainings, tau: of the search, and the interactions of each.
    sketch: a grid in YAML, a drawn map (with cell_size and origin), an environment or a `besd.sketch.Sketch`; True reads
        the map of env itself.
    count: of subgoals.
    position, reached, height, width, success: as for `besd.SubgoalWrapper`. Positions of Gymnasium-Robotics' mazes,
        MiniGrid and FrozenLake are known. With a sketch subgoals are reached in its cells.
    low, high: the box of positions; a sketch says it by itself.
    path: the file of the study. The same call goes on where it was stopped. None: in memory.
    plain, agents: how many learn without subgoals, and with those that are recommended; `tests` episodes each.
    n_jobs: agents that are trained at once, each in a process.
    picture: a file for a picture of the arena, with matplotlib; otherwise it is drawn in letters.
    """

    def say(text: str) -> None:
        if not quiet:
            print(text, file=sys.stderr, flush=True)

    trainings, jobs = integer("trainings", trainings, 4, 10**6), integer("n_jobs", n_jobs, 1, 10_000)
    make, points = _made(env), integer("count", count, 1, 8)
    one = make()
    try:
        observation, _ = one.reset(seed=0)
        place = position or _position_of(one, observation)
        drawn = None if sketch is None else sketches.of(one if sketch is True else sketch, cell_size=cell_size, origin=origin)
        say(f"{trainings} trainings of {tau} interactions, {plain} without subgoals and {agents} to test what is found: "
            f"{trainings + plain + agents} trainings, {(trainings + plain + agents) * tau:,} interactions")  # fmt: skip
        reached = drawn.cells if reached is None and drawn is not None else reached
        known = None
        if drawn is not None:
            known = sketches.designs(drawn, points, max(3, trainings // 3), reached=reached, width=width, seed=seed)
            say(f"sketch: {known.message}")
        box = _box(one, low, high, known)
        wrapping: dict[str, Any] = {"position": place, "reached": reached, "height": height, "width": width, "success": success}
        wrapping["flatten"] = _flatten_of(one.observation_space) if flatten is None else flatten
        job = Job(make, agent, dict(options or {}), integer("tau", tau, 1, 2**62), tests, points, gamma, wrapping)
        _check_place(job, one, box)
    finally:
        one.close()
    plan = _Plan(trainings, plain, agents, jobs, seed)
    best, rows = _run(job, plan, None if path is None else os.fspath(path), box, known, say)
    result = _shown(job, box, best, rows, None if drawn is None or known is None else (drawn, known), picture, path)
    if not quiet:
        print(result)
    return result
