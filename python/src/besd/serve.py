"""A Gymnasium environment as a process for the command line, over the protocol of docs/protocol.md:

    besd check "cmd:python -m besd.serve my_env:TwoRoom size=12"

MODULE:NAME is a class or a function that makes the environment; KEY=VALUE, and what `--set` gives
beyond besd's own settings, are its keyword arguments. Actions are Discrete. Observations are
Discrete, or a bounded Box whose first numbers are the position. The environment says:

    position        where the agent is: an attribute, or a function of the observation
    position_low, position_high     the box of positions and subgoals (a Box has it already)
    cap             optional: steps of an episode; otherwise those of its Gymnasium spec, or 500
    reached         optional, as in `besd.SubgoalWrapper`: 'cell', 'radius', 'cross', a radius or a besd.Cell
    cell_size, origin, radius       its numbers, in the units of positions, where `reached` is a word
    settings        optional: what the spec of the protocol recommends, {"tau": [200, 600], ...}

Gymnasium has one seed for what besd has two of. Every episode begins with the instance's seed, from
which `reset` draws the instance; then `np_random` becomes the lane's own generator, from which `step`
draws its chance. So an instance stays the same and its episodes differ.
"""

import ast
import importlib
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
from gymnasium import Env, spaces

from ._arguments import Floats, integer, numbers, vector
from ._errors import InvalidError
from ._reaching import members_of

_MOST_ACTIONS = 64
_MOST_NUMBERS = 8
_DEFAULT_CAP = 500

Make = Callable[..., Any]


def _one_line(space: Any) -> str:
    return " ".join(str(space).split())


def _check_arguments(make: Make, arguments: dict[str, Any]) -> None:
    try:
        signature = inspect.signature(make)
    except ValueError:  # some classes in C have none
        return
    try:
        signature.bind(**arguments)
    except TypeError as error:
        raise TypeError(f"expected arguments as in {signature}: {error}") from None


def _sentence(error: Exception) -> str:
    """Ours stand for themselves; those of the environment also say where they come from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    if Path(last.filename).parent == Path(__file__).parent:
        return str(error)
    where = "" if last.filename.startswith("<") else f" ({last.filename}:{last.lineno})"
    return f"{type(error).__name__}: {error}{where}"


class _Lane:
    """One environment that answers in rows: [state, reward, end, observation...]."""

    def __init__(self, make: Make, arguments: dict[str, Any]) -> None:
        _check_arguments(make, arguments)
        made = make(**arguments)
        if not isinstance(made, Env):
            raise TypeError(f"expected a Gymnasium environment, got {type(made).__name__}")
        self.env: Env[Any, Any] = made
        self.instance_seed = 0
        self.chance = np.random.default_rng(0)
        self.steps = 0
        self._read_actions()
        self._read_observations()
        known = self.env.spec and self.env.spec.max_episode_steps
        self.cap = integer("cap", self._attribute("cap", known or _DEFAULT_CAP), 1, 10**9)
        observation, _ = self.env.reset(seed=0)
        self.position = self._position(observation).size
        self._row(observation, 0.0, 0)  # a mistake shows here and not in the middle of a study

    def _attribute(self, name: str, *default: Any) -> Any:
        try:
            return self.env.get_wrapper_attr(name)
        except AttributeError as error:
            if default:
                return default[0]
            raise TypeError(f"{name}: expected the environment to have it ({error})") from None

    def _read_actions(self) -> None:
        space = self.env.action_space
        if not isinstance(space, spaces.Discrete) or not 2 <= space.n <= _MOST_ACTIONS:
            got = _one_line(space)
            raise TypeError(f"action_space: expected Discrete with 2 to {_MOST_ACTIONS} actions, got {got}")
        self.actions, self.first_action = int(space.n), int(space.start)

    def _read_observations(self) -> None:
        space = self.env.observation_space
        if isinstance(space, spaces.Discrete):
            self.states, self.first_state = int(space.n), int(space.start)
            self.low = vector("position_low", self._attribute("position_low"))
            self.high = vector("position_high", self._attribute("position_high"), len(self.low))
        elif isinstance(space, spaces.Box) and len(space.shape) == 1 and space.is_bounded():
            self.states, self.first_state = 0, 0
            box = cast(Any, space)
            self.low, self.high = numbers("low", box.low), numbers("high", box.high)
        else:
            raise TypeError(
                f"observation_space: expected Discrete, or a Box of at most {_MOST_NUMBERS} bounded numbers, "
                f"got {_one_line(space)}"
            )
        if not 1 <= len(self.low) <= _MOST_NUMBERS:
            raise TypeError(f"observation_space: expected 1 to {_MOST_NUMBERS} numbers, got {len(self.low)}")

    def _numbers(self, observation: Any) -> list[float]:
        """The observation of the protocol: the position, and what else a Box says."""
        where = self._position(observation)
        if self.states:
            if where.shape != self.low.shape:
                raise InvalidError(f"position: expected {len(self.low)} numbers, got shape {where.shape}")
            return [float(x) for x in where]
        seen = numbers("observation", observation)
        if not np.array_equal(seen[: where.size], where):
            raise InvalidError(f"position: expected the first numbers of the observation {seen}, got {where}")
        return [float(x) for x in seen]

    def _position(self, observation: Any) -> Floats:
        position = self._attribute("position")
        where: Any = position(observation) if callable(position) else position
        return np.atleast_1d(numbers("position", where))

    def _row(self, observation: Any, reward: float, end: int) -> list[Any]:
        state = int(observation) - self.first_state if self.states else 0
        return [state, float(reward), end, *self._numbers(observation)]

    def spec(self) -> dict[str, Any]:
        low, high = self.low.tolist(), self.high.tolist()
        return {
            "actions": self.actions,
            "states": self.states,
            "observation": len(low),
            "position": self.position,
            "low": low,
            "high": high,
            **self._reaching(),
            "cap": self.cap,
            "settings": self._attribute("settings", {}),
        }

    def _reaching(self) -> dict[str, Any]:
        reached = self._attribute("reached", None)
        if not isinstance(reached, str):  # numbers of other names are the environment's own business
            return members_of(reached, None, None, None, self.position)
        cell_size, origin, radius = (self._attribute(name, None) for name in ("cell_size", "origin", "radius"))
        return members_of(reached, cell_size, origin, radius, self.position)

    def instance(self, seed: int) -> dict[str, Any]:
        self.instance_seed = seed
        return {}

    def reset(self, seed: int | None) -> list[Any]:
        if seed is not None:
            self.chance = np.random.default_rng(seed)
        observation, _ = self.env.reset(seed=self.instance_seed)
        self.env.unwrapped.np_random = self.chance
        self.steps = 0
        return self._row(observation, 0.0, 0)

    def step(self, action: int) -> list[Any]:
        observation, reward, terminated, truncated, _ = self.env.step(self.first_action + action)
        self.steps += 1
        end = 1 if terminated else 2 if truncated or self.steps >= self.cap else 0
        return self._row(observation, float(reward), end)


class _Server:
    """Answers the messages of besd; lanes are made when they are used."""

    def __init__(self, make: Make, name: str, arguments: dict[str, Any]) -> None:
        self.make = make
        self.name = name
        self.arguments = arguments
        self.lanes = {0: _Lane(make, arguments)}

    def _lane(self, number: int) -> _Lane:
        if number not in self.lanes:
            self.lanes[number] = _Lane(self.make, self.arguments)
        return self.lanes[number]

    def hello(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["protocol"] != 1:
            raise InvalidError(f"expected protocol 1, got {message['protocol']}")
        if message["parameters"]:
            # JSON has no whole numbers of its own; range(10.0) would be refused.
            given = {k: int(v) if float(v).is_integer() else v for k, v in message["parameters"].items()}
            self.arguments = {**self.arguments, **given}
            self.lanes = {0: _Lane(self.make, self.arguments)}
        return {"protocol": 1, "name": self.name, "lanes": message["lanes"]}

    def answer(self, key: str, value: Any) -> Any:
        match key:
            case "hello":
                return self.hello(value)
            case "spec":
                return self._lane(0).spec()
            case "instance":
                return self._lane(value["lane"]).instance(value["seed"])
            case "reset":
                return self._lane(value["lane"]).reset(value.get("seed"))
            case "step":
                return [self._lane(lane).step(action) for lane, action in value]
            case _:
                pass
        raise InvalidError(f"unknown message '{key}'")


def _talk(server: _Server, output: int) -> None:
    """A line for a line until the input ends."""
    for line in sys.stdin.buffer:
        ((key, value),) = json.loads(line).items()
        if key == "close":
            return
        try:
            text = json.dumps({key: server.answer(key, value)}, separators=(",", ":"))
        except Exception as error:  # besd shows the sentence to its user
            text = json.dumps({"error": _sentence(error)})
        os.write(output, text.encode() + b"\n")


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def main(arguments: list[str]) -> int:
    """The command line; the value is the exit code."""
    keywords = dict(a.split("=", 1) for a in arguments[1:] if "=" in a)
    if not arguments or ":" not in arguments[0] or len(keywords) != len(arguments) - 1:
        print("usage: python -m besd.serve MODULE:NAME [KEY=VALUE ...]", file=sys.stderr)
        return 2
    module, name = arguments[0].split(":", 1)
    # Lines of the protocol go out here alone; what the environment prints, from its import on, goes to
    # standard error.
    output = os.dup(1)
    os.dup2(2, 1)
    try:
        make = getattr(importlib.import_module(module), name)
        server = _Server(make, name, {key: _value(text) for key, text in keywords.items()})
    except Exception as error:
        print(f"besd.serve: {arguments[0]}: {_sentence(error)}", file=sys.stderr)
        return 1
    try:
        _talk(server, output)
    except (BrokenPipeError, KeyboardInterrupt):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
