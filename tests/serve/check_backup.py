"""Copies of studies, beside those who write to them."""

import json
import subprocess
import threading
from pathlib import Path

from service import COVERED, TOOL, Server, ServiceTest


class Backups(ServiceTest):
    def backup(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([TOOL, "backup", *arguments], capture_output=True, text=True, timeout=120)

    def fetch(self, s: Server, name: str) -> Path:
        line = s.connect()
        line.request("GET", "/v1/studies/arm/backup")
        answer = line.getresponse()
        self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "application/vnd.sqlite3"))
        COVERED.add(("GET", "/v1/studies/{study}/backup", 200))
        path = self.scratch / name
        path.write_bytes(answer.read())
        line.close()
        return path

    def test_beside_writers(self) -> None:
        """Every copy is whole, and has all that was acknowledged before it was begun."""
        s = self.serve()
        self.make(s)
        told: list[int] = []
        ending = threading.Event()

        def work() -> None:
            while not ending.is_set():
                trial = s.post("/v1/studies/arm/ask")["trial"]
                s.post(f"/v1/studies/arm/trials/{trial}/tell", {"scores": [trial, 1]})
                told.append(trial)

        workers = [threading.Thread(target=work) for _ in range(3)]
        for one in workers:
            one.start()
        copies = []
        for i in range(8):
            before = list(told)
            if i % 2:
                copies.append((self.fetch(s, f"copy{i}.besd"), before))
            else:
                path = self.scratch / f"copy{i}.besd"
                made = self.backup(str(self.folder / "arm.besd"), str(path))
                self.assertEqual(made.returncode, 0, made.stderr)
                copies.append((path, before))
        ending.set()
        for one in workers:
            one.join()
        self.assertGreater(len(told), 0)
        for path, before in copies:
            self.assertEqual(self.backup("--verify", str(path)).returncode, 0)
            said = subprocess.run([TOOL, "trials", str(path), "--json"], capture_output=True, text=True, check=True).stdout
            states = {t["trial"]: t["state"] for t in json.loads(said)["trials"]}
            self.assertEqual([trial for trial in before if states.get(trial) != "told"], [])
            self.assertEqual([p.name for p in path.parent.glob(path.name + "-*")], [])  # no log belongs to it

    def test_what_is_there_stays(self) -> None:
        s = self.serve()
        self.make(s)
        study = self.folder / "arm.besd"
        there = self.scratch / "there"
        there.write_text("mine")
        refused = self.backup(str(study), str(there))
        self.assertEqual((refused.returncode, there.read_text()), (1, "mine"))
        self.assertIn("File exists", refused.stderr)
        self.assertEqual(list(self.scratch.glob("*.part")), [])
        self.assertEqual(self.backup(str(study)).returncode, 2)
        self.assertEqual(self.backup(str(study), str(there), "--verify").returncode, 2)

    def test_damage_is_found(self) -> None:
        s = self.serve()
        self.make(s)
        rows = [{"theta": [i % 10, 0.5], "tau": 10, "scores": [i, 2]} for i in range(500)]
        s.post("/v1/studies/arm/add", {"trials": rows}, 201)
        path = self.fetch(s, "copy.besd")
        whole = path.read_bytes()
        verified = self.backup("--verify", str(path), "--json")
        self.assertIn('"trials":500', verified.stdout.replace(" ", ""))
        found = 0
        for at in range(4096, len(whole), len(whole) // 12):
            path.write_bytes(whole[:at] + bytes(64) + whole[at + 64 :])
            found += self.backup("--verify", str(path)).returncode == 1
        self.assertGreater(found, 3)
        path.write_bytes(whole[: len(whole) // 2])
        self.assertEqual(self.backup("--verify", str(path)).returncode, 1)
