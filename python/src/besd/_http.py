"""JSON over HTTP with besd's service: connections that are kept, and calls that are made again when one breaks.

A call whose answer was lost may have been heard, and is made again all the same: acts that would count twice have a
key, by which the service knows them for a day.
"""

import json
import os
import random
import select
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NoReturn, cast
from urllib.parse import SplitResult

from ._errors import ServiceError, refusal

_CONNECT = 10.0  # seconds
_ANSWER = 600.0  # an ask is computed, after others that are before it
_STREAM = 60.0  # the service sends a comment every 15
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 3.0
_AWAY = ("ending", "busy")


class _Lost(Exception):
    """The connection broke; the call may have been heard."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error) or type(error).__name__)


class Service:
    """One service at one address; threads may share it."""

    def __init__(self, url: SplitResult, token: str | None, patience: float) -> None:
        self._url = url
        self._patience = patience
        self._headers = {"Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._idle: list[HTTPConnection] = []
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._closed = False

    @property
    def address(self) -> str:
        return f"{self._url.scheme}://{self._url.netloc}"

    def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, *, key: str | None = None, patience: float | None = None
    ) -> dict[str, Any]:
        """key: names an act that must not be done twice."""
        text = None if body is None else json.dumps(body, allow_nan=False).encode()
        deadline = time.monotonic() + (self._patience if patience is None else patience)
        pause = _FIRST_PAUSE
        while True:
            try:
                code, answer = self._exchange(method, path, text, key)
                if code < 400:
                    return answer
                problem: Exception = refusal(str(answer.get("status", "")), str(answer.get("error", "")))
                if code != 503 or answer.get("status") not in _AWAY:
                    raise problem
            except _Lost as lost:
                problem = ServiceError(f"{self.address}: {lost}")
            if time.monotonic() + pause > deadline:
                raise problem
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _exchange(self, method: str, path: str, body: bytes | None, key: str | None) -> tuple[int, dict[str, Any]]:
        connection = self._connect(_ANSWER)
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        if key is not None:
            headers = {**headers, "Idempotency-Key": key}
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read()
        except (HTTPException, OSError) as error:
            connection.close()
            raise _Lost(error) from error
        except BaseException:  # an interrupt: what comes would be taken for the next answer
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._keep(connection)
        return response.status, self._read(response, text)

    def _read(self, response: HTTPResponse, text: bytes) -> dict[str, Any]:
        with suppress(ValueError):
            answer = json.loads(text)
            if isinstance(answer, dict) and (response.status < 400 or "error" in answer):
                return cast("dict[str, Any]", answer)
        kind = response.headers.get_content_type()
        raise ServiceError(f"{self.address}: expected an answer of besd serve, got {response.status} and {kind}")

    def _connect(self, seconds: float) -> HTTPConnection:
        """A connection that lives, old or new."""
        with self._lock:
            if self._process != os.getpid():  # those of the parent are the parent's
                self._idle, self._process = [], os.getpid()
            while self._idle:
                connection = self._idle.pop()
                if connection.sock is not None and not select.select([connection.sock], [], [], 0)[0]:
                    return connection
                connection.close()  # the service has ended it
        kind = HTTPSConnection if self._url.scheme == "https" else HTTPConnection
        connection = kind(self._url.hostname or "", self._url.port, timeout=_CONNECT)
        try:
            connection.connect()
        except OSError as error:
            raise _Lost(error) from error
        connection.sock.settimeout(seconds)
        return connection

    def _keep(self, connection: HTTPConnection) -> None:
        with self._lock:
            if self._process == os.getpid() and not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def stream(self, path: str, after: int) -> Iterator[dict[str, Any]]:
        """Server-sent events behind this one, for ever; after a break it goes on behind the last that came."""
        deadline, pause = time.monotonic() + self._patience, _FIRST_PAUSE
        while True:
            try:
                for event in self._listen(path, after):
                    yield event
                    after = int(event["id"])
                    deadline, pause = time.monotonic() + self._patience, _FIRST_PAUSE
                problem = "the stream ended"
            except _Lost as lost:
                problem = str(lost)
            if time.monotonic() + pause > deadline:
                raise ServiceError(f"{self.address}: {problem}")
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, _LONGEST_PAUSE)

    @staticmethod
    def _give_up(answer: dict[str, Any]) -> NoReturn:
        if answer.get("status") in _AWAY:
            raise _Lost(refusal("io", str(answer["error"])))
        raise refusal(str(answer.get("status", "")), str(answer["error"]))

    def _listen(self, path: str, after: int) -> Iterator[dict[str, Any]]:
        connection = self._connect(_STREAM)
        headers = {**self._headers, "Accept": "text/event-stream", "Last-Event-ID": str(after)}
        try:
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            if response.status >= 400:
                self._give_up(self._read(response, response.read()))
            is_last = False
            for line in response:
                is_last = is_last or line.strip() == b"event: error"
                if line.startswith(b"data:"):
                    data = json.loads(line[5:])
                    if is_last:
                        self._give_up(data)
                    yield data
        except (HTTPException, OSError) as error:
            if isinstance(error, (ServiceError, PermissionError)):
                raise
            raise _Lost(error) from error
        finally:
            connection.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._process == os.getpid():
                for connection in self._idle:
                    connection.close()
            self._idle = []
