#!/usr/bin/env python3
"""Fails one allocation of a process after another, and looks at what every verb makes of it.
usage: torture_memory.py BESD STARVED [--stride N] [--first N] [--only VERB...] [--timeout SECONDS]

STARVED is tests/memory/starved.c as a shared object: preloaded, it lets the n-th malloc, calloc, realloc or
strdup of the process fail, in besd and in every library. For n = first, first + stride, ... a verb must either
say what it says when nothing fails and leave the same behind, with exit code 0; or end with another exit code
and a sentence on standard error. It must not die, hang, or leave a study that is neither as before nor as after
the verb. Half of the runs have all later allocations fail as well, as when memory is used up. make torture-memory."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

STUDY = """theta: [{name: x, low: 0, high: 10, unit: m}, {name: y, low: -1, high: 1}]
tau: [10, 40]
reps: [2, 4]
direction: minimize
transform: log
budget: 4000
targets: 40
draws: 3
initial_designs: 4
"""
TRAINER = """theta: [{name: x, low: 0, high: 10}]
tau: [10, 40]
reps: [2]
targets: 30
draws: 2
initial_designs: 4
budget: 400
command: |-
  sed -E 's/.*"theta":\\[?([-0-9.e]+).*/{"scores": [1, \\1]}/; s/.*"x":([-0-9.e]+).*/{"scores": [1, \\1]}/'
"""
TABLE = "x,y,tau,scores,note\n5,0,40,21 22,\"old, dry\"\n6,0.5,10,25,\n"
LINES = '{"theta": {"x": 5, "y": 0}, "tau": 40, "scores": [21, 22]}\n{"theta": [6, 0.5], "tau": 10, "scores": [25]}\n'
SENTENCE = re.compile(r"^(besd( [a-z]+)?|libgomp): .{8,}", re.MULTILINE)  # libgomp ends the process itself
FOREIGN = re.compile(r"LAPACK|On entry to|parameter number|^OpenBLAS|terminate called", re.MULTILINE)
STUDY_FILE, PAGE = "s.besd", "page.html"

# the words of a verb, and the files that it makes
VERBS = {
    "create": (["create", "new.besd", "--spec", "study.yaml", "--json"], ["new.besd"]),
    "options": (["options", "--json"], []),
    "domains": (["domains", "--json"], []),
    "trials": (["trials", STUDY_FILE, "--json"], []),
    "trials-text": (["trials", STUDY_FILE], []),
    "recommend": (["recommend", STUDY_FILE, "--json"], []),
    "recommend-text": (["recommend", STUDY_FILE], []),
    "predict": (["predict", STUDY_FILE, "--theta", "5,0", "--json"], []),
    "certify": (["certify", STUDY_FILE, "--json"], []),
    "ask": (["ask", STUDY_FILE, "--explain", "--json"], [STUDY_FILE]),
    "tell": (["tell", STUDY_FILE, "12", "--scores", "21,22", "--json"], [STUDY_FILE]),
    "fail": (["fail", STUDY_FILE, "12", "--note", "rain", "--json"], [STUDY_FILE]),
    "trials-csv": (["trials", STUDY_FILE, "--csv"], []),
    "events": (["events", STUDY_FILE, "--json"], []),
    "add": (["add", STUDY_FILE, "--theta", "5,0", "--tau", "10", "--scores", "21,22,23", "--json"], [STUDY_FILE]),
    "add-file": (["add", STUDY_FILE, "--from", "old.csv", "--json"], [STUDY_FILE]),
    "add-lines": (["add", STUDY_FILE, "--from", "old.jsonl"], [STUDY_FILE]),
    "enqueue": (["enqueue", STUDY_FILE, "--theta", "5,0", "--note", "idea", "--json"], [STUDY_FILE]),
    "ask-leased": (["ask", STUDY_FILE, "--worker", "robot", "--lease", "600", "--json"], [STUDY_FILE]),
    "void": (["void", STUDY_FILE, "3", "--why", "rain", "--json"], [STUDY_FILE]),
    "replace": (["tell", STUDY_FILE, "3", "--replace", "--scores", "21,22", "--why", "typo", "--json"], [STUDY_FILE]),
    "restore": (["restore", STUDY_FILE, "2", "--json"], [STUDY_FILE]),
    "note": (["note", STUDY_FILE, "3", "--text", "wet", "--tag", "tyres", "--json"], [STUDY_FILE]),
    "set": (["set", STUDY_FILE, "--budget", "5000", "--json"], [STUDY_FILE]),
    "show": (["show", "gw10", "--theta", "7.5,3.5,1.5,8.5", "--path", "--json"], []),
    "train": (["train", "gw10", "--theta", "7.5,3.5,1.5,8.5", "--tau", "200", "--instances", "4", "--json"], []),
    "check": (["check", "trainer.yaml", "--json"], []),
    "report": (["report", STUDY_FILE, "--out", PAGE], [PAGE]),
    "plot": (["plot", "slices", STUDY_FILE, "--out", "figure"], ["figure.svg"]),
    "run": (["run", "trainer.yaml", "--study", "run.besd", "--quiet", "--json"], ["run.besd"]),
    "run-domain": (["run", "gw10", "--study", "run.besd", "--budget", "6000", "--targets", "40", "--draws", "2",
                    "--quiet", "--json"], ["run.besd"]),
}


class Torture:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.begin, self.folder = os.path.join(work, "begin"), os.path.join(work, "now")
        os.makedirs(self.begin)
        self.make_beginning()

    def make_beginning(self):
        for name, text in [("study.yaml", STUDY), ("trainer.yaml", TRAINER), ("old.csv", TABLE), ("old.jsonl", LINES)]:
            with open(os.path.join(self.begin, name), "w") as file:
                file.write(text)
        self.need("create", STUDY_FILE, "--spec", "study.yaml")
        for i in range(12):
            trial = json.loads(self.need("ask", STUDY_FILE, "--json"))
            if i == 5:
                self.need("fail", STUDY_FILE, str(trial["trial"]), "--note", "flat tyre")
            elif i < 11:
                x, y = trial["theta_array"]
                scores = ",".join(str(20 + (x - 6) ** 2 + y * y + r / 7) for r in range(trial["reps"]))
                self.need("tell", STUDY_FILE, str(trial["trial"]), "--scores", scores)
        self.need("tell", STUDY_FILE, "2", "--replace", "--scores", "30,31")

    def need(self, *words):
        done = subprocess.run([self.options.besd, *words], cwd=self.begin, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"besd {' '.join(words)}: {done.stderr.decode()}")
        return done.stdout

    def call(self, words, **variables):
        """The verb in a new copy of the beginning."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.begin, self.folder)
        environment = dict(os.environ, LD_PRELOAD=self.options.starved, OMP_NUM_THREADS="1", **variables)
        return subprocess.run([self.options.besd, *words], cwd=self.folder, capture_output=True, check=False,
                              env=environment, stdin=subprocess.DEVNULL, timeout=self.options.timeout)

    def left(self, folder, files):
        """What a verb has left behind, without the times of day; of a study what is known of its trials."""
        found = []
        for name in files:
            path = os.path.join(folder, name)
            if not os.path.exists(path):
                found.append(None)
            elif name.endswith(".besd"):
                done = subprocess.run([self.options.besd, "trials", path, "--json"], capture_output=True, check=False)
                found.append(done.stdout if done.returncode else without_times(done.stdout))
                if done.returncode:
                    found[-1] = done.stderr
            else:
                with open(path, "rb") as file:
                    found.append(without_times(file.read()))
        return found

    def complaint(self, done, want, files):
        """What is wrong with a run; None when nothing is."""
        error = done.stderr.decode(errors="replace")
        if done.returncode < 0:
            return f"died by signal {-done.returncode}"
        if FOREIGN.search(error) or FOREIGN.search(done.stdout.decode(errors="replace")):
            return f"a library speaks: {error[:150]!r} {done.stdout[:150]!r}"
        if done.returncode:
            if not SENTENCE.search(error):
                return f"exit code {done.returncode} without a sentence: {error[:200]!r}"
            left = self.left(self.folder, files)
            studies = [(a, b) for a, b, name in zip(left, want["before"], files) if name == STUDY_FILE]
            for now, before in studies:
                if now not in (before, want["left"][files.index(STUDY_FILE)]):
                    return f"half done, after: {error[:120]!r}"
            return None
        if without_times(done.stdout) != want["stdout"]:
            return f"another answer: {first_difference(without_times(done.stdout), want['stdout'])}"
        if without_times(done.stderr) != want["stderr"]:
            return f"other words: {error[:200]!r}"
        left = self.left(self.folder, files)
        if left != want["left"]:
            return "it left something else behind: " + first_difference(repr(left), repr(want["left"]))
        return None

    def verb(self, name):
        words, files = VERBS[name]
        counted = os.path.join(self.work, "count")
        want, again = ({"stdout": without_times(done.stdout), "stderr": without_times(done.stderr),
                        "left": self.left(self.folder, files), "before": self.left(self.begin, files),
                        "code": done.returncode, "error": done.stderr}
                       for done in (self.call(words, STARVED_COUNT=counted) for _ in range(2)))
        if want["code"]:
            sys.exit(f"besd {' '.join(words)}: {want['error'].decode()}")
        if want != again:
            sys.exit(f"besd {' '.join(words)}: two runs differ: {first_difference(repr(want), repr(again))}")
        with open(counted) as file:
            total = int(file.read())
        stride = max(self.options.stride, total // self.options.most) if self.options.most else self.options.stride
        numbers = range(self.options.first, total + 1, stride)
        found, codes = Counter(), Counter()
        where = {}
        for turn, n in enumerate(numbers):
            on = "1" if (turn % 2 and self.options.on) else "0"
            try:
                done = self.call(words, STARVED_AT=str(n), STARVED_ON=on)
                codes["refused" if done.returncode else "same"] += 1
                wrong = self.complaint(done, want, files)
            except subprocess.TimeoutExpired:
                wrong = f"did not end in {self.options.timeout} s"
            if wrong:
                found[wrong] += 1
                where.setdefault(wrong, []).append(f"{n}{'+' if on == '1' else ''}")
        for wrong, times in found.most_common():
            print(f"{name}: {times} x at {' '.join(where[wrong][:6])}: {wrong}", flush=True)
        print(f"{name}: {total} allocations, {len(numbers)} failed: {codes['refused']} refused, {codes['same']} "
              f"answered, {sum(found.values())} findings", flush=True)
        return len(numbers), sum(found.values())


def without_times(data):
    data = re.sub(rb'"(at|asked_at|ended_at|lease_until|age|duration|seconds)": ?[0-9.e+-]+', b"", data)
    data = re.sub(rb",[12]\d{9},([12]\d{9},\d+)?", b"", data)  # in tables
    data = re.sub(rb"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", b"", data)
    return re.sub(rb"[0-9.]+ (s|ms|min|seconds|minutes|hours|h)\b", b"", data)


def first_difference(a, b):
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return f"{a[max(0, at - 30):at + 50]!r} instead of {b[max(0, at - 30):at + 50]!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("besd", type=os.path.abspath)
    parser.add_argument("starved", type=os.path.abspath)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--most", type=int, default=0, help="runs of a verb; its stride is made as large as needed")
    parser.add_argument("--once", dest="on", action="store_false", help="never let the later ones fail too")
    parser.add_argument("--only", nargs="*", default=list(VERBS), choices=list(VERBS), metavar="VERB")
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        torture = Torture(options, work)
        made = [torture.verb(name) for name in options.only]
    runs, findings = (sum(column) for column in zip(*made))
    print(f"{runs} failed allocations, {findings} findings")
    return 1 if findings else 0


sys.exit(main())
