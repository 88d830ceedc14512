"""What the live page draws: curve, slices, map, legs, comparisons."""

import json
import subprocess

from service import DESCRIPTION, TOOL, ServiceTest


class Views(ServiceTest):
    def work(self, s, count: int) -> None:
        for _ in range(count):
            trial = s.post("/v1/studies/arm/ask")
            scores = [trial["theta_array"][0] + r for r in range(trial["reps"])]
            s.post(f"/v1/studies/arm/trials/{trial['trial']}/tell", {"scores": scores})

    def test_curve_and_slices(self) -> None:
        s = self.serve()
        self.make(s, "arm", DESCRIPTION)
        at = "/v1/studies/arm"
        self.assertEqual(s.get(f"{at}/curve"), {"points": []})
        s.refused("GET", f"{at}/slices", None, 409, "told")
        s.refused("GET", f"{at}/map", None, 404, "about no map")
        self.work(s, 10)
        self.assertTrue(all("value" not in p for p in s.get(f"{at}/curve")["points"]))
        first = s.get(f"{at}/recommend")
        self.work(s, 2)
        slices = s.get(f"{at}/slices")
        points = s.get(f"{at}/curve")["points"]
        known = [p for p in points if "value" in p]
        self.assertEqual(len(known), 2)  # what was asked for by name, and what the slices went through
        self.assertEqual([known[0][m] for m in ("value", "low", "high")], [first[m] for m in ("value", "low", "high")])
        self.assertEqual(known[1], points[-1])
        self.assertEqual(points[-1]["cost"], s.get(at)["spent"])
        study = s.get(at)
        self.assertEqual([c["name"] for c in slices["coordinates"]], [c["name"] for c in study["theta"]])
        for place, slice_ in zip(study["theta"], slices["coordinates"]):
            self.assertEqual((slice_["x"][0], slice_["x"][-1]), (place["low"], place["high"]))
        looked = 0
        while s.get(f"{at}/hindsight")["more"]:
            looked += 1
        filled = [p for p in s.get(f"{at}/curve")["points"] if "value" in p]
        self.assertEqual(len(filled), 2 + looked)
        self.assertGreater(looked, 3)
        self.assertIn(known[0], filled)  # what was said then is not said otherwise
        s.refused("GET", "/v1/studies/none/curve", None, 404, "none")

    def test_newest_events(self) -> None:
        s = self.serve()
        self.make(s, "arm", DESCRIPTION)
        self.work(s, 3)
        every = s.get("/v1/studies/arm/events")["events"]
        self.assertEqual(s.get("/v1/studies/arm/events?newest=2")["events"], every[-2:])
        self.assertEqual(s.get("/v1/studies/arm/events?newest=99")["events"], every)
        self.assertEqual(s.get(f"/v1/studies/arm/events?newest=9&after={every[-2]['id']}")["events"], every[-1:])
        s.refused("GET", "/v1/studies/arm/events?newest=all", None, 400, "newest")

    def test_maps(self) -> None:
        mine = self.scratch / "mine.yaml"
        mine.write_text("name: mine\nmap: |\n  G..#\n  ....\n  S...\ntau: [50, 100]\nreps: [2]\n")
        for domain, name, budget in (("gw10", "rooms", 30000), (str(mine), "mine", 1200)):
            ran = subprocess.run(
                [TOOL, "run", domain, "--budget", str(budget), "--test", "2", "--quiet", "--study",
                 str(self.folder / f"{name}.besd")], capture_output=True, text=True, timeout=120)
            self.assertEqual(ran.returncode, 0, ran.stderr)
        mine.unlink()  # the study is all that is needed
        s = self.serve()
        rooms = s.get("/v1/studies/rooms/map")
        self.assertEqual((rooms["kind"], rooms["width"], rooms["points_of_theta"]), ("grid", 10, 2))
        self.assertEqual(rooms["cells"][0], "GG........")
        self.assertEqual(s.get("/v1/studies/mine/map")["cells"], ["G..#", "....", "S..."])

    def test_legs(self) -> None:
        s = self.serve()
        ran = [TOOL, "run", "gw10", "--budget", "60000", "--test", "2", "--quiet", "--study", str(self.folder / "rooms.besd")]
        subprocess.run(ran, check=True, capture_output=True)
        legs = s.get("/v1/studies/rooms/legs")
        theta = s.get("/v1/studies/rooms/recommend")["theta_array"]
        self.assertEqual((legs["counts"], legs["path"][0]["first"], legs["path"][-1]["last"]), ("time", True, True))
        apart = [abs(a - b) for a, b in zip(legs["path"][0]["to"], theta)]
        self.assertLessEqual(max(apart), 0.5)  # the middle of its cell
        self.assertGreater(len(legs["tried"]), 3)
        self.assertEqual(sorted((leg["tried"] for leg in legs["tried"]), reverse=True), [leg["tried"] for leg in legs["tried"]])
        self.make(s, "arm", DESCRIPTION)
        s.refused("GET", "/v1/studies/arm/legs", None, 409, "told")
        self.work(s, 4)
        s.refused("GET", "/v1/studies/arm/legs", None, 400, "no path")

    def test_comparisons(self) -> None:
        s = self.serve()
        self.assertEqual(s.get("/v1/comparisons"), {"comparisons": []})
        ran = [TOOL, "compare", "gw10", "--methods", "besd,random", "--replications", "1", "--budget", "20000", "--test", "2",
               "--quiet", "--out", str(self.folder / "first")]
        subprocess.run(ran, check=True, capture_output=True)
        (self.folder / "none").mkdir()
        self.assertEqual([c["name"] for c in s.get("/v1/comparisons")["comparisons"]], ["first"])
        said = json.loads((self.folder / "first" / "summary.json").read_text())
        self.assertEqual(s.get("/v1/comparisons/first"), said)
        self.assertEqual([m["method"] for m in said["domains"][0]["methods"]], ["besd", "random"])
        self.assertIn("<h1", s.call("GET", "/comparison/first").body)
        s.refused("GET", "/v1/comparisons/none", None, 404, "no comparison 'none'")
        s.refused("GET", "/v1/comparisons/..%2Flab", None, 404, "no")
        (self.folder / "first" / "summary.json").write_text("{")
        s.refused("GET", "/v1/comparisons/first", None, 500, "summary.json")
