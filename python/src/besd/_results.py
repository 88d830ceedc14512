"""Earlier results of somebody's, on their way into a study: one or many of them as mappings, a table of pandas, a file of
CSV or of JSON lines. What a study shows of its trials can be read back: what is not part of a result is passed over, and so
are trials that nothing was told of."""

import csv
import io
import json
import math
import os
import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from ._arguments import Floats, integer, nearest, number, vector
from ._errors import InvalidError

_LISTS = ("legs", "earned", "labels")
_MEMBERS = ("theta", "tau", "scores", "cost", "note", *_LISTS)
_SHOWN = (
    "theta_array", "trial", "reps", "seed", "seed32", "instance_seed", "replication_seeds", "points", "state", "reason",
    "mean", "repeats", "tags", "worker", "why", "asked", "asked_at", "ended", "ended_at", "lease_until", "age", "duration",
    "explanation",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """One that is complete; the study says whether it will do."""

    place: str
    """Where it came from: 'results[3]', 'old.csv, line 5'."""
    theta: Floats
    tau: int
    scores: Floats
    cost: float
    note: str
    legs: Any
    earned: Any
    labels: Any


@contextmanager
def _at(place: str) -> Generator[None, None, None]:
    """Refusals say where."""
    try:
        yield
    except InvalidError as error:
        raise InvalidError(f"{place}: {error}") from None
    except TypeError as error:
        raise TypeError(f"{place}: {error}") from None


def _is_missing(value: Any) -> bool:
    """None, and what tables have in its place."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def theta_of(theta: Any, names: tuple[str, ...]) -> Floats:
    """By name or as a list."""
    if not isinstance(theta, Mapping):
        return vector("theta", theta, len(names))
    given = _members(theta)
    for name in given:
        if name not in names:
            raise InvalidError(f"theta: there is no coordinate '{name}'{nearest(name, names)}")
    return _columns(given, names)


def _members(mapping: Any) -> dict[str, Any]:
    return {str(name): value for name, value in mapping.items()}


def _columns(row: Mapping[str, Any], names: tuple[str, ...]) -> Floats:
    for name in names:
        if name not in row:
            raise InvalidError(f"theta: '{name}' is missing")
    return vector("theta", [number(name, row[name]) for name in names])


def _scores(value: Any) -> Floats:
    return vector("scores", [value] if isinstance(value, (int, float)) else value)


def _result(place: str, one: Any, names: tuple[str, ...]) -> Result | None:
    """None: nothing was told of it."""
    with _at(place):
        if not isinstance(one, Mapping):
            raise TypeError(f"expected a mapping with theta, tau and scores, got {type(one).__name__}")
        given = _members(one)
        known = _MEMBERS + _SHOWN + (() if "theta" in given else names)
        for name in given:
            if name not in known:
                raise InvalidError(f"there is no member '{name}'{nearest(name, known)}")
        if given.get("state", "told") != "told":
            return None
        for name in ("tau", "scores"):
            if _is_missing(given.get(name)):
                raise InvalidError(f"{name}: it is missing")
        cost, note = given.get("cost"), given.get("note")
        if not _is_missing(note) and not isinstance(note, str):
            raise TypeError(f"note: expected a text, got {type(note).__name__}")
        return Result(
            place,
            theta_of(given["theta"], names) if "theta" in given else _columns(given, names),
            integer("tau", given["tau"], 0, 2**63 - 1),
            _scores(given["scores"]),
            0.0 if _is_missing(cost) else number("cost", cost),
            "" if _is_missing(note) else str(note),
            *(None if _is_missing(given.get(name)) or name in names else given[name] for name in _LISTS),
        )


def _cell_number(field: int, column: str, cell: str) -> float:
    try:
        found = float(cell)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise InvalidError(f"field {field}, {column}: expected a number, got '{cell[:40]}'")
    return found


def _row(head: list[str], cells: list[str], names: tuple[str, ...]) -> dict[str, Any]:
    """A line of CSV as a result; several scores have blanks between them."""
    if len(cells) != len(head):
        raise InvalidError(f"expected {len(head)} fields, got {len(cells)}")
    row: dict[str, Any] = {}
    for i, (column, cell) in enumerate(zip(head, cells, strict=True), 1):
        if column == "scores":
            row[column] = [_cell_number(i, column, score) for score in cell.split()]
        elif column in names or column == "tau" or (column == "cost" and cell):
            row[column] = _cell_number(i, column, cell)
        elif column == "state" or (column == "note" and cell):
            row[column] = cell
    return row


def _head(cells: list[str], names: tuple[str, ...]) -> list[str]:
    known = (*names, "tau", "scores", "cost", "note", *_SHOWN)
    for i, column in enumerate(cells, 1):
        if column not in known:
            raise InvalidError(f"field {i}: there is no column '{column[:40]}'{nearest(column, known)}")
        if column in cells[: i - 1]:
            raise InvalidError(f"field {i}: the column '{column}' is there twice")
    for column in (*names, "tau", "scores"):
        if column not in cells:
            raise InvalidError(f"the column '{column}' is missing")
    return cells


def _table(file: str, lines: list[str], names: tuple[str, ...]) -> Iterator[Result | None]:
    reader = csv.reader(lines, strict=True)
    head: list[str] = []
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InvalidError(f"{file}, line {reader.line_num}: {error}") from None
        if cells is None:
            return
        place = f"{file}, line {reader.line_num}"
        with _at(place):
            if not cells:
                continue
            if not head:
                head = _head(cells, names)
                continue
            row = {"state": cells[head.index("state")]} if "state" in head and len(cells) == len(head) else {}
            if row.get("state", "told") == "told":
                row = _row(head, cells, names)
        yield _result(place, row, names)


def _json_lines(file: str, lines: list[str], names: tuple[str, ...]) -> Iterator[Result | None]:
    for i, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line)
        except ValueError as error:
            raise InvalidError(f"{file}, line {i}: expected one JSON object: {error}") from None
        yield _result(f"{file}, line {i}", given, names)


def _file(path: str | os.PathLike[str], names: tuple[str, ...]) -> Iterator[Result | None]:
    name = os.fspath(path)
    with open(name, encoding="utf-8", newline="") as file:
        try:
            text = file.read()
        except UnicodeDecodeError:
            raise InvalidError(f"{name}: expected a text of UTF-8") from None
    lines = list(io.StringIO(text, newline=""))  # and not at other characters that end lines
    if text.lstrip().startswith("{"):
        return _json_lines(name, lines, names)
    return _table(name, lines, names)


def read_results(given: Any, names: tuple[str, ...]) -> list[Result]:
    """Those that something was told of; names are those of the study's coordinates."""
    if isinstance(given, (str, os.PathLike)):
        found = _file(cast("str | os.PathLike[str]", given), names)
    elif isinstance(given, Mapping):
        found = iter([_result("results", cast(Any, given), names)])
    else:
        if callable(getattr(given, "to_dict", None)) and hasattr(given, "columns"):
            given = given.to_dict("records")  # a table of pandas
        if isinstance(given, bytes) or not hasattr(given, "__iter__"):
            raise TypeError(f"results: expected mappings, a table or a file, got {type(given).__name__}")
        found = (_result(f"results[{i}]", one, names) for i, one in enumerate(given))
    return [result for result in found if result is not None]


@contextmanager
def refusals_with_places(results: list[Result]) -> Generator[None, None, None]:
    """What the study says of `results[3]` is said of the place where that came from."""
    try:
        yield
    except InvalidError as error:
        found = re.match(r"(?:results|trials)\[(\d+)\]: (.*)", str(error), re.S)
        if found is None or int(found[1]) >= len(results):
            raise
        raise InvalidError(f"{results[int(found[1])].place}: {found[2]}") from None
