"""Arguments on their way to C: checked once, refused with a sentence, never cut or rounded."""

import operator
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt

from ._besd import ffi
from ._errors import InvalidError

Floats = npt.NDArray[np.float64]


def vector(name: str, value: npt.ArrayLike, length: int | None = None) -> Floats:
    """A one-dimensional array of doubles, of this length when one is given."""
    array = numbers(name, value)
    if array.ndim != 1:
        raise InvalidError(f"{name}: expected a list of numbers, got an array of shape {array.shape}")
    if length is not None and len(array) != length:
        raise InvalidError(f"{name}: expected {length} numbers, got {len(array)}")
    return array


def scores_of(name: str, value: Any) -> Floats:
    """Scores of replications: of one a number will do, and did it succeed or not."""
    try:
        given = np.asarray(value)
    except Exception:
        return vector(name, value)  # refused with a sentence
    if given.dtype.kind == "b":
        value = given = given.astype(np.float64)
    return vector(name, [value] if given.ndim == 0 and given.dtype.kind in "iuf" else value)


def numbers(name: str, value: npt.ArrayLike) -> Floats:
    """A contiguous array of doubles of any shape."""
    try:
        given = np.asarray(value)
    except ValueError:  # rows of unequal length
        raise InvalidError(f"{name}: expected numbers, got lists of unequal length") from None
    except Exception as error:  # tensors that are elsewhere, or part of a graph
        raise TypeError(f"{name}: expected numbers, got {type(value).__name__} ({error})") from None
    if given.size and given.dtype.kind not in "iuf":
        raise TypeError(f"{name}: expected numbers, got {_kind(value, given)}")
    return np.asarray(given, dtype=np.float64, order="C")


def _kind(value: Any, array: npt.NDArray[Any]) -> str:
    return type(value).__name__ if array.ndim == 0 else f"{type(value).__name__} of {array.dtype}"


def integer(name: str, value: Any, low: int, high: int) -> int:
    """A whole number in [low, high]; 5.0 is one, True and '5' are none."""
    fraction = _is_fraction(value)
    if fraction and float(value).is_integer():
        value = int(value)
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected a whole number, got {value}")
    try:
        number = operator.index(value)
    except TypeError:
        if fraction:
            raise InvalidError(f"{name}: expected a whole number, got {value}") from None
        raise TypeError(f"{name}: expected a whole number, got {type(value).__name__}") from None
    if not low <= number <= high:
        raise InvalidError(f"{name}: expected a whole number from {low} to {high}, got {number}")
    return number


def _is_fraction(value: Any) -> bool:
    return isinstance(value, (float, np.floating))


def _is_no_number(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_, str, bytes))


def integers(name: str, value: Any, low: int, high: int) -> list[int]:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name}: expected a list of whole numbers, got {type(value).__name__}")
    return [integer(f"{name}[{i}]", item, low, high) for i, item in enumerate(value)]


def number(name: str, value: Any) -> float:
    if _is_no_number(value):
        raise TypeError(f"{name}: expected a number, got {type(value).__name__}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: expected a number, got {type(value).__name__}") from None


def text(name: str, value: Any) -> bytes:
    """UTF-8 without zeros inside, which C would take for the end."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text, got {type(value).__name__}")
    if "\0" in value:
        raise InvalidError(f"{name}: expected a text without zero characters, got {value!r}")
    return value.encode("utf-8", "surrogateescape")


def texts(name: str, value: Sequence[str] | None, length: int) -> list[bytes] | None:
    if value is None:
        return None
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: expected a list of texts, got {type(value).__name__}")
    items = [text(f"{name}[{i}]", item) for i, item in enumerate(value)]
    if len(items) != length:
        raise InvalidError(f"{name}: expected {length} texts, got {len(items)}")
    return items


def doubles(array: Floats) -> Any:
    """The array as C sees it; it must outlive the pointer."""
    return ffi.from_buffer("double[]", array)


def nearest(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a sentence; empty when nothing is near."""
    found = get_close_matches(name.lower(), known, 1, cutoff=0.5)
    return f", did you mean '{found[0]}'" if found else ""


class Choices:
    """An enum of the header as names: BESD_METHOD_EI_PAPER is 'ei-paper'."""

    def __init__(self, enum: str, prefix: str) -> None:
        self.field = enum.rsplit("_", 1)[-1]
        self.names = {
            value: name.removeprefix(prefix).lower().replace("_", "-")
            for value, name in sorted(ffi.typeof(enum).elements.items())
        }
        self.values = {name: value for value, name in self.names.items()}

    def value(self, name: Any) -> int:
        if not isinstance(name, str):
            raise TypeError(f"{self.field}: expected a text, got {type(name).__name__}")
        if name not in self.values:
            known = ", ".join(self.values)
            raise InvalidError(f"{self.field}: expected one of {known}, got '{name}'{nearest(name, self.values)}")
        return int(self.values[name])
