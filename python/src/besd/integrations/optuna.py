"""besd as a sampler of Optuna, with training lengths and replications.

    sampler = BesdSampler({"x": (0, 10), "y": (0, 10)}, taus=[200, 1000], reps=[2, 8], budget=300_000)

    def objective(trial):
        x, y = trial.suggest_float("x", 0, 10), trial.suggest_float("y", 0, 10)
        planned = sampler.trial(trial)                        # tau, reps, replication_seeds
        scores = [train(x, y, planned.tau, seed) for seed in planned.replication_seeds]
        return sampler.told(trial, scores)                    # their mean, for Optuna

    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.optimize(objective)                                 # until the budget is spent
    sampler.recommend().params                                # not study.best_params, which were lucky
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt
import optuna
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.trial import FrozenTrial, TrialState

from .._errors import InvalidError
from .._options import StudyOptions
from .._records import Recommendation, Trial
from .._study import Study
from ._session import Session, Space, mean_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BesdSampler"]


class BesdSampler(optuna.samplers.BaseSampler):
    """Chooses design, training length and replications by the knowledge gradient per cost.

    space: the parameters that the objective suggests, all floats, with their intervals.
    taus, reps: training lengths and replications to choose from.
    path: the file of the study; without one it is in memory. Several processes may share it, as they
        share Optuna's storage.
    options: of the study, as for `besd.Study.create`; its direction is that of Optuna's study.

    A trial whose objective raises or is pruned counts as failed, and its cost as spent. When the budget is spent the
    sampler stops Optuna's study; an objective that has begun by then is pruned at its first suggestion.
    """

    def __init__(
        self,
        space: Space,
        taus: Sequence[int],
        reps: Sequence[int],
        *,
        path: str | os.PathLike[str] | None = None,
        **options: "Unpack[StudyOptions]",
    ) -> None:
        self._session = Session(space, taus, reps, path, options)
        self._distributions: dict[str, BaseDistribution] = {
            name: FloatDistribution(low, high) for name, (low, high) in self._session.space.items()
        }
        self._scores: dict[int, npt.ArrayLike] = {}

    @property
    def study(self) -> Study:
        """besd's own."""
        return self._session.study()

    def recommend(self) -> Recommendation:
        """The design to use today: what the model makes of all trials."""
        return self._session.recommend()

    def trial(self, trial: optuna.trial.Trial) -> Trial:
        """What besd has planned for this trial: tau, reps, seeds."""
        planned = self._session.under_way.get(str(trial.number))
        if planned is None:
            raise optuna.TrialPruned(self._over())
        return planned

    def _over(self) -> str:
        return self._session.study().stop_message or "besd has not planned this trial"

    def told(self, trial: optuna.trial.Trial, scores: npt.ArrayLike) -> float:
        """Takes the score of every replication; their mean is what the objective returns."""
        self._scores[trial.number] = scores
        return mean_of(scores)

    def infer_relative_search_space(
        self, study: optuna.study.Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        return self._distributions

    def sample_relative(
        self, study: optuna.study.Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        maximize = study.direction == optuna.study.StudyDirection.MAXIMIZE
        planned = self._session.begin(str(trial.number), "maximize" if maximize else "minimize")
        if planned is None:
            _stop(study)
            return {}
        return dict(planned.params)

    def sample_independent(
        self, study: optuna.study.Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """For what the space does not have, which is refused; and for what comes after the end."""
        if param_name not in self._distributions:
            raise InvalidError(
                f"space: there is no '{param_name}'; the sampler was given {', '.join(self._distributions)}"
            )
        if str(trial.number) in self._session.under_way:
            raise InvalidError(
                f"space: '{param_name}' was given as {self._distributions[param_name]}, "
                f"the objective suggests {param_distribution}"
            )
        raise optuna.TrialPruned(self._over())

    def after_trial(
        self, study: optuna.study.Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        key, scores = str(trial.number), self._scores.pop(trial.number, None)
        planned = self._session.under_way.get(key)
        if planned is None:
            return
        wrong = next((n for n, d in self._distributions.items() if trial.distributions.get(n, d) != d), None)
        if wrong is not None:
            what = f"space: '{wrong}' was given as {self._distributions[wrong]}, the objective suggests {trial.distributions[wrong]}"
            self._session.fail(key, what)
            raise InvalidError(what)
        if state != TrialState.COMPLETE or values is None:
            self._session.fail(key, f"Optuna's trial {trial.number} ended as {state.name}")
        elif {name: trial.params.get(name) for name in planned.params} != planned.params:
            self._session.fail(key, f"Optuna's trial {trial.number} tried other parameters than besd had planned")
        else:
            self._session.tell(key, [values[0]] if scores is None else scores)
        if self._session.is_spent():
            _stop(study)


def _stop(study: optuna.study.Study) -> None:
    try:
        study.stop()
    except RuntimeError:  # the caller asks and tells by hand, and stops when it likes
        pass
