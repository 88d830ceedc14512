"""One thread at a time, and no forked process."""

import os
import threading

from ._errors import ClosedError


class Lock:
    """In a forked child the thread that held the lock may be gone, so nobody waits for it there: taking it raises
    ClosedError."""

    def __init__(self, path: str | None) -> None:
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._path = path

    @property
    def is_here(self) -> bool:
        """Is this the process that the study was opened in?"""
        return os.getpid() == self._process

    def __enter__(self) -> None:
        if not self.is_here:
            raise ClosedError(f"study {self._path}: it was opened before a fork; open it again in this process")
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
