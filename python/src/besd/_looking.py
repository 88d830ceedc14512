"""Studies as tables and pages: for notebooks, and for whoever wants to compute on."""

import subprocess
import tempfile
import warnings
from datetime import datetime, timezone
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _tool
from ._errors import BesdError, InvalidError

if TYPE_CHECKING:
    import pandas

    from ._base import StudyBase
    from ._records import Recommendation, Trial
    from ._study import Study

_SHOWN = 10
_LAST = ("note", "tags", "worker", "asked", "ended", "duration", "lease_until", "why")


def time_of(seconds: float) -> datetime:
    """Seconds since 1970."""
    return datetime.fromtimestamp(seconds, timezone.utc)


def rows(study: "StudyBase") -> list[dict[str, Any]]:
    """Everything that is known of every trial; theta by name."""
    found: list[dict[str, Any]] = []
    for t in study.trials():
        found.append(
            {
                "trial": t.id,
                "state": t.state,
                "reason": t.reason,
                **t.params,
                "tau": t.tau,
                "reps": t.reps,
                "seed": t.seed,
                "cost": t.cost,
                "mean": t.mean,
                "scores": t.scores.tolist(),
                "repeats": t.repeats,
                "note": t.note,
                "tags": list(t.tags),
                "worker": t.worker,
                "asked": t.asked,
                "ended": t.ended,
                "duration": t.duration,
                "lease_until": t.lease_until,
                "why": t.why,
            }
        )
    return found


def trials_dataframe(study: "StudyBase") -> "pandas.DataFrame":
    try:
        import pandas
    except ImportError:
        raise ImportError("trials_dataframe needs pandas: pip install besd[plot]") from None
    names = ("trial", "state", "reason", *study.names, "tau", "reps", "seed", "cost", "mean", "scores", "repeats")
    frame = pandas.DataFrame(rows(study), columns=[*names, *_LAST])
    frame["repeats"] = frame["repeats"].astype("Int64")
    for column in ("asked", "ended", "lease_until"):
        frame[column] = pandas.to_datetime(frame[column], utc=True)
    return frame.set_index("trial")


class Page(str):
    """A page as text; a notebook shows it."""

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" style="width: 100%; height: 40em; border: 0" sandbox="allow-scripts"></iframe>'


def report(study: "Study") -> Page:
    if study.path is None:
        raise InvalidError("report: expected a study in a file, got one in memory")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / (Path(study.path).stem + ".html")
        done = subprocess.run(
            [_tool.path(), "report", study.path, "--out", str(page)], capture_output=True, text=True, errors="replace"
        )
        said = done.stderr.strip().removeprefix("besd report: ")
        if not page.exists():
            raise BesdError(said or f"besd report ended with exit code {done.returncode}")
        if done.returncode:
            warnings.warn(said, stacklevel=3)
        return Page(page.read_text("utf-8"))


def _table(head: list[str], body: list[list[str]]) -> str:
    def line(tag: str, cells: list[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table><thead>{line('th', head)}</thead><tbody>{''.join(line('td', row) for row in body)}</tbody></table>"


def _number(value: float) -> str:
    return f"{value:.6g}"


def recommendation_html(r: "Recommendation") -> str:
    lines = [[name, _number(value)] for name, value in r.params.items()]
    lines.append(["expected score", f"{_number(r.value)} (90 %: {_number(r.low)} to {_number(r.high)})"])
    if r.better is not None:
        lines.append(["beats the baseline", f"{r.better:.0%}"])
    if r.warning:
        lines.append(["warning", r.warning])
    lines.append(["after", f"{r.trials} trials, cost {_number(r.cost)}; tried {r.tried} times"])
    for s in r.sources:
        if s.share is not None:
            lines.append([f"source {s.name}", f"likeness {s.likeness:.2f}; {s.share:.0%} of what is known of the design"])
    return _table(["recommendation", ""], lines)


def _mean(t: "Trial") -> str:
    """Of a trial that is no part of the model in brackets."""
    return _number(t.mean) if t.state == "told" else f"({_number(t.mean)})" if t.state == "voided" else ""


def study_html(study: "StudyBase", name: str) -> str:
    """name: of its class and where it is."""
    options, trials = study.options, study.trials()
    budget = "no limit" if options["budget"] == float("inf") else _number(options["budget"])
    count = {state: sum(t.state == state for t in trials) for state in ("told", "asked", "failed", "waiting", "voided")}
    counts = ", ".join(f"{n} {state}" for state, n in count.items() if n or state in ("told", "asked", "failed"))
    head = (
        f"<p>{name}: {len(trials)} trials "
        f"({counts}), cost {_number(study.spent)} of {escape(budget)}; {options['direction']}, {options['method']}</p>"
    )
    body = [
        [str(t.id), t.state, t.reason, *map(_number, t.params.values()), str(t.tau), str(t.reps), _number(t.cost), _mean(t)]
        for t in trials[-_SHOWN:]
    ]
    more = f"<p>the last {_SHOWN} of {len(trials)} trials</p>" if len(trials) > _SHOWN else ""
    return head + _table(["trial", "state", "reason", *study.names, "tau", "reps", "cost", "mean score"], body) + more
