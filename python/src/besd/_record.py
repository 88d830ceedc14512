"""What a wrapper has seen of its episodes: how long each was, what it returned, when it came to its subgoals, and
whether it succeeded. And what that says of one agent: the score of a deep trainer (`Trial.finish`).

A terminated episode is no success by itself, because falls terminate episodes as well. Memory is bounded: sums over all
episodes, the newest thousand of them, and visits of at most 4096 cells, which grow when there are more.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import floor
from typing import Any

from ._errors import InvalidError

Success = str | float | Callable[..., Any]

KEPT_EPISODES, KEPT_CELLS, KEPT_PATHS = 1000, 4096, 20
_INFO_KEYS = ("is_success", "success")
_WHAT = "'terminated', a key of info, a number that raw rewards of success exceed, or a function"


@dataclass(frozen=True, slots=True)
class Episode:
    steps: int
    raw_return: float
    success: bool
    times: tuple[float | None, ...]
    """When each subgoal, and at last the goal, was reached."""
    earned: tuple[float, ...]
    """On the way to each of them."""


@dataclass(slots=True)
class Episodes:
    """Sums over all, and the newest."""

    count: int = 0
    successes: int = 0
    interactions: int = 0
    set_out: list[int] = field(default_factory=list[int])
    """How many episodes were on the way to each subgoal, and to the goal at last."""
    arrived: list[int] = field(default_factory=list[int])
    newest: deque[Episode] = field(default_factory=lambda: deque[Episode](maxlen=KEPT_EPISODES))

    @property
    def success(self) -> float:
        """The share of episodes that succeeded; 0 where there is none."""
        return self.successes / self.count if self.count else 0.0

    def add(self, episode: Episode) -> None:
        self._room(len(episode.times))
        self.count += 1
        self.successes += episode.success
        self.interactions += episode.steps
        here = 0
        for leg, time in enumerate(episode.times):
            self.set_out[leg] += leg == here
            if time is not None and leg == here:
                self.arrived[leg] += 1
                here += 1
        self.newest.append(episode)

    def merge(self, other: "Episodes") -> None:
        self._room(len(other.set_out))
        self.count, self.successes = self.count + other.count, self.successes + other.successes
        self.interactions += other.interactions
        for leg, (out, there) in enumerate(zip(other.set_out, other.arrived, strict=True)):
            self.set_out[leg] += out
            self.arrived[leg] += there
        self.newest.extend(other.newest)

    def _room(self, legs: int) -> None:
        while len(self.set_out) < legs:
            self.set_out.append(0)
            self.arrived.append(0)


class Visits:
    """How often each cell was visited; cells of twice the side once there are too many."""

    def __init__(self, side: float) -> None:
        self.side = side
        self.cells: dict[tuple[int, ...], int] = {}

    def note(self, place: Sequence[float]) -> None:
        cell = tuple([floor(x / self.side) for x in place])
        self.cells[cell] = self.cells.get(cell, 0) + 1
        if len(self.cells) > KEPT_CELLS:
            finer, self.cells, self.side = self.cells, {}, 2 * self.side
            for at, visits in finer.items():
                coarse = tuple([x // 2 for x in at])
                self.cells[coarse] = self.cells.get(coarse, 0) + visits


class Record:
    """`env.record` of `SubgoalWrapper` and `SubgoalVectorWrapper`."""

    def __init__(self, side: float = 1.0) -> None:
        self.training, self.tests = Episodes(), Episodes()
        self.visits = Visits(side)
        self.paths: deque[list[list[float]]] = deque(maxlen=KEPT_PATHS)
        """Where test episodes went."""
        self.is_testing = False
        """Episodes that begin now are tests."""

    def add(self, episode: Episode, test: bool) -> None:
        (self.tests if test else self.training).add(episode)


Succeeds = Callable[[Any, Any, float, bool, dict[str, Any]], bool]


def success_rule(success: Success | None, is_domain: bool) -> Succeeds:
    """Has a step succeeded? From the environment, its observation, raw reward, terminated and info."""
    if success is None and not is_domain:
        return _usual
    if success is None or success == "terminated":
        return _by_end
    if callable(success):
        return partial(_by_function, success)
    if isinstance(success, str):
        return partial(_by_key, success)
    return partial(_by_reward, success_number(success))


def _by_end(env: Any, observation: Any, reward: float, terminated: bool, info: dict[str, Any]) -> bool:
    return terminated


def _by_function(own: Any, env: Any, observation: Any, reward: float, terminated: bool, info: dict[str, Any]) -> bool:
    return bool(own(env, observation, reward, info))


def _by_key(key: str, env: Any, observation: Any, reward: float, terminated: bool, info: dict[str, Any]) -> bool:
    return bool(info.get(key, False))


def _by_reward(least: float, env: Any, observation: Any, reward: float, terminated: bool, info: dict[str, Any]) -> bool:
    return reward > least


def success_number(success: Any) -> float:
    if isinstance(success, bool) or not isinstance(success, (int, float)):
        raise TypeError(f"success: expected {_WHAT}, got {success!r}")
    return float(success)


def _usual(env: Any, observation: Any, reward: float, terminated: bool, info: dict[str, Any]) -> bool:
    for key in _INFO_KEYS:
        if key in info:
            return bool(info[key])
    return terminated and reward > 0


def records_of(env: Any) -> list[Record]:
    """Of a wrapped environment, of one inside of other wrappers, of many in a vector environment, of a learner that has
    one of these (`get_env`), or of a list of them."""
    if isinstance(env, (list, tuple)):
        several: list[Any] = list(env)  # pyright: ignore[reportUnknownArgumentType]
        return [record for one in several for record in records_of(one)]
    seen: Any = env
    while seen is not None:
        own = vars(seen).get("record") if hasattr(seen, "__dict__") else None
        if isinstance(own, Record):
            return [own]
        if isinstance(getattr(seen, "envs", None), (list, tuple)):
            return records_of(list(seen.envs))
        inside = getattr(seen, "env", None) or getattr(seen, "venv", None)
        if inside is None and callable(getattr(seen, "get_attr", None)):  # environments in processes
            return [record for record in seen.get_attr("record") if isinstance(record, Record)]
        seen = inside
    return []


def holds_records(returned: Any) -> bool:
    """Did a trainer return environments?"""
    if isinstance(returned, (list, tuple)):
        several: list[Any] = list(returned)  # pyright: ignore[reportUnknownArgumentType]
        return bool(several) and all(holds_records(one) for one in several)
    return any(hasattr(returned, name) for name in ("step", "get_env", "reset")) and bool(records_of(returned))


@contextmanager
def testing(env: Any) -> Generator[None, None, None]:
    """Episodes that begin inside are tests and no training: `with besd.testing(env): ...`."""
    found = records_of(env)
    if not found:
        raise InvalidError("testing: expected an environment with a besd.SubgoalWrapper, got one without")
    before = [record.is_testing for record in found]
    for record in found:
        record.is_testing = True
    try:
        yield
    finally:
        for record, was in zip(found, before, strict=True):
            record.is_testing = was


class Finished(dict[str, Any]):
    """What a trainer returns; legs are told where theta is a path."""


def _agents(env: Any, reps: int) -> list[Any]:
    if reps == 1:
        return [env]
    if not isinstance(env, (list, tuple)) or len(env) != reps:  # pyright: ignore[reportUnknownArgumentType]
        raise InvalidError(f"env: expected a list of {reps}, the environments of every replication")
    return list(env)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _summed(records: Iterable[Record], tests: Iterable[Record]) -> tuple[Episodes, Episodes]:
    training, tested = Episodes(), Episodes()
    for record in records:
        training.merge(record.training)
        tested.merge(record.tests)
    for record in tests:
        tested.merge(record.training)
        tested.merge(record.tests)
    return training, tested


def finish(env: Any, reps: int, tests: Any = None) -> Finished:
    """Scores and what goes with them: half the share of training episodes that succeeded, half the success of the tests,
    and without tests the share alone. One agent is one score, however many episodes it was tested in."""
    tested_in = [None] * reps if tests is None else _agents(tests, reps)
    done = Finished(scores=[], legs=[], earned=[], share=[], test_success=[], test_episodes=[], attempts=[])
    for agent, test in zip(_agents(env, reps), tested_in, strict=True):
        records = records_of(agent)
        if not records:
            raise InvalidError("env: expected an environment with a besd.SubgoalWrapper, got one without")
        training, tested = _summed(records, [] if test is None else records_of(test))
        if training.count + tested.count == 0:
            raise InvalidError("env: no episode has ended; train for longer, or limit episodes (max_episode_steps)")
        share, success = training.success, tested.success
        halves = [share] * (training.count > 0) + [success] * (tested.count > 0)
        done["scores"].append(sum(halves) / len(halves))
        done["share"].append(round(share, 4))
        done["test_success"].append(round(success, 4) if tested.count else None)
        done["test_episodes"].append(tested.count)
        done["attempts"].append([list(pair) for pair in zip(training.set_out, training.arrived, strict=True)])
        middle = _middle(tested.newest or training.newest)
        done["legs"].append(list(middle.times))
        done["earned"].append(list(middle.earned))
    return done


def _middle(episodes: Iterable[Episode]) -> Episode:
    """The one in the middle, from the worst to the best: a replication tells the legs of one episode."""
    ranked = sorted(episodes, key=lambda e: (e.success, sum(t is not None for t in e.times), -e.steps))
    return ranked[len(ranked) // 2]

