"""Studies that learn from other studies of the server."""

import os
import sqlite3
import unittest
from typing import Any

from service import DESCRIPTION, ServiceTest

FEW = {**DESCRIPTION, "draws": 2, "targets": 40, "initial_designs": 4}


class Sources(ServiceTest):
    def train(self, s: Any, name: str, trials: int) -> list[str]:
        reasons = []
        for _ in range(trials):
            trial = s.post(f"/v1/studies/{name}/ask")
            x, y = trial["theta_array"]
            level = (x - 7) ** 2 / 10 + (y + 0.5) ** 2 + 0.01 * (40 - trial["tau"])
            scores = [level + 0.01 * r for r in range(trial["reps"])]
            s.post(f"/v1/studies/{name}/trials/{trial['trial']}/tell", {"scores": scores})
            reasons.append(trial["reason"])
        return reasons

    def test_a_new_study_learns_from_two(self) -> None:
        s = self.serve()
        for name, seed in (("old", 5), ("older", 6)):
            self.make(s, name, {**FEW, "seed": seed})
            self.train(s, name, 10)
        body = {"name": "new", "description": FEW, "from": ["old", "older"]}
        self.assertEqual(s.post("/v1/studies", body, 201)["name"], "new")
        s.refused("POST", "/v1/studies", body, 409, "there is a study 'new' already")
        self.assertEqual(self.train(s, "new", 8).count("source"), 4)
        sources = s.get("/v1/studies/new/recommend")["sources"]
        self.assertEqual([(one["name"], one["trials"]) for one in sources], [("old", 10), ("older", 10)])
        for one in sources:
            self.assertTrue(0 <= one["likeness"] <= one["related"] <= 1 and 0 <= one["share"] <= 1)
        self.assertNotIn("sources", s.get("/v1/studies/old/recommend"))
        what = [event["what"] for event in s.get("/v1/studies/new/events")["events"]]
        self.assertEqual(what.count("source"), 2)

    def test_sent_again(self) -> None:
        s = self.serve()
        self.make(s, "old", FEW)
        self.train(s, "old", 6)
        body, key = {"name": "new", "description": FEW, "from": ["old"]}, {"Idempotency-Key": "once"}
        first = s.call("POST", "/v1/studies", body, key)
        again = s.call("POST", "/v1/studies", body, key)
        self.assertEqual((first.code, again.code), (201, 201))
        with sqlite3.connect(os.path.join(self.folder, "new.besd")) as file:
            self.assertEqual(file.execute("SELECT count(*) FROM text WHERE key LIKE 'source:%'").fetchone(), (1,))

    def test_refusals_leave_no_study(self) -> None:
        s = self.serve()
        self.make(s, "old", FEW)
        self.make(s, "empty", FEW)
        self.train(s, "old", 6)

        def refused(given: Any, code: int, pattern: str, description: Any = FEW) -> None:
            s.refused("POST", "/v1/studies", {"name": "new", "description": description, "from": given}, code, pattern)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "new.besd")))

        names = "from: expected names of studies of this server, got "
        for wrong in ("../old", "/etc/passwd", "old/", ".old", "http://elsewhere/study/old", "", "a b", "x" * 200):
            refused([wrong], 400, names)
        for wrong in (7, None, {}, ["old"]):
            refused([wrong], 400, names + "'what is no text'")
        for wrong in ("old", 7, {"old": 1}):
            refused(wrong, 400, "from: expected a list of names of studies")
        refused(["old", "old"], 400, "from: expected different studies, got 'old' twice")
        refused(["old"] * 9, 400, "from: expected at most 8 studies, got 9")
        refused(["old", "new"], 404, "from: there is no study 'new' here")
        refused(["old.besd"], 404, "from: there is no study 'old.besd' here")
        refused(["old", "empty"], 400, "source empty: nothing was told in it yet")
        other = {**FEW, "theta": [{"name": "height", "low": 0, "high": 1}]}
        refused(["old"], 400, "source old: expected the coordinate height", other)
        refused(["old"], 400, "only studies of method besd with the averaged model", {**FEW, "method": "random"})
        self.train(s, "old", 1)  # which nobody holds back
        s.post("/v1/studies", {"name": "new", "description": FEW, "from": []}, 201)
        s.post("/v1/studies", {"name": "newer", "description": FEW, "from": None}, 201)


if __name__ == "__main__":
    unittest.main()
