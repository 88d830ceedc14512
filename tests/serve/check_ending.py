"""A server that is told to end while everybody goes on asking, telling and following."""

import http.client
import os
import signal
import threading
import time

from service import RANDOM, Server, ServiceTest

ROUNDS = int(os.environ.get("BESD_ENDINGS", "2"))


class Endings(ServiceTest):
    def setUp(self) -> None:
        super().setUp()
        self.odd: list[str] = []  # what nobody should hear

    def post(self, s: Server, line: http.client.HTTPConnection, path: str, body: str) -> None:
        line.request("POST", path, body, {"Content-Type": "application/json"})
        answer = line.getresponse()
        text = answer.read()
        if answer.status not in (200, 503):
            self.odd.append(f"{path}: {answer.status} {text!r}")

    def repeat(self, s: Server, path: str, body: str) -> None:
        """On lines that are open already, one after the other: the door is shut soon."""
        lines = [s.connect() for _ in range(20)]
        for line in lines:
            line.connect()
        self.ready.wait()
        for line in lines:
            try:
                for _ in range(1000):
                    self.post(s, line, path, body)
                    if line.sock is None:  # the server has ended this one
                        break
            except (OSError, http.client.HTTPException):
                pass  # it has ended before its answer
            line.close()

    def follow(self, s: Server) -> None:
        line = s.connect()
        line.request("GET", "/v1/studies/arm/events", headers={"Accept": "text/event-stream"})
        answer = line.getresponse()
        self.ready.wait()
        try:
            while answer.read(1):
                pass
        except (OSError, http.client.HTTPException):
            pass
        line.close()

    def end_under_load(self, name: str) -> None:
        s = self.serve(str(self.folder), "--quiet")
        if name == "0":
            self.make(s, "arm", RANDOM)
        trial = s.post("/v1/studies/arm/ask")["trial"]
        note = f"/v1/studies/arm/trials/{trial}/note"
        work = [threading.Thread(target=self.repeat, args=(s, "/v1/studies/arm/ask", "{}")) for _ in range(16)]
        work += [threading.Thread(target=self.repeat, args=(s, note, '{"text": "still here"}')) for _ in range(8)]
        work += [threading.Thread(target=self.follow, args=(s,)) for _ in range(8)]
        self.ready = threading.Barrier(len(work) + 1)
        for one in work:
            one.start()
        self.ready.wait()
        time.sleep(0.2)
        s.process.send_signal(signal.SIGTERM)
        code = s.process.wait(timeout=60)
        for one in work:
            one.join()
        self.assertEqual((code, s.said()), (0, ""), f"round {name}")
        self.assertEqual(self.odd, [])

    def test_ending_under_load(self) -> None:
        for i in range(ROUNDS):
            self.end_under_load(str(i))
