"""Hostile names in a real browser: nothing of them runs, and all of them can be read.

usage: browser_check.py BESD FOLDER [CHROMIUM]

Makes a study, a second one and a comparison in FOLDER, in which every text that somebody else may write is an attack,
opens the pages and SVGs that besd makes of them, once as anybody would and once with the page's policy switched off (so
that the escaping alone must hold), and fails when a script runs, anything is loaded, the browser complains, or a name is
not there to be read. FOLDER keeps a picture of each page.
"""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

from playwright.sync_api import sync_playwright

# Each as it is written, and as it must be read: controls are blanks, marks of direction question marks.
ATTACKS = {
    "svg": ("<svg\x0conload=alert(1)>", "<svg onload=alert(1)>"),
    "image": ("<img src=x onerror=alert(2)>", "<img src=x onerror=alert(2)>"),
    "script": ("\"'><script>alert(3)</script>", "\"'><script>alert(3)</script>"),
    "attribute": ("x' onmouseover='alert(4)\" onload=\"alert(4)", "x' onmouseover='alert(4)\" onload=\"alert(4)"),
    "entity": ("&lt;b&gt;&amp;#60;script>", "&lt;b&gt;&amp;#60;script>"),
    "comment": ("<!--</title></style><script>alert(5)", "<!--</title></style><script>alert(5)"),
    "style": ("</svg><style>*{display:none}</style>", "</svg><style>*{display:none}</style>"),
    "direction": ("a\u202egnp\u2066.exe\u200f", "a?gnp?.exe?"),
    "terminal": ("\x1b[2J\u009b2Jbell\x07.", " [2J?2Jbell ."),
    "gnuplot": ("`touch RAN` f''@x_{y}^", "`touch RAN` f''@x_{y}^"),
}


def write(attack):
    return ATTACKS[attack][0]


def read(attack):
    return " ".join(ATTACKS[attack][1].split())


def quote(text):
    """A string of YAML."""
    escapes = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(escapes.get(c, c if " " <= c <= "~" else f"\\u{ord(c):04x}") for c in text) + '"'


class Maker:
    def __init__(self, besd, folder):
        self.besd, self.folder = str(pathlib.Path(besd).resolve()), pathlib.Path(folder).resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def run(self, *arguments):
        subprocess.run([self.besd, *arguments], cwd=self.folder, check=True, capture_output=True)

    def study(self, name, attacks):
        lines = "".join(f"  - {{name: {quote(write(a))}, unit: {quote(write(b))}, low: 0, high: 1}}\n" for a, b in attacks)
        (self.folder / "s.yaml").write_text(f"theta:\n{lines}tau: [10, 20]\nreps: [2]\ninitial_designs: 3\nbudget: 4000\n")
        self.run("create", name, "--spec", "s.yaml")
        for trial in range(1, 9):
            self.run("ask", name)
            if trial == 8:
                self.run("fail", name, str(trial), "--note", write("image"))
            else:
                self.run("tell", name, str(trial), "--scores", f"0.{trial},0.4")

    def comparison(self, name):
        (self.folder / "grid.yaml").write_text(
            f"name: {quote(write('svg'))}\ntitle: {quote(write('script'))}\n"
            "map: |\n  G...#\n  ....D\n  S..K.\ntau: [50, 100]\nreps: [5]\n")
        self.run("compare", "gw10", "grid.yaml", "--methods", "besd,random", "--replications", "2", "--budget", "60000",
                 "--test", "3", "--quiet", "--out", name)
        with sqlite3.connect(self.folder / name / "results.besd") as file:
            file.execute("update job set method = ? where method = 'random'", (write("image"),))
            file.execute("update contest set identity = identity || ? where domain like '<svg%'", (" x=" + write("script"),))
        planted = self.folder / name / "figures"
        planted.mkdir()
        for kind in "slices", "values", "surface", "paths", "cost":
            (planted / f"{kind}.gp").write_text("set output '|touch RAN'\n")
            (planted / f"{kind}.svg").write_text('<svg viewBox="0 0 9 9"><script>alert(6)</script></svg>')
        self.run("report", name)

    def everything(self):
        """{page: the attacks that must be read on it}"""
        hostile = "<img src=x onerror=alert(7)>'\"&.besd"
        ATTACKS["file"] = (hostile, hostile)
        pairs = [("svg", "image"), ("script", "entity"), ("attribute", "direction"), ("comment", "style"), ("terminal", "gnuplot")]
        self.study(hostile, pairs)
        self.study("<touch RAN;.besd", pairs)
        self.run("report", hostile, "--out", "study.html")
        self.run("report", "<touch RAN;.besd")
        self.run("report", hostile, "<touch RAN;.besd", "--out", "studies.html")
        self.comparison("lab")
        self.run("plot", "slices", hostile, "--out", "study-slices")
        self.run("plot", "surface", "grid.yaml", "--theta", "1.5,1.5,2.5,1.5", "--out", "surface")
        self.run("plot", "values", "grid.yaml", "--theta", "1.5,1.5,2.5,1.5", "--out", "values")
        self.run("show", "grid.yaml", "--svg", "show.svg")
        coordinates = [attack for pair in pairs for attack in pair]
        return {"study.html": [*coordinates, "file"], "<touch RAN;.html": coordinates,
                "studies.html": [*coordinates, "file"], "lab/index.html": ["svg", "image"],
                "study-slices.svg": coordinates, "surface.svg": ["script"], "values.svg": ["script"], "show.svg": []}


class Watch:
    """Opens pages and remembers whatever they do."""

    def __init__(self, browser, with_policy):
        self.context = browser.new_context(bypass_csp=not with_policy, viewport={"width": 1280, "height": 900})
        self.seen = []

    def open(self, path):
        self.seen = []
        page = self.context.new_page()
        page.on("dialog", lambda dialog: (self.seen.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: self.seen.append(f"the console: {message.text}"))
        page.on("pageerror", lambda error: self.seen.append(f"an error: {error}"))
        page.on("request", lambda request: self.seen.append(f"a request: {request.url}") if request.url != path.as_uri() and not request.url.startswith("data:") else None)
        page.goto(path.as_uri())
        for element in page.query_selector_all("td, text, h1")[:40]:
            element.dispatch_event("mouseover")
        page.wait_for_timeout(200)
        return page


def can_see(browser, folder, complaints):
    """The check has teeth: what is not escaped is noticed, and stopped by the policy alone."""
    body = "<h1>x</h1><svg onload=alert(1)></svg><img src=x onerror=alert(2)><script>alert(3)</script>"
    policy = next((line for line in (folder / "study.html").read_text().splitlines() if "Content-Security-Policy" in line), "")
    bare, guarded = folder / "bare.html", folder / "guarded.html"
    bare.write_text(f"<!DOCTYPE html><meta charset=utf-8>{body}")
    guarded.write_text(f"<!DOCTYPE html><meta charset=utf-8>{policy}{body}")
    watch = Watch(browser, True)
    watch.open(bare)
    if sum(what.startswith("a dialog") for what in watch.seen) < 3:
        complaints.append(f"the check sees nothing: {watch.seen}")
    watch.open(guarded)
    if any(what.startswith("a dialog") for what in watch.seen) or not any("Content Security Policy" in what for what in watch.seen):
        complaints.append(f"the policy of pages stops no script: {watch.seen}")


def check(browser, folder, pages, with_policy, complaints):
    watch = Watch(browser, with_policy)
    how = "" if with_policy else " without its policy"
    for name, attacks in pages.items():
        page = watch.open(folder / name)
        complaints += [f"{name}{how}: {what}" for what in watch.seen]
        text = " ".join(page.evaluate("document.documentElement.textContent").split())
        complaints += [f"{name}{how}: {attack!r} cannot be read" for attack in attacks if read(attack) not in text]
        # the page's own scripts stand outside of its main part, and its pictures are inside it
        scripts = page.evaluate("[...(document.querySelector('main') || document).querySelectorAll('script, img, iframe, object, embed')]"
                                ".filter(e => !(e.getAttribute('src') || '').startsWith('data:image/')).length")
        handlers = page.evaluate("[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length")
        if scripts or handlers:
            complaints.append(f"{name}{how}: {scripts} elements and {handlers} attributes that are not ours")
        if with_policy:
            picture = folder / (name.replace("/", "-").replace("<", "") + ".png")
            page.screenshot(path=picture, full_page=name.endswith("html"))
        page.close()


def main():
    besd, folder = sys.argv[1:3]
    maker = Maker(besd, folder)
    pages = maker.everything()
    complaints = [f"{path} was made by a command in a name" for path in maker.folder.rglob("RAN")]
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's own does not work for root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=sys.argv[3] if len(sys.argv) > 3 else None, args=sandbox)
        can_see(browser, maker.folder, complaints)
        for with_policy in True, False:
            check(browser, maker.folder, pages, with_policy, complaints)
        browser.close()
    for complaint in complaints:
        print(complaint)
    print(f"browser: {len(pages)} pages with {len(ATTACKS)} attacks, {len(complaints)} complaints; pictures are in {folder}")
    return 1 if complaints else 0


sys.exit(main())
