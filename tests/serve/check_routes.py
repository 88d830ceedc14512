"""Every route, as a lab would use it; every answer is as openapi.json says."""

import json
import sqlite3
import threading
import time
import unittest

from service import COVERED, DESCRIPTION, DOCUMENT, SHAPES, ServiceTest


class Routes(ServiceTest):
    def test_a_trial_from_ask_to_restore(self) -> None:
        s = self.serve()
        self.make(s)
        trial = s.post("/v1/studies/arm/ask", {"worker": "w1", "lease": 60})
        self.assertEqual((trial["trial"], trial["state"], trial["worker"]), (1, "asked", "w1"))
        self.assertEqual(list(trial["theta"].values()), trial["theta_array"])
        at = "/v1/studies/arm/trials/1"
        renewed = s.post(f"{at}/renew", {"worker": "w1", "lease": 600})
        self.assertGreater(renewed["lease_until"], trial["lease_until"])
        s.refused("POST", f"{at}/renew", {"worker": "w2", "lease": 600}, 409, "w1|another")
        told = s.post(f"{at}/tell", {"scores": [3, 4], "cost": 7.5, "note": "new tyres", "worker": "w1"})
        self.assertEqual((told["state"], told["scores"], told["cost"], told["note"]), ("told", [3, 4], 7.5, "new tyres"))
        self.assertIs(told["repeated"], False)
        again = s.post(f"{at}/tell", {"scores": [3, 4], "note": "newer tyres"})
        self.assertEqual((again["repeated"], again["scores"], again["note"]), (True, [3, 4], "newer tyres"))
        s.refused("POST", f"{at}/tell", {"scores": [3, 5]}, 409, "told already, with other scores")
        s.refused("POST", f"{at}/fail", {}, 409, "has been told")
        replaced = s.post(f"{at}/tell", {"scores": [3, 5], "replace": True, "why": "a slip"})
        self.assertEqual((replaced["scores"], replaced["why"], replaced["repeated"]), ([3, 5], "a slip", False))
        self.assertEqual(s.post(f"{at}/void", {"why": "a wheel was loose"})["state"], "voided")
        s.refused("POST", f"{at}/void", {}, 409, "void")
        s.refused("POST", f"{at}/tell", {"scores": [1, 1], "replace": True}, 409, "void")
        self.assertEqual(s.post(f"{at}/restore")["state"], "told")
        self.assertEqual(s.post(f"{at}/restore")["scores"], [3, 4])
        s.refused("POST", f"{at}/restore", None, 409, "restore|voided|replaced")
        noted = s.post(f"{at}/note", {"text": "dusty", "tags": ["slow", "hall"], "untag": []})
        self.assertEqual((noted["note"], sorted(noted["tags"])), ("dusty", ["hall", "slow"]))
        self.assertEqual(s.post(f"{at}/note", {"untag": ["slow"]})["tags"], ["hall"])
        self.assertEqual(s.get(at)["note"], "dusty")
        what = [e["what"] for e in s.get("/v1/studies/arm/events")["events"] if e["trial"] == 1]
        for act in ("asked", "renewed", "told", "replaced", "voided", "restored", "noted", "tagged", "untagged"):
            self.assertIn(act, what)

    def test_failing_and_asking_again(self) -> None:
        s = self.serve()
        self.make(s)
        s.post("/v1/studies/arm/ask")
        self.assertEqual(s.post("/v1/studies/arm/trials/1/fail", {"note": "battery", "cost": 3})["state"], "failed")
        again = s.post("/v1/studies/arm/trials/1/again", None, 201)
        self.assertEqual((again["trial"], again["repeats"]), (2, 1))
        s.refused("POST", "/v1/studies/arm/trials/2/again", None, 409, "failed")

    def test_earlier_results_and_wishes(self) -> None:
        s = self.serve()
        self.make(s)
        results = [{"theta": {"x": i, "y": 0.5}, "tau": 10, "scores": [i, i + 1]} for i in range(5)]
        self.assertEqual(s.post("/v1/studies/arm/add", {"trials": results}, 201), {"first": 1, "added": 5, "skipped": 0})
        wish = s.post("/v1/studies/arm/enqueue", {"theta": [9.5, -0.5], "note": "an idea"}, 201)
        self.assertEqual((wish["state"], wish["trial"]), ("waiting", 6))
        self.assertEqual(s.post("/v1/studies/arm/ask", {"worker": "w"})["trial"], 6)
        self.assertEqual([t["trial"] for t in s.get("/v1/studies/arm/trials?after=4")["trials"]], [5, 6])
        self.assertEqual([t["trial"] for t in s.get("/v1/studies/arm/trials?state=asked")["trials"]], [6])
        counts = s.get("/v1/studies")["studies"][0]["trials"]
        self.assertEqual((counts["told"], counts["asked"], counts["waiting"]), (5, 1, 0))

    def test_a_budget_that_is_spent_and_raised(self) -> None:
        s = self.serve()
        self.make(s)
        s.post("/v1/studies/arm/ask")
        self.assertEqual(s.post("/v1/studies/arm/set", {"budget": 20})["budget"], 20)
        self.assertEqual(s.get("/v1/studies/arm")["budget"], 20)
        self.assertEqual(s.get("/v1/studies")["studies"][0]["budget"], 20)
        done = s.post("/v1/studies/arm/ask")
        self.assertEqual((done["done"], done["stopped"]), (True, "budget"))
        self.assertIsNone(s.post("/v1/studies/arm/set", {"budget": None})["budget"])
        self.assertEqual(s.post("/v1/studies/arm/ask")["trial"], 2)

    def test_the_model(self) -> None:
        s = self.serve()
        self.make(s, "arm", DESCRIPTION)
        s.refused("GET", "/v1/studies/arm/explain", None, 404, "explain")
        s.refused("GET", "/v1/studies/arm/recommend", None, 409, "told|trial")
        results = [
            {"theta": [x, y], "tau": tau, "scores": [(x - 3) ** 2 + y + tau / 100, (x - 3) ** 2 + y]}
            for x, y, tau in [(i * 0.9, (i % 5 - 2) / 2.5, (10, 40)[i % 2]) for i in range(11)]
        ]
        s.post("/v1/studies/arm/add", {"trials": results}, 201)
        for _ in range(14):  # the initial design comes first
            trial = s.post("/v1/studies/arm/ask", {"explain": True})
            x = trial["theta"]["x"]
            s.post(f"/v1/studies/arm/trials/{trial['trial']}/tell", {"scores": [(x - 3) ** 2 + 1] * trial["reps"]})
            if trial.get("explanation", {}).get("levers"):
                break
        explained = s.get("/v1/studies/arm/explain")
        self.assertEqual(explained["trial"], trial["trial"])
        self.assertEqual(explained["explanation"]["levers"], trial["explanation"]["levers"])
        best = s.get("/v1/studies/arm/recommend")
        self.assertLess(abs(best["theta"]["x"] - 3), 2)
        forecast = s.post("/v1/studies/arm/predict", {"theta": best["theta"], "tau": 40})
        self.assertAlmostEqual(forecast["value"], best["value"], places=6)
        far = s.post("/v1/studies/arm/predict", {"theta": [9.9, 0]})
        self.assertGreater(far["value"], best["value"])

    def test_the_service_itself(self) -> None:
        s = self.serve()
        self.make(s)
        self.assertEqual(s.get("/healthz"), {"status": "ok"})
        self.assertEqual(s.get("/v1/openapi.json"), DOCUMENT)
        self.assertEqual(s.get("/v1/schema.json"), SHAPES)
        study = s.get("/v1/studies/arm")
        self.assertEqual(study["theta"][0], {"name": "x", "low": 0, "high": 10, "unit": "m"})
        self.assertEqual((study["tau"], study["reps"], study["options"]["method"]), ([10], [2], "random"))
        page = s.call("GET", "/")
        self.assertIn("<html", page.body)
        policy = page.headers["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(page.headers["x-content-type-options"], "nosniff")
        self.assertEqual(page.headers["referrer-policy"], "no-referrer")
        self.assertEqual(s.call("GET", "/study/arm").body, page.body)
        self.assertEqual(s.call("GET", "/assets/index.html").body, page.body)
        again = s.call("GET", "/", headers={"If-None-Match": page.headers["etag"]})
        self.assertEqual((again.code, again.body), (304, ""))
        s.refused("GET", "/assets/none.js", None, 404, "none.js")
        head = s.call("HEAD", "/v1/studies/arm")
        self.assertEqual((head.code, head.body), (200, ""))
        self.assertGreater(int(head.headers["content-length"]), 100)
        metrics = s.get("/metrics")
        for line in (
            'besd_http_requests_total{method="GET",route="/healthz",code="200"} 1',
            'besd_http_request_seconds_bucket{method="GET",route="/healthz",le="+Inf"} 1',
            'besd_trials{study="arm",state="told"} 0',
            "besd_studies 1",
            "besd_asks_under_way 0",
        ):
            self.assertIn(line + "\n", metrics)

    def test_events_as_they_happen(self) -> None:
        s = self.serve()
        self.make(s)
        s.post("/v1/studies/arm/ask")
        follower = s.connect()
        follower.request("GET", "/v1/studies/arm/events", headers={"Accept": "text/event-stream"})
        stream = follower.getresponse()
        self.assertEqual(stream.getheader("Content-Type"), "text/event-stream")
        lines = iter(stream.readline, b"")
        seen = [next(line for line in lines if line.startswith(b"event: asked"))]
        s.post("/v1/studies/arm/trials/1/tell", {"scores": [1, 2]})
        seen.append(next(line for line in lines if line.startswith(b"event: told")))
        # and from another process
        import subprocess

        from service import TOOL

        subprocess.run([TOOL, "ask", str(self.folder / "arm.besd")], check=True, capture_output=True)
        data = next(line for line in lines if line.startswith(b"data: ") and b'"trial":2' in line)
        self.assertIn(b'"what":"asked"', data)
        last = s.get("/v1/studies/arm/events")["events"][-2]["id"]
        later = s.connect()
        later.request(
            "GET", "/v1/studies/arm/events", headers={"Accept": "text/event-stream", "Last-Event-ID": str(last)}
        )
        answer = later.getresponse()
        first = next(line for line in iter(answer.readline, b"") if line.startswith(b"id: "))
        self.assertEqual(first, b"id: %d\n" % (last + 1))
        self.assertEqual(s.stop(), 0)  # which ends the streams
        self.assertEqual([line for line in lines if line.startswith(b"event")], [])
        COVERED.add(("GET", "/v1/studies/{study}/events", 200))

    def test_a_damaged_event_ends_the_stream(self) -> None:
        s = self.serve()
        self.make(s)
        for _ in range(3):
            s.post("/v1/studies/arm/ask")
        file = sqlite3.connect(self.folder / "arm.besd", isolation_level=None)
        self.addCleanup(file.close)
        file.execute("UPDATE event SET detail = '[1]' WHERE id = 2")
        for _ in range(2):  # also for those who come back
            follower = s.connect()
            follower.request("GET", "/v1/studies/arm/events", headers={"Accept": "text/event-stream"})
            lines = follower.getresponse().read().splitlines()  # it ends
            self.assertEqual([line for line in lines if line.startswith(b"event")], [b"event: asked", b"event: error"])
            last = json.loads(lines[-2].removeprefix(b"data: "))
            self.assertEqual(last, {"error": "arm: the event 2 is damaged", "status": "io"})
        file.execute("UPDATE event SET detail = '' WHERE id = 2")
        follower = s.connect()
        follower.request("GET", "/v1/studies/arm/events", headers={"Accept": "text/event-stream", "Last-Event-ID": "1"})
        stream = follower.getresponse()
        self.assertIn(b"id: 3\n", iter(stream.readline, b""))

    def test_asks_and_tells_at_once(self) -> None:
        s = self.serve()
        self.make(s, "arm", DESCRIPTION)
        wishes = [s.post("/v1/studies/arm/enqueue", {"theta": [1, 0]}, 201)["trial"] for _ in range(40)]
        for _ in wishes:
            s.post("/v1/studies/arm/ask")
        asked: list[int] = []
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                asked.append(s.post("/v1/studies/arm/ask")["trial"])

        askers = [threading.Thread(target=ask) for _ in range(3)]
        for t in askers:
            t.start()
        keeping = s.connect()
        for i, trial in enumerate(wishes):
            answer = s.call(
                "POST", f"/v1/studies/arm/trials/{trial}/tell", {"scores": [i, i + 0.5]}, connection=keeping
            )
            self.assertEqual(answer.code, 200)
        time.sleep(0.2)
        stop.set()
        for t in askers:
            t.join()
        self.assertEqual(len(asked), len(set(asked)))
        told = s.get("/v1/studies/arm/trials?state=told")["trials"]
        self.assertEqual([t["trial"] for t in told], wishes)
        self.assertEqual([t["scores"][0] for t in told], list(range(40)))

    def test_leases_that_end(self) -> None:
        s = self.serve()
        self.make(s)
        first = s.post("/v1/studies/arm/ask", {"worker": "w1", "lease": 0.2})
        time.sleep(0.4)
        s.refused("POST", "/v1/studies/arm/trials/1/renew", {"worker": "w1", "lease": 5}, 409, "ended|lease")
        second = s.post("/v1/studies/arm/ask", {"worker": "w2", "lease": 60})
        for member in ("trial", "theta", "tau", "reps", "seed"):
            self.assertEqual(first[member], second[member])
        self.assertEqual(s.post("/v1/studies/arm/trials/1/tell", {"scores": [1, 2], "worker": "w1"})["state"], "told")
        s.refused("POST", "/v1/studies/arm/trials/1/tell", {"scores": [5, 6], "worker": "w2"}, 409, "told already")


class ZZCoverage(unittest.TestCase):
    def test_all_that_is_described_was_seen(self) -> None:
        described = {
            (method.upper(), path, int(code))
            for path, item in DOCUMENT["paths"].items()
            for method, operation in item.items()
            if method != "parameters"
            for code in operation["responses"]
            if code != "default"
        }
        self.assertEqual(described - COVERED, set())
