"""The optimisers. Each is a function of a problem that returns its recommendation, a design.

All settings are the packages' own unless a comment says why not. An optimiser without fidelities trains at the
largest tau with the fewest reps: its trials are then as many as the budget allows, and repeating a design that
looks good is its own business. Recommendations follow each package's own rule. Packages are imported when they are
needed, so that a missing one costs its own methods only.
"""

import importlib.metadata
import logging
import random
import tempfile
from pathlib import Path

from problem import BudgetSpent


def seeded(seed):
    """Names the randomness of packages that keep theirs in globals; numpy's, set."""
    import numpy

    random.seed(seed)
    numpy.random.seed(seed)
    return numpy


def one_thread(seed):
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    return torch


def besd(problem):
    """The command line with all defaults. It pays for its own trials; training on one thread changes no byte."""
    with tempfile.TemporaryDirectory() as folder:
        done = problem.tool.call(
            "run", problem.domain.name, "--budget", problem.budget, "--seed", problem.seed,
            "--study", Path(folder) / "study.besd", "--quiet", "--threads", 1,
        )  # fmt: skip
    problem.pay(done["cost"])
    problem.trials = done["trials"]
    return done["theta_array"]


def none(problem):
    """Plain learning, for orientation; it spends nothing."""
    return None


def optuna_study(problem, sampler, pruner=None):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    # Hyperband hashes the name of the study to deal out brackets
    study = optuna.create_study(
        study_name=f"{problem.domain.name}-{problem.seed}", sampler=sampler, pruner=pruner or optuna.pruners.NopPruner()
    )
    names = [f"u{i}" for i in range(problem.domain.dimension)]
    space = {name: optuna.distributions.FloatDistribution(0, 1) for name in names}
    return study, space


def optuna_point(trial):
    return [trial.params[name] for name in sorted(trial.params)]  # at most ten coordinates


def optuna_plain(problem, sampler, best=lambda study: study.best_trial):
    study, space = optuna_study(problem, sampler)
    try:
        while True:
            trial = study.ask(space)
            study.tell(trial, problem.loss(optuna_point(trial)))
    except BudgetSpent:
        return problem.domain.theta(optuna_point(best(study)))


def optuna_tpe(problem):
    import optuna

    return optuna_plain(problem, optuna.samplers.TPESampler(seed=problem.seed))


def optuna_gp(problem):
    import optuna

    one_thread(problem.seed)
    return optuna_plain(problem, optuna.samplers.GPSampler(seed=problem.seed))


def optuna_hyperband(problem):
    """tau is the resource. A trial goes on from level to level until the pruner ends it, and has then cost what it
    has trained: nothing is trained twice."""
    import optuna

    taus = problem.domain.taus
    pruner = optuna.pruners.HyperbandPruner(min_resource=taus[0], max_resource=taus[-1])
    study, space = optuna_study(problem, optuna.samplers.TPESampler(seed=problem.seed), pruner)
    seen = []
    try:
        while True:
            trial = study.ask(space)
            state = optuna.trial.TrialState.COMPLETE
            for tau, loss in problem.losses(optuna_point(trial)):
                trial.report(loss, tau)
                seen.append((-tau, loss, optuna_point(trial)))
                if tau < taus[-1] and trial.should_prune():
                    state = optuna.trial.TrialState.PRUNED
                    break
            study.tell(trial, loss if state == optuna.trial.TrialState.COMPLETE else None, state=state)
    except BudgetSpent:
        if study.get_trials(states=[optuna.trial.TrialState.COMPLETE]):
            return problem.domain.theta(optuna_point(study.best_trial))
        return problem.domain.theta(min(seen)[2])  # all were pruned


def cma(problem):
    """Re-evaluations from 1 to 30, the range of the noise handler's documentation: its default does not average.
    The start is drawn, a third of the box wide. Signs of convergence are ignored: the budget ends the run. The
    recommendation is the mean of the search distribution, as advised for noise."""
    numpy = seeded(problem.seed)
    import cma as package

    start = numpy.random.default_rng(problem.seed).random(problem.domain.dimension)
    es = package.CMAEvolutionStrategy(
        start, 0.3, {"bounds": [0, 1], "seed": problem.seed, "verbose": -9, "verb_log": 0}
    )
    noise = package.NoiseHandler(es.N, maxevals=[1, 1, 30])
    try:
        while True:
            points, losses = es.ask_and_eval(problem.loss, evaluations=noise.evaluations)
            es.tell(points, losses)
            es.sigma *= noise(points, losses, problem.loss, es.ask)
            es.countevals += noise.evaluations_just_done
    except BudgetSpent:
        return problem.domain.theta(es.result.xfavorite)


def tbpsa(problem):
    seeded(problem.seed)
    import nevergrad

    space = nevergrad.p.Array(shape=(problem.domain.dimension,), lower=0, upper=1)
    space.random_state.seed(problem.seed)
    optimizer = nevergrad.optimizers.TBPSA(space, budget=problem.affordable)
    try:
        while True:
            asked = optimizer.ask()
            optimizer.tell(asked, problem.loss(asked.value))
    except BudgetSpent:
        return problem.domain.theta(optimizer.provide_recommendation().value)


def smac(problem, facade, intensifier, **fidelities):
    seeded(problem.seed)
    from ConfigSpace import ConfigurationSpace
    from smac import Scenario
    from smac.runhistory.dataclasses import TrialValue

    logging.getLogger("smac").setLevel(logging.ERROR)
    names = [f"u{i}" for i in range(problem.domain.dimension)]
    space = ConfigurationSpace({name: (0.0, 1.0) for name in names}, seed=problem.seed)
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            space, deterministic=False, n_trials=problem.affordable, seed=problem.seed,
            output_directory=Path(folder), **fidelities,
        )  # fmt: skip
        optimizer = facade(
            scenario, lambda config, seed, budget=None: None, intensifier=intensifier(scenario),
            overwrite=True, logging_level=False,
        )  # fmt: skip
        best = None
        try:
            while True:
                asked = optimizer.ask()
                tau = problem.domain.nearest_tau(asked.budget) if asked.budget else None
                loss = problem.loss([asked.config[name] for name in names], tau)
                optimizer.tell(asked, TrialValue(cost=loss))
                best = optimizer.intensifier.get_incumbent() or best or asked.config
        except (BudgetSpent, StopIteration):
            return problem.domain.theta([best[name] for name in names])


def smac_blackbox(problem):
    from smac import BlackBoxFacade

    return smac(problem, BlackBoxFacade, BlackBoxFacade.get_intensifier)


def smac_multifidelity(problem):
    """A reduction factor of 2 instead of 3, with which most domains would have a single fidelity. SMAC's fidelities
    are rounded to the domain's levels."""
    from smac import MultiFidelityFacade

    taus = problem.domain.taus
    return smac(
        problem, MultiFidelityFacade, lambda scenario: MultiFidelityFacade.get_intensifier(scenario, eta=2),
        min_budget=taus[0], max_budget=taus[-1],
    )  # fmt: skip


def botorch(problem):
    """Noisy expected improvement over a GP with BoTorch's own priors, after 2 (d + 1) Sobol designs, but at most half
    of the trials. The recommendation is the tried design with the best posterior mean."""
    torch = one_thread(problem.seed)
    from botorch.acquisition.logei import qLogNoisyExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf
    from gpytorch.mlls import ExactMarginalLogLikelihood

    d = problem.domain.dimension
    initial = max(2, min(2 * (d + 1), problem.affordable // 2))
    points = torch.quasirandom.SobolEngine(d, scramble=True, seed=problem.seed).draw(initial, dtype=torch.double)
    bounds = torch.tensor([[0.0] * d, [1.0] * d], dtype=torch.double)
    values = []

    def fitted():
        told = torch.tensor(values, dtype=torch.double).unsqueeze(-1)
        model = SingleTaskGP(points[: len(values)], told, outcome_transform=Standardize(1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        return model

    try:
        while True:
            if len(values) == len(points):
                acquisition = qLogNoisyExpectedImprovement(fitted(), points, prune_baseline=True)
                point, _ = optimize_acqf(acquisition, bounds, q=1, num_restarts=4, raw_samples=128)
                points = torch.cat([points, point])
            values.append(-problem.loss(points[len(values)].tolist()))
    except BudgetSpent:
        means = fitted().posterior(points[: len(values)]).mean.squeeze(-1)
        return problem.domain.theta(points[int(means.argmax())].tolist())


# name: (function, package, what the report calls it)
METHODS = {
    "besd": (besd, None, "besd"),
    "tpe": (optuna_tpe, "optuna", "Optuna TPE"),
    "optuna-gp": (optuna_gp, "optuna", "Optuna GP"),
    "tpe-hyperband": (optuna_hyperband, "optuna", "Optuna TPE + Hyperband"),
    "cma": (cma, "cma", "pycma, noise handling"),
    "tbpsa": (tbpsa, "nevergrad", "Nevergrad TBPSA"),
    "smac": (smac_blackbox, "smac", "SMAC3 black box"),
    "smac-mf": (smac_multifidelity, "smac", "SMAC3 multi-fidelity"),
    "botorch": (botorch, "botorch", "BoTorch qLogNEI"),
    "none": (none, None, "no subgoals"),
}


def installed(package):
    """The package and its version; "-" of no package, None if it is not installed."""
    try:
        return f"{package} {importlib.metadata.version(package)}" if package else "-"
    except importlib.metadata.PackageNotFoundError:
        return None


def version(name):
    return installed(METHODS[name][1])
