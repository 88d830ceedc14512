"""The rows of finished runs: a CSV to which every run adds its line when it is over.

A run that was interrupted has no line and is done again; half a line, of a process that was killed while it wrote,
is cut off. Rows of besd itself count only for the sources that they were made with, since those change; the last
row of a run is the one that holds.
"""

import csv
import io
import os

COLUMNS = (
    "domain", "budget", "method", "seed", "mean", "se", "instances", "spent", "trials", "seconds", "theta", "version",
    "besd",
)  # fmt: skip


def key(row):
    """The first column says on what: a domain, a function."""
    return next(iter(row.values())), int(row["budget"]), row["method"], int(row["seed"])


def line(values):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()


def rows_of(path, columns=COLUMNS):
    """The rows that hold, by key; half a line at the end is not read."""
    with open(path, newline="") as file:
        text = file.read()
    reader = csv.DictReader(io.StringIO(text[: text.rfind("\n") + 1], newline=""))
    if tuple(reader.fieldnames or ()) != columns:
        raise ValueError(f"{path}: expected the columns {','.join(columns)}")
    return {key(r): r for r in reader}


class Ledger:
    def __init__(self, path, columns=COLUMNS):
        self.path, self.columns = path, columns
        self.mend()
        self.rows = rows_of(path, columns)

    def mend(self):
        """Cuts off half a line; begins the file if there is none."""
        try:
            with open(self.path, "rb+") as file:
                text = file.read()
                file.truncate(text.rfind(b"\n") + 1)
        except FileNotFoundError:
            pass
        if not os.path.exists(self.path) or not os.path.getsize(self.path):
            os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
            self.append(line(self.columns))

    def append(self, text):
        with open(self.path, "a", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def has(self, *run, besd=None):
        """Is there a row of this run; and of this build of besd, if one is named?"""
        row = self.rows.get(run)
        return row is not None and besd in (None, row["besd"])

    def add(self, row):
        row = {name: str(row[name]) for name in self.columns}
        self.append(line(row.values()))
        self.rows[key(row)] = row
