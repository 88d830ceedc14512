"""What tests/test_cli_json.sh runs: answers of every verb, held against docs/schema.json. usage: cli_json.py TOOL SOURCE"""

import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

TOOL, SOURCE = sys.argv[1], Path(sys.argv[2])
sys.path.insert(0, str(SOURCE / "tests/serve"))

from schema import complaints  # noqa: E402

SHAPES = json.loads((SOURCE / "docs/schema.json").read_text())
LONG_REAL = re.compile(r"-?\d+\.\d{15,}(?:e-?\d+)?")
seen: dict[str, int] = {}
nulls: set[str] = set()  # members that were null in an answer
wrong: list[str] = []


def expect(true: object, what: str) -> None:
    if not true:
        wrong.append(what)


def call(*arguments: object, text: str | None = None) -> subprocess.CompletedProcess[str]:
    words = [TOOL, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, input=text or "", timeout=300, check=False)


def is_short(text: str) -> bool:
    """Python writes the shortest real that reads back; 17 digits are only for those that need them."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    return all(len(real) <= len(repr(float(real))) + 3 for real in LONG_REAL.findall(bare))


def answer(verb: str, *arguments: object, shape: str | None = None, text: str | None = None, code: int = 0) -> Any:
    """The answer of a verb, which must have its shape."""
    said = f"besd {verb} {' '.join(map(str, arguments))}"
    done = call(verb, *arguments, "--json", text=text)
    seen[verb] = seen.get(verb, 0) + 1
    if done.returncode != code or not done.stdout:
        wrong.append(f"{said}: exit code {done.returncode}: {done.stderr.strip()}")
        return {}
    value = json.loads(done.stdout, parse_constant=lambda word: wrong.append(f"{said}: {word}"))
    for complaint in complaints(value, {"$ref": f"#/$defs/{shape or verb}"}, SHAPES):
        wrong.append(f"{said}: {complaint}")
    expect(done.stdout.count("\n") == 1 and done.stdout.endswith("\n"), f"{said}: not one line")
    expect(is_short(done.stdout), f"{said}: long numbers: {done.stdout[:300]}")
    return value


def check_theta(value: Any, where: str) -> None:
    """Wherever theta is, theta_array is beside it with the same numbers."""
    if isinstance(value, dict):
        nulls.update(name for name, member in value.items() if member is None)
        if "theta" in value:
            theta, array = value["theta"], value.get("theta_array", "missing")
            expect(array == (theta if theta is None else list(theta.values())), f"{where}: theta and theta_array differ")
        for name, member in value.items():
            check_theta(member, f"{where}.{name}")
    elif isinstance(value, list):
        for member in value:
            check_theta(member, where)


PLANE = "theta: [{name: x, low: 0, high: 10, unit: m}, {name: y, low: 0, high: 10}]\n"
LINE = "theta: [{name: u, low: 0, high: 1}]\n"
FEW = "tau: [10, 40]\nreps: [1, 2]\ninitial_designs: 3\ntargets: 60\n"


class Study:
    """A study file in a folder, and what is done with it."""

    def __init__(self, folder: Path, name: str, description: str) -> None:
        self.file = folder / f"{name}.besd"
        spec = folder / f"{name}.yaml"
        spec.write_text(description)
        self.made = answer("create", self.file, "--spec", spec)

    def do(self, verb: str, *arguments: object, **more: Any) -> Any:
        given = answer(verb, self.file, *arguments, **more)
        check_theta(given, verb)
        return given

    def ask(self, *arguments: object) -> Any:
        return self.do("ask", *arguments)

    def tell(self, trial: Any, *more: object) -> Any:
        scores = ",".join(f"{6.11 + i + trial['theta_array'][0]:.17g}" for i in range(trial["reps"]))
        return self.do("tell", trial["trial"], "--scores", scores, *more)

    def look(self, *, told: bool = True) -> None:
        """Everything that only looks."""
        self.do("trials")
        self.do("events")
        self.do("events", "--after", 2)
        copy = self.file.with_suffix(f".copy{len(list(self.file.parent.glob('*.copy*')))}")
        self.do("backup", copy)
        answer("backup", copy, "--verify")
        if told:
            self.do("recommend")


def expect_same_trial(one: Any, other: Any) -> None:
    clocks = {"age", "explanation", "repeated"}
    expect({k: v for k, v in one.items() if k not in clocks} == {k: v for k, v in other.items() if k not in clocks},
           f"the same trial in two forms: {one} and {other}")  # fmt: skip


def check_plain(folder: Path) -> None:
    """No budget, nothing optional."""
    s = Study(folder, "plain", LINE + FEW)
    expect(s.made.get("budget", 0) is None, "create: a study without a budget has the budget null")
    s.look(told=False)
    expect(call("recommend", s.file, "--json").returncode == 1, "recommend: nothing is told")
    for _ in range(4):
        s.tell(s.ask())
    s.look()
    s.do("predict", "--theta", "0.5")
    s.do("predict", "--theta", "0.25", "--tau", 10)
    s.do("certify")
    s.do("set", "--budget", "none")


def check_rich(folder: Path) -> None:
    """Names, a budget, a baseline; every state of a trial, every act."""
    s = Study(folder, "rich", PLANE + FEW + "budget: 4000\nbaseline: 20.3\nbaseline_error: 0.7\ndirection: minimize\n")
    first = s.ask("--worker", "robot", "--lease", 60)
    s.do("renew", 1, "--worker", "robot", "--lease", 90)
    expect(s.tell(first)["repeated"] is False and s.tell(first)["repeated"] is True, "tell: repeated")
    noted = s.do("note", 1, "--text", "so \x1b[2J 6.1100000000000003", "--tag", "a", "--tag", "b")
    expect_same_trial(noted, s.do("trials")["trials"][0])
    s.do("note", 1, "--untag", "a")
    s.ask("--worker", "lost", "--lease", 0.001)
    second = s.ask()
    failed = s.do("fail", second["trial"], "--note", "no battery", "--cost", 3)
    expect_same_trial(failed, s.do("trials")["trials"][second["trial"] - 1])
    s.do("ask", "--again", second["trial"])
    s.do("enqueue", "--theta", "3,7", "--tau", 40, "--reps", 2, "--note", "a lamp")
    s.do("enqueue", "--theta", "3,7")
    s.look()
    s.do("void", 1, "--why", "the lamp was off")
    s.do("restore", 1)
    s.do("void", 1)
    s.do("add", "--theta", "1,2", "--tau", 10, "--scores", "8.125,3")
    told = '{"theta": {"x": 5, "y": 5}, "tau": 40, "scores": [4.4]}\n'
    not_told = '{"theta": [5, 6], "tau": 10, "scores": [], "state": "failed"}\n'
    expect(s.do("add", "--from", "-", text=told + not_told).get("skipped") == 1, "add: one is skipped")
    s.do("restore", 1)
    s.do("tell", 1, "--scores", "3.3", "--replace", "--why", "typing")
    explained = 0
    for _ in range(12):
        trial = s.ask("--explain", "--dump-targets")
        explained += bool(trial.get("explanation", {}).get("candidates"))
        s.tell(trial)
    expect(explained, "ask --explain: no trial was explained with candidates")
    summed = s.ask("--explain")
    s.do("tell", summed["trial"], "--mean", 2.5, "--variance", 0.25, "--count", summed["reps"])
    s.look()
    expect("better" in s.do("recommend"), "recommend: a baseline is beaten or not")
    s.do("predict", "--theta", "3,7")
    s.do("set", "--budget", 1)
    expect(s.ask().get("done") is True, "ask: the budget is spent")
    s.do("set", "--budget", "none")


def check_methods(folder: Path) -> None:
    """Methods without a model, models with other numbers, one score a trial, and infinite intervals."""
    for method in ("random", "hyperband", "ei", "lcb", "besd"):
        s = Study(folder, method, PLANE + FEW + f"method: {method}\nbudget: 100000\n")
        s.tell(s.ask())
        s.look()  # one trial: nothing is known of its noise
        for _ in range(3):
            s.tell(s.ask("--explain"))
        s.look()
    for model in ("paper", "averaged"):
        s = Study(folder, model, PLANE + FEW.replace("[1, 2]", "[1]") + f"model: {model}\n")
        for _ in range(4):
            s.tell(s.ask())
        s.do("predict", "--theta", "3,7")
    s = Study(folder, "logs", LINE + FEW + "transform: log\ndirection: minimize\n")
    for _ in range(4):
        s.tell(s.ask())
    s.do("predict", "--theta", "0.1")
    s.look()


def check_paths(folder: Path) -> None:
    """Paths, with legs, what they earned, labels, and fewer points."""
    plane = "".join(f"  - {{name: {c}{k}, low: 0, high: 10}}\n" for k in (1, 2) for c in "xy")
    common = "theta:\n" + plane + "tau: [10]\nreps: [2]\ntargets: 60\ninitial_designs: 3\n"
    legs = "[[4, 17.25, 31], [5, null, null]]"
    path = "path: {points: 2, cell: 1, cap: 100, from: [0.5, 0.5], to: [9.5, 9.5]}\n"
    s = Study(folder, "path", common + path + "direction: minimize\n")
    told = s.tell(s.ask(), "--legs", legs)
    expect(told.get("legs") == [[4.0, 17.25, 31.0], [5.0, None, None]], f"tell: legs are {told.get('legs')}")
    s.tell(s.ask(), "--legs", "[null, [5, 6, 7]]")
    for _ in range(3):
        s.tell(s.ask("--explain"), "--legs", legs)
    s.look()
    path = "path: {points: 2, cap: 100, labels: 2, fewest: 1, price: 1}\n"
    s = Study(folder, "earned", common + path + "direction: maximize\n")
    for _ in range(4):
        trial = s.ask()
        n = len(trial["points"])
        rows = json.dumps([[1 + i for i in range(n + 1)]] * 2)
        s.tell(trial, "--legs", rows, "--earned", rows, "--labels", "[0, 1]")
    s.look()
    s = Study(folder, "loose", common + "path: {points: 2, cap: 100, fewest: 1}\ndirection: minimize\n")
    for _ in range(5):
        s.tell(s.ask())
    expect("by_points" in s.do("recommend"), "recommend: by the number of points")


def check_world(folder: Path) -> None:
    """The verbs about domains."""
    small = ("--tau", 200, "--instances", 3)
    answer("domains")
    answer("token", "new", folder / "tokens", "--name", "robot-3")
    for domain, theta in (("gw10", "3,4,5.1,6"), ("mc", "0.1,0.2"), ("tr", "3,4,5.1,6")):
        answer("domains", domain)
        for more in ((), ("--every", 100, "--reps", 2, "--instance-mode", "fresh", "--learner", "sarsa")):
            with_theta = answer("train", domain, "--theta", theta, *small, *more)
            check_theta(with_theta, "train")
            expect(list(with_theta.get("theta", {}))[:1] == ["x1"], f"train {domain}: names of theta")
            check_theta(answer("train", domain, "--no-subgoals", *small, *more), "train")
        answer("train", domain, "--no-subgoals", "--tau", 200, "--instances", 1)
        for more in ((), ("--theta", theta), ("--theta", theta, "--path", "--tau", 300)):
            check_theta(answer("show", domain, *more), "show")
        answer("solve", domain, "--instance", 3)
        answer("solve", domain, "--instances", 2)
    answer("check", "gw10")
    environment = f"cmd:python3 {SOURCE / 'examples/process_env.py'}"
    answer("domains", environment)
    answer("show", environment, "--path", "--tau", 50)
    answer("check", environment)
    answer("options")


def check_runs(folder: Path) -> None:
    """run and compare, which write their files into the folder."""
    quick = ("--quiet", "--study", folder / "run.besd", "--seed", 3)
    answer("run", "gw10", "--budget", 60000, "--test", 0, *quick)
    check_theta(answer("run", "gw10", "--budget", 60000, "--test", 5, *quick), "run")
    blind = ("--method", "random", "--quiet", "--study", folder / "random.besd")
    answer("run", "gw10", "--budget", 60000, "--test", 5, *blind)
    for method in ("ql", "tql"):
        answer("run", "gw10", "--method", method, "--test", 5)
    trainer = folder / "trainer.sh"
    trainer.write_text("#!/bin/sh\ngrep -q '\"reps\":1,' && echo '{\"scores\": [3.25]}' || echo '{\"scores\": [3.25, 4.11]}'\n")
    trainer.chmod(0o755)
    os.chdir(folder)
    answer("init", "own")
    (folder / "arena.txt").write_text("..#..G\n..#...\n......\nS.#...\n")
    answer("sketch", folder / "arena.txt", "--subgoals", 1)
    spec = folder / "run_tasks.yaml"
    spec.write_text(PLANE + FEW + f"command: {trainer}\nbudget: 300\ntasks: [{{name: left}}, {{name: right, weight: 2}}]\n")
    answer("run", spec, "--quiet", "--study", folder / "tasks.besd")
    answer("recommend", folder / "tasks.besd")
    answer("recommend", folder / "tasks.besd", "--task", "right")
    answer("trials", folder / "tasks.besd")
    answer("set", folder / "tasks.besd", "--budget", 900)
    answer("ask", folder / "tasks.besd", "--task", "left", "--explain")
    for name, more in (("open", "method: random\n"), ("full", "budget: 150\nbaseline: 3.5\n")):
        spec = folder / f"run_{name}.yaml"
        spec.write_text(PLANE + FEW + f"command: {trainer}\n" + more)
        answer("check", spec)
        answer("run", spec, "--quiet", *(("--budget", 200) if name == "open" else ()))
    answer("run", spec, "--quiet", "--test", 3)
    price = ("compare", spec, "--out", folder / "own", "--replications", 2, "--test", 2, "--quiet")
    answer(*price, "--price", shape="compare_price")
    answer(*price, shape="compare_study")
    few = ("--methods", "besd,random", "--replications", 1, "--budget", 60000)
    answer("compare", "gw10", *few, "--quiet", "--out", folder / "out")


def check_shapes() -> None:
    """The shapes are closed, and what they must have is missed; numbers that are not known were met."""
    request = {"trial": 1, "theta": {"u": 0.5}, "theta_array": [0.5], "tau": 10, "reps": 1, "seed": 1, "seed32": 1}
    seeds = {"instance_seed": 1, "replication_seeds": [1]}
    trial = {**request, **seeds, "state": "asked", "reason": "initial", "cost": 10.0, "asked_at": 1.5}
    shape = {"$ref": "#/$defs/trial"}
    expect(not complaints(trial, shape, SHAPES), f"a trial: {complaints(trial, shape, SHAPES)}")
    for bad in ({**trial, "thetas": 1}, {**trial, "theta": [0.5]}, {**trial, "cost": None}, {**request, **seeds}):
        expect(complaints(bad, shape, SHAPES), f"no complaint of {bad}")
    for name in trial:
        expect(complaints({k: v for k, v in trial.items() if k != name}, shape, SHAPES), f"a trial without {name} passes")
    expect({"budget", "low", "high", "detail", "better"} <= nulls, f"null was met only as {nulls}")


def check_every_verb() -> None:
    verbs = re.findall(r"^  ([a-z]+) ", call("help").stdout, re.M)
    known = {verb for verb in verbs if "--json" in call(verb, "--help").stdout}
    expect(len(known) > 20, f"besd help: only {known} have --json")
    expect(not known - set(seen), f"verbs with --json that this test does not run: {known - set(seen)}")
    expect(not known - set(SHAPES["$defs"]), f"verbs without a shape in docs/schema.json: {known - set(SHAPES['$defs'])}")


for check in (check_plain, check_rich, check_methods, check_paths, check_world, check_runs):
    with tempfile.TemporaryDirectory() as place:
        try:
            check(Path(place))
        except (AttributeError, KeyError, TypeError):
            wrong.append(f"{check.__name__}: it could not go on\n{traceback.format_exc()}")
check_shapes()
check_every_verb()
print(*wrong, sep="\n")
print(f"{sum(seen.values())} answers of {len(seen)} verbs")
sys.exit(bool(wrong))
