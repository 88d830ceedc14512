"""besd as a search algorithm of Ray Tune, and Ray as an executor of `Study.optimize`.

    def train(config):
        scores = [run(config["x"], config["y"], config["tau"], seed) for seed in config["replication_seeds"]]
        return {"scores": scores, "score": sum(scores) / len(scores)}

    search = BesdSearch({"x": (0, 10), "y": (0, 10)}, taus=[200, 1000], reps=[2, 8], mode="max", budget=300_000,
                        path="rover.besd")
    tune.Tuner(train, tune_config=tune.TuneConfig(search_alg=search, num_samples=-1)).fit()
    search.recommend().params                                 # not the best result, which was lucky
"""

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import ray
from ray.tune.search import Searcher

from .._errors import InvalidError
from .._options import Direction, StudyOptions
from .._records import Recommendation
from .._study import Study
from ._session import Session, Space

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BesdSearch", "Executor"]


class Executor:
    """For `study.optimize(train, executor=Executor(num_cpus=1))`: every training is a task of Ray.

    options: what `ray.remote` takes: num_cpus, num_gpus, memory, ...
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    @property
    def num_workers(self) -> int:
        """So many of these tasks fit into the cluster as it is now."""
        if not ray.is_initialized():
            ray.init()  # pyright: ignore[reportUnknownMemberType]
        room: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        needs = {"CPU": self._options.get("num_cpus", 1), "GPU": self._options.get("num_gpus", 0)}
        return max(1, int(min(room.get(kind, 0) // need for kind, need in needs.items() if need > 0)))

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]":
        def run(*given: Any) -> Any:
            return fn(*given)

        task: Any = ray.remote(run)
        future: Future[Any] = task.options(**self._options).remote(*args).future()
        return future


class BesdSearch(Searcher):
    """Chooses design, training length and replications by the knowledge gradient per cost.

    space: the parameters of `config`, all floats, with their intervals. Beside them `config` has "tau", "reps",
        "seed" (32 bits), "replication_seeds" and "besd_trial".
    taus, reps: training lengths and replications to choose from.
    mode: 'min' or 'max', the direction of the study; Ray does not tell a search that knows its space.
    metric: taken for the only score when there is one replication and no "scores" are reported.
    path: the file of the study, which Ray's restored experiments need; without one it is in memory.
    options: of the study, as for `besd.Study.create`.

    The trainable reports "scores", one for each replication; "cost", when it was not as planned; and the metric that
    Ray shows. With num_samples=-1 the search goes on until the budget is spent.
    """

    def __init__(
        self,
        space: Space,
        taus: Sequence[int],
        reps: Sequence[int],
        *,
        mode: Literal["min", "max"],
        metric: str | None = None,
        path: str | os.PathLike[str] | None = None,
        **options: "Unpack[StudyOptions]",
    ) -> None:
        if mode not in ("min", "max"):
            raise InvalidError(f"mode: expected 'min' or 'max', got {mode!r}")
        super().__init__(metric=metric, mode=mode)
        self._direction: Direction = "maximize" if mode == "max" else "minimize"
        self._session = Session(space, taus, reps, path, options)

    @property
    def study(self) -> Study:
        """besd's own."""
        return self._session.study()

    def recommend(self) -> Recommendation:
        """The design to use today: what the model makes of all trials."""
        return self._session.recommend()

    def suggest(self, trial_id: str) -> Any:
        """A config; None while others are under way whose end may leave room for more."""
        trial = self._session.begin(trial_id, self._direction)
        if trial is None:
            return None if self._session.under_way else Searcher.FINISHED
        return {
            **trial.params,
            "tau": trial.tau,
            "reps": trial.reps,
            "seed": trial.seed32,
            "replication_seeds": trial.replication_seeds,
            "besd_trial": trial.id,
        }

    def on_trial_result(self, trial_id: str, result: dict[str, Any]) -> None:
        """Scores count when the trial is complete."""

    def on_trial_complete(self, trial_id: str, result: dict[str, Any] | None = None, error: bool = False) -> None:
        if error or result is None:
            self._session.fail(trial_id, f"Ray's trial {trial_id} ended with an error")
            return
        planned = self._session.under_way.get(trial_id)
        scores = result.get("scores")
        if scores is None and planned is not None and planned.reps == 1 and self._metric in result:
            scores = [result[self._metric]]
        if scores is None:
            self._session.fail(trial_id, f"train: expected 'scores' among what is reported, got {sorted(result)}")
            return
        self._session.tell(trial_id, scores, result.get("cost"))

    def save(self, checkpoint_path: str) -> None:
        """The study is a file by itself; what is kept is which trials of Ray are which of besd's."""
        ids = {key: trial.id for key, trial in self._session.under_way.items()}
        Path(checkpoint_path).write_text(json.dumps({"path": self._session.path, "under_way": ids}))

    def restore(self, checkpoint_path: str) -> None:
        kept = json.loads(Path(checkpoint_path).read_text())
        if kept["path"] is None:
            raise InvalidError("path: a study in memory cannot be restored; give the search a path")
        self._session.path = kept["path"]
        study = self._session.study(self._direction)
        self._session.under_way = {key: study.trial(trial) for key, trial in kept["under_way"].items()}
