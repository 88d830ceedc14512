#!/usr/bin/env python3
"""Damages studies and results of comparisons, and lets every verb that reads look at them.
usage: torture_files.py BESD [--forking FORKING] [--count N] [--seed S] [--jobs J] [--timeout SECONDS] [--keep FOLDER]

The same seed makes the same files: flipped bytes, lost, copied and shortened pages, values of odd sizes and
types, odd descriptions, and tables that are none. Every look must end in time with exit code 0 or 1; with 1 it
says one sentence, and with 0 and --json it prints JSON. Everything else is printed, and the file is kept.
BESD is best a build with sanitizers (make torture-files). With --forking, tests/torture/forking.c of the same
build, every fiftieth file is looked at with BESD itself and a real gnuplot, the others by children of one
process and with a gnuplot that draws nothing, which is ten times faster."""
import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
BAD_CODE = 99  # of sanitizers
STUDY = """theta: [{name: x, low: 0, high: 10, unit: m}, {name: y, low: -1, high: 1}]
tau: [10, 40]
reps: [2, 4]
direction: minimize
transform: log
budget: 4000
targets: 40
initial_designs: 4
"""


ENVIRONMENT = dict(os.environ, ASAN_OPTIONS=f"exitcode={BAD_CODE}:detect_leaks=1",
                   UBSAN_OPTIONS=f"exitcode={BAD_CODE}:print_stacktrace=1")
NO_GNUPLOT = """#!/bin/sh
cat >/dev/null
echo '<svg></svg>'
"""


def call(besd, *words, timeout=300):
    return subprocess.run([besd, *words], capture_output=True, timeout=timeout, env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL)


class Forking:
    """The tool without its beginning: one process, a child for every call."""

    def __init__(self, program, work):
        self.folder = tempfile.mkdtemp(dir=work)
        gnuplot = os.path.join(self.folder, "gnuplot")
        with open(gnuplot, "w") as file:
            file.write(NO_GNUPLOT)
        os.chmod(gnuplot, 0o755)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(ENVIRONMENT, PATH=self.folder + ":" + os.environ["PATH"]))

    def call(self, *words, timeout):
        streams = [os.path.join(self.folder, name) for name in ("out", "err")]
        self.process.stdin.write("\x1f".join([str(int(timeout)), *streams, *words]) + "\n")
        self.process.stdin.flush()
        code = int(self.process.stdout.readline())
        if code == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(words, timeout)
        texts = []
        for stream in streams:
            with open(stream, "rb") as file:
                texts.append(file.read())
        return subprocess.CompletedProcess(words, code, *texts)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def need(besd, *words):
    done = call(besd, *words)
    if done.returncode:
        sys.exit(f"besd {' '.join(words)}: {done.stderr.decode()}")
    return done.stdout.decode()


def make_study(besd, folder):
    """A study with told, failed, asked, voided, replaced, added and waiting trials, leases, notes, tags, scores and kept
    fits."""
    path = os.path.join(folder, "new.besd")
    with open(path + ".yaml", "w") as file:
        file.write(STUDY)
    need(besd, "create", path, "--spec", path + ".yaml")
    for i in range(12):
        t = json.loads(need(besd, "ask", path, "--json", *(["--worker", "robot", "--lease", "9e8"] if i > 8 else [])))
        if i == 5:
            need(besd, "fail", path, str(t["trial"]), "--note", "flat tyre")
        elif i < 11:
            x, y = t["theta_array"]
            scores = ",".join(str(20 + (x - 6) ** 2 + y * y + r / 7) for r in range(t["reps"]))
            need(besd, "tell", path, str(t["trial"]), "--scores", scores)
        if i == 6:  # the next ask fits again
            need(besd, "void", path, "2", "--why", "rain")
            need(besd, "tell", path, "3", "--scores", "31,32", "--replace")
            need(besd, "add", path, "--theta", "5,0", "--tau", "10", "--scores", "21,22,23", "--note", "last year")
            need(besd, "note", path, "3", "--tag", "wet")
    need(besd, "enqueue", path, "--theta", "5,0")
    return path


def make_old_study(folder):
    path = os.path.join(folder, "old.besd")
    with open(os.path.join(HERE, "..", "tests", "data", "study-1.sql")) as file:
        db = sqlite3.connect(path)
        db.executescript(file.read())
        db.close()
    return path


def make_results(besd, folder):
    lab = os.path.join(folder, "lab")
    need(besd, "compare", "gw10", "--methods", "besd,random,ql", "--replications", "2", "--budget", "60000",
         "--test", "4", "--out", lab, "--quiet")
    path = os.path.join(lab, "results.besd")
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("PRAGMA journal_mode=DELETE")
    db.close()
    return path


# How a file is damaged: bytes first, then rows, then tables.

def flip(rng, data):
    for _ in range(rng.randint(1, 40)):
        data[rng.randrange(len(data))] = rng.randrange(256)


def flip_in_a_page(rng, data):
    page = 4096 * rng.randrange(len(data) // 4096)
    for _ in range(rng.randint(1, 40)):
        data[page + rng.randrange(4096)] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])


def flip_a_bit(rng, data):
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def flip_at_texts(rng, data):
    """Near what can be read: the heads of rows."""
    word = rng.choice([b"spec{", b"budget", b"CREATE TABLE", b"flat tyre", b"{\"format", b"gw10", b"besd"])
    places = [i for i in range(len(data) - len(word)) if data[i:i + len(word)] == word]
    at = rng.choice(places) if places else rng.randrange(len(data))
    for _ in range(rng.randint(1, 3)):
        data[max(0, at - rng.randint(1, 12))] = rng.choice([0, 1, 12, 13, 128, 255, rng.randrange(256)])


def zero(rng, data):
    at, size = rng.randrange(len(data)), rng.choice([8, 64, 512, 4096])
    data[at:at + size] = bytes(len(data[at:at + size]))


def copy_page(rng, data):
    a, b = (4096 * rng.randrange(len(data) // 4096) for _ in range(2))
    data[a:a + 4096] = data[b:b + 4096]


def point_elsewhere(rng, data):
    """Cells and children of a page lead to other places."""
    page = 4096 * rng.randrange(len(data) // 4096)
    head = page + (100 if page == 0 else 0)
    for _ in range(rng.randint(1, 4)):
        at = head + rng.randrange(24)
        data[at] = rng.randrange(16) if rng.random() < 0.5 else rng.randrange(256)


def shorten(rng, data):
    del data[rng.randrange(len(data)):]


def header(rng, data):
    data[rng.randrange(16, 100)] = rng.choice([0, 1, 2, 64, 255, rng.randrange(256)])


BYTES = [flip, flip_in_a_page, flip_in_a_page, flip_a_bit, flip_at_texts, flip_at_texts, zero, copy_page,
         point_elsewhere, shorten, header]

ODD = [None, 0, -1, 1, 2, 3, 7, 64, 65, 4096, 4097, 2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**53, 2**63 - 1, -2**63,
       0.0, -0.0, 0.5, -1.5, 1e-320, 1e-300, 1e150, -1e150, 1e300, 1e308, -1e308, float("inf"), float("-inf"),
       "", "0", "x", "nan", "1e999", "[" * 3000, "{}", "[1,2]", "\x1b[31m", "ü" * 900, "x" * 100000,
       b"", b"\x00" * 8, b"\xff" * 16, b"\x00\x00\x00\x00\x00\x00\xf8\x7f" * 2, b"\x01" * 1048]


def tables_of(db):
    return [r[0] for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]


def odd_value(rng, db):
    """A value of any kind: for a moment the tables take all."""
    table = rng.choice(tables_of(db))
    columns = [r[1] for r in db.execute(f"PRAGMA table_info({table})")]
    keys = [r[1] for r in db.execute(f"PRAGMA table_info({table})") if r[5]] or ["rowid"]
    rows = db.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
    if not rows:
        return
    row = rng.choice(rows)
    where = " AND ".join(f"{k} IS ?" for k in keys)
    db.execute(f"UPDATE {table} SET {rng.choice(columns)} = ? WHERE {where}", (rng.choice(ODD), *row))


def odd_row(rng, db):
    table = rng.choice(tables_of(db))
    number = len(db.execute(f"PRAGMA table_info({table})").fetchall())
    db.execute(f"INSERT INTO {table} VALUES({', '.join('?' * number)})", [rng.choice(ODD) for _ in range(number)])


def lost_rows(rng, db):
    table = rng.choice(tables_of(db))
    db.execute(f"DELETE FROM {table} WHERE abs(random()) % ? = 0", (rng.choice([1, 2, 5]),))


def odd_json(rng, db):
    """The description or a fit with something else in the place of one of its values."""
    if "text" not in tables_of(db):
        return odd_value(rng, db)
    key, where = rng.choice([("value", "text"), ("value", "text"), ("numbers", "fit")])
    try:
        rows = db.execute(f"SELECT rowid, {key} FROM {where}").fetchall()
    except sqlite3.Error:
        return None
    rows = [r for r in rows if isinstance(r[1], str) and r[1].startswith("{")]
    if not rows:
        return None
    rowid, text = rng.choice(rows)
    described = json.loads(text)
    if not described:
        return None
    name = rng.choice(list(described))
    value = rng.choice([v for v in ODD if not isinstance(v, bytes)])
    if isinstance(described[name], list) and described[name] and rng.random() < 0.7:
        entry = rng.randrange(len(described[name]))
        if isinstance(described[name][entry], dict):
            described[name][entry][rng.choice(list(described[name][entry]))] = value
        else:
            described[name][entry] = value
    elif rng.random() < 0.2:
        del described[name]
    else:
        described[name] = rng.choice([value, [value] * 70, {"a": value}])
    db.execute(f"UPDATE {where} SET {key} = ? WHERE rowid = ?", (json.dumps(described), rowid))


ROWS = [odd_value, odd_value, odd_value, odd_json, odd_json, odd_row, lost_rows]


def odd_table(rng, db):
    table = rng.choice(tables_of(db))
    db.execute("PRAGMA writable_schema=RESET")
    statements = [
        f"ALTER TABLE {table} RENAME TO kept; CREATE VIEW {table} AS SELECT * FROM kept",
        f"ALTER TABLE {table} RENAME TO kept; CREATE VIEW {table} AS WITH RECURSIVE n(id) AS"
        " (SELECT 1 UNION ALL SELECT id FROM n) SELECT * FROM n",
        f"CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END",
        f"CREATE TRIGGER t BEFORE UPDATE ON {table} BEGIN SELECT RAISE(IGNORE); END",
        f"DROP TABLE {table}", f"CREATE INDEX i ON {table}(1)", "CREATE TABLE more(x)",
        f"DROP TABLE {table}; CREATE TABLE {table}(x)",
        f"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = {rng.randrange(12)} WHERE name = '{table}'",
        f"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'NULL', 'UNIQUE') WHERE name = '{table}'",
        f"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = NULL WHERE name = '{table}'",
        f"PRAGMA user_version={rng.choice([0, 1, 2, 3, 4, 5])}",
        f"PRAGMA application_id={rng.choice([0, 0x62657364, 0x62736472])}",
    ]
    db.executescript(rng.choice(statements))


def damage_rows(rng, path):
    """True when besd must notice by the values alone: the tables are as they were."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA synchronous=OFF")
    said = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    try:
        if rng.random() < 0.2:
            odd_table(rng, db)
        else:
            db.execute("PRAGMA ignore_check_constraints=ON")
            db.execute("PRAGMA writable_schema=ON")
            db.execute("UPDATE sqlite_schema SET sql = replace(replace(sql, ' NOT NULL', ''), 'STRICT, ', '')")
            db.execute("UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '')")
            db.commit()
            db.close()
            db = sqlite3.connect(path)
            for _ in range(rng.choice([1, 1, 2, 5])):
                rng.choice(ROWS)(rng, db)
            db.execute("PRAGMA writable_schema=ON")
            for name, sql in said:
                db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))
        db.commit()
    except (sqlite3.Error, ValueError):
        db.rollback()  # what SQLite itself refuses
    db.close()


def make_damaged(rng, source, path):
    shutil.copyfile(source, path)
    if rng.random() < 0.5:
        damage_rows(rng, path)
        return
    with open(path, "rb") as file:
        data = bytearray(file.read())
    for _ in range(rng.choice([1, 1, 1, 3])):
        if len(data) >= 4096:
            rng.choice(BYTES)(rng, data)
    with open(path, "wb") as file:
        file.write(data)


def looks(rng, path, folder):
    """Everything that reads; the last ones write."""
    if path.endswith("results.besd"):
        yield ["report", folder]
        yield ["plot", rng.choice(["cost", "profile", "paths", "learning", "levers"]), folder,
               "--out", os.path.join(folder, "figure")]
        return
    yield ["trials", path]
    yield ["trials", path, "--json"]
    yield ["trials", path, "--csv"]
    yield ["events", path, "--json"]
    yield ["recommend", path]
    yield ["recommend", path, "--json"]
    yield ["predict", path, "--theta", "5,0", "--json"]
    yield ["certify", path, "--json"]
    yield ["report", path, "--out", os.path.join(folder, "page.html")]
    if rng.random() < 0.2:
        yield ["plot", "slices", path, "--out", os.path.join(folder, "figure")]
    yield ["ask", path, "--explain", "--json"]
    yield ["tell", path, "12", "--scores", "21,22", "--json"]
    yield ["fail", path, "6", "--json"]
    yield ["restore", path, str(rng.choice([2, 3])), "--json"]
    yield rng.choice([["void", path, "4", "--json"], ["enqueue", path, "--theta", "5,0", "--json"],
                      ["renew", path, "11", "--worker", "robot", "--lease", "5", "--json"],
                      ["set", path, "--budget", "9000", "--json"], ["note", path, "4", "--tag", "wet", "--json"]])


def complaint(done, words):
    """What is wrong with the answer; None when nothing is."""
    error = done.stderr.decode(errors="replace")
    if done.returncode < 0:
        return f"died by signal {-done.returncode}"
    if done.returncode == BAD_CODE or "runtime error:" in error or "Sanitizer" in error:
        lines = [line for line in error.splitlines() if "ERROR" in line or "runtime error" in line or " in " in line]
        return "sanitizer: " + " | ".join(lines[:6])
    if done.returncode not in (0, 1):
        return f"exit code {done.returncode}: {error[:200]}"
    if done.returncode == 1 and len(error.splitlines()) != 1:
        return f"expected one sentence: {error[:300]!r}"
    if b"parameter number" in done.stdout or "parameter number" in error:
        return f"LAPACK complains: {done.stdout[:200]!r}"
    if done.returncode == 0 and "--json" in words:
        try:
            json.loads(done.stdout, parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))
        except ValueError as fault:
            return f"no JSON ({fault}): {done.stdout[:200]!r}"
    return None


SPARE = []  # processes that no thread is speaking with


def torture(number, options, sources, work):
    rng = random.Random(options.seed * 1000003 + number)
    folder = os.path.join(work, str(number))
    os.makedirs(folder)
    source = sources[rng.choice(["new", "new", "old", "results"])]
    path = os.path.join(folder, os.path.basename(source))
    make_damaged(rng, source, path)
    shutil.copyfile(path, path + ".made")
    findings, codes = [], []
    forking = None
    if options.forking and number % 50:
        forking = SPARE.pop() if SPARE else Forking(options.forking, work)
    for words in looks(rng, path, folder):
        try:
            done = (forking.call(*words, timeout=options.timeout) if forking else
                    call(options.besd, *words, timeout=options.timeout))
            wrong = complaint(done, words)
            codes.append(done.returncode)
        except subprocess.TimeoutExpired:
            wrong = f"did not end in {options.timeout} s"
        if wrong:
            findings.append(f"file {number} ({os.path.basename(source)}): besd {' '.join(words)}: {wrong}")
    if forking:
        SPARE.append(forking)
    if findings and options.keep:
        os.makedirs(options.keep, exist_ok=True)
        shutil.copyfile(path + ".made", os.path.join(options.keep, f"{number}-{os.path.basename(source)}"))
    shutil.rmtree(folder)
    return findings, len(codes), any(codes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("besd")
    parser.add_argument("--forking", type=os.path.abspath, help="a program that forks instead of starting BESD")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--keep", metavar="FOLDER", help="where files with findings are kept")
    options = parser.parse_args()
    options.besd = os.path.abspath(options.besd)
    with tempfile.TemporaryDirectory() as work:
        sources = {"new": make_study(options.besd, work), "old": make_old_study(work),
                   "results": make_results(options.besd, work)}
        with ThreadPoolExecutor(options.jobs) as pool:
            numbers = range(options.first, options.first + options.count)
            answers = pool.map(lambda n: torture(n, options, sources, work), numbers)
            wrong = noticed = calls = looked = 0
            for findings, made, refused in answers:
                wrong += bool(findings)
                noticed += refused
                calls += made
                looked += 1
                if sys.stderr.isatty() or looked % 500 == 0:
                    print(f"\r{looked} files, {wrong} with findings", end="", file=sys.stderr, flush=True)
                for finding in findings:
                    print(finding, flush=True)
        print(file=sys.stderr)
        for forking in SPARE:
            forking.end()
    print(f"{options.count} files (seed {options.seed}), {calls} looks: {noticed} files refused at least once, "
          f"{wrong} with findings")
    return 1 if wrong else 0


sys.exit(main())
