#!/usr/bin/env python3
"""Disks that fail, power that goes away and clocks that jump, by a library that is preloaded (tests/torture/troubled.c).

    torture_disk.py BESD libtroubled.so [--most 40] [--crashes 300] [--jumps 6] [--seed 1]

faults  One change of a file after the other fails (EIO, no space left, half a write, a failing sync), MOST of each kind,
        while a trial is asked and told. Each call ends with 0, or with 1 and one sentence. What was acknowledged is
        there afterwards, what was not is there as a whole or not at all, and the study goes on.
power   A server and the tool change a study, and every write and sync is recorded. Then the power goes away after any
        of them, CRASHES times: what was synced is on the disk, what was not is there, lost, or torn, by chance. Every
        study that is left is whole, and has everything that was acknowledged before. On a disk that only says that it
        has synced there is no such promise; then a study is whole or refused with a sentence.
clock   The date of a server jumps by hours and days. No lease ends before its seconds are over, and none lasts.

Exit code 1 when something is wrong."""

import argparse
import http.client
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

STUDY = """theta: [{name: x, low: 0, high: 10}, {name: y, low: 0, high: 10}]
tau: [10, 40]
reps: [2, 4]
direction: minimize
method: random
"""
SECTOR = 512


class Torture:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.besd, self.library = str(Path(options.besd).resolve()), str(Path(options.library).resolve())
        self.options, self.folder, self.random = options, folder, random.Random(options.seed)
        self.findings = 0

    def find(self, text: str) -> None:
        self.findings += 1
        print(f"FOUND: {text}", flush=True)

    def environment(self, **trouble: str) -> dict[str, str]:
        return {**os.environ, "LD_PRELOAD": self.library, **trouble} if trouble else dict(os.environ)

    def run(self, *words: str, **trouble: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [self.besd, *words], capture_output=True, text=True, check=False, timeout=120, env=self.environment(**trouble)
        )
        if done.returncode not in (0, 1) or (done.returncode and not done.stderr.strip()):
            self.find(f"{' '.join(words)} with {trouble}: exit code {done.returncode}, '{done.stderr.strip()}'")
        return done.returncode, done.stdout, done.stderr

    def must(self, *words: str, **trouble: str) -> str:
        code, out, err = self.run(*words, **trouble)
        if code:
            self.find(f"{' '.join(words)}: {err.strip()}")
        return out

    def create(self, name: str, **trouble: str) -> Path:
        spec, study = self.folder / "study.yaml", self.folder / f"{name}.besd"
        spec.write_text(STUDY)
        self.must("create", str(study), "--spec", str(spec), **trouble)
        return study

    def scores_of(self, study: Path) -> dict[int, list[float] | None]:
        """By trial; None: it is not told."""
        out = self.must("trials", str(study), "--json")
        return {t["trial"]: t["scores"] if t["state"] == "told" else None for t in json.loads(out or '{"trials": []}')["trials"]}

    def copy(self, study: Path, name: str) -> Path:
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for end in ("", "-wal", "-journal"):
            if Path(f"{study}{end}").exists():
                shutil.copy(f"{study}{end}", folder)
        return folder / study.name

    # ---- faults ----

    def faults(self) -> None:
        study = self.create("faults")
        for i in range(4):
            trial = json.loads(self.must("ask", str(study), "--json"))
            if i < 3:
                self.must("tell", str(study), str(trial["trial"]), "--scores", scores_text(trial))
        told = ["tell", "faults.besd", str(trial["trial"]), "--scores", scores_text(trial)]
        tried = refused = 0
        for verb, words in (("tell", told), ("ask", ["ask", "faults.besd", "--json"])):
            changes = self.count_changes(study, words)
            for kind in ("eio", "enospc", "short", "sync"):
                places = list(range(1, changes + 1))
                for at in places if len(places) <= self.options.most else sorted(self.random.sample(places, self.options.most)):
                    tried += 1
                    refused += self.fault(study, verb, words, f"{kind}:{at}", trial)
        print(f"faults: {tried} faults of the disk, {refused} calls were refused", flush=True)

    def count_changes(self, study: Path, words: list[str]) -> int:
        copy, count = self.copy(study, "count"), self.folder / "changes"
        self.must(words[0], str(copy), *words[2:], TROUBLE_COUNT=str(count))
        return int(count.read_text())

    def fault(self, study: Path, verb: str, words: list[str], trouble: str, trial: dict[str, Any]) -> bool:
        copy = self.copy(study, "fault")
        before = self.scores_of(copy)
        code, out, err = self.run(words[0], str(copy), *words[2:], TROUBLE=trouble)
        if code == 1 and (err.count("\n") != 1 or "besd" not in err):
            self.find(f"{verb} with {trouble}: expected one sentence, got '{err}'")
        self.must("backup", "--verify", str(copy))
        after, expected = self.scores_of(copy), scores_of(trial)
        if verb == "tell":
            if after != {**before, trial["trial"]: expected} and (code == 0 or after != before):
                self.find(f"tell with {trouble}: exit code {code}, and the study has {after}")
            self.must(words[0], str(copy), *words[2:])
            if self.scores_of(copy).get(trial["trial"]) != expected:
                self.find(f"tell with {trouble}: telling again did not help")
        else:
            fresh = set(after) - set(before)
            if len(fresh) > 1 or (code == 0 and fresh != {json.loads(out)["trial"]}):
                self.find(f"ask with {trouble}: exit code {code}, new trials {fresh}")
            self.must("ask", str(copy), "--json")
        return code == 1

    # ---- power ----

    def power(self) -> None:
        log, acknowledged = self.folder / "log", []  # (bytes of the log, trial, scores)
        log.touch()
        study = self.create("power", TROUBLE_LOG=str(log))
        made = log.stat().st_size
        for _ in range(6):  # every process leaves a file without a log beside it
            trial = json.loads(self.must("ask", str(study), "--json", TROUBLE_LOG=str(log)))
            self.must("tell", str(study), str(trial["trial"]), "--scores", scores_text(trial), TROUBLE_LOG=str(log))
            acknowledged.append((log.stat().st_size, trial["trial"], scores_of(trial)))
        with Server(self, study, TROUBLE_LOG=str(log)) as server:  # one that has it open, so that the log grows
            for i in range(60):
                trial = server.post("ask", {})
                server.post(f"trials/{trial['trial']}/tell", {"scores": scores_of(trial)})
                acknowledged.append((log.stat().st_size, trial["trial"], scores_of(trial)))
                if i % 20 == 19:  # SQLite writes a log back when it is long
                    rows = [{"theta": [k % 10, 3], "tau": 10, "scores": [1.5, k], "note": "n" * 900} for k in range(600)]
                    server.post("add", {"trials": rows})
        records = read_log(log.read_bytes())
        lost = 0
        for _ in range(self.options.crashes):
            lost += self.crash(study, records, acknowledged, made)
        print(
            f"power: {len(records)} records, {len(acknowledged)} acknowledged tells, {self.options.crashes} crashes; of disks that "
            f"lie {lost} left a study that is refused",
            flush=True,
        )

    def crash(self, study: Path, records: list[dict[str, Any]], acknowledged: list[Any], made: int) -> bool:
        lies = self.random.random() < 0.2
        number = self.random.randrange(len(records) + 1)
        end = records[number - 1]["end"] if number else 0
        folder = self.folder / "crash"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, content in replay(records[:number], self.random, lies).items():
            (folder / Path(name).name).write_bytes(content)
        copy = folder / study.name
        if end < made and not lies:
            if copy.exists():
                self.run("trials", str(copy), "--json")  # half made: any sentence will do
            return False
        code, _, err = self.run("backup", "--verify", str(copy))
        if lies:
            return code == 1
        if code:
            self.find(f"power: after {number} records: {err.strip()}")
            return False
        have = self.scores_of(copy)
        for size, trial, scores in acknowledged:
            if size <= end and have.get(trial) != scores:
                self.find(f"power: after {number} records trial {trial} is {have.get(trial)}, acknowledged {scores}")
        self.must("ask", str(copy), "--json")
        return False

    # ---- clock ----

    def clock(self) -> None:
        study, date = self.create("clock"), self.folder / "date"
        date.write_text("0\n")
        lease, jumps = 4.0, 0
        with Server(self, study, TROUBLE_CLOCK=str(date)) as server:
            for _ in range(self.options.jumps):
                began = time.monotonic()
                first = server.post("ask", {"worker": "a", "lease": lease})["trial"]
                given = time.monotonic()
                for _ in range(2):
                    date.write_text(f"{self.random.choice([-1, 1]) * self.random.choice([90, 3600, 86400, 10**7])}\n")
                    jumps += 1
                    other = server.post("ask", {"worker": "b", "lease": 10**6})["trial"]
                    if other == first and time.monotonic() - began < lease:
                        self.find(f"clock: the lease of trial {first} ended after {time.monotonic() - began:.1f} s of {lease}")
                time.sleep(max(0.0, given + lease + 0.5 - time.monotonic()))
                again = server.post("ask", {"worker": "b", "lease": 10**6})["trial"]
                if again != first:
                    self.find(f"clock: trial {first} did not come back after {time.monotonic() - began:.1f} s; {again} was given")
        print(f"clock: {jumps} jumps of the date", flush=True)


class Server:
    def __init__(self, torture: Torture, study: Path, **trouble: str) -> None:
        self.process = subprocess.Popen(
            [torture.besd, "serve", str(study), "--listen", "127.0.0.1:0", "--quiet"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=torture.environment(**trouble),
        )  # fmt: skip
        assert self.process.stdout
        words = self.process.stdout.readline().split()
        if not words:
            raise SystemExit(f"torture_disk: the server did not start: {self.process.communicate()[1]}")
        self.port, self.study = int(words[-1].rsplit(":", 1)[1].rstrip("/")), study.stem

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        if self.process.wait(timeout=60):
            raise SystemExit(f"torture_disk: the server ended with {self.process.returncode}")

    def post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request("POST", f"/v1/studies/{self.study}/{what}", json.dumps(body), {"Content-Type": "application/json"})
        answer = line.getresponse()
        text = answer.read().decode()
        if answer.status not in (200, 201):
            raise SystemExit(f"torture_disk: {what}: {answer.status} {text}")
        line.close()
        return dict(json.loads(text))


def scores_of(trial: dict[str, Any]) -> list[float]:
    return [trial["seed"] % 97 + i + 0.5 for i in range(trial["reps"])]


def scores_text(trial: dict[str, Any]) -> str:
    return ",".join(map(repr, scores_of(trial)))


def read_log(log: bytes) -> list[dict[str, Any]]:
    records, at = [], 0
    while at < len(log):
        line_end = log.index(b"\n", at)
        what, *words = log[at:line_end].decode().split(" ")
        at = line_end + 1
        record: dict[str, Any] = {"what": what, "name": words[-1]}
        if what == "write":
            record["offset"], length = int(words[0]), int(words[1])
            record["bytes"] = log[at : at + length]
            at += length
        elif what == "truncate":
            record["length"] = int(words[0])
        record["end"] = at
        records.append(record)
    return records


def apply(content: bytearray, record: dict[str, Any], luck: random.Random, all_of_it: bool) -> None:
    """Changes a file; a write may be torn between sectors unless all of it is sure to be there."""
    if record["what"] == "truncate":
        del content[record["length"] :]
        content.extend(bytes(record["length"] - len(content)))
        return
    data, offset = record["bytes"], record["offset"]
    if not all_of_it and luck.random() < 0.3:
        data = data[: luck.randrange(len(data) // SECTOR + 1) * SECTOR]
    content.extend(bytes(max(0, offset + len(data) - len(content))))
    content[offset : offset + len(data)] = data


def replay(records: list[dict[str, Any]], luck: random.Random, lies: bool) -> dict[str, bytes]:
    """What is on the disk when the power goes away after these."""
    files: dict[str, bytearray] = {}
    pending: dict[str, list[dict[str, Any]]] = {}
    removed: dict[str, bytearray] = {}
    keeps = luck.choice([0.0, 0.5, 0.9, 1.0])  # of what was not synced
    for record in records:
        name = record["name"]
        if record["what"] == "sync":
            if not lies:
                removed = {n: content for n, content in removed.items() if os.path.dirname(n) != name}
                for change in pending.pop(name, []):
                    apply(files.setdefault(name, bytearray()), change, luck, True)
        elif record["what"] == "unlink":
            removed[name] = files.pop(name, bytearray())
            pending.pop(name, None)
        else:
            files.setdefault(name, bytearray())
            removed.pop(name, None)
            pending.setdefault(name, []).append(record)
    for name, changes in pending.items():
        for change in changes:
            if luck.random() < keeps:
                apply(files[name], change, luck, False)
    for name, content in removed.items():  # a removal may not have reached the folder
        if luck.random() < 0.3:
            files.setdefault(name, content)
    return {name: bytes(content) for name, content in files.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("besd")
    parser.add_argument("library")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--crashes", type=int, default=300)
    parser.add_argument("--jumps", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="torture-disk-") as folder:
        torture = Torture(options, Path(folder))
        torture.faults()
        torture.power()
        torture.clock()
    return 1 if torture.findings else 0


if __name__ == "__main__":
    sys.exit(main())
