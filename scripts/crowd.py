#!/usr/bin/env python3
"""Readers that never end, beside somebody who tells: how long does a tell wait, and what does a list cost?

A study of so many told trials gets readers that list it over and over, then as many whose clients leave at once. Tells
are timed beside both, and the CPU time of one list is taken from the server's own account. Other work on the machine
makes tells slower, so the load is printed; CPU time hardly depends on it. The readers yield to everything else, because they
would run on other machines.

usage: crowd.py TOOL [--trials 4000] [--readers 30] [--tells 200]
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from fleet import Client, Server, backlog, describe, make, must  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")

# A reader in a process of its own, so that it does not wait for the others: it reads lists and drops them.
READER = """
import os, socket, sys
os.nice(19)  # as if it ran on another machine
port, path, leave = int(sys.argv[1]), sys.argv[2], sys.argv[3] == "leave"
ask = f"GET {path} HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n".encode()
while True:
    try:
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(ask)
            while not leave and line.recv(1 << 20):
                pass
    except OSError:
        pass
"""


# So many clients that follow the events of a study, in one process; those that are cut off come back.
FOLLOWERS = """
import os, selectors, socket, sys, time
os.nice(19)
port, path, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
ask = f"GET {path} HTTP/1.1\\r\\nHost: localhost\\r\\nAccept: text/event-stream\\r\\n\\r\\n".encode()
ready = selectors.DefaultSelector()
missing = count
while True:
    for _ in range(missing):
        try:
            line = socket.create_connection(("127.0.0.1", port), timeout=5)
            line.sendall(ask)
            ready.register(line, selectors.EVENT_READ)
            missing -= 1
        except OSError:
            time.sleep(0.05)
            break
    for key, _ in ready.select(0.1):
        try:
            over = not key.fileobj.recv(1 << 16)
        except OSError:
            over = True
        if over:
            ready.unregister(key.fileobj)
            key.fileobj.close()
            missing += 1
"""

# So many requests a second.
REGULAR = """
import http.client, os, sys, time
os.nice(19)
port, path, rate = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
while True:
    began = time.monotonic()
    try:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        line.request("GET", path)
        line.getresponse().read()
        line.close()
    except (OSError, http.client.HTTPException):
        pass
    time.sleep(max(0, 1 / rate - (time.monotonic() - began)))
"""


class Crowd:
    """Clients that only look, in processes of their own, until the end."""

    def __init__(self, port: int, study: str, model: str, readers: int, followers: int, slices: float) -> None:
        jobs = [(READER, f"/v1/studies/{study}/trials", "read")] * readers
        share = 100
        for first in range(0, followers, share):
            jobs.append((FOLLOWERS, f"/v1/studies/{study}/events?newest=1", str(min(share, followers - first))))
        # several, because one waits for its answers
        jobs += [(REGULAR, f"/v1/studies/{model}/slices", str(slices / 4))] * (4 if slices else 0)
        self.processes = [subprocess.Popen([sys.executable, "-c", text, str(port), path, how]) for text, path, how in jobs]

    def end(self) -> None:
        for one in self.processes:
            one.kill()
        for one in self.processes:
            one.wait()


def cpu(server: Server) -> float:
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def fill(client: Client, name: str, count: int) -> None:
    make(client, name, method="random")
    step = 1000
    for first in range(0, count, step):
        rows = [
            {"theta": [(i * 0.6180339887) % 10, (i * 0.7548776662) % 10], "tau": 1, "scores": [(i * 0.5698402909) % 7]}
            for i in range(first, min(first + step, count))
        ]
        must(client.call("POST", f"/v1/studies/{name}/add", {"trials": rows}), 201)


def list_all(port: int, path: str) -> int:
    line = http.client.HTTPConnection("127.0.0.1", port)
    line.request("GET", path)
    count = len(json.loads(line.getresponse().read())["trials"])
    line.close()
    return count


def price(server: Server, path: str, trials: int) -> float:
    """CPU seconds of one list, over many."""
    rounds = 20
    list_all(server.port, path)
    before = cpu(server)
    for _ in range(rounds):
        if list_all(server.port, path) < trials:
            raise SystemExit("crowd: the list is not whole")
    return (cpu(server) - before) / rounds


def tells(server: Server, trials: list[int]) -> list[float]:
    times = []
    client = Client(server.port)
    for trial in trials:
        began = time.perf_counter()
        must(client.call("POST", f"/v1/studies/crowd/trials/{trial}/tell", {"scores": [trial % 17 + 0.5]}), 200)
        times.append(time.perf_counter() - began)
    return times


def beside(server: Server, readers: int, path: str, how: str, trials: list[int]) -> list[float]:
    crowd = [subprocess.Popen([sys.executable, "-c", READER, str(server.port), path, how]) for _ in range(readers)]
    time.sleep(2)  # until all of them read
    try:
        return tells(server, trials)
    finally:
        for one in crowd:
            one.kill()
        for one in crowd:
            one.wait()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--trials", type=int, default=4000)
    parser.add_argument("--readers", type=int, default=30)
    parser.add_argument("--tells", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        server = Server(os.path.abspath(options.tool), Path(scratch))
        try:
            client = Client(server.port)
            fill(client, "crowd", options.trials)
            path = "/v1/studies/crowd/trials"
            waiting = backlog(client, "crowd", 3 * options.tells)
            cost = price(server, path, options.trials)
            print(f"crowd: {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before, with other work beside it")
            print(f"crowd: a list of {options.trials + len(waiting)} trials: {1e3 * cost:.1f} ms of CPU")
            page = price(server, path + "?limit=100&after=" + str(options.trials // 2), 100)
            print(f"crowd: a page of 100 of them: {1e3 * page:.2f} ms of CPU")
            print("crowd: nobody else:", describe(tells(server, waiting[: options.tells])))
            rest = waiting[options.tells :]
            print(f"crowd: {options.readers} endless readers:", describe(beside(server, options.readers, path, "read", rest[: options.tells])))
            print(f"crowd: {options.readers} that leave at once:", describe(beside(server, options.readers, path, "leave", rest[options.tells :])))
            server.stop()
        finally:
            if server.process.poll() is None:
                server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
