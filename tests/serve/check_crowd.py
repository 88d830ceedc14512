"""A crowd of readers: lists in pieces, writers that wait for no reader, full queues, clients that have left."""

import http.client
import json
import socket
import sqlite3
import threading
import time
from typing import Any

from service import Server, ServiceTest

READERS, WAITING = 4, 256  # serve/server.c


class Crowd(ServiceTest):
    def fill(self, s: Server, count: int, name: str = "arm") -> None:
        rows = [{"theta": [i % 10, 0.5], "tau": 10, "scores": [i, i + 0.125]} for i in range(count)]
        s.post(f"/v1/studies/{name}/add", {"trials": rows}, 201)

    def ids(self, s: Server, query: str) -> tuple[list[int], Any]:
        answer = s.get("/v1/studies/arm/trials" + query)
        return [t["trial"] for t in answer["trials"]], answer["next"]

    def test_lists_in_pieces(self) -> None:
        s = self.serve()
        self.make(s)
        self.assertEqual(self.ids(s, ""), ([], None))
        self.fill(s, 1001)
        self.assertEqual(self.ids(s, ""), (list(range(1, 1002)), None))
        self.assertEqual(self.ids(s, "?limit=10&after=5"), (list(range(6, 16)), 15))
        self.assertEqual(self.ids(s, "?limit=400&after=300"), (list(range(301, 701)), 700))
        self.assertEqual(self.ids(s, "?limit=5&after=996"), (list(range(997, 1002)), None))
        self.assertEqual(self.ids(s, "?limit=4&after=996"), (list(range(997, 1001)), 1000))
        self.assertEqual(self.ids(s, "?after=9223372036854775807&limit=9223372036854775807"), ([], None))
        s.refused("GET", "/v1/studies/arm/trials?limit=0", None, 400, "limit: expected a whole number from 1")
        for trial in range(700, 1000):
            s.post(f"/v1/studies/arm/trials/{trial}/void")
        self.assertEqual(self.ids(s, "?state=voided"), (list(range(700, 1000)), None))
        self.assertEqual(self.ids(s, "?state=voided&limit=299"), (list(range(700, 999)), 998))
        self.assertEqual(self.ids(s, "?state=voided&limit=300"), (list(range(700, 1000)), None))
        self.assertEqual(self.ids(s, "?state=failed"), ([], None))
        whole = s.get("/v1/studies/arm/trials")["trials"]
        for trial in (1, 250, 251, 700, 1001):
            self.assertEqual(whole[trial - 1], s.get(f"/v1/studies/arm/trials/{trial}"))
        self.assertEqual(s.get("/v1/studies/arm/events?after=9223372036854775807&newest=9223372036854775807"), {"events": []})

    def test_a_list_that_breaks_off(self) -> None:
        """What is damaged behind the first piece cannot be a refusal any more, and is no shorter list either."""
        s = self.serve()
        self.make(s)
        self.fill(s, 900)
        file = sqlite3.connect(self.folder / "arm.besd", isolation_level=None)
        self.addCleanup(file.close)
        file.execute("UPDATE trial SET theta = x'00' WHERE id = 800")
        with self.assertRaises(http.client.IncompleteRead):
            s.get("/v1/studies/arm/trials")
        s.refused("GET", "/v1/studies/arm/trials?after=700", None, 503, "trial 800 is damaged")
        self.assertEqual(self.ids(s, "?limit=700")[1], 700)
        file.execute("DELETE FROM score WHERE trial = 20; ")
        file.execute("DELETE FROM trial WHERE id = 20")
        s.refused("GET", "/v1/studies/arm/trials", None, 503, "trial 20 is missing")

    def hold(self, s: Server, name: str) -> sqlite3.Connection:
        """Nobody else can read or write this study until the connection is closed."""
        file = sqlite3.connect(self.folder / f"{name}.besd", isolation_level=None, check_same_thread=False)
        file.execute("PRAGMA locking_mode = EXCLUSIVE")
        file.execute("BEGIN IMMEDIATE")
        file.execute("UPDATE trial SET note = 'held'")
        file.execute("COMMIT")
        return file

    def held(self) -> tuple[Server, sqlite3.Connection]:
        """A server with the studies arm and held; nobody can read the second."""
        first = self.serve()
        self.make(first)
        self.make(first, "held")
        for _ in range(2):
            first.post("/v1/studies/arm/ask")
        first.stop()
        file = self.hold(first, "held")
        return self.serve(), file

    def send(self, s: Server, path: str) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", s.port), timeout=120)
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return line

    @staticmethod
    def read(line: socket.socket) -> bytes:
        text = b""
        while more := line.recv(1 << 16):
            text += more
        line.close()
        return text

    def test_tells_wait_for_no_reader(self) -> None:
        s, file = self.held()
        lists = [self.send(s, "/v1/studies/held/trials") for _ in range(40)]
        for line in lists:
            line.setblocking(False)
        for trial in (1, 2):
            s.post(f"/v1/studies/arm/trials/{trial}/tell", {"scores": [trial, 2]})
        s.post("/v1/studies/arm/ask")
        for line in lists:
            with self.assertRaises(BlockingIOError):  # not one of them has been answered
                line.recv(1)
        file.close()
        for line in lists:
            line.settimeout(120)
            self.assertIn(b"HTTP/1.1 200", self.read(line))

    def test_full_queues(self) -> None:
        s, file = self.held()
        more = 30
        lists = [self.send(s, "/v1/studies/held/trials") for _ in range(READERS + WAITING + more)]
        answers: list[bytes] = []

        def read(line: socket.socket) -> None:
            text = self.read(line)
            with lock:
                answers.append(text)

        lock = threading.Lock()
        readers = [threading.Thread(target=read, args=(line,)) for line in lists]
        for one in readers:
            one.start()
        while len(answers) < more:
            time.sleep(0.01)
        early = answers[:more]
        for text in early:
            head, _, body = text.partition(b"\r\n\r\n")
            self.assertIn(b"HTTP/1.1 503", head)
            self.assertIn(b"Retry-After: 1", head)
            self.assertEqual(json.loads(body)["status"], "busy")
        file.close()
        for one in readers:
            one.join()
        self.assertEqual(sum(b"HTTP/1.1 200" in text for text in answers), READERS + WAITING)

    def test_who_has_left_is_not_served(self) -> None:
        s, file = self.held()
        keepers = [self.send(s, "/v1/studies/held/trials") for _ in range(READERS)]
        for _ in range(50):
            self.send(s, "/v1/studies/arm/trials").close()
        s.post("/v1/studies/arm/trials/1/tell", {"scores": [1, 2]})
        file.close()
        for line in keepers:
            self.assertIn(b"HTTP/1.1 200", self.read(line))
        self.assertEqual(s.stop(), 0)
        self.assertNotIn(" /v1/studies/arm/trials 200 ", s.said())
