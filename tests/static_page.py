"""Pages that `besd report` writes, in a real browser, opened as files.

usage: static_page.py BESD CHROMIUM SOURCE_DIR [FOLDER]

A study, a trainer's study with an outline, one without told trials, one that failed throughout, one of 40 coordinates,
several side by side with a broken one, a comparison of the paper's domains: what each says, that nothing is loaded and
nothing of hostile names runs, that no width from 400 to 1920 pixels makes it wider than the window, and what axe finds
where scripts/browser_venv.sh has brought it. With FOLDER, pictures of the pages are left there.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from live_page import HOSTILE, shown
from playwright.sync_api import expect, sync_playwright

OUTLINE = {"outline": [{"name": HOSTILE["script"], "polygon": [[1, 1], [4, 1], [4, 2], [1, 2]]}, {"polygon": [[-9, 6], [3, 6], [3, 7]]}]}


class Pages:
    def __init__(self, besd, chromium, folder, pictures, axe):
        self.besd, self.chromium, self.folder, self.pictures, self.axe = besd, chromium, folder, pictures, axe
        self.complaints = []

    def run(self, *arguments):
        done = subprocess.run([self.besd, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, f"besd {' '.join(map(str, arguments))}: {done.stderr}"
        return done.stdout

    def create(self, name, **description):
        (self.folder / "study.yaml").write_text(json.dumps({"tau": [10, 40], "reps": [2], "direction": "minimize", "initial_designs": 4,
                                                            **description}), encoding="utf-8")
        self.run("create", name, "--spec", "study.yaml")

    def work(self, name, count, fail=False, same=False):
        for _ in range(count):
            trial = json.loads(self.run("ask", name, "--json", "--worker", HOSTILE["svg"]))
            if fail:
                self.run("fail", name, trial["trial"], "--note", HOSTILE["image"])
            else:
                score = 5 if same else 20 + sum((v - 4) ** 2 for v in trial["theta_array"])
                self.run("tell", name, trial["trial"], "--scores", f"{score},{score if same else score + 1}")

    def open(self, name, width=1000, scheme="light", part=""):
        page = self.chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        address = (self.folder / name).as_uri()
        page.on("pageerror", lambda error: self.complaints.append(f"{name}: {error}"))
        page.on("console", lambda message: self.complaints.append(f"{name}: {message.text}"))
        page.on("dialog", lambda dialog: self.complaints.append(f"{name}: a dialog says {dialog.message}"))
        page.on("request", lambda r: None if r.url.startswith(("data:", address)) else self.complaints.append(f"{name}: loads {r.url}"))
        page.goto(address + part)
        page.locator(".lead").wait_for()
        return page

    def judge(self, name):
        """Widths, light and dark, and what axe finds."""
        for width, scheme in ((400, "light"), (1000, "dark"), (1920, "light")):
            page = self.open(name, width, scheme)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} is {wide} px wide in a window of {width}"
            assert page.evaluate("window.hacked") is None, f"{name}: a name was run"
            if self.axe and width != 1920:
                self.ask_axe(page, f"{name} at {width}, {scheme}")
            if self.pictures:
                page.wait_for_timeout(300)
                page.screenshot(path=str(self.pictures / f"{name.replace('/', '-')}-{width}-{scheme}.png"), full_page=True)
            page.close()

    def ask_axe(self, page, where):
        page.evaluate(self.axe)  # the driver may evaluate what the page itself may not
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.filter(v => "
                              "['serious', 'critical'].includes(v.impact)).map(v => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`))")
        assert not found, f"{where}: axe finds {found}"


def says(page, *texts):
    for text in texts:
        expect(page.locator("main")).to_contain_text(text, timeout=30_000)


def check_study(pages):
    pages.run("run", "gw10", "--budget", "120000", "--test", "2", "--quiet", "--study", "rooms.besd")
    pages.run("report", "rooms.besd")
    page = pages.open("rooms.html")
    says(page, "Use x1 = ", "with 90 % probability", "Finished: ", "Subgoals for gw10", "The recommended path", "Not as initially", "direction")
    assert page.locator("svg .leg").count() > 3 and page.locator("svg .goal-mark").count() >= 2
    assert page.locator("svg .band").count() >= 5  # the curve's and those of the slices
    assert page.locator("section:visible").filter(has_text="Act on the study").count() == 0
    page.locator("#filter").fill("legs")
    expect(page.locator(".trials tbody tr").first).to_contain_text("legs")
    page.close()
    pages.judge("rooms.html")


def check_outline(pages):
    theta = [{"name": HOSTILE["image"], "unit": HOSTILE["direction"], "low": 0, "high": 10}, {"name": "y", "unit": HOSTILE["direction"], "low": 0, "high": 8}]
    pages.create("hall.besd", theta=theta, path={"points": 1, "cap": 500}, **OUTLINE)
    pages.work("hall.besd", 9)
    pages.run("report", "hall.besd")
    page = pages.open("hall.html")
    assert page.locator("svg .outline").count() == 2
    text = " ".join(page.evaluate("document.body.textContent").split())
    for one in ("image", "svg", "direction", "script"):
        assert shown(HOSTILE[one]) in text, f"{one} is not there to be read"
    page.close()
    pages.judge("hall.html")


def check_poor(pages):
    """Studies with little to show."""
    one = [{"name": "x", "low": 0, "high": 1}]
    pages.create("empty.besd", theta=one)
    pages.create("failed.besd", theta=one)
    pages.work("failed.besd", 3, fail=True)
    pages.create("equal.besd", theta=one)
    pages.work("equal.besd", 6, same=True)
    pages.create("forty.besd", theta=[{"name": f"c{i}", "low": 0, "high": 10} for i in range(40)], method="random")
    pages.work("forty.besd", 5)
    expected = {"empty": "Nothing to recommend yet: no trial has been told.", "failed": "Nothing to recommend: every trial has failed.",
                "equal": "expected score 5", "forty": "the design of 40 coordinates below"}
    for name, sentence in expected.items():
        pages.run("report", f"{name}.besd")
        page = pages.open(f"{name}.html", 400)
        says(page, sentence, "without a budget")
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, f"{name} is too wide"
        assert "NaN" not in page.content().split("</style>")[1].split("<script")[0], f"{name}: a number is none"
        page.close()


def check_side(pages):
    folder = pages.folder / "several"
    folder.mkdir()
    for name in ("rooms", "hall", "failed"):
        (folder / f"{name}.besd").write_bytes((pages.folder / f"{name}.besd").read_bytes())
    (folder / "broken.besd").write_text("junk")
    pages.run("report", "several")
    page = pages.open("several/studies.html")
    says(page, "4 studies side by side", "broken cannot be read: ", "it is not a besd study", "In what they differ")
    page.get_by_role("link", name="rooms", exact=True).click()
    says(page, "Use x1 = ")
    page.get_by_role("link", name="All studies of this page").click()
    says(page, "4 studies side by side")
    page.close()
    pages.judge("several/studies.html")


def check_comparison(pages):
    pages.run("compare", "gw10", "key2", "--methods", "besd,random,ql", "--replications", "2", "--budget", "40000", "--test", "4", "--quiet", "--out", "lab")
    pages.run("report", "lab")
    page = pages.open("lab/index.html")
    expect(page.locator("h1")).to_have_text("Subgoals by Bayesian optimisation: a comparison of only 2 runs each")
    says(page, "At half of the budget besd has the best mean performance in", "GW10, m = 100", "besd compare gw10 key2 --methods", "In KEY2 these two",
         "With 2 replications the bootstrap knows little")
    assert "TR's ratio" not in page.locator("main").inner_text(), "the page tells of what was not run"
    assert page.locator(".charts svg").count() >= 8
    page.close()
    pages.judge("lab/index.html")


CHECKS = (check_study, check_outline, check_poor, check_side, check_comparison)


def main(besd, executable, source, pictures=None):
    pictures = pictures and pathlib.Path(pictures)
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    axe = pathlib.Path(source) / "build/browser-venv/axe.min.js"
    if not axe.exists():
        print("static page: axe-core is not there (npm, scripts/browser_venv.sh), so it finds nothing")
    with tempfile.TemporaryDirectory(prefix="besd-static-") as scratch, sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        pages = Pages(str(pathlib.Path(besd).resolve()), chromium, pathlib.Path(scratch), pictures, axe.read_text() if axe.exists() else None)
        for check in CHECKS:
            check(pages)
            print(f"static page: {check.__name__} is well")
        chromium.close()
        assert not pages.complaints, "\n".join(pages.complaints)


if __name__ == "__main__":
    main(*sys.argv[1:])
