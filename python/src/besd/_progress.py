"""How far `Study.optimize` is: a bar of tqdm when it is installed, otherwise a line, on standard error."""

import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ._base import StudyBase

_PAUSE, _EVERY = 0.2, 60.0


class Progress(Protocol):
    def show(self, running: int) -> None: ...

    def close(self) -> None: ...


class _Silent:
    def show(self, running: int) -> None:
        pass

    def close(self) -> None:
        pass


class _Counted:
    """Counts against the budget, or against max_trials when that is what ends the call."""

    def __init__(self, study: "StudyBase", max_trials: int | None) -> None:
        self.study = study
        self.before = study.trial_count
        budget = study.options["budget"]
        self.by_trials = max_trials is not None
        self.total: float | None = max_trials if max_trials is not None else budget if budget < float("inf") else None

    @property
    def done(self) -> float:
        return self.study.trial_count - self.before if self.by_trials or self.total is None else self.study.spent

    def text(self, running: int) -> str:
        return f"{self.study.trial_count - running} trials over, {running} under way"


class _Bar(_Counted):
    def __init__(self, study: "StudyBase", max_trials: int | None) -> None:
        super().__init__(study, max_trials)
        from tqdm.auto import tqdm

        self.first = self.done
        unit = "trials" if self.by_trials or self.total is None else "cost"
        self.bar: Any = tqdm(total=self.total, initial=self.first, unit=unit, unit_scale=True, desc="besd")

    def show(self, running: int) -> None:
        self.bar.update(self.done - self.bar.n)
        self.bar.set_postfix_str(self.text(running))

    def close(self) -> None:
        self.bar.close()


class _Line(_Counted):
    def __init__(self, study: "StudyBase", max_trials: int | None) -> None:
        super().__init__(study, max_trials)
        self.terminal = sys.stderr.isatty()
        self.shown = -_EVERY

    def show(self, running: int) -> None:
        now = time.monotonic()
        if now - self.shown < (_PAUSE if self.terminal else _EVERY):
            return
        self.shown = now
        share = "" if not self.total else f"{min(1.0, self.done / self.total):4.0%}  "
        begin, end = ("\r\033[K", "") if self.terminal else ("", "\n")
        print(f"{begin}besd: {share}{self.text(running)}", end=end, file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def progress(study: "StudyBase", wanted: bool | None, max_trials: int | None) -> Progress:
    """wanted: None means on a terminal."""
    if not (sys.stderr.isatty() if wanted is None else wanted):
        return _Silent()
    return _Bar(study, max_trials) if find_spec("tqdm") else _Line(study, max_trials)
