"""The leases of trials that are being trained: renewed while their trainings run, by a thread of their own, because the
caller's may be the one that trains."""

import logging
import os
import secrets
import socket
import threading
from typing import TYPE_CHECKING

from ._besd import lib
from ._errors import BesdError, InvalidError

if TYPE_CHECKING:
    from ._base import StudyBase
    from ._records import Trial

_LONGEST_GOODBYE = 2.0

_log = logging.getLogger("besd")


def own_name() -> str:
    """A worker's that nobody else has."""
    return f"{socket.gethostname()[:40]}-{os.getpid()}-{secrets.token_hex(3)}"


class Leases:
    """Nothing happens when they have no end."""

    def __init__(self, study: "StudyBase", worker: str | None, seconds: float | None) -> None:
        self._study, self._worker = study, worker
        self._seconds = float("inf") if seconds is None else seconds
        self._held: set[int] = set()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def hold(self, trial: "Trial") -> None:
        self._held.add(trial.id)
        if self._thread is None and self._seconds < float("inf"):
            self._thread = threading.Thread(target=self._renew, name="besd-leases", daemon=True)
            self._thread.start()

    def release(self, trial: "Trial") -> None:
        """Before it is told, so that nobody wonders about a trial that has ended."""
        self._held.discard(trial.id)

    def _renew(self) -> None:
        while not self._over.wait(self._seconds / lib.BESD_RUN_RENEWALS):
            for trial in sorted(self._held):
                try:
                    self._study.renew(trial, self._seconds, worker=self._worker)
                except InvalidError as error:  # its scores will be heard if they come first
                    if trial in self._held:
                        _log.warning("trial %d is no longer ours: %s", trial, error)
                    self._held.discard(trial)
                except BesdError as error:
                    _log.warning("the lease of trial %d could not be renewed: %s", trial, error)

    def close(self) -> None:
        self._over.set()
        self._held.clear()
        if self._thread is not None:
            self._thread.join(_LONGEST_GOODBYE)
