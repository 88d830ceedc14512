"""besd: where to put the subgoals, at the lowest price in interactions.

A study is one file. Ask it for a trial, train your agent as the trial says, tell it the scores:

>>> study = besd.Study.create("rover.besd", low=[0, 0], high=[10, 10], taus=[200, 1000],
...                           reps=[5, 20], budget=300_000)
>>> for trial in study:                       # trial.theta, trial.tau, trial.reps, trial.seed
...     study.tell(trial, train(trial))       # durable when it returns
>>> study.recommend().theta

Importing besd registers the built-in domains with Gymnasium (`gymnasium.make("besd/GW10-v0")`, see
`besd.domains`), and `besd.SubgoalWrapper` gives subgoals to any Gymnasium environment. A study does
without Gymnasium.
"""

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from ._errors import (
    AccessError,
    BesdError,
    ClosedError,
    ComputationError,
    EnvironmentContractError,
    InvalidError,
    OutOfMemoryError,
    ServiceError,
    StudyFileError,
    TrainError,
    UnknownNameError,
    UnreachableError,
    UnsupportedError,
)
from ._register import register as _register
from ._options import Direction, Instances, Method, Model, StudyOptions, Transform
from ._path import EpisodeLegs, Path
from ._record import testing
from ._records import (
    Candidate,
    Certificate,
    Event,
    Explanation,
    Forecast,
    Hyperparameters,
    LeverValue,
    Reason,
    Recommendation,
    Source,
    State,
    Stop,
    Trial,
    What,
)
from ._base import StudyBase
from ._remote import RemoteStudy, connect
from ._study import Study, arithmetic

if TYPE_CHECKING:
    from . import domains, plot, sketch
    from ._deep import subgoals
    from ._plan import Cell
    from ._subgoals import SubgoalWrapper
    from ._vector_subgoals import SubgoalVectorWrapper

__version__ = _version("besd")

__all__ = [
    "AccessError",
    "BesdError",
    "Candidate",
    "Cell",
    "Certificate",
    "ClosedError",
    "ComputationError",
    "Direction",
    "EnvironmentContractError",
    "EpisodeLegs",
    "Event",
    "Explanation",
    "Forecast",
    "Hyperparameters",
    "Instances",
    "InvalidError",
    "LeverValue",
    "Method",
    "Model",
    "OutOfMemoryError",
    "Path",
    "Reason",
    "Recommendation",
    "RemoteStudy",
    "ServiceError",
    "Source",
    "State",
    "Stop",
    "Study",
    "StudyBase",
    "StudyOptions",
    "StudyFileError",
    "SubgoalVectorWrapper",
    "SubgoalWrapper",
    "TrainError",
    "Transform",
    "Trial",
    "UnknownNameError",
    "UnreachableError",
    "UnsupportedError",
    "What",
    "arithmetic",
    "connect",
    "domains",
    "plot",
    "sketch",
    "subgoals",
    "testing",
]


_register()

_HOMES = {"Cell": "._plan", "subgoals": "._deep", "SubgoalWrapper": "._subgoals", "SubgoalVectorWrapper": "._vector_subgoals"}


def __getattr__(name: str) -> Any:
    # What needs Gymnasium or matplotlib is imported when it is used.
    if name in ("domains", "plot", "sketch"):
        return import_module(f".{name}", __name__)
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module 'besd' has no attribute '{name}'")
