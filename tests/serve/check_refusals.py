"""What a server refuses, and that it is as well afterwards as before."""

import http.client
import os
import shutil
import signal
import socket
import stat
import subprocess
import threading
import time

from service import DESCRIPTION, RANDOM, TOOL, ServiceTest

TOKEN = "0123456789abcdef0123456789abcdef"


class Refusals(ServiceTest):
    def token_file(self, text: str = TOKEN + "\n") -> str:
        path = self.scratch / "token"
        path.write_text(text)
        path.chmod(stat.S_IRUSR)
        return str(path)

    def test_tokens(self) -> None:
        s = self.serve(str(self.folder), "--token-file", self.token_file(), token=TOKEN)
        self.make(s)
        for given, pattern in (
            ("Bearer " + TOKEN[:-1], "not the right one"),
            ("Bearer " + TOKEN + "0", "not the right one"),
            ("Bearer ", "not the right one"),
            ("Basic " + TOKEN, "not the right one"),
            (TOKEN, "not the right one"),
        ):
            answer = s.refused("GET", "/v1/studies", None, 401, pattern, headers={"Authorization": given})
            self.assertIn("Bearer", answer.headers["www-authenticate"])
        s.token = None
        for method, path in (
            ("GET", "/v1/studies"), ("POST", "/v1/studies/arm/ask"), ("GET", "/v1/studies/none"), ("GET", "/v1/studies/arm/events"),
        ):  # fmt: skip
            s.refused(method, path, None, 401, "a token is needed")
        s.refused("GET", "/v1/studies?access_token=" + TOKEN, None, 401, "a token is needed")
        for path in ("/healthz", "/", "/v1/openapi.json"):
            self.assertEqual(s.call("GET", path).code, 200)
        self.assertNotIn(TOKEN, s.said())

    def test_no_token_no_public_address(self) -> None:
        lab = str(self.folder)
        self.assertIn("--token-file", self.fails_to_start(lab, "--listen", "0.0.0.0:0"))
        self.assertIn("--token-file", self.fails_to_start(lab, "--listen", "[::]:0"))
        s = self.serve(lab, "--token-file", self.token_file(), "--behind-proxy", token=TOKEN, listen="0.0.0.0:0")
        self.assertEqual(s.call("GET", "/v1/studies").code, 200)
        s.token = None
        s.refused("GET", "/metrics", None, 401, "a token is needed")

    def test_bad_token_files_and_addresses(self) -> None:
        lab = str(self.folder)
        self.assertIn("16 to 512", self.fails_to_start(lab, "--token-file", self.token_file("short\n")))
        (self.scratch / "token").unlink()
        self.assertIn("visible", self.fails_to_start(lab, "--token-file", self.token_file("a token with blanks in it\n")))
        self.assertIn("No such file", self.fails_to_start(lab, "--token-file", str(self.scratch / "none")))
        for address in ("8420", "127.0.0.1", "127.0.0.1:http", ":8420", "::1:8420"):
            self.assertIn("--listen: expected an address and a port", self.fails_to_start(lab, "--listen", address))

    def test_what_cannot_be_served(self) -> None:
        self.assertIn("none.besd", self.fails_to_start(str(self.scratch / "none.besd")))
        (self.scratch / "note.besd").write_text("no study")
        self.assertIn("not a besd study", self.fails_to_start(str(self.scratch / "note.besd")))
        s = self.serve()
        self.make(s)
        self.make(s, "leg")
        arm = self.folder / "arm.besd"
        (self.scratch / "other").mkdir()
        shutil.copy(arm, self.scratch / "other/arm.besd")
        shutil.copy(arm, self.scratch / "a b.besd")
        self.assertIn("two studies", self.fails_to_start(str(arm), str(self.scratch / "other/arm.besd")))
        self.assertIn("letters, digits", self.fails_to_start(str(self.scratch / "a b.besd")))
        self.assertIn("one folder, or files", self.fails_to_start(str(arm), str(self.folder)))
        one = self.serve(str(arm))
        self.assertEqual([x["name"] for x in one.get("/v1/studies")["studies"]], ["arm"])
        one.refused("GET", "/v1/studies/leg", None, 404, "no study 'leg'")
        one.refused("POST", "/v1/studies", {"name": "new", "description": RANDOM}, 403, "folder")

    def test_port_in_use(self) -> None:
        s = self.serve()
        self.assertIn("another program listens there", self.fails_to_start(str(self.folder), "--listen", f"127.0.0.1:{s.port}"))

    def test_two_servers_side_by_side(self) -> None:
        one, two = self.serve(), self.serve()
        self.make(one)
        trials = {server.post("/v1/studies/arm/ask")["trial"] for server in (one, two) for _ in range(5)}
        self.assertEqual(trials, set(range(1, 11)))
        for i in trials:
            (one, two)[i % 2].post(f"/v1/studies/arm/trials/{i}/tell", {"scores": [i, i]})
        two.post("/v1/studies/arm/set", {"budget": 4321})
        for server in (one, two):
            study = server.get("/v1/studies/arm")
            self.assertEqual((study["trials"]["told"], study["budget"]), (10, 4321))

    def test_bodies(self) -> None:
        s = self.serve()
        self.make(s)
        ask, tell, add = "/v1/studies/arm/ask", "/v1/studies/arm/trials/1/tell", "/v1/studies/arm/add"
        s.post(ask)
        for body, pattern in (
            ("{", "no JSON"), ('{"scores": [1, 2}', "no JSON.*line 1"), ("[1]", "expected a JSON object"), ("7", "no JSON|JSON object"),
            ('{"scores": [1, 2], "scores": [1, 2]}', "no JSON: duplicate"), ("\0", "no JSON"), ('{"a": "\xff"}'.encode("latin1"), "no JSON"),
            ('{"score": [1, 2]}', "no member 'score'; did you mean 'scores'"), ('{"scores": 3}', "scores: expected a list of numbers, got 3"),
            ('{"scores": [1]}', "2 replications, got 1"), ('{"scores": [1, "2"]}', "scores: expected a list of numbers"),
            ('{"scores": [1, 2], "cost": -1}', "cost: expected a number from 0"), ('{"scores": [1, 1e999]}', "no JSON"),
            ('{"scores": [1, 2], "note": 7}', "note: expected a text, got 7"), ("{}", "scores: expected a list of numbers, got nothing"),
            ('{"scores": [1, 2], "legs": [[1]]}', "legs"), ("[" * 100000, "no JSON"),
        ):  # fmt: skip
            s.refused("POST", tell, body, 400, pattern)
        for body, pattern in (
            ({"lease": 0}, "lease: expected seconds above 0"), ({"lease": -5}, "lease: expected seconds above 0"),
            ({"lease": "long"}, "lease: expected a number"), ({"worker": ""}, "worker: expected a name"),
            ({"worker": "w" * 64}, "expected a name"), ({"explain": 1}, "explain: expected true or false"),
        ):  # fmt: skip
            s.refused("POST", ask, body, 400, pattern)
        good = {"theta": [1, 0], "tau": 10, "scores": [1]}
        for wrong, pattern in (
            ({"theta": [1]}, "theta"), ({"theta": [1, 7]}, "between -1 and 1"), ({"theta": {"x": 1}}, "y"), ({"theta": {"x": 1, "y": 0, "z": 0}}, "z"),
            ({"tau": 11}, "tau"), ({"scores": []}, "scores"), ({"theta": "here"}, "theta"), ({"cost": -1}, "cost"),
        ):  # fmt: skip
            s.refused("POST", add, {"trials": [good, {**good, **wrong}]}, 400, pattern)
        s.refused("POST", add, {"trials": []}, 400, "expected a list")
        s.refused("POST", "/v1/studies/arm/enqueue", {"theta": [11, 0]}, 400, "between 0 and 10")
        s.refused("POST", "/v1/studies/arm/enqueue", {}, 400, "theta: expected")
        s.refused("POST", "/v1/studies/arm/predict", {"theta": [1, 0, 2]}, 400, "theta")
        s.refused("POST", "/v1/studies/arm/set", {}, 400, "budget")
        s.refused("POST", "/v1/studies/arm/set", {"budget": -1}, 400, "budget")
        s.refused("POST", "/v1/studies/arm/trials/1/renew", {"lease": 0}, 400, "lease")
        s.refused("POST", "/v1/studies/arm/trials/1/note", {"tags": "slow"}, 400, "tags")
        s.refused("GET", "/v1/studies/arm/trials?after=x", None, 400, "after: expected a whole number")
        s.refused("GET", "/v1/studies/arm/trials?state=lost", None, 400, "state: expected asked")
        s.refused("POST", tell, '{"scores": [1, 2]}', 415, "application/json", headers={"Content-Type": "text/plain"})
        trials = s.get("/v1/studies/arm/trials")["trials"]  # nothing of all this has happened
        self.assertEqual([t["state"] for t in trials], ["asked"])

    def test_descriptions(self) -> None:
        s = self.serve()
        for change, pattern in (
            ({"bugdet": 3}, "bugdet"), ({"tau": [10, 10]}, "tau"), ({"theta": []}, "theta"), ({"method": "magic"}, "method"), ({"budget": -1}, "budget"),
        ):  # fmt: skip
            answer = s.refused("POST", "/v1/studies", {"name": "arm", "description": {**RANDOM, **change}}, 400, pattern)
            self.assertNotRegex(answer.body["error"], r"/proc|line:")
        for name in ("", "..", ".hidden", "a/b", "a b", "ä", "x" * 65, "../arm"):
            s.refused("POST", "/v1/studies", {"name": name, "description": RANDOM}, 400, "name: expected")
        s.refused("POST", "/v1/studies", {"name": "arm"}, 400, "description: expected an object")
        self.assertEqual(os.listdir(self.folder), [])
        self.make(s)
        s.refused("POST", "/v1/studies", {"name": "arm", "description": RANDOM}, 409, "already")

    def test_paths(self) -> None:
        s = self.serve()
        self.make(s)
        outside = self.scratch / "outside.besd"
        shutil.copy(self.folder / "arm.besd", outside)
        for path in (
            "/v1/studies/../outside", "/v1/studies/..%2foutside", "/v1/studies/%2e%2e%2foutside", "/v1/studies/..", "/v1/studies/.",
            "/v1/studies/arm/../arm", "/assets/../openapi.json", "/assets/%2e%2e/openapi.json", "//v1/studies", "/v1/studies/", "/v1",
            "/v1/studies/arm%00", "/v1/studies/" + "a" * 3000, "/study/../../etc", "/v1/studies/arm/trials/1x", "/v1/studies/arm/trials/-1",
            "/v1/studies/arm/trials/99999999999999999999",
        ):  # fmt: skip
            s.refused("GET", path, None, 404, "nothing at this path")
        s.refused("GET", "/v1/studies/outside", None, 404, "no study")
        s.refused("GET", "/v1/studies/arm/trials/7", None, 404, "7")
        for method, path in (("DELETE", "/v1/studies/arm"), ("GET", "/v1/studies/arm/ask"), ("PUT", "/v1/studies"), ("OPTIONS", "/")):
            answer = s.refused(method, path, None, 405, "only (GET|POST)")
            self.assertTrue(answer.headers["allow"])

    def test_pages_of_others(self) -> None:
        s = self.serve()
        self.make(s)
        for headers in (
            {"Host": "evil.example"}, {"Host": "evil.example:8420"}, {"Origin": "http://evil.example"}, {"Origin": "null"},
            {"Host": "127.evil.example"}, {"Origin": f"http://localhost:{s.port + 1}"},
        ):  # fmt: skip
            s.refused("POST", "/v1/studies/arm/ask", None, 403, "token", headers=headers)
        own = {"Host": f"localhost:{s.port}", "Origin": f"http://localhost:{s.port}"}
        self.assertEqual(s.call("POST", "/v1/studies/arm/ask", headers=own).code, 200)

    def test_too_much(self) -> None:
        s = self.serve()
        self.make(s)
        path = "/v1/studies/arm/trials/1/tell"
        s.refused("POST", path, None, 413, "at most 1048576", headers={"Content-Length": str(1 << 30), "Content-Type": "application/json"})
        endless = s.connect()
        with self.assertRaises((OSError, http.client.HTTPException)):
            endless.request("POST", path, iter([b"x" * 65536] * 10000), {"Content-Type": "application/json"}, encode_chunked=True)
            if endless.getresponse().status == 411:
                raise OSError
        with self.assertRaises((OSError, http.client.HTTPException)):
            many = s.connect()
            many.request("GET", "/healthz", headers={f"X-{i}": "x" * 1000 for i in range(50)})
            if many.getresponse().status in (413, 431):
                raise OSError
        self.assertEqual(s.get("/healthz"), {"status": "ok"})

    def test_slow_clients(self) -> None:
        s = self.serve(str(self.folder), "--read-limit", "1")
        self.make(s)
        head = b"POST /v1/studies/arm/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        for begin, drop in ((b"GET /heal", b"t"), (head, b"X: y\r\n"), (head + b"Content-Length: 1000\r\n\r\n", b"{"), (b"", b"")):
            slow = socket.create_connection(("127.0.0.1", s.port), timeout=20)
            slow.sendall(begin)
            cut = False
            for _ in range(100):  # never idle for as long as the limit
                try:
                    if drop:
                        slow.sendall(drop)
                    slow.settimeout(0.2)
                    if slow.recv(1000) == b"":
                        cut = True
                except TimeoutError:
                    continue
                except OSError:
                    cut = True
                if cut:
                    break
            self.assertTrue(cut, begin)
            slow.close()
        self.assertEqual(s.get("/v1/studies/arm")["trials"]["asked"], 0)

    def test_many_that_say_nothing(self) -> None:
        s = self.serve()
        silent = [socket.create_connection(("127.0.0.1", s.port)) for _ in range(200)]
        self.assertEqual(s.get("/healthz"), {"status": "ok"})
        for one in silent:
            one.close()

    def test_keep_alive(self) -> None:
        s = self.serve()
        self.make(s)
        keeping = s.connect()
        for _ in range(3):
            s.call("POST", "/v1/studies/arm/ask", {}, connection=keeping)
            s.call("GET", "/nothing", connection=keeping)
            s.call("POST", "/nothing", {"a": 1}, connection=keeping)
        address = keeping.sock.getsockname() if keeping.sock else None
        s.call("GET", "/healthz", connection=keeping)
        self.assertEqual(address, keeping.sock.getsockname() if keeping.sock else "")

    def test_a_file_that_goes_and_comes_back(self) -> None:
        s = self.serve()
        self.make(s)
        s.post("/v1/studies/arm/ask")
        s.get("/v1/studies/arm/trials")
        away = self.scratch / "away"
        away.mkdir()
        files = [p.name for p in self.folder.iterdir()]
        for name in files:
            (self.folder / name).rename(away / name)
        for _ in range(2):
            s.refused("GET", "/v1/studies/arm", None, 503, "arm.*(removed|not there)")
            s.refused("POST", "/v1/studies/arm/trials/1/tell", {"scores": [1, 2]}, 503, "arm.*(removed|not there)")
            s.refused("POST", "/v1/studies/arm/ask", None, 503, "arm.*(removed|not there)")
        self.assertEqual(s.get("/v1/studies"), {"studies": []})
        for name in files:
            (away / name).rename(self.folder / name)
        self.assertEqual(s.post("/v1/studies/arm/trials/1/tell", {"scores": [1, 2]})["state"], "told")
        # replaced by a copy: another file of the same name
        subprocess.run([TOOL, "ask", str(self.folder / "arm.besd")], check=True, capture_output=True)
        shutil.copy(self.folder / "arm.besd", away / "copy.besd")
        for name in files:
            (self.folder / name).unlink(missing_ok=True)
        subprocess.run([TOOL, "create", str(away / "new.besd"), "--spec", self.spec()], check=True, capture_output=True)
        shutil.copy(away / "new.besd", self.folder / "arm.besd")
        self.assertEqual(s.post("/v1/studies/arm/ask")["trial"], 1)
        self.assertEqual(len(s.get("/v1/studies/arm/trials")["trials"]), 1)
        for name in files:
            (self.folder / name).unlink(missing_ok=True)
        (self.folder / "arm.besd").write_bytes(b"rubbish" * 1000)
        s.refused("GET", "/v1/studies/arm", None, 503, "arm")
        self.assertIn("error", s.get("/v1/studies")["studies"][0])
        self.assertIn("besd_studies_unreadable 1\n", s.get("/metrics"))

    def spec(self) -> str:
        path = self.scratch / "spec.yaml"
        path.write_text("theta: [{name: x, low: 0, high: 1}]\ntau: [1]\nreps: [1]\n")
        return str(path)

    def end_while_asking(self, *options: str) -> list[int]:
        """What a client hears whose ask is computed when the server is told to end."""
        s = self.serve(str(self.folder), *options)
        self.make(s, "arm", {**DESCRIPTION, "targets": 1000})
        results = [{"theta": [i % 11 * 0.9, (i % 7 - 3) / 3], "tau": 10 + 30 * (i % 2), "scores": [i % 5, i % 3]} for i in range(30)]
        s.post("/v1/studies/arm/add", {"trials": results}, 201)
        for _ in range(14):
            s.post("/v1/studies/arm/ask")
        answers: list[int] = []

        def ask() -> None:
            try:
                answers.append(s.call("POST", "/v1/studies/arm/ask").code)
            except (OSError, http.client.HTTPException):
                answers.append(0)

        asker = threading.Thread(target=ask)
        asker.start()
        while "besd_asks_under_way 0\n" in s.get("/metrics") and asker.is_alive():
            time.sleep(0.001)
        s.process.send_signal(signal.SIGTERM)
        asker.join()
        self.assertEqual(s.process.wait(timeout=60), 0)
        with self.assertRaises(OSError):
            s.connect().connect()
        return answers

    def test_ending_while_asks_are_computed(self) -> None:
        self.assertEqual(self.end_while_asking("--drain-limit", "300"), [200])

    def test_ending_without_patience(self) -> None:
        self.assertIn(self.end_while_asking("--drain-limit", "0")[0], (200, 503))
        again = self.serve()
        self.assertEqual(again.get("/v1/studies/arm")["trials"]["told"], 30)
        self.assertIn("trial", again.post("/v1/studies/arm/ask"))

    def test_log_lines(self) -> None:
        s = self.serve()
        s.call("GET", "/nothing?a=secret")
        raw = socket.create_connection(("127.0.0.1", s.port))
        raw.sendall(b"GET /\x1b[31mred HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        raw.recv(1000)
        raw.close()
        s.stop()
        said = s.said()
        self.assertRegex(said, r"(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ 127\.0\.0\.1 GET /nothing 404 \d+\.\d ms [0-9a-f]+-[0-9a-f]+$")
        self.assertNotIn("\x1b", said)
        self.assertNotIn("secret", said)
        quiet = self.serve(str(self.folder), "--quiet")
        quiet.get("/healthz")
        quiet.stop()
        self.assertEqual(quiet.said(), "")
