"""What whoever keeps a service uses: checks before the start, readiness, numbers of requests, new tokens, exit codes."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from service import SOURCE, TOOL, ServiceTest

OLD, NEW = "0123456789abcdef-old", "0123456789abcdef-new"


class Operations(ServiceTest):
    def write_token(self, text: str) -> str:
        path = self.scratch / "token"
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(text)
        return str(path)

    def check(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([TOOL, "serve", *arguments, "--check-config"], capture_output=True, text=True, timeout=60)

    def test_check_config(self) -> None:
        lab = str(self.folder)
        fine = self.check(lab, "--listen", "127.0.0.1:0", "--token-file", self.write_token(OLD + "\n"))
        self.assertEqual((fine.returncode, fine.stdout, fine.stderr), (0, "fine\n", ""))
        self.assertEqual(self.check(lab, "--listen", "127.0.0.1:0", "--token-file", self.write_token("short\n")).returncode, 1)
        self.assertEqual(self.check(str(self.scratch / "none.besd"), "--listen", "127.0.0.1:0").returncode, 1)
        s = self.serve()
        self.assertEqual(self.check(lab, "--listen", f"127.0.0.1:{s.port}").returncode, 1)  # taken
        self.assertEqual(self.check(lab, "--log", "xml").returncode, 2)

    def test_network_file_systems(self) -> None:
        library = Path(TOOL).parent / "tests/libtroubled.so"
        if not library.exists():
            self.skipTest("not with sanitizers")
        for magic, warned in ("6969", True), ("ff534d42", True), ("ef53", False):
            done = subprocess.run(
                [TOOL, "serve", str(self.folder), "--listen", "127.0.0.1:0", "--check-config"],
                capture_output=True, text=True, timeout=60, env={**os.environ, "LD_PRELOAD": str(library), "TROUBLE_FS": magic},
            )  # fmt: skip
            self.assertEqual((done.returncode, done.stdout), (0, "fine\n"))
            self.assertEqual("lies in a network file system" in done.stderr, warned, done.stderr)

    def test_ready(self) -> None:
        s = self.serve(str(self.folder), "--token-file", self.write_token(OLD + "\n"))
        self.assertEqual(s.get("/readyz"), {"status": "ok"})
        self.folder.rename(self.scratch / "away")
        s.refused("GET", "/readyz", None, 503, "folder")
        self.assertEqual(s.get("/healthz"), {"status": "ok"})  # restarting would not help
        (self.scratch / "away").rename(self.folder)
        self.assertEqual(s.get("/readyz"), {"status": "ok"})

    def test_a_new_token(self) -> None:
        token = self.write_token(OLD + "\n")
        s = self.serve(str(self.folder), "--token-file", token, token=OLD)
        self.assertEqual(s.call("GET", "/v1/studies").code, 200)
        self.write_token("short\n")
        s.process.send_signal(signal.SIGHUP)
        while "the old token stays" not in s.said():
            time.sleep(0.01)
        self.assertEqual(s.call("GET", "/v1/studies").code, 200)
        self.write_token(NEW + "\n")
        s.process.send_signal(signal.SIGHUP)
        s.token = NEW
        while s.call("GET", "/v1/studies").code != 200:
            time.sleep(0.01)
        s.token = OLD
        s.refused("GET", "/v1/studies", None, 401, "not the right one")
        self.assertNotIn(NEW, s.said())
        self.assertEqual(s.stop(), 0)

    def test_a_closed_terminal(self) -> None:
        s = self.serve()
        s.process.send_signal(signal.SIGHUP)
        self.assertEqual(s.process.wait(timeout=60), 0)

    def test_numbers_of_requests(self) -> None:
        s = self.serve(str(self.folder), "--log", "json")
        answers = [s.call("GET", path) for path in ("/healthz", "/nothing", "/v1/studies?token=secret", "/%1b")]
        numbers = [a.headers["x-request-id"] for a in answers]
        self.assertEqual(len(set(numbers)), len(numbers))
        s.stop()
        self.assertNotIn("secret", s.said())
        lines = {line["request"]: line for line in map(json.loads, s.said().splitlines())}
        for answer, number in zip(answers, numbers, strict=True):
            self.assertEqual((lines[number]["code"], lines[number]["client"]), (answer.code, "127.0.0.1"))
            self.assertGreaterEqual(lines[number]["ms"], 0)

    def test_the_examples_name_what_there_is(self) -> None:
        unit = (SOURCE / "examples/besd.service").read_text()
        known = subprocess.run([TOOL, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        for option in set(re.findall(r"--[a-z-]+", unit)):
            self.assertIn(option, known)
        s = self.serve()
        self.make(s)
        s.get("/healthz")
        metrics = s.get("/metrics")
        dashboard = json.loads((SOURCE / "examples/besd-dashboard.json").read_text())
        queries = " ".join(t["expr"] for panel in dashboard["panels"] for t in panel["targets"])
        for text, least in ((SOURCE / "examples/besd-alerts.yml").read_text(), 4), (queries, 7):
            names = set(re.findall(r"besd_[a-z_]+", text))
            self.assertGreaterEqual(len(names), least)
            for name in names:
                self.assertIn(name, metrics)
