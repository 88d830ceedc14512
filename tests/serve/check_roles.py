"""Tokens with names and roles, and what of them stands in the events."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from service import DOCUMENT, TOOL, ServiceTest

WORK = {"ask", "tell", "fail", "again", "renew", "note"}


class Roles(ServiceTest):
    def token(self, name: str, role: str, code: int = 0) -> str:
        made = subprocess.run(
            [TOOL, "token", "new", str(self.scratch / "tokens"), "--name", name, "--role", role], capture_output=True, text=True
        )
        self.assertEqual(made.returncode, code, made.stderr)
        return made.stdout.strip()

    def test_every_route(self) -> None:
        tokens = {role: self.token(f"the-{role}", role) for role in ("read", "work", "manage")}
        file = self.scratch / "tokens"
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertNotIn(tokens["read"], file.read_text())
        s = self.serve(str(self.folder), "--token-file", str(file), token=tokens["manage"])
        self.make(s)
        s.post("/v1/studies/arm/ask")
        ranks = list(tokens)
        for path, item in DOCUMENT["paths"].items():
            for method, operation in item.items():
                if method == "parameters" or operation.get("security") == []:
                    continue
                word = path.rpartition("/")[2]
                needed = 0 if method == "get" or word == "predict" else 1 if word in WORK else 2
                for rank, role in enumerate(ranks):
                    if rank >= needed:
                        continue
                    at = path.replace("{study}", "arm").replace("{trial}", "1")
                    s.refused(method.upper(), at, {}, 403, f"'the-{role}' may {role}; this takes one that may {ranks[needed]}",
                              headers={"Authorization": f"Bearer {tokens[role]}"})  # fmt: skip
        self.assertEqual(len(s.get("/v1/studies/arm/events")["events"]), 1)
        for role, path, body, code in (
            ("read", "/v1/studies/arm/predict", {"theta": [1, 0]}, (200, 400, 409)),
            ("work", "/v1/studies/arm/ask", {"worker": "w"}, (200,)),
            ("work", "/v1/studies/arm/trials/1/tell", {"scores": [1, 2], "worker": "w"}, (200,)),
            ("work", "/v1/studies/arm/trials/1/tell", {"scores": [3, 2], "replace": True}, (403,)),
            ("manage", "/v1/studies/arm/trials/1/void", {"why": "rain"}, (200,)),
        ):
            answer = s.call("POST", path, body, headers={"Authorization": f"Bearer {tokens[role]}"})
            self.assertIn(answer.code, code, (path, answer))
        for role in ranks:
            self.assertEqual(s.call("GET", "/v1/studies/arm", headers={"Authorization": f"Bearer {tokens[role]}"}).code, 200)

    def events(self, *options: str) -> list[dict[str, Any]]:
        said = subprocess.run(
            [TOOL, "events", str(self.folder / "arm.besd"), "--json", *options], capture_output=True, text=True, check=True
        ).stdout
        return list(json.loads(said)["events"])

    def test_names_in_events(self) -> None:
        """The token's, whatever the client says of itself."""
        one, two, boss = self.token("robot-1", "work"), self.token("robot-2", "work"), self.token("ada", "manage")
        s = self.serve(str(self.folder), "--token-file", str(self.scratch / "tokens"), token=boss)
        self.make(s)
        for token in (one, two):
            trial = s.call("POST", "/v1/studies/arm/ask", {"worker": "ada", "lease": 60}, headers={"Authorization": f"Bearer {token}"}).body
            self.assertEqual(trial["worker"], "ada")  # whose lease it is, is the client's affair
            s.call("POST", f"/v1/studies/arm/trials/{trial['trial']}/tell", {"scores": [1, 2], "worker": "ada"},
                   headers={"Authorization": f"Bearer {token}"})  # fmt: skip
        s.post("/v1/studies/arm/set", {"budget": 900, "worker": "robot-1"})
        self.assertEqual([e["who"] for e in self.events()], ["robot-1", "robot-1", "robot-2", "robot-2", "ada"])
        self.assertEqual([e["what"] for e in self.events("--who", "robot-2")], ["asked", "told"])
        self.assertEqual(len(self.events("--since", "1h")), 5)
        self.assertEqual(len(self.events("--since", "2001-01-01T10:00:00Z", "--who", "ada")), 1)
        self.assertEqual(self.events("--since", time.strftime("%Y-%m-%d", time.gmtime(time.time() + 2 * 86400))), [])
        wrong = subprocess.run([TOOL, "events", str(self.folder / "arm.besd"), "--since", "monday"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 2)

    def test_tokens_change_without_a_restart(self) -> None:
        one = self.token("robot-1", "work")
        s = self.serve(str(self.folder), "--token-file", str(self.scratch / "tokens"), token=one)
        self.assertEqual(s.call("GET", "/v1/studies").code, 200)
        two = self.token("robot-2", "read")
        self.token("robot-2", "read", 1)  # a name has one token
        self.assertNotEqual(one, two)
        lines = [line for line in Path(self.scratch / "tokens").read_text().splitlines() if "robot-1" not in line]
        fresh = self.scratch / "fresh"
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write("\n".join(lines) + "\n")
        fresh.rename(self.scratch / "tokens")
        s.process.send_signal(signal.SIGHUP)
        while s.call("GET", "/v1/studies").code == 200:
            time.sleep(0.01)
        s.token = two
        self.assertEqual(s.call("GET", "/v1/studies").code, 200)

    def test_what_is_no_name_or_role(self) -> None:
        self.token("a b", "work", 1)
        self.token("x" * 40, "work", 1)
        self.token("", "work", 1)
        self.token("robot", "boss", 2)
        (self.scratch / "tokens").write_text("0123456789abcdef\n")
        (self.scratch / "tokens").chmod(0o600)
        self.token("robot", "work", 1)
        self.assertEqual((self.scratch / "tokens").read_text(), "0123456789abcdef\n")
