"""Exceptions that carry the library's own sentence: one class for each status of besd/status.h."""

from typing import Any

from ._besd import ffi, lib


class BesdError(Exception):
    """Anything the library refuses; `str(error)` is its sentence, `error.status` its status."""

    status: str = "BESD_?"


class InvalidError(BesdError, ValueError):
    """An argument is outside its allowed range."""

    status = "BESD_INVALID"


class UnknownNameError(BesdError, ValueError):
    """There is no such name; the message tells the nearest one."""

    status = "BESD_UNKNOWN"


class OutOfMemoryError(BesdError, MemoryError):
    """Out of memory."""

    status = "BESD_MEMORY"


class UnreachableError(BesdError):
    """The goal cannot be reached from the start."""

    status = "BESD_UNREACHABLE"


class UnsupportedError(BesdError):
    """The environment does not offer what was asked of it."""

    status = "BESD_UNSUPPORTED"


class StudyFileError(BesdError, OSError):
    """A study file could not be read or written."""

    status = "BESD_IO"


class ComputationError(BesdError, ArithmeticError):
    """A computation did not converge."""

    status = "BESD_NUMERIC"


class EnvironmentContractError(BesdError):
    """An environment broke its contract."""

    status = "BESD_ENVIRONMENT"


class ClosedError(BesdError, ValueError):
    """A study or an environment was used after it was closed, or in a forked process."""


class ServiceError(BesdError, ConnectionError):
    """A service cannot be reached, or gave no answer that is besd's."""


class AccessError(BesdError, PermissionError):
    """A service does not listen to whoever has this token, or none."""


class TrainError(BesdError):
    """`Study.optimize` gave up: too many trainings in a row failed. The last one is the cause."""


_CLASSES = {
    cls.status: cls
    for cls in (
        InvalidError,
        UnknownNameError,
        OutOfMemoryError,
        UnreachableError,
        UnsupportedError,
        StudyFileError,
        ComputationError,
        EnvironmentContractError,
    )
}


def refusal(word: str, sentence: str) -> BesdError:
    """What a service refused, as the exception that the library's own status would have been."""
    status = "BESD_" + ("INVALID" if word in ("conflict", "too_large") else word.upper())
    kind = AccessError if word in ("unauthorized", "forbidden") else _CLASSES.get(status, BesdError)
    exception = kind(sentence)
    exception.status = status
    return exception


def check(status: int, error: Any) -> int:
    """Raises what a negative status stands for; hands on the others."""
    if status >= 0:
        return status
    name = ffi.string(lib.besd_status_name(status)).decode()
    exception = _CLASSES.get(name, BesdError)(ffi.string(error.message).decode("utf-8", "replace"))
    exception.status = name
    raise exception
