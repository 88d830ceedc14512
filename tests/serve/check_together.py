"""Several who write to one study, or follow it, and one of them is in trouble."""

import http.client
import json
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

from service import RANDOM, Server, ServiceTest


class Together(ServiceTest):
    def test_what_fails_is_not_done_twice_to_others(self) -> None:
        s = self.serve()
        self.make(s)
        for _ in range(2):
            s.post("/v1/studies/arm/ask")
        s.post("/v1/studies/arm/trials/1/tell", {"scores": [1, 2]})
        s.post("/v1/studies/arm/trials/1/tell", {"scores": [2, 3], "replace": True})
        file = sqlite3.connect(self.folder / "arm.besd", isolation_level=None)
        file.execute("UPDATE event SET detail = '{}' WHERE what = 'replaced'")
        before = len(s.get("/v1/studies/arm/trials")["trials"])
        codes: dict[str, int] = {}

        def post(name: str, path: str, body: Any) -> None:
            codes[name] = s.call("POST", f"/v1/studies/arm/{path}", body).code

        acts = [
            ("first", "trials/2/note", {"text": "holds the pen"}),
            ("wish", "enqueue", {"theta": [5, 0]}),
            ("damaged", "trials/1/restore", {}),
            ("tell", "trials/2/tell", {"scores": [4, 5]}),
        ]
        file.execute("BEGIN IMMEDIATE")  # so that they come together
        work = [threading.Thread(target=post, args=one) for one in acts]
        for one in work:
            one.start()
            while s.get("/metrics").count("besd_http_connections 0\n"):
                pass
        for _ in range(20):
            s.get("/healthz")
        file.execute("COMMIT")
        file.close()
        for one in work:
            one.join()
        self.assertEqual(codes, {"first": 200, "wish": 201, "damaged": 503, "tell": 200})
        self.assertEqual(len(s.get("/v1/studies/arm/trials")["trials"]), before + 1)

    def test_notes_and_tags_all_or_none(self) -> None:
        s = self.serve()
        self.make(s)
        s.post("/v1/studies/arm/ask")
        at = "/v1/studies/arm/trials/1"
        s.refused("POST", f"{at}/note", {"text": "dusty", "tags": ["slow", "a,b"]}, 400, "tag: expected a word")
        s.refused("POST", f"{at}/note", {"text": "dusty", "tags": ["slow"], "untag": [3]}, 400, r"untag\[0\]: expected a text")
        trial = s.get(at)
        self.assertEqual((trial.get("note", ""), trial.get("tags", [])), ("", []))

    def follow(self, s: Server) -> http.client.HTTPResponse:
        line = s.connect()
        line.request("GET", "/v1/studies/arm/events", headers={"Accept": "text/event-stream"})
        self.addCleanup(line.close)
        return line.getresponse()

    def test_who_does_not_read_costs_no_memory(self) -> None:
        """Beside somebody at the same place who does."""
        s = self.serve()
        self.make(s)
        idle = [self.follow(s) for _ in range(12)]
        reader = self.follow(s)
        before = self.memory(s)
        file = sqlite3.connect(self.folder / "arm.besd", isolation_level=None)
        detail = json.dumps({"why": "x" * 20000})
        rows = [(detail,)] * 150
        file.execute("BEGIN IMMEDIATE")
        file.executemany("INSERT INTO event(at, who, what, trial, detail, undoes) VALUES(1, 'w', 'noted', 0, ?, 0)", rows)
        file.execute("COMMIT")
        seen = 0
        while seen < len(rows):
            seen += reader.readline().startswith(b"data: ")
        file.close()
        grown = self.memory(s) - before
        self.assertLess(grown, 18 << 20, f"{grown >> 20} MB more for {len(idle)} who do not read")

    def write_unseen(self, sql: str) -> None:
        """As if its sync had taken until after somebody looked: the files look as before."""
        log = self.folder / "arm.besd-wal"
        before = log.stat()
        self.file.execute(sql)
        os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(log.stat().st_size, before.st_size)

    def test_a_commit_that_is_seen_late(self) -> None:
        s = self.serve()
        self.make(s)
        for _ in range(3):
            s.post("/v1/studies/arm/ask")
        follower = self.follow(s)
        for _ in range(3):  # the newest event of those that there are
            while not follower.readline().startswith(b"data: "):
                pass
        self.file = sqlite3.connect(self.folder / "arm.besd", isolation_level=None)
        self.addCleanup(self.file.close)
        self.file.execute("PRAGMA wal_checkpoint(RESTART)")  # the log is written again from its beginning
        time.sleep(0.5)  # the follower has seen that
        self.assertEqual(s.get("/v1/studies")["studies"][0]["trials"]["failed"], 0)
        self.write_unseen("UPDATE trial SET state = 2 WHERE id = 1")
        self.assertEqual(s.get("/v1/studies")["studies"][0]["trials"]["failed"], 1)
        self.write_unseen("INSERT INTO event(at, who, what, trial, detail, undoes) VALUES(1, 'w', 'late', 1, '', 0)")
        while b"late" not in follower.readline():
            pass

    @staticmethod
    def memory(s: Server) -> int:
        lines = Path(f"/proc/{s.process.pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmRSS:"))) << 10
