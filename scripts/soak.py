#!/usr/bin/env python3
"""Load for a long time: does a server stay as it is?

One server is never touched, and its memory, descriptors and threads are written down after every round. Readers list the
study there without end, others follow its events, and slices of a model are asked for. A second server of the same folder
is killed (kill -9) again and again while a fleet of workers asks, dies and tells there. After each round the file is
compared with what was acknowledged. At the end the last quarter of the rounds is compared with the second one: memory
may have grown by a tenth and 16 MB (the study has grown, too), descriptors by 16.

usage: soak.py TOOL [--minutes 60] [--trials 200] [--seconds 30] [--readers 4] [--followers 50] [--slices 1] [--seed 1]
TRIALS and SECONDS are those of a round, at least. Exit code 1 when something is wrong.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from crowd import Crowd  # noqa: E402
from fleet import Client, Fleet, Server, describe, make, must  # noqa: E402


class Sample:
    def __init__(self, server: Server) -> None:
        folder = Path(f"/proc/{server.process.pid}")
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        self.megabytes = int(status["VmRSS"].split()[0]) / 1024
        self.threads = int(status["Threads"])
        self.descriptors = len(list((folder / "fd").iterdir()))


def grown(samples: list[Sample], what: str) -> tuple[float, float]:
    """The median of the second quarter, and of the last."""
    values = [float(getattr(s, what)) for s in samples]
    quarter = max(1, len(values) // 4)
    return statistics.median(values[quarter : 2 * quarter] or values), statistics.median(values[-quarter:])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--followers", type=int, default=50)
    parser.add_argument("--slices", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    luck, samples = random.Random(options.seed), []
    with tempfile.TemporaryDirectory() as scratch:
        tool = os.path.abspath(options.tool)
        steady, killed = Server(tool, Path(scratch)), Server(tool, Path(scratch))
        client = Client(killed.port)
        make(client, "fleet", method="random", budget=1)
        make(client, "model")
        points = [[luck.random() * 10, luck.random() * 10] for _ in range(60)]
        rows = [{"theta": p, "tau": 1, "scores": [p[0] - p[1] + luck.random()]} for p in points]
        must(client.call("POST", "/v1/studies/model/add", {"trials": rows}), 201)
        crowd = Crowd(steady.port, "fleet", "model", options.readers, options.followers, options.slices)
        fleet = Fleet(killed, 0, 8, options.seed)
        end = time.monotonic() + 60 * options.minutes
        try:
            while time.monotonic() < end:
                round_end = time.monotonic() + options.seconds
                fleet.trials += options.trials
                must(Client(killed.port).call("POST", "/v1/studies/fleet/set", {"budget": fleet.trials}), 200)
                fleet.run(2)
                fleet.check()
                time.sleep(max(0, min(round_end, end) - time.monotonic()))
                samples.append(Sample(steady))
        finally:
            crowd.end()
            steady.stop() if steady.process.poll() is None else None
            killed.kill()
    memory, descriptors, threads = (grown(samples, what) for what in ("megabytes", "descriptors", "threads"))
    print(
        f"soak: {options.minutes:g} minutes, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {len(samples)} rounds, "
        f"{len(fleet.acknowledged)} trials told, {killed.starts - 1} kill -9, {fleet.deaths} workers died; nothing lost, nothing "
        f"doubled; {describe(fleet.times)}; the server that stayed: {memory[0]:.1f} MB then {memory[1]:.1f} MB, "
        f"{descriptors[0]:.0f} descriptors then {descriptors[1]:.0f}, {threads[0]:.0f} threads then {threads[1]:.0f}"
    )
    flat = memory[1] <= 1.1 * memory[0] + 16 and descriptors[1] <= descriptors[0] + 16 and threads[1] <= threads[0]
    if steady.starts != 1 or not flat:
        print("FOUND: soak: the server did not stay as it was", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
