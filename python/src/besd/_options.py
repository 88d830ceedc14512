"""The options of a study; made by scripts/options.py from the library's own list."""

from typing import Literal, TypedDict

Direction = Literal["maximize", "minimize"]
Transform = Literal["none", "log"]
Method = Literal["besd", "random", "ei", "ei-paper", "lcb", "hyperband", "hyperband-paper"]
Model = Literal["paper", "averaged"]
Instances = Literal["shared", "fresh"]


class StudyOptions(TypedDict, total=False):
    """Keywords of `Study.create`; what is left out has its default."""

    direction: Direction
    """Is a larger score better? minimize for steps, times and costs. Default 'maximize'."""
    transform: Transform
    """What the model sees: log for positive scores that differ by factors; replications are averaged after
    it. Default 'none'."""
    method: Method
    """How trials are chosen after the initial design; all but besd are there to be compared with. Default
    'besd'."""
    model: Model
    """Averaged over draws of its hyperparameters; or the paper's. Default 'averaged'. Looked at by besd,
    ei, ei-paper, lcb."""
    seed: int
    """Seed of all random numbers. Default 0."""
    budget: float
    """Total cost, initial design included; it can be raised later. From 0 (cost). Default float("inf"),
    which is none."""
    setup_cost: float
    """Cost of a trial on top of reps * tau * interaction_price. From 0 (cost). Default 0."""
    interaction_price: float
    """Cost of one interaction. From 0 (cost). Default 1."""
    initial_designs: int
    """Trials at every tau before the model chooses, a Latin hypercube; automatic: 2.5 per coordinate and at
    least 4. 0 to 10000 (trials). Left to besd by default. Looked at by besd, ei, ei-paper, lcb."""
    initial_reps: int
    """Replications of the initial trials, one of reps; automatic: the fewest, with other methods than besd
    the most. 1 to 4096 (replications). Left to besd by default. Looked at by besd, ei, ei-paper, lcb."""
    targets: int
    """Size of the discretisation over which the knowledge gradient is exact. 1 to 20000 (points). Default
    1000. Looked at by besd, ei, ei-paper, lcb."""
    discrete: bool
    """Choose and recommend among the discretisation only, the setting of theorem 1. Default False. Looked
    at by besd, ei, ei-paper, lcb."""
    initial_crossed: bool
    """The same initial designs at every tau, as in the paper, instead of one for every trial. Default
    False. Looked at by besd."""
    mean_of_all: bool
    """The prior mean is that of all told trials instead of the initial ones. Default False. Looked at by
    besd, ei, ei-paper, lcb."""
    stop_below: float
    """Stop when the best knowledge gradient per cost is below. From 0 (kg per cost). Default 0. Looked at
    by besd."""
    tau_max_share: float
    """At least this share of the chosen trials at the largest tau. 0 to 1 (share of trials). Default 0.
    Looked at by besd."""
    explore: float
    """This share of the chosen trials at designs spread over the space, whatever the model thinks of them;
    the share is smaller where legs are told, because legs go first. 0 to 1 (share of trials). Default 0.25.
    Looked at by besd."""
    caution: float
    """Recommend the design with the largest mean - caution * sd, which keeps it near what was tried; 0: the
    largest mean, as in the paper. 0 to 100 (sd). Default 1. Looked at by besd, ei, ei-paper, lcb."""
    search_until: float
    """No exploring trials and no composed paths after this share of the budget: what they find could not be
    followed up. 0 to 1 (share of the budget). Default 0.6667. Looked at by besd."""
    instances: Instances
    """Do the replications of a trial share one environment, or has each one of its own? Default 'shared'.
    Looked at by besd, ei, ei-paper, lcb."""
    draws: int
    """Sets of hyperparameters that the averaged model is averaged over. 1 to 16 (draws). Default 6. Looked
    at by besd, ei, ei-paper, lcb."""
    confirm: float
    """With the averaged model the last of the budget trains the few best designs again, before one is
    recommended. 0 to 1 (share of the budget). Default 0.12. Looked at by besd."""
    best_possible: float
    """No mean score can be better than this, so none better is expected; float("inf"): not known. From
    -1e+300 (score). Default float("inf"), which is none."""
    baseline: float
    """The mean score without any design, which a recommendation should beat; float("inf"): not known. From
    -1e+300 (score). Default float("inf"), which is none."""
    baseline_cost: float
    """What it cost to measure the baseline; part of the budget. From 0 (cost). Default 0."""
    initial_share: float
    """With the averaged model: largest share of the budget for the initial design; every tau is tried at
    least once. 0 to 1 (share of the budget). Default 0.25. Looked at by besd."""
    legs: float
    """With the averaged model, and where theta is a path and trainers tell its legs: this share of what
    chosen trials cost goes to paths composed of the best legs, until search_until; a larger one while most
    trials score as badly as can be; 0: none. 0 to 1 (share of the cost). Default 0.5. Looked at by besd."""
    baseline_error: float
    """The standard error of the baseline, which the probability to beat it allows for. From 0 (score).
    Default 0."""
    worst_possible: float
    """No mean score can be worse than this, so none worse is expected, and a training of a test that fails
    counts as this; float("inf"): not known. From -1e+300 (score). Default float("inf"), which is none."""
