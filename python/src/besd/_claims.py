"""Who trains which trial: calls of `Study.optimize` on one file, in one process or several, and runs of
the tool (src/bridge/claims.c, the same locks) leave each other's trials alone.

A trial that is asked and not told is either under way somewhere or was left behind by a call that was
killed. A lock tells them apart, because it ends with its process: byte N of STUDY-run is locked by
whoever trains trial N, byte 0 is shared by everybody at work. The last one to leave removes the file.
"""

import errno
import fcntl
import os
import struct
import threading
from typing import Protocol

_PRESENT = 0
_remembering = threading.Lock()


class Claims(Protocol):
    def take(self, trial: int) -> bool:
        """False when somebody else has it."""
        ...

    def release(self, trial: int) -> None: ...

    def close(self) -> None: ...


class _Remembered:
    """Claims on a study in memory, which has one object."""

    def __init__(self, taken: set[int]) -> None:
        self._taken = taken
        self._own: set[int] = set()

    def take(self, trial: int) -> bool:
        with _remembering:
            if trial in self._taken:
                return False
            self._taken.add(trial)
        self._own.add(trial)
        return True

    def release(self, trial: int) -> None:
        self._own.discard(trial)
        self._taken.discard(trial)

    def close(self) -> None:
        self._taken -= self._own


class _Locked:
    """Claims on a file. The locks belong to the open file and not to the process, so that two calls of
    one process exclude each other as well."""

    def __init__(self, study: str) -> None:
        self._path = study + "-run"
        mode = os.stat(study).st_mode & 0o666
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._file = os.open(self._path, flags, mode)
            self._lock(fcntl.F_RDLCK, _PRESENT, fcntl.F_OFD_SETLKW)
            if self._is_current():
                return
            os.close(self._file)  # the last one has just removed it

    def _is_current(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(self._path))
        except FileNotFoundError:
            return False

    def _lock(self, kind: int, byte: int, how: int = fcntl.F_OFD_SETLK, length: int = 1) -> bool:
        flock = struct.pack("hhqqi4x", kind, os.SEEK_SET, byte, length, 0)
        try:
            fcntl.fcntl(self._file, how, flock)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise
        return True

    def take(self, trial: int) -> bool:
        return self._lock(fcntl.F_WRLCK, trial)

    def release(self, trial: int) -> None:
        self._lock(fcntl.F_UNLCK, trial)

    def close(self) -> None:
        self._lock(fcntl.F_UNLCK, 1, length=0)  # all of them, also for copies that a fork has made
        try:
            if self._lock(fcntl.F_WRLCK, _PRESENT):  # nobody else is here
                os.unlink(self._path)
        except FileNotFoundError:
            pass
        os.close(self._file)


def claims(path: str | None, remembered: set[int]) -> Claims:
    """On the study of this file; on one in memory, which remembers them itself."""
    return _Remembered(remembered) if path is None else _Locked(path)
