#!/usr/bin/env python3
"""A fleet works on studies over HTTP, and everything that can die does.

Workers ask with leases, train by a formula, renew, tell; some die with a trial in their hands, some come back late.
The server is killed (kill -9) and started again. At the end the file is compared with what was acknowledged: no told
trial lost, none told twice, every expired lease asked again. Then tells are timed while asks of the same study are
computed, and as fast as they go. With --readers, --followers and --slices others look on meanwhile: they list the study
without end, follow its events, and ask for slices of a model so many times a second.

usage: fleet.py TOOL [--trials 2000] [--workers 16] [--kills 3] [--readers 0] [--followers 0] [--slices 0] [--seed 1]
                     [--only-fleet]
"""

import argparse
import collections
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

LEASE = 1.5  # seconds
SPACE = [{"name": "x", "low": 0, "high": 10}, {"name": "y", "low": 0, "high": 10}]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Server:
    def __init__(self, tool: str, folder: Path) -> None:
        self.tool, self.folder, self.port = tool, folder, free_port()
        self.starts = 0
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [self.tool, "serve", str(self.folder), "--listen", f"127.0.0.1:{self.port}", "--quiet"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        if "http://" not in self.process.stdout.readline():
            raise SystemExit("fleet: the server did not start")
        self.starts += 1

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(timeout=60) != 0:
            raise SystemExit(f"fleet: the server ended with {self.process.returncode}")


class Client:
    """One connection; a request that is cut off is sent again until it is answered."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection: http.client.HTTPConnection | None = None
        self.repeated = False

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        self.repeated = False
        while True:
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
                    self.connection.connect()
                    assert self.connection.sock is not None
                    self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                text = None if body is None else json.dumps(body)
                headers = {"Content-Type": "application/json"} if text else {}
                self.connection.request(method, path, text, headers)
                answer = self.connection.getresponse()
                return answer.status, json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                self.connection = None
                self.repeated = True
                time.sleep(0.02)


def must(answer: tuple[int, Any], *codes: int) -> Any:
    if answer[0] not in codes:
        raise SystemExit(f"fleet: expected {codes}, got {answer}")
    return answer[1]


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def describe(times: list[float]) -> str:
    return (
        f"tell p50 {1e3 * percentile(times, 0.5):.1f} ms, p99 {1e3 * percentile(times, 0.99):.1f} ms, "
        f"largest {1e3 * max(times):.1f} ms"
    )


class Fleet:
    def __init__(self, server: Server, trials: int, workers: int, seed: int) -> None:
        self.server, self.trials, self.workers = server, trials, workers
        self.ever = 0  # workers that have begun, over all runs
        self.lock = threading.Lock()
        self.acknowledged: dict[int, list[float]] = {}
        self.deaths = self.late = self.refused = 0
        self.seeds: dict[int, set[str]] = collections.defaultdict(set)
        self.times: list[float] = []
        self.finished = threading.Event()
        self.random = random.Random(seed)
        self.failure = ""

    def tell(self, client: Client, trial: int, scores: list[float], worker: str) -> None:
        began = time.perf_counter()
        code, answer = client.call("POST", f"/v1/studies/fleet/trials/{trial}/tell", {"scores": scores, "worker": worker})
        took = time.perf_counter() - began
        with self.lock:
            if code == 200:
                if self.acknowledged.setdefault(trial, scores) != scores:
                    self.failure = f"trial {trial} was acknowledged with other scores a second time"
                if not client.repeated:
                    self.times.append(took)
            elif code == 409:
                self.refused += 1
            else:
                self.failure = f"telling trial {trial}: {code} {answer}"
            if len(self.acknowledged) >= self.trials or self.failure:
                self.finished.set()

    def work(self, number: int, luck: random.Random) -> None:
        life = 0
        client = Client(self.server.port)
        while not self.finished.is_set():
            worker = f"w{number}.{life}"
            code, trial = client.call("POST", "/v1/studies/fleet/ask", {"worker": worker, "lease": LEASE})
            if code != 200 or trial.get("done"):
                if code not in (200, 503):
                    self.failure = f"asking: {code} {trial}"
                    self.finished.set()
                time.sleep(0.05)
                continue
            with self.lock:
                self.seeds[trial["trial"]].add(json.dumps([trial["theta"], trial["tau"], trial["reps"], trial["seed"]]))
            fate = luck.random()
            if fate < 0.03:  # it dies, and another takes its place
                with self.lock:
                    self.deaths += 1
                life += 1
                client = Client(self.server.port)
                continue
            if fate < 0.05:  # it was slow, and tells after its lease has ended
                with self.lock:
                    self.late += 1
                time.sleep(LEASE + 0.3)
            elif fate < 0.10:
                code, answer = client.call(
                    "POST", f"/v1/studies/fleet/trials/{trial['trial']}/renew", {"worker": worker, "lease": LEASE}
                )
                if code not in (200, 409):  # it may have ended while the server was away
                    self.failure = f"renewing trial {trial['trial']}: {code} {answer}"
            time.sleep(luck.random() * 0.02)
            # whoever tells, the scores say who it was
            scores = [trial["theta_array"][0] + number + life / 1000 + luck.random() for _ in range(trial["reps"])]
            self.tell(client, trial["trial"], scores, worker)

    def run(self, kills: int) -> float:
        threads = [
            threading.Thread(target=self.work, args=(self.ever + i, random.Random(self.random.random())), daemon=True)
            for i in range(self.workers)
        ]
        self.ever += self.workers
        self.finished.clear()
        before = len(self.acknowledged)
        began = time.perf_counter()
        for t in threads:
            t.start()
        for k in range(kills):
            share = (self.trials - before) * (k + 1) // (kills + 1)
            while len(self.acknowledged) < before + share and not self.finished.is_set():
                time.sleep(0.002)
            self.server.kill()
            time.sleep(0.1)
            self.server.start()
        if not self.finished.wait(timeout=1800):
            raise SystemExit("fleet: it did not come to an end")
        elapsed = time.perf_counter() - began
        for t in threads:
            t.join(timeout=30)
        if self.failure:
            raise SystemExit(f"fleet: {self.failure}")
        return elapsed

    def check(self) -> tuple[int, int]:
        """The file against what the workers saw; how often leases ended, and how often trials were asked again."""
        client = Client(self.server.port)
        trials = must(client.call("GET", "/v1/studies/fleet/trials"), 200)["trials"]
        told = {t["trial"]: t["scores"] for t in trials if t["state"] == "told"}
        if told != self.acknowledged:
            lost = [i for i in self.acknowledged if told.get(i) != self.acknowledged[i]]
            raise SystemExit(f"fleet: the file differs: lost or changed {lost}, not acknowledged {set(told) - set(self.acknowledged)}")
        if [t["trial"] for t in trials] != list(range(1, self.trials + 1)):
            raise SystemExit(f"fleet: expected {self.trials} trials, got {len(trials)}")
        changed = [i for i, seen in self.seeds.items() if len(seen) > 1]
        if changed:
            raise SystemExit(f"fleet: trials {changed} came back with other numbers")
        counts: dict[str, collections.Counter[int]] = collections.defaultdict(collections.Counter)
        waiting: set[int] = set()
        after = 0
        while events := must(client.call("GET", f"/v1/studies/fleet/events?after={after}"), 200)["events"]:
            for e in events:
                counts[e["what"]][e["trial"]] += 1
                if e["what"] == "expired":
                    waiting.add(e["trial"])
                elif e["what"] in ("asked", "told"):
                    waiting.discard(e["trial"])
            after = events[-1]["id"]
        doubled = [i for i, n in counts["told"].items() if n != 1]
        if doubled or len(counts["told"]) != self.trials:
            raise SystemExit(f"fleet: {len(counts['told'])} trials were told, {doubled} of them not once")
        if waiting:
            raise SystemExit(f"fleet: the leases of {waiting} ended and nobody was asked again")
        return sum(counts["expired"].values()), sum(n - 1 for n in counts["asked"].values())


def make(client: Client, name: str, **members: Any) -> None:
    description = {"theta": SPACE, "tau": [1], "reps": [1], "seed": 1, **members}
    must(client.call("POST", "/v1/studies", {"name": name, "description": description}), 201)


def backlog(client: Client, name: str, count: int) -> list[int]:
    luck = random.Random(7)
    return [
        must(client.call("POST", f"/v1/studies/{name}/enqueue", {"theta": [luck.random() * 10, luck.random() * 10]}), 201)["trial"]
        for _ in range(count)
    ]


def tell_all(server: Server, name: str, trials: list[int], tellers: int) -> tuple[list[float], float]:
    """All trials told by so many connections side by side."""
    times: list[float] = []
    queue = collections.deque(trials)

    def work() -> None:
        client = Client(server.port)
        while True:
            try:
                trial = queue.popleft()
            except IndexError:
                return
            began = time.perf_counter()
            must(client.call("POST", f"/v1/studies/{name}/trials/{trial}/tell", {"scores": [trial % 17 + 0.5]}), 200)
            times.append(time.perf_counter() - began)

    threads = [threading.Thread(target=work) for _ in range(tellers)]
    began = time.perf_counter()
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return times, time.perf_counter() - began


def time_beside_asks(server: Server, count: int) -> str:
    """Tells of a study whose model is being asked for trial after trial."""
    client = Client(server.port)
    make(client, "mind")
    luck = random.Random(3)
    points = [[luck.random() * 10, luck.random() * 10] for _ in range(100)]
    must(
        client.call("POST", "/v1/studies/mind/add", {"trials": [{"theta": p, "tau": 1, "scores": [p[0] - p[1]]} for p in points]}),
        201,
    )
    trials = backlog(client, "mind", count)
    for _ in trials:  # otherwise asks would give these
        must(client.call("POST", "/v1/studies/mind/ask"), 200)
    stop = threading.Event()
    asks: list[float] = []

    def ask() -> None:
        mine = Client(server.port)
        while not stop.is_set():
            began = time.perf_counter()
            must(mine.call("POST", "/v1/studies/mind/ask"), 200)
            asks.append(time.perf_counter() - began)

    asker = threading.Thread(target=ask)
    asker.start()
    times: list[float] = []
    teller = Client(server.port)
    for trial in trials:  # spread over many asks
        began = time.perf_counter()
        must(teller.call("POST", f"/v1/studies/mind/trials/{trial}/tell", {"scores": [luck.random()]}), 200)
        times.append(time.perf_counter() - began)
        time.sleep(0.02)
    stop.set()
    asker.join()
    return f"{len(times)} tells beside {len(asks)} asks (p50 {1e3 * percentile(asks, 0.5):.0f} ms): {describe(times)}"


def look_on(server: Server, options: argparse.Namespace) -> Any:
    from crowd import Crowd  # which needs this module

    if options.slices:
        make(Client(server.port), "model")
        luck = random.Random(5)
        points = [[luck.random() * 10, luck.random() * 10] for _ in range(60)]
        rows = [{"theta": p, "tau": 1, "scores": [p[0] - p[1] + luck.random()]} for p in points]
        must(Client(server.port).call("POST", "/v1/studies/model/add", {"trials": rows}), 201)
    return Crowd(server.port, "fleet", "model", options.readers, options.followers, options.slices)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--readers", type=int, default=0)
    parser.add_argument("--followers", type=int, default=0)
    parser.add_argument("--slices", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-fleet", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        server = Server(os.path.abspath(options.tool), Path(scratch))
        try:
            # choosing at random, because 2000 asks of a model would take most of an hour
            make(Client(server.port), "fleet", method="random", budget=options.trials)
            fleet = Fleet(server, options.trials, options.workers, options.seed)
            looking = look_on(server, options)
            try:
                elapsed = fleet.run(options.kills)
            finally:
                looking.end()
            expired, again = fleet.check()
            print(
                f"fleet: load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {options.readers} readers, {options.followers} followers, "
                f"{options.slices:g} slices/s; {options.workers} workers, {options.trials} trials in {elapsed:.1f} s, {server.starts - 1} kill -9 of the "
                f"server; {fleet.deaths} workers died, {fleet.late} were late, {fleet.refused} tells came second; {expired} leases "
                f"ended and {again} trials were asked again; nothing lost, nothing doubled; {describe(fleet.times)}"
            )
            if not options.only_fleet:
                print("fleet:", time_beside_asks(server, 300))
                client = Client(server.port)
                make(client, "flood", method="random")
                trials = backlog(client, "flood", 3000)
                times, elapsed = tell_all(server, "flood", trials, 16)
                print(f"fleet: {len(times)} tells by 16 connections: {len(times) / elapsed:.0f} tells/s; {describe(times)}")
            server.stop()
        finally:
            if server.process.poll() is None:
                server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
