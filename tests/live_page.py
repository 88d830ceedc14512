"""The live page of `besd serve` in a real browser.

usage: live_page.py BESD CHROMIUM [FOLDER]

Follows a study that goes on, over a restart of the server; plays with table, keyboard and forms; shows 2000 trials; looks
through the list of studies; and lets hostile names in wherever somebody else may write a text. With FOLDER, pictures of the page are left there.
"""
import contextlib
import http.client
import json
import math
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import expect, sync_playwright

PATIENCE = 60_000  # ms that anything may take to appear, on a machine with other work
HOSTILE = {
    "image": "<img src=x onerror=window.hacked=1>",
    "script": "\"'><script>window.hacked=2</script>",
    "svg": "</td><svg onload=window.hacked=3>",
    "direction": "a\u202egnp\u2066.exe",
    "lines": "one\ntwo\x07",
}


def shown(text):
    """A hostile text as it must be read."""
    text = "".join("?" if c in "\u202e\u2066" else " " if c < " " else c for c in text)
    return " ".join(text.split())


class Server:
    """besd serve on a folder, started, killed and started again on one port."""

    def __init__(self, besd, folder, *options):
        self.besd, self.folder, self.options, self.process, self.token = besd, folder, options, None, None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen([self.besd, "serve", str(self.folder), "--listen", f"127.0.0.1:{self.port}", "--quiet",
                                         *self.options], stdout=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError):
                if self.call("GET", "/healthz")[0] == 200:
                    return self
            assert self.process.poll() is None, "besd serve has ended"
            time.sleep(0.05)
        raise AssertionError("besd serve does not answer")

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(20)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def post(self, path, body):
        status, text = self.call("POST", "/v1/studies" + path, body)
        assert status in (200, 201), f"POST {path}: {status} {text!r}"
        return json.loads(text)

    def create(self, name, coordinates, **more):
        theta = [{"name": c, "unit": u, "low": 0, "high": 10} for c, u in coordinates]
        self.post("", {"name": name, "description": {"theta": theta, "tau": [100, 400], "reps": [2, 5],
                                                     "direction": "minimize", "initial_designs": 3, **more}})

    def ask(self, name, **more):
        return self.post(f"/{name}/ask", {"worker": "robot-1", "lease": 90, "explain": True, **more})

    def tell(self, name, trial, **more):
        far = sum((v - 4) ** 2 for v in trial["theta_array"])
        scores = [20 + far * (600 - trial["tau"]) / 100 + (7 * r) % 3 for r in range(trial["reps"])]
        self.post(f"/{name}/trials/{trial['trial']}/tell", {"scores": scores, **more})

    def work(self, name, count):
        for _ in range(count):
            self.tell(name, self.ask(name))


class Browser:
    """A window whose complaints are collected; what the page rightly asks for in vain is none."""

    def __init__(self, chromium, server, folder):
        self.chromium, self.server, self.folder, self.complaints = chromium, server, folder, []

    def open(self, path, width=1280, height=900, scheme="light"):
        page = self.chromium.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(f"{path}: {error}"))
        page.on("console", lambda m: self.hear(path, m))
        page.on("dialog", lambda d: self.complaints.append(f"{path}: a dialog says {d.message}"))
        page.goto(self.server.url + path, wait_until="commit")
        return page

    def hear(self, path, message):
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.complaints.append(f"{path}: {message.text}")

    def picture(self, page, name):
        if self.folder:
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(1500)
            page.screenshot(path=str(self.folder / f"{name}.png"), full_page=True)


def until(page, expression, argument=None):
    """Waits for an expression to be true; Playwright's own way is what the page's policy forbids."""
    for _ in range(PATIENCE // 100):
        if page.evaluate(expression, argument):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not within {PATIENCE / 1000:g} s: {expression}")


def wait_live(page):
    expect(page.locator("#connection")).to_have_text("live", timeout=PATIENCE)


def row(page, trial):
    return page.locator(f"tr[data-row='{trial}']")


def expect_row(page, trial, text):
    expect(row(page, trial)).to_contain_text(text, timeout=PATIENCE)


def check_list_and_empty(browser, server):
    page = browser.open("/")
    expect(page.locator("main")).to_contain_text("No study is served yet")
    server.create("arm", [("x", "m"), ("y", "m")], budget=100_000)
    page.get_by_role("link", name="arm").wait_for()  # by itself
    browser.picture(page, "list")
    page.get_by_role("link", name="arm").click()
    wait_live(page)
    expect(page.locator("main")).to_contain_text("No trial yet")
    browser.picture(page, "empty")
    page.close()


def check_follows(browser, server):
    page = browser.open("/study/arm")
    wait_live(page)
    page.evaluate("window.mark = 1")
    server.work("arm", 6)
    expect_row(page, 6, "told")
    under_way = server.ask("arm")
    expect_row(page, under_way["trial"], "asked")
    expect(page.locator(".queue")).to_contain_text("of its lease left")
    expect(page.locator(".queue")).to_contain_text("robot-1")
    left = page.locator(".queue .lease").inner_text()
    until(page, "before => document.querySelector('.queue .lease').innerText !== before", left)
    server.tell("arm", under_way, note="went well")
    expect_row(page, under_way["trial"], "went well")
    expect(page.get_by_role("region", name="Recommendation").or_(page.locator("section")).filter(
        has_text="90 % interval").first).to_be_visible()

    server.stop()
    expect(page.locator("#connection")).to_have_text("reconnecting …")
    server.start()
    server.work("arm", 2)
    expect_row(page, 9, "told")
    wait_live(page)
    server.stop(signal.SIGKILL)
    expect(page.locator("#connection")).to_have_text("reconnecting …")
    server.start()
    server.work("arm", 3)
    expect_row(page, 12, "told")
    assert page.evaluate("window.mark") == 1, "the page was loaded again"
    until(page, "document.querySelectorAll('svg .promise').length > 1")
    browser.picture(page, "running")
    page.close()


def check_acts(browser, server):
    page = browser.open("/study/arm")
    wait_live(page)
    page.get_by_text("You", exact=True).click()
    page.locator("#person").fill("Ada <b>")
    page.locator("#person").blur()
    row(page, 2).get_by_role("button", name="Void trial 2").click()
    page.get_by_role("button", name="Keep it as it is").click()
    row(page, 2).get_by_role("button", name="Void trial 2").click()
    page.locator("#void-why").fill("wheel was loose")
    page.get_by_role("button", name="Void it").click()
    expect_row(page, 2, "voided")
    row(page, 2).get_by_role("button", name="Trial 2, details").click()
    expect(page.locator("tr.details")).to_contain_text("wheel was loose")
    expect(page.locator(".happenings")).to_contain_text("voided trial 2 by Ada <b>")
    row(page, 2).get_by_role("button", name="Restore trial 2").click()
    page.get_by_role("button", name="Restore it").click()
    expect_row(page, 2, "told")

    page.locator("#budget").fill("plenty")
    page.get_by_role("button", name="Set").click()
    expect(page.locator("main")).to_contain_text("The budget is a number above 0")
    page.locator("#budget").fill("250000")
    page.get_by_role("button", name="Set").click()
    expect(page.locator(".progress")).to_contain_text("250\u202f000")

    page.locator("#enqueue-0").fill("11")
    page.get_by_role("button", name="Enqueue").click()
    expect(page.locator("main")).to_contain_text("x: expected a number from 0 to 10, got “11”")
    page.locator("#enqueue-0").fill("2.5")
    page.locator("#enqueue-1").fill("7")
    page.locator("#enqueue-note").fill("a hunch")
    page.get_by_role("button", name="Enqueue").click()
    expect_row(page, 13, "waiting")
    expect_row(page, 13, "a hunch")
    asked = server.ask("arm")
    assert asked["theta_array"] == [2.5, 7], asked
    server.tell("arm", asked)
    expect_row(page, 13, "told")
    page.close()


def first_trial(page):
    return page.locator(".trials tbody tr").first.get_attribute("data-row")


def check_keyboard(browser, _):
    page = browser.open("/study/arm")
    wait_live(page)
    assert first_trial(page) == "13"
    page.locator("#filter-state").focus()
    for _ in range(3):  # the box of the table, its first head, its second
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.key") == "state"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("th[data-key=trial]")).to_have_attribute("aria-sort", "ascending")
    assert first_trial(page) == "1"
    assert page.evaluate("document.activeElement.dataset.key") == "trial", "the focus was lost"
    means = page.locator("th[data-key=mean] button")
    means.focus()
    page.keyboard.press("Enter")
    told = [float(t) for t in page.locator(".trials tbody tr td:nth-child(7)").all_inner_texts()]
    assert told == sorted(told), told
    page.locator("#filter").fill("went well")
    expect(page.locator(".trials tbody tr")).to_have_count(1)
    page.locator("#filter").fill("")
    page.locator("#filter-state").select_option("failed")
    expect(page.locator(".trials tbody")).to_contain_text("No trial is like that")
    outline = page.locator("#filter").evaluate("e => { e.focus(); return getComputedStyle(e).outlineStyle; }")
    assert outline != "none", "the focus cannot be seen"
    page.close()


def check_hostile(browser, server):
    server.create("hostile", [(HOSTILE["image"], HOSTILE["script"]), (HOSTILE["direction"], "m")])
    for text in HOSTILE.values():
        trial = server.ask("hostile", worker=text[:60])
        server.tell("hostile", trial, note=text)
    server.ask("hostile", worker=HOSTILE["svg"])
    server.post("/hostile/trials/1/note", {"tags": ["<b>tag"]})
    server.post("/hostile/trials/1/void", {"why": HOSTILE["script"]})
    page = browser.open("/study/hostile")
    wait_live(page)
    expect_row(page, 6, "asked")
    page.get_by_role("button", name="Trial 1, details").click()
    until(page, "document.querySelectorAll('svg .promise').length > 1")
    text = " ".join(page.locator("body").inner_text().split())
    for name, one in HOSTILE.items():
        assert shown(one) in text, f"{name} is not there to be read"
    assert "\u202e" not in text and "\u2066" not in text
    assert page.evaluate("window.hacked") is None, "a name was run"
    assert page.locator("main img, main script").count() == 0
    browser.picture(page, "hostile")
    page.close()
    page = browser.open("/study/nobody")
    expect(page.locator("#connection")).to_have_text("not on this server")
    page.close()


def check_many(browser, server, count=2000):
    server.create("many", [("x", "m"), ("y", "m")], method="random", budget=10_000_000)
    trials = [{"theta": [5 + 5 * math.sin(i), 5 + 5 * math.cos(1.7 * i)], "tau": 400 if i % 2 else 100,
               "scores": [30 + 20 * math.sin(i / 7), 40], "cost": 400, "note": f"log {i}"} for i in range(count)]
    for begin in range(0, count, 500):
        server.post("/many/add", {"trials": trials[begin:begin + 500]})
    page = browser.open("/study/many")
    until(page, "n => performance.getEntriesByName('drawn').some(e => e.detail === n)", count)
    took = page.evaluate("n => performance.getEntriesByName('drawn').find(e => e.detail === n).startTime", count)
    print(f"live page: {count} trials shown {took / 1000:.2f} s after the page was opened")  # a busy machine takes longer
    assert page.locator(".trials tbody tr").count() == 50
    page.get_by_role("button", name="Last").click()
    expect_row(page, 1, "log 0")
    browser.picture(page, "many")
    page.close()


def check_index(browser, server):
    """Search, order, a broken file in the server's words, studies side by side, comparisons."""
    broken, lab = server.folder / "broken.besd", server.folder / "lab"
    broken.write_text("junk")
    lab.mkdir()
    done = subprocess.run([server.besd, "compare", "gw10", "--methods", "besd,random", "--replications", "1", "--budget", "20000", "--test", "2",
                           "--quiet", "--out", str(lab)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = browser.open("/")
    card = page.locator(".card").filter(has_text="broken")
    expect(card).to_contain_text("it is not a besd study")
    assert "undefined" not in page.locator("main").inner_text()
    page.locator("#order").select_option("told")
    expect(page.locator(".card .name").nth(1)).to_have_text("many")  # after what is broken
    page.locator("#search").fill("AR")
    expect(page.locator(".card .name")).to_have_text(["arm", "lab"])  # the comparison stays
    page.locator("#search").fill("")
    page.get_by_label("Choose arm", exact=True).check()
    page.get_by_label("Choose hostile", exact=True).check()
    page.get_by_role("link", name="Show 2 side by side").click()
    expect(page.locator(".lead")).to_contain_text("2 studies side by side")
    expect(page.locator("main")).to_contain_text("In what they differ")
    page.close()
    page = browser.open("/")
    page.get_by_role("link", name="lab", exact=True).click()
    expect(page.locator("main")).to_contain_text("One replication proves nothing")
    wait_live(page)
    page.close()
    broken.unlink()


def check_narrow(browser, _):
    for path in "/", "/study/arm", "/study/hostile":
        page = browser.open(path, width=400, height=800)
        wait_live(page)
        if path != "/":
            page.locator(".trials tbody tr").first.wait_for()
            until(page, "document.querySelectorAll('svg .promise').length > 1")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 400, f"{path} is {width} px wide in a window of 400"
        browser.picture(page, f"narrow{path.replace('/', '-')}")
        page.close()


GROUND = "getComputedStyle(document.documentElement).backgroundColor"


def check_dark(browser, _):
    page = browser.open("/study/arm", width=1600, height=1000)
    wait_live(page)
    light = page.evaluate(GROUND)
    page.emulate_media(color_scheme="dark")
    until(page, "document.querySelectorAll('svg .promise').length > 1")
    assert page.evaluate(GROUND) != light
    browser.picture(page, "dark")
    page.close()


def check_token(chromium, besd, folder):
    secret = folder / "token"
    secret.write_text("correct-horse-battery-staple\n")
    secret.chmod(0o600)
    server = Server(besd, folder, "--token-file", str(secret)).start()
    browser = Browser(chromium, server, None)
    try:
        page = browser.open("/study/arm")
        expect(page.locator("#connection")).to_have_text("a token is needed")
        page.locator("#token").fill("wrong")
        page.get_by_role("button", name="Use").click()
        expect(page.locator("#connection")).to_have_text("a token is needed")
        page.locator("#token").fill("correct-horse-battery-staple")
        page.get_by_role("button", name="Use").click()
        wait_live(page)
        expect_row(page, 1, "told")
        assert page.evaluate("localStorage.length + document.cookie.length") == 0
        page.get_by_text("You", exact=True).click()
        page.get_by_role("button", name="Forget").click()
        expect(page.locator("#connection")).to_have_text("a token is needed")
        page.close()
    finally:
        server.stop()
    assert not browser.complaints, "\n".join(browser.complaints)


CHECKS = (check_list_and_empty, check_follows, check_acts, check_keyboard, check_hostile, check_many, check_index, check_narrow, check_dark)


def main(besd, executable, pictures=None):
    pictures = pictures and pathlib.Path(pictures)
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="besd-live-") as scratch, sync_playwright() as play:
        folder = pathlib.Path(scratch)
        server = Server(besd, folder).start()
        chromium = play.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        browser = Browser(chromium, server, pictures)
        try:
            for check in CHECKS:
                begin = time.monotonic()
                check(browser, server)
                print(f"live page: {check.__name__} took {time.monotonic() - begin:.1f} s")
        finally:
            server.stop()
        assert not browser.complaints, "\n".join(browser.complaints)
        check_token(chromium, besd, folder)
        chromium.close()
    print("live page: all is well")


if __name__ == "__main__":
    main(*sys.argv[1:])
