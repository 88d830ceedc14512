"""Acts that are sent twice, because an answer was lost: with a key they are done once."""

import http.client
import socket
import sqlite3
import threading
from typing import Any

from service import Answer, Server, ServiceTest


class Twice(ServiceTest):
    def act(self, s: Server, path: str, body: Any, key: str) -> Answer:
        return s.call("POST", f"/v1/studies/arm/{path}", body, headers={"Idempotency-Key": key})

    def events(self, s: Server) -> list[str]:
        return [e["what"] for e in s.get("/v1/studies/arm/events")["events"]]

    def prepare(self) -> Server:
        s = self.serve()
        self.make(s)
        for trial in (1, 2, 3):
            s.post("/v1/studies/arm/ask")
            if trial < 3:
                s.post(f"/v1/studies/arm/trials/{trial}/tell", {"scores": [1, 2]})
        for scores in ([3, 4], [5, 6]):
            s.post("/v1/studies/arm/trials/1/tell", {"scores": scores, "replace": True})
        s.post("/v1/studies/arm/enqueue", {"theta": [1, 0]}, 201)
        return s

    ACTS = (
        ("trials/1/restore", {}), ("trials/2/void", {"why": "rain"}), ("enqueue", {"theta": [5, 0]}),
        ("add", {"trials": [{"theta": [1, 0], "tau": 10, "scores": [i, 2]} for i in range(3)]}), ("set", {"budget": 5000}),
        ("trials/2/note", {"text": "dusty", "tags": ["a", "b"]}), ("trials/3/fail", {"note": "battery"}), ("trials/3/again", None),
        ("ask", {"worker": "w", "lease": 60}), ("ask", {"explain": True}), ("trials/1/tell", {"scores": [7, 8], "replace": True}),
    )  # fmt: skip

    def test_every_act(self) -> None:
        s = self.prepare()
        for number, (path, body) in enumerate(self.ACTS):
            first = self.act(s, path, body, f"key-{number}")
            self.assertIn(first.code, (200, 201), (path, first))
            events = self.events(s)
            for again in (s, self.serve()):  # another server has the same file
                second = self.act(again, path, body, f"key-{number}")
                self.assertEqual(second.code, first.code)
                clock = {"age": 0} | ({"repeated": True} if path.endswith("/tell") else {})
                self.assertEqual(first.body | clock, second.body | {"age": 0})
            self.assertEqual(self.events(s), events, path)
        self.assertEqual(s.get("/v1/studies/arm/trials/1")["scores"], [7, 8])

    def test_many_at_once(self) -> None:
        """The same act by a crowd, together with acts of others that share a commit."""
        s = self.prepare()
        before = len(s.get("/v1/studies/arm/trials")["trials"])
        answers: list[Any] = []

        def send(path: str, body: Any, key: str) -> None:
            answers.append((key, self.act(s, path, body, key)))

        work = [("enqueue", {"theta": [i % 3, 0]}, f"wish-{i % 3}") for i in range(12)]
        work += [("ask", {"worker": "w", "lease": 60}, f"ask-{i % 3}") for i in range(12)]
        threads = [threading.Thread(target=send, args=one) for one in work]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        trials = {key: {a.body["trial"] for other, a in answers if other == key} for key, _ in answers}
        self.assertTrue(all(len(found) == 1 for found in trials.values()), trials)
        self.assertEqual(len({min(found) for key, found in trials.items() if key.startswith("wish")}), 3)
        self.assertEqual(len({min(found) for key, found in trials.items() if key.startswith("ask")}), 3)
        self.assertEqual(self.events(s).count("enqueued"), 1 + 3)
        self.assertEqual(self.events(s).count("asked"), 3 + 3)
        self.assertGreaterEqual(len(s.get("/v1/studies/arm/trials")["trials"]), before + 3)

    def test_keys(self) -> None:
        s = self.prepare()
        self.act(s, "trials/2/void", {"why": "rain"}, "one")
        for path, body in (("trials/2/void", {"why": "snow"}), ("trials/1/void", {"why": "rain"}), ("ask", None)):
            answer = self.act(s, path, body, "one")
            self.assertEqual(answer.code, 409)
            self.assertIn("another request", answer.body["error"])
        for key in ("a b", "x" * 101, "a,b", "\xe4"):
            self.assertEqual(self.act(s, "ask", None, key).code, 400)
        # what was refused was not done, and may be tried again under its name
        self.assertEqual(self.act(s, "trials/3/void", {}, "two").code, 409)
        s.post("/v1/studies/arm/trials/3/tell", {"scores": [1, 2]})
        self.assertEqual(self.act(s, "trials/3/void", {}, "two").code, 200)
        # for a day
        s.stop()
        file = sqlite3.connect(self.folder / "arm.besd", isolation_level=None)
        file.execute("UPDATE answer SET at = at - 86500")
        file.close()
        s = self.serve()
        self.assertEqual(self.act(s, "trials/3/void", {}, "two").code, 409)
        self.assertEqual(self.act(s, "trials/2/restore", {}, "three").code, 200)
        file = sqlite3.connect(self.folder / "arm.besd", isolation_level=None)
        self.assertEqual(file.execute("SELECT key FROM answer").fetchall(), [("three",)])
        file.close()

    def test_a_study_that_is_made_twice(self) -> None:
        from service import RANDOM

        s = self.serve()
        body = {"name": "arm", "description": RANDOM}
        for _ in range(2):
            self.assertEqual(s.call("POST", "/v1/studies", body, headers={"Idempotency-Key": "k"}).code, 201)
        s.refused("POST", "/v1/studies", body, 409, "already", headers={"Idempotency-Key": "other"})
        s.refused("POST", "/v1/studies", body, 409, "already")

    def test_what_is_restored_has_a_name(self) -> None:
        s = self.prepare()
        events = s.get("/v1/studies/arm/events")["events"]
        older, newer = [e["id"] for e in events if e["what"] == "replaced"]
        at = "/v1/studies/arm/trials/1"
        s.refused("POST", f"{at}/restore", {"event": older}, 409, "not what was last done")
        s.refused("POST", f"{at}/restore", {"event": 1}, 409, "not what was last done")
        s.refused("POST", "/v1/studies/arm/trials/2/restore", {"event": newer}, 409, "not what was last done")
        for _ in range(3):
            self.assertEqual(s.post(f"{at}/restore", {"event": newer})["scores"], [3, 4])
        s.refused("POST", "/v1/studies/arm/trials/2/restore", {"event": newer}, 409, "not what was last done")
        self.assertEqual(s.post(f"{at}/restore", {"event": older})["scores"], [1, 2])

    def test_a_lost_answer(self) -> None:
        """The client is cut off before it hears; the act is done, and once."""
        s = self.prepare()
        before = self.events(s).count("enqueued")
        body = b'{"theta": [2, 0]}'
        text = (
            b"POST /v1/studies/arm/enqueue HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Idempotency-Key: lost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        with socket.create_connection(("127.0.0.1", s.port)) as line:
            line.sendall(text)
            line.recv(1)
        try:
            answer = s.call("POST", "/v1/studies/arm/enqueue", body, headers={"Idempotency-Key": "lost"})
        except http.client.HTTPException as error:
            self.fail(str(error))
        self.assertEqual(answer.code, 201)
        self.assertEqual(self.events(s).count("enqueued"), before + 1)
