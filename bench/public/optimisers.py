"""The optimisers of bench/peers on public functions, and besd in this process with all of its defaults.

Besides them: random designs; Optuna's Gaussian process, which here recommends the tried design with the best posterior
mean of its own model, as BoTorch does; and BoTorch's multi-fidelity knowledge gradient, which takes up to a minute an
ask and is run only when it is named. besd is a package at a path that can be chosen, so that variants of it can be
compared; everything else is imported when needed.
"""

import hashlib
import importlib
import sys
import warnings
from pathlib import Path

import numpy as np
from problems import FULL, REPS

import methods
from problem import BudgetSpent, named_seed


def besd_package(path):
    """besd from a folder that is no part of the path otherwise: a variant, with what this Python has besides."""
    import cffi  # noqa: F401: the package's own, if the folder has one, may be of another Python

    sys.path.insert(0, str(path))
    try:
        besd = importlib.import_module("besd")
    finally:
        sys.path.remove(str(path))
    if Path(path).resolve() not in Path(besd.__file__).resolve().parents:
        raise ImportError(f"{path}: expected a folder with the package besd, got that of {besd.__file__}")
    return besd


def build_of(path):
    """Names what a package was made of, since rows of another besd do not count: its sources, where scripts/public.sh has
    written down which, otherwise its bytes, which differ from build to build."""
    told = Path(path, "sources")
    if told.exists():
        return hashlib.sha256(told.read_bytes()).hexdigest()[:10]
    parts = sorted(p for p in Path(path, "besd").rglob("*") if p.suffix in (".py", ".so"))
    if not parts:
        raise FileNotFoundError(f"{path}: expected a folder with the package besd")
    return hashlib.sha256(b"".join(p.read_bytes() for p in parts)).hexdigest()[:10]


def besd(problem, path, options):
    """A trainer of one's own, without legs: taus, reps, budget and seed are said, and that less is better."""
    package, domain = besd_package(path), problem.domain
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a small budget
        study = package.Study.create(
            None, domain.low, domain.high, domain.taus, REPS, budget=problem.budget, seed=problem.seed,
            **{"direction": "minimize", **options},
        )  # fmt: skip
    with study:
        for trial in study:
            study.tell(trial, problem.trial(trial.theta, trial.tau, trial.reps))
        found = study.recommend()
    problem.interval, problem.tried = (found.low, found.high), found.tried
    return found.theta


def uniform(problem):
    """The best score of random designs, each trained once at the largest tau."""
    rng, told = np.random.default_rng(named_seed("random", problem.domain.name, problem.seed)), []
    try:
        while True:
            point = rng.random(problem.domain.dimension)
            told.append((problem.loss(point), point.tolist()))
    except BudgetSpent:
        return problem.domain.theta(min(told)[1])


def optuna_gp(problem):
    import optuna
    from optuna._gp import gp

    torch = methods.one_thread(problem.seed)
    sampler = optuna.samplers.GPSampler(seed=problem.seed)

    def best(study):
        trials = study.get_trials(states=[optuna.trial.TrialState.COMPLETE])
        points, losses = np.array([methods.optuna_point(t) for t in trials]), np.array([t.value for t in trials])
        model = gp.fit_kernel_params(
            X=points, Y=-(losses - losses.mean()) / max(losses.std(), 1e-12), gpr_cache=None,
            is_categorical=np.zeros(points.shape[1], bool), log_prior=sampler._log_prior,
            minimum_noise=sampler._minimum_noise, deterministic_objective=False,
        )  # fmt: skip
        with torch.no_grad():
            return trials[int(model.posterior(torch.from_numpy(points))[0].argmax())]

    return methods.optuna_plain(problem, sampler, best)


def botorch_mf(problem):
    """The designs of a Sobol sequence first, at the largest and at the smallest tau in turn; then the knowledge gradient
    per cost, which is linear in tau. The recommendation has the best posterior mean at the largest tau
    among the designs that were tried at any."""
    torch = methods.one_thread(problem.seed)
    from botorch.acquisition import PosteriorMean
    from botorch.acquisition.cost_aware import InverseCostWeightedUtility
    from botorch.acquisition.fixed_feature import FixedFeatureAcquisitionFunction
    from botorch.acquisition.knowledge_gradient import qMultiFidelityKnowledgeGradient
    from botorch.acquisition.utils import project_to_target_fidelity
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskMultiFidelityGP
    from botorch.models.cost import AffineFidelityCostModel
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf, optimize_acqf_mixed
    from gpytorch.mlls import ExactMarginalLogLikelihood

    d, taus = problem.domain.dimension, problem.domain.taus
    bounds = torch.tensor([[0.0] * (d + 1), [1.0] * (d + 1)], dtype=torch.double)
    target, levels = {d: 1.0}, [{d: tau / FULL} for tau in taus]
    utility = InverseCostWeightedUtility(cost_model=AffineFidelityCostModel({d: 1.0}, fixed_cost=0.0))
    points, values = [], []

    def train(point, tau):
        values.append(-problem.loss(point, tau))
        points.append([*point, tau / FULL])

    def fitted():
        told = torch.tensor(values, dtype=torch.double).unsqueeze(-1)
        inputs = torch.tensor(points, dtype=torch.double)
        model = SingleTaskMultiFidelityGP(inputs, told, data_fidelities=[d], outcome_transform=Standardize(1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        return model

    def next_point():
        model = fitted()
        full = FixedFeatureAcquisitionFunction(PosteriorMean(model), d=d + 1, columns=[d], values=[1])
        _, current = optimize_acqf(full, bounds[:, :-1], q=1, num_restarts=4, raw_samples=128)
        gain = qMultiFidelityKnowledgeGradient(
            model, num_fantasies=32, current_value=current, cost_aware_utility=utility,
            project=lambda X: project_to_target_fidelity(X, target_fidelities=target, d=d + 1),
        )  # fmt: skip
        point, _ = optimize_acqf_mixed(
            gain, bounds, q=1, fixed_features_list=levels, num_restarts=4, raw_samples=64
        )
        return point[0].tolist()

    initial = max(2, min(2 * (d + 1), problem.affordable // 2))
    try:
        for i, point in enumerate(torch.quasirandom.SobolEngine(d, scramble=True, seed=problem.seed).draw(initial)):
            train(point.tolist(), taus[-1] if i % 2 == 0 else taus[0])
        while True:
            *point, level = next_point()
            train(point, problem.domain.nearest_tau(level * FULL))
    except BudgetSpent:
        full = torch.tensor(points, dtype=torch.double)
        full[:, -1] = 1
        return problem.domain.theta(points[int(fitted().posterior(full).mean.argmax())][:-1])


FAMILIES = ("multi-fidelity", "noisy")
# name: (function, package, what the report calls it, families)
OPTIMISERS = {
    "random": (uniform, None, "random", FAMILIES),
    "tpe": (methods.optuna_tpe, "optuna", "Optuna TPE", FAMILIES),
    "tpe-hyperband": (methods.optuna_hyperband, "optuna", "Optuna TPE + Hyperband", FAMILIES[:1]),
    "cma": (methods.cma, "cma", "pycma, noise handling", FAMILIES),
    "optuna-gp": (optuna_gp, "optuna", "Optuna GP", FAMILIES),
    "smac": (methods.smac_blackbox, "smac", "SMAC3 black box", FAMILIES),
    "smac-mf": (methods.smac_multifidelity, "smac", "SMAC3 multi-fidelity", FAMILIES[:1]),
    "botorch": (methods.botorch, "botorch", "BoTorch qLogNEI", FAMILIES),
    "botorch-mf": (botorch_mf, "botorch", "BoTorch qMFKG", FAMILIES[:1]),
}
SLOW = ("botorch-mf",)
