"""Over the network: addresses, tokens, answers that get lost, servers that go away."""

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import besd
from besd import _tool
from conftest import SMALL, quick, served


class Fake(ThreadingHTTPServer):
    """Answers as the service would, after what goes wrong first: 'drop' hears a call and hangs up, 'away' is 503."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.wrong: list[str] = []
        self.heard: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str | None] = []  # of all that was heard
        self.clients: set[Any] = set()

    def answer(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        trial = {"trial": 1, "theta_array": [3.0], "tau": 10, "reps": 1, "seed": 2**52 + 1, "state": "asked",
                 "reason": "initial", "cost": 10, "asked_at": 1e9, **body}  # fmt: skip
        if path.endswith("/studies/arm"):
            return {"name": "arm", "trials": {"asked": 1, "told": 2}, "budget": None, "spent": 30, "tau": [10], "reps": [1],
                    "theta": [{"name": "x", "low": 0, "high": 1}], "options": {"budget": None}, "path": None}  # fmt: skip
        if path.endswith("/add"):
            return {"first": 4, "count": 1}
        return trial


class Handler(BaseHTTPRequestHandler):
    server: Fake
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        self.server.clients.add(self.client_address)
        wrong = self.server.wrong.pop(0) if self.server.wrong else ""
        if wrong == "away":
            return self.send(503, {"error": "the server is being stopped; ask again later", "status": "ending"})
        self.server.heard.append((self.path, body))
        self.server.keys.append(self.headers.get("Idempotency-Key"))
        if wrong == "drop":
            self.close_connection = True
            return
        if wrong == "page":
            return self.send(502, {})
        self.send(200, self.server.answer(self.path, body))
        self.close_connection = wrong == "close"

    do_GET = do_POST

    def send(self, code: int, answer: dict[str, Any]) -> None:
        text = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json" if answer else "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@pytest.fixture
def fake() -> Iterator[Fake]:
    with Fake() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def connected(fake: Fake, **more: Any) -> Iterator[besd.RemoteStudy]:
    with besd.connect(f"http://127.0.0.1:{fake.server_address[1]}/study/arm", **more) as study:
        fake.heard.clear()
        fake.keys.clear()
        yield study


def test_one_connection_for_many_calls(fake: Fake) -> None:
    with connected(fake) as study:
        for _ in range(5):
            study.tell(1, [3])
        assert len(fake.clients) == 1
        fake.wrong = ["close"]
        study.tell(1, [3])
        study.void(1)  # finds that the old connection has ended
        assert len(fake.clients) == 2


def test_a_tell_is_made_again(fake: Fake) -> None:
    with connected(fake, who="ada") as study:
        fake.wrong = ["drop", "away", "drop"]
        study.tell(1, [3.5], cost=2)
    assert fake.heard == [("/v1/studies/arm/trials/1/tell", {"scores": [3.5], "cost": 2, "worker": "ada"})] * 3
    assert fake.keys == [None] * 3  # the same scores may be told twice


@pytest.mark.parametrize("act", ["ask", "ask_again", "void", "restore", "enqueue", "add", "replace", "tag", "set_trial_note", "set_budget"])
def test_what_may_not_be_done_twice_has_a_key(fake: Fake, act: str) -> None:
    arguments: dict[str, Any] = {
        "ask": (), "enqueue": ([0.5],), "add": ({"theta": [0.5], "tau": 10, "scores": [1]},), "replace": (1, [3]), "tag": (1, "a"),
        "set_trial_note": (1, "dusty"), "set_budget": (7,),
    }  # fmt: skip
    with connected(fake) as study:
        for _ in range(2):
            fake.wrong = ["drop", "away", "drop"]
            getattr(study, act)(*arguments.get(act, (1,)))
    assert len(fake.heard) == 6 and len(set(map(str, fake.heard))) == 1
    assert all(fake.keys) and len(set(fake.keys)) == 2 and len(set(fake.keys[:3])) == 1  # one for each act


def test_patience_ends(fake: Fake) -> None:
    with connected(fake, patience=0.3) as study:
        fake.wrong = ["away"] * 100
        with pytest.raises(besd.BesdError, match="being stopped"):
            study.tell(1, [3])
        assert 1 < 100 - len(fake.wrong) < 100


def test_something_else_is_there(fake: Fake) -> None:
    with connected(fake) as study:
        fake.wrong = ["page"]
        with pytest.raises(besd.ServiceError, match="expected an answer of besd serve, got 502 and text/html"):
            study.spent  # noqa: B018


def test_nobody_is_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(besd.ServiceError, match="refused"):
            besd.connect(f"http://127.0.0.1:{unused.getsockname()[1]}/study/arm", patience=0.2)


def test_numbers_that_json_has_not(fake: Fake) -> None:
    with connected(fake) as study:
        for call in (lambda: study.tell(1, [float("inf")]), lambda: study.enqueue([float("nan")])):
            with pytest.raises(besd.InvalidError, match="expected a finite number"):
                call()
        assert study.options["budget"] == float("inf") and study.trial_count == 3
        assert study.ask(lease=float("inf")) is not None and "lease" not in fake.heard[-1][1]


@pytest.mark.parametrize("url", ["lab:8420", "ftp://lab/study/arm", "http://", "http://lab:port/study/arm"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(besd.InvalidError, match="url"):
        besd.connect(url)
    with pytest.raises(besd.InvalidError, match="token"):
        besd.connect("http://127.0.0.1:1/study/arm", token="a\nb")


def test_after_closing_and_in_a_fork(fake: Fake) -> None:
    with connected(fake) as study:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if study.trial_count == 3 else 2
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0 and study.trial_count == 3
    for use in (study.ask, lambda: study.spent, lambda: list(study.events()), study.__enter__):
        with pytest.raises(besd.ClosedError, match="it was closed"):
            use()
    assert "closed" in repr(study)
    study.close()


def make(folder: Path, *names: str) -> None:
    for name in names:
        besd.Study.create(folder / f"{name}.besd", **SMALL, method="random", direction="minimize", budget=9000).close()


def test_ways_to_name_a_study(tmp_path: Path) -> None:
    make(tmp_path, "arm")
    with served(tmp_path) as url:
        for address in (url, f"{url}/", f"{url}/study/arm", f"{url}/v1/studies/arm", f"{url}/v1/studies"):
            with besd.connect(address) as study:
                assert study.name == "arm" and study.url == f"{url}/v1/studies/arm"
        make(tmp_path, "leg")
        with pytest.raises(besd.InvalidError, match="expected the name of a study at the end, .* has arm, leg"):
            besd.connect(url)
        with besd.connect(url, study="leg") as study:
            assert study.name == "leg"
        with pytest.raises(besd.UnknownNameError, match="there is no study 'foot'"):
            besd.connect(f"{url}/study/foot")


def test_tokens(tmp_path: Path) -> None:
    make(tmp_path, "arm")
    (tmp_path / "token").write_text("correct-horse-battery\n")
    (tmp_path / "token").chmod(0o600)
    with served(tmp_path, more=("--token-file", str(tmp_path / "token"))) as url:
        for token in (None, "wrong-horse-battery!"):
            with pytest.raises(besd.AccessError, match="token"):
                besd.connect(url, token)
        with besd.connect(url, "correct-horse-battery") as study:
            assert study.ask() is not None and "horse" not in repr(study)


def test_a_server_that_is_started_again(tmp_path: Path) -> None:
    """Tells wait for it, streams go on where they were."""
    make(tmp_path, "arm")
    with served(tmp_path) as url:
        study = besd.connect(url)
        events = study.events(follow=True)
        trial = study.ask()
        assert trial is not None and next(events).what == "asked"
    telling = threading.Thread(target=study.tell, args=(trial, quick(trial)))
    telling.start()
    with served(tmp_path, listen=url.removeprefix("http://")):
        telling.join(60)
        told = next(events)
        assert (told.what, told.trial) == ("told", trial.id) and study.trial(trial.id).state == "told"
        events.close()  # type: ignore[attr-defined]
        study.close()


def test_a_service_that_begins_late_is_waited_for(tmp_path: Path) -> None:
    besd.Study.create(tmp_path / "late.besd", [0], [1], [10], [1], budget=1000).close()
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
    started: list[Any] = []

    def begin() -> None:
        time.sleep(0.5)
        command = [_tool.path(), "serve", str(tmp_path / "late.besd"), "--listen", f"127.0.0.1:{port}", "--quiet"]
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))

    beginner = threading.Thread(target=begin)
    beginner.start()
    try:
        with besd.connect(f"http://127.0.0.1:{port}", patience=60) as study:
            assert study.trial_count == 0
    finally:
        beginner.join()
        started[0].terminate()
        started[0].wait()
