#!/usr/bin/env python3
"""Plants the bugs of scripts/mutants.txt, one at a time, and sees whether a unit test catches each.

usage: mutants.py [--jobs N] [--keep DIR] [--list] [--check] [PATTERN...]

Only mutants whose file or description contains one of the patterns are tried; all without any. The
working tree is copied to DIR (build/mutants) and built there once; a second run builds what has
changed. Then a mutant costs one compilation, and one link and one run for every test up to the one
that fails: first the test that caught it last time, then those that are named like the file, then
the others that contain the file, quick ones first. A mutant is caught when a test fails, crashes or
hangs. Exit 1 when fewer than 95 % are caught, or when the table is wrong: the old text must occur
exactly once in its file, and the new one must compile. --check builds and plants nothing: it says
which mutants do not apply, and exits with 1 when there are some.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "scripts" / "mutants.txt"
LEAST_SHARE = 0.95
LIBRARIES = ("besd_serve", "besd_lab", "besd_core")  # in the order of a link


def read_table():
    """Blocks of `file: what`, lines of old text after '- ', lines of new text after '+ '."""
    mutants, lines = [], TABLE.read_text().splitlines() + [""]
    block = []
    for line in lines:
        if line.startswith("#"):
            continue
        if line.strip():
            block.append(line)
        elif block:
            file, what = block[0].split(": ", 1)
            old = "\n".join(l[2:] for l in block[1:] if l.startswith("-"))
            new = "\n".join(l[2:] for l in block[1:] if l.startswith("+"))
            if not old or any(l[0] not in "-+" for l in block[1:]):
                sys.exit(f"mutants: {TABLE.name}: expected '- old' and '+ new' after '{block[0]}'")
            mutants.append({"file": file, "what": what, "old": old, "new": new})
            block = []
    return mutants


def copy_tree(target):
    """The working tree as git sees it; files that are the same keep their times."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT,
                           check=True, capture_output=True, text=True).stdout.split("\0")
    wanted = {n for n in names if n and (ROOT / n).is_file()}
    for name in sorted(wanted):
        source, copy = ROOT / name, target / name
        if copy.is_file() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        shutil.copymode(source, copy)
    for copy in [p for p in target.rglob("*") if p.is_file()]:
        if str(copy.relative_to(target)) not in wanted:
            copy.unlink()


def build_all(source, build, jobs):
    """All tests that compile; the names of those that do not are told."""
    run = lambda *words: subprocess.run(words, capture_output=True, text=True, check=False)
    configured = run("cmake", "-S", str(source), "-B", str(build), "-G", "Ninja",
                     "-DCMAKE_BUILD_TYPE=Release", "-DBESD_INSTALL=OFF")
    if configured.returncode:
        sys.exit(f"mutants: cmake failed\n{configured.stdout}{configured.stderr}")
    tests = sorted(p.stem for p in (source / "tests").glob("test_*.c"))
    library = run("ninja", "-C", str(build), "-j", str(jobs), *(f"lib{l}.a" for l in LIBRARIES))
    if library.returncode:
        sys.exit(f"mutants: the sources do not compile\n{library.stdout}")
    run("ninja", "-C", str(build), "-j", str(jobs), "-k", "0", *tests)
    stale = run("ninja", "-C", str(build), "-n", "-k", "0", *tests).stdout
    broken = [t for t in tests if re.search(rf"/{t}\.dir/|/{t}$", stale, re.M)]
    for test in broken:
        print(f"mutants: {test} does not compile and is left out", file=sys.stderr)
    return [t for t in tests if t not in broken]


def symbols(path, kinds):
    """Names of these kinds that an object or a program defines; in a program all are local."""
    listed = subprocess.run(["nm", "--defined-only", str(path)], capture_output=True, text=True,
                            check=True).stdout
    return {line.split()[-1] for line in listed.splitlines() if line.split()[1] in kinds}


class Laboratory:
    """A built copy of the tree, and what is known of its tests."""

    def __init__(self, folder, jobs):
        self.source, self.build, self.folder = folder / "source", folder / "build", folder
        self.source.mkdir(parents=True, exist_ok=True)
        copy_tree(self.source)
        self.tests = build_all(self.source, self.build, jobs)
        self.memory_path = folder / "memory.json"
        self.memory = {"seconds": {}, "caught": {}}
        if self.memory_path.exists():
            self.memory = json.loads(self.memory_path.read_text())
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.compile = {str(pathlib.Path(c["file"]).relative_to(self.source)): c["command"]
                        for c in commands if pathlib.Path(c["file"]).is_relative_to(self.source)}  # not what is generated
        self.link = {t: self.link_command(t) for t in self.tests}
        self.contents = {t: symbols(self.build / "tests" / t, "tTdDbBrRi") for t in self.tests}
        self.linker = "-fuse-ld=gold" if shutil.which("ld.gold") else ""

    def link_command(self, test):
        listed = subprocess.run(["ninja", "-C", str(self.build), "-t", "commands", "-s",
                                 f"tests/{test}"], capture_output=True, text=True, check=True)
        return listed.stdout.strip().splitlines()[-1]

    def run_test(self, program, seconds):
        """None when it passes, else what went wrong. cmocka would go on after a failure; here that
        is the end, also of what the test has started."""
        with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as errors:
            os.chmod(scratch, 0o755)  # some tests look at files as somebody else
            process = subprocess.Popen([str(program)], start_new_session=True, stderr=errors,
                                       stdout=subprocess.DEVNULL,
                                       env=dict(os.environ, TMPDIR=scratch))
            verdict, end = None, time.monotonic() + seconds
            while process.poll() is None and not verdict:
                time.sleep(0.02)
                if b"FAILED" in os.pread(errors.fileno(), 1 << 20, 0):
                    verdict = "fails"
                elif time.monotonic() > end:
                    verdict = "hangs"
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            code = process.wait()
        return verdict or (None if code == 0 else "crashes" if code < 0 else "fails")

    def measure(self, jobs):
        """Every test passes without a mutant, and how long it takes; known ones are not rerun."""
        def once(test):
            program = self.build / "tests" / test
            digest = hashlib.sha256(program.read_bytes()).hexdigest()
            known = self.memory["seconds"].get(test)
            if known and known["program"] == digest:
                return test, known
            begin = time.monotonic()
            verdict = self.run_test(program, 600)
            seconds = time.monotonic() - begin
            return test, {"program": digest, "seconds": seconds, "verdict": verdict}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.memory["seconds"] = dict(pool.map(once, self.tests))
        for test, known in self.memory["seconds"].items():
            if known["verdict"]:
                print(f"mutants: {test} {known['verdict']} without any mutant and is left out",
                      file=sys.stderr)
        self.tests = [t for t in self.tests if not self.memory["seconds"][t]["verdict"]]
        self.remember()

    def remember(self):
        self.memory_path.write_text(json.dumps(self.memory, indent=1))

    def seconds(self, test):
        return self.memory["seconds"][test]["seconds"]

    def library(self, mutant):
        """Whose object the file becomes."""
        return re.search(r"CMakeFiles/(\w+)\.dir", self.compile[mutant["file"]]).group(1)

    def order(self, mutant):
        """The tests that contain the file, likely catchers first."""
        objects = self.build / "CMakeFiles" / f"{self.library(mutant)}.dir"
        defined = symbols(objects / (mutant["file"] + ".o"), "TDBRi")
        stem, last = pathlib.Path(mutant["file"]).stem, self.memory["caught"].get(key(mutant))
        relevant = [t for t in self.tests if defined & self.contents[t]]
        return sorted(relevant, key=lambda t: (t != last, t != f"test_{stem}", stem not in t,
                                               self.seconds(t)))

    def plant(self, mutant, scratch):
        """The mutant's object, or None and what is wrong with the table."""
        complaint = complaint_of(mutant, self.source)
        if complaint:
            return None, complaint
        text = (self.source / mutant["file"]).read_text()
        planted = scratch / pathlib.Path(mutant["file"]).name
        planted.write_text(text.replace(mutant["old"], mutant["new"]))
        words = shlex.split(self.compile[mutant["file"]])
        words[words.index("-o") + 1] = str(scratch / "mutant.o")
        words[words.index("-c") + 1] = str(planted)
        compiled = subprocess.run(words + ["-w"], cwd=self.build, capture_output=True, text=True,
                                  check=False)
        if compiled.returncode:
            return None, "does not compile: " + (compiled.stderr.strip() or "?").splitlines()[-1]
        return scratch / "mutant.o", None

    def link_with(self, test, mutant, planted, program):
        """The mutant goes before the library, which then is not asked for that file."""
        library = f"lib{self.library(mutant)}.a"
        command = self.link[test].replace(f"-o tests/{test} ", f"-o {program} {self.linker} ")
        command = command.replace(f" {library} ", f" {planted} {library} ", 1)
        subprocess.run(command, shell=True, cwd=self.build, check=True, capture_output=True)

    def try_mutant(self, mutant):
        """(caught, survived or wrong; by which test or why)."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            scratch = pathlib.Path(name)
            planted, complaint = self.plant(mutant, scratch)
            if complaint:
                return "WRONG", complaint
            tests = self.order(mutant)
            for test in tests:
                program = scratch / test
                self.link_with(test, mutant, planted, program)
                verdict = self.run_test(program, 20 + 10 * self.seconds(test))
                program.unlink()
                if verdict:
                    self.memory["caught"][key(mutant)] = test
                    return "caught", f"{test} {verdict}"
        return "SURVIVED", f"{len(tests)} tests"


def key(mutant):
    return f"{mutant['file']}: {mutant['what']}"


def complaint_of(mutant, source=ROOT):
    """Why it cannot be planted in this tree; None: it can."""
    file = source / mutant["file"]
    if not file.is_file():
        return "does not apply: there is no such file"
    times = file.read_text().count(mutant["old"])
    if times != 1:
        return f"does not apply: the old text occurs {times} times"
    return "changes nothing" if mutant["old"] == mutant["new"] else None


def check_table(mutants):
    """Names those that cannot be planted, and those that have the name of another."""
    complaints = [(key(m), complaint_of(m)) for m in mutants if complaint_of(m)]
    names = [key(m) for m in mutants]
    complaints += [(n, "is there more than once") for n in set(names) if names.count(n) > 1]
    for name, complaint in sorted(complaints):
        print(f"mutants: {name}: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--list", action="store_true", help="only show the table")
    parser.add_argument("--check", action="store_true", help="only see whether all can be planted")
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args()
    mutants = [m for m in read_table()
               if not options.pattern or any(p in key(m) for p in options.pattern)]
    if options.list:
        print("\n".join(key(m) for m in mutants))
        return 0
    if not mutants:
        sys.exit("mutants: no mutant has such a name")
    if options.check:
        return check_table(mutants)
    laboratory = Laboratory(options.keep.resolve(), options.jobs)
    laboratory.measure(options.jobs)
    lock, counts = threading.Lock(), {"caught": 0, "SURVIVED": 0, "WRONG": 0}

    def report(mutant):
        begin = time.monotonic()
        verdict, detail = laboratory.try_mutant(mutant)
        with lock:
            counts[verdict] += 1
            print(f"{verdict:<9}{key(mutant)} ({detail}, {time.monotonic() - begin:.1f} s)",
                  flush=True)
            laboratory.remember()

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(report, mutants))
    print(f"{counts['caught']} of {len(mutants)} caught")
    return 1 if counts["WRONG"] or counts["caught"] < LEAST_SHARE * len(mutants) else 0


if __name__ == "__main__":
    sys.exit(main())
