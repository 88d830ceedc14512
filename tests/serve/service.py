"""A server for the tests, and a client that holds every answer against src/serve/openapi.json and docs/schema.json."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, NamedTuple

from schema import complaints

TOOL = os.path.abspath(sys.argv[1]) if len(sys.argv) > 2 else "besd"
SOURCE = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).resolve().parents[2]
DOCUMENT = json.loads((SOURCE / "src/serve/openapi.json").read_text())
SHAPES = json.loads((SOURCE / "docs/schema.json").read_text())  # the description refers to it
COVERED: set[tuple[str, str, int]] = set()

DESCRIPTION = {
    "theta": [{"name": "x", "low": 0, "high": 10, "unit": "m"}, {"name": "y", "low": -1, "high": 1}],
    "tau": [10, 40],
    "reps": [2, 4],
    "direction": "minimize",
    "budget": 100000,
    "seed": 5,
    "targets": 100,
}
RANDOM = {**DESCRIPTION, "method": "random", "tau": [10], "reps": [2]}


class Answer(NamedTuple):
    code: int
    body: Any  # parsed when it is JSON
    headers: dict[str, str]


def template_of(path: str) -> str | None:
    for template in DOCUMENT["paths"]:
        if re.fullmatch(re.sub(r"\{\w+\}", "[A-Za-z0-9._-]+", template), path):
            return str(template)
    return None


def judge(method: str, path: str, answer: Answer) -> None:
    """Is the answer one that the description has?"""
    template = template_of(path.partition("?")[0])
    item = DOCUMENT["paths"].get(template, {})
    operation = item.get(method.lower() if method != "HEAD" else "get")
    if operation is None:
        assert answer.code in (404, 405, 401, 403), f"{method} {path} is not described, and answers {answer.code}"
        schema = {"$ref": "schema.json#/$defs/error"}
    else:
        described = operation["responses"].get(str(answer.code), operation["responses"]["default"])
        kind = answer.headers.get("content-type", "").partition(";")[0]
        content = described["content"]
        if answer.code == 304:
            return
        assert kind in content or "*/*" in content, f"{method} {path}: {kind} is not described"
        schema = content[kind if kind in content else "*/*"]["schema"]
        if str(answer.code) in operation["responses"]:
            COVERED.add((method, str(template), answer.code))
    if method != "HEAD":
        wrong = complaints(answer.body, schema, SHAPES)
        assert not wrong, f"{method} {path}: {wrong}"


class Server:
    def __init__(self, *arguments: str, token: str | None = None, listen: str = "127.0.0.1:0", **more: Any) -> None:
        self.token = token
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [TOOL, "serve", *arguments, "--listen", listen], stdout=subprocess.PIPE, stderr=self.log, text=True, **more
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://(127\.0\.0\.1|0\.0\.0\.0):(\d+)/$", line.strip())
        assert found, f"the server said {line!r} and {self.said()!r}"
        self.port = int(found[2])

    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        connection: http.client.HTTPConnection | None = None,
    ) -> Answer:
        sent = dict(headers or {})
        if self.token and "Authorization" not in sent:
            sent["Authorization"] = f"Bearer {self.token}"
        data = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        mine = connection or self.connect()
        mine.request(method, path, data, sent)
        response = mine.getresponse()
        text = response.read()
        got = {name.lower(): value for name, value in response.getheaders()}
        if connection is None:
            mine.close()
        is_json = got.get("content-type", "") == "application/json" and text
        answer = Answer(response.status, json.loads(text) if is_json else text.decode(), got)
        judge(method, path, answer)
        return answer

    def get(self, path: str, **more: Any) -> Any:
        answer = self.call("GET", path, **more)
        assert answer.code == 200, answer
        return answer.body

    def post(self, path: str, body: Any = None, code: int = 200) -> Any:
        answer = self.call("POST", path, body)
        assert answer.code == code, answer
        return answer.body

    def refused(self, method: str, path: str, body: Any, code: int, pattern: str, **more: Any) -> Answer:
        answer = self.call(method, path, body, **more)
        assert answer.code == code, f"expected {code}, got {answer}"
        assert re.search(pattern, answer.body["error"]), f"expected {pattern!r} in {answer.body}"
        assert "/tmp" not in answer.body["error"], f"a path of the server: {answer.body}"
        return answer

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()


class ServiceTest(unittest.TestCase):
    """A folder, and servers that end with the test."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.folder = self.scratch / "lab"
        self.folder.mkdir()

    def serve(self, *arguments: str, **more: Any) -> Server:
        server = Server(*(arguments or (str(self.folder),)), **more)
        self.addCleanup(server.kill)
        return server

    def make(self, server: Server, name: str = "arm", description: Any = None) -> None:
        server.post("/v1/studies", {"name": name, "description": description or RANDOM}, 201)

    def fails_to_start(self, *arguments: str) -> str:
        ended = subprocess.run([TOOL, "serve", *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(ended.returncode, 1, ended)
        self.assertEqual(ended.stdout, "")
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        return ended.stderr
