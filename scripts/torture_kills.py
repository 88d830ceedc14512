#!/usr/bin/env python3
"""Kills besd by signal 9 while it asks, tells and runs, and lets several processes work on one study, some of which
die; then compares the study file with what they were told.

    torture_kills.py BESD [--rounds 300] [--workers 8] [--trials 200] [--seed 1]

Nothing that was acknowledged may be lost or doubled: every trial that an ask printed is there as it was printed,
every tell that ended with exit code 0 has its scores, every told trial has one event of it, and a trial whose worker
died was given to another one with the same seed. Exit code 1 when something is wrong.
"""

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

STUDY = """theta: [{name: x, low: 0, high: 10}, {name: y, low: 0, high: 10}]
tau: [10, 40]
reps: [2, 4]
direction: minimize
targets: 50
budget: 1e9
method: METHOD
"""


class Torture:
    def __init__(self, besd: str, folder: Path, seed: int) -> None:
        self.besd, self.folder, self.random = besd, folder, random.Random(seed)
        self.findings: list[str] = []
        self.lock = threading.Lock()

    def find(self, text: str) -> None:
        with self.lock:
            self.findings.append(text)
            print(f"FOUND: {text}", flush=True)

    def run(self, *words: str, kill_after: float | None = None) -> tuple[int, str, str]:
        child = subprocess.Popen([self.besd, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = child.communicate(timeout=kill_after if kill_after is not None else 120)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            if kill_after is None:
                self.find(f"{' '.join(words)} did not end")
        return child.returncode, out, err

    def create(self, name: str, method: str) -> str:
        spec, study = self.folder / f"{name}.yaml", str(self.folder / f"{name}.besd")
        spec.write_text(STUDY.replace("METHOD", method))
        code, _, err = self.run("create", study, "--spec", str(spec))
        if code:
            raise SystemExit(f"create: {err}")
        return study

    def scores(self, trial: dict) -> list[float]:
        x, y = trial["theta_array"]
        noise = random.Random(trial["seed"])
        return [(x - 3) ** 2 + (y - 7) ** 2 + 40 / trial["tau"] + noise.random() for _ in range(trial["reps"])]

    def tell(self, study: str, trial: dict, kill_after: float | None = None) -> bool:
        told = ",".join(repr(score) for score in self.scores(trial))
        code, _, err = self.run("tell", study, str(trial["trial"]), "--scores", told, kill_after=kill_after)
        if code > 0:
            self.find(f"tell {trial['trial']} was refused: {err.strip()}")
        return code == 0

    def kills(self, rounds: int) -> None:
        """One at a time, each killed at some moment or not at all."""
        study = self.create("kills", "besd")
        asked: dict[int, dict] = {}
        acknowledged: set[int] = set()
        killed = 0
        for _ in range(rounds):
            delay = self.random.choice([None, 0.001, self.random.uniform(0, 0.03), self.random.uniform(0, 0.3)])
            if asked.keys() - acknowledged and self.random.random() < 0.5:
                number = self.random.choice(sorted(asked.keys() - acknowledged))
                if self.tell(study, asked[number], delay):
                    acknowledged.add(number)
                else:
                    killed += 1
                continue
            code, out, err = self.run("ask", study, "--json", kill_after=delay)
            if code > 0:
                self.find(f"ask was refused: {err.strip()}")
            elif code == 0:
                trial = json.loads(out)
                asked[trial["trial"]] = trial
            else:
                killed += 1
        self.compare(study, asked, acknowledged, {}, all_known=False)
        print(f"kills: {rounds} calls, {killed} killed, {len(acknowledged)} tells acknowledged", flush=True)

    def runs(self, most: int) -> None:
        """`besd run` with a trainer, killed again and again until it comes through: nothing told is lost, what was
        under way is trained with the same seeds, and no trainer outlives its besd."""
        begun, spec, study = self.folder / "begun", self.folder / "runs.yaml", str(self.folder / "runs.besd")
        trainer = self.folder / "train.py"
        trainer.write_text(
            "import json, sys, time\n"
            "trial = json.load(sys.stdin)\n"
            f"open({str(begun)!r}, 'a').write(json.dumps([trial['trial'], trial['seed'], trial['theta_array']]) + '\\n')\n"
            "time.sleep(0.05)\n"
            "json.dump({'scores': [trial['seed'] % 97 + i for i in range(trial['reps'])]}, sys.stdout)\n"
        )
        spec.write_text(STUDY.replace("METHOD", "random").replace("1e9", "4000") + f"command: {sys.executable} {trainer}\n")
        killed = 0
        for attempt in range(most):
            delay = None if attempt == most - 1 else self.random.uniform(0.05, 0.6)
            code, _, err = self.run("run", str(spec), "--study", study, "--jobs", "3", "--quiet", kill_after=delay)
            if code > 0:
                self.find(f"run: {err.strip()}")
            killed += code < 0
            if code == 0:
                break
        time.sleep(0.5)
        left = subprocess.run(["pgrep", "-f", str(trainer)], capture_output=True, text=True, check=False).stdout.split()
        if left:
            self.find(f"run: trainers are left: {left}")
        trials = json.loads(self.run("trials", study, "--json")[1])["trials"]
        known = {trial["trial"]: trial for trial in trials}
        for line in begun.read_text().splitlines():
            number, seed, theta = json.loads(line)
            if number in known and (known[number]["seed"], known[number]["theta_array"]) != (seed, theta):
                self.find(f"run: trial {number} was trained as another one")
        for trial in trials:
            want = [trial["seed"] % 97 + i for i in range(trial["reps"])]
            if trial["state"] != "told" or trial["scores"] != want:
                self.find(f"run: trial {trial['trial']} is {trial['state']} with {trial.get('scores')}")
        print(f"runs: killed {killed} times, {len(trials)} trials, all told", flush=True)

    def worker(self, study: str, name: str, trials: int, state: dict) -> None:
        chance = random.Random(f"{name}")
        """Until so many are told; the first one also takes over what deaths have left behind."""
        while len(state["acknowledged"]) < trials or (name == "w0" and state["asked"].keys() - state["acknowledged"]):
            if self.findings:
                return
            code, out, err = self.run("ask", study, "--json", "--worker", name, "--lease", "0.3")
            if code:
                self.find(f"{name}: ask was refused: {err.strip()}")
                return
            trial = json.loads(out)
            with self.lock:
                first = state["asked"].setdefault(trial["trial"], trial)
                state["given"].setdefault(trial["trial"], []).append(name)
            if any(first[key] != trial[key] for key in ("theta", "tau", "reps", "seed")):
                self.find(f"trial {trial['trial']} was given again as another one")
            if chance.random() < 0.1 and len(state["acknowledged"]) < trials:
                continue  # it dies, and a new one of its name begins
            if self.tell(study, trial):
                with self.lock:
                    state["acknowledged"].add(trial["trial"])

    def together(self, workers: int, trials: int) -> None:
        study = self.create("together", "random")
        state: dict = {"asked": {}, "given": {}, "acknowledged": set()}
        threads = [threading.Thread(target=self.worker, args=(study, f"w{i}", trials, state)) for i in range(workers)]
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.compare(study, state["asked"], state["acknowledged"], state["given"], all_known=True)
        again = sum(len(names) > 1 for names in state["given"].values())
        print(
            f"together: {workers} processes, {len(state['acknowledged'])} trials told, {again} given again after a "
            f"death, {time.monotonic() - begin:.0f} s",
            flush=True,
        )

    def compare(self, study: str, asked: dict, acknowledged: set, given: dict, all_known: bool) -> None:
        code, out, err = self.run("trials", study, "--json")
        if code:
            self.find(f"trials: {err.strip()}")
            return
        trials = {trial["trial"]: trial for trial in json.loads(out)["trials"]}
        for number, trial in asked.items():
            kept = trials.get(number)
            if kept is None or any(kept[key] != trial[key] for key in ("theta", "tau", "reps", "seed")):
                self.find(f"trial {number} is not in the file as it was asked")
            elif number in acknowledged and kept.get("scores") != self.scores(trial):
                self.find(f"trial {number}: what was told and acknowledged is {kept.get('scores')} in the file")
        with sqlite3.connect(study) as file:
            if (sound := file.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                self.find(f"integrity_check: {sound}")
            events = dict(file.execute("SELECT trial, count(*) FROM event WHERE what = 'told' GROUP BY trial"))
            asks = dict(file.execute("SELECT trial, count(*) FROM event WHERE what = 'asked' GROUP BY trial"))
            ends = dict(file.execute("SELECT trial, count(*) FROM event WHERE what = 'expired' GROUP BY trial"))
        for number, trial in trials.items():
            if events.get(number, 0) != (trial["state"] == "told"):
                self.find(f"trial {number} is {trial['state']} and has {events.get(number, 0)} events of being told")
            if asks.get(number, 0) - ends.get(number, 0) not in (0, 1):
                self.find(f"trial {number} was given {asks.get(number, 0)} times, and came back {ends.get(number, 0)}")
            if all_known and asks.get(number, 0) != len(given.get(number, ())):
                self.find(f"trial {number}: {asks.get(number, 0)} events of being asked, {given.get(number)} were given it")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("besd")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="besd-kills-") as folder:
        torture = Torture(str(Path(options.besd).resolve()), Path(folder), options.seed)
        torture.kills(options.rounds)
        torture.runs(max(3, options.rounds // 15))
        torture.together(options.workers, options.trials)
    return 1 if torture.findings else 0


if __name__ == "__main__":
    sys.exit(main())
