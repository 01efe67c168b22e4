"""The registry of methods: what each is called, how it is built and what its settings may be."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from workbench.metrics import fill_gaps
from workbench.table import DataError


@dataclass(frozen=True)
class Parameter:
    """One setting of a method and its legal values, written as data.

    Parameters
    ----------
    name : str
        Name of the constructor's argument.
    kind : {"float", "int", "choice", "bool"}
        What its values are.
    default : float, int, str or bool
        Value when nothing is said.
    low, high : float or int, default -inf, inf
        Smallest and largest number allowed, both included.
    choices : tuple of str, default ()
        Allowed words of a choice.
    scale : {"linear", "log"}, default "linear"
        How a control should space its numbers.
    special : tuple of str, default ()
        Words allowed in place of a number, such as "auto".
    help : str, default ""
        One sentence for the reader.
    """

    name: str
    kind: str
    default: Any
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    scale: str = "linear"
    special: tuple[str, ...] = ()
    help: str = ""

    def check(self, value):
        """Return the value in its own type.

        Parameters
        ----------
        value : float, int, str or bool
            What was asked for.

        Returns
        -------
        float, int, str or bool

        Raises
        ------
        DataError
            With name, value and rule, where the value is not legal.
        """
        if isinstance(value, str) and value in self.special:
            return value
        if self.kind == "choice":
            if value not in self.choices:
                raise DataError(f"{self.name}={value!r} should be one of {_words(self.choices)}.")
            return value
        if self.kind == "bool":
            if not isinstance(value, bool):
                raise DataError(f"{self.name}={value!r} should be true or false.")
            return value
        return self._number(value)

    def _number(self, value):
        whole = self.kind == "int"
        number = "a whole number" if whole else "a number"
        if isinstance(value, bool) or not isinstance(value, int | float):
            rule = " or ".join([number, *map(repr, self.special)])
            raise DataError(f"{self.name}={value!r} should be {rule}.")
        if not math.isfinite(value) or (whole and value != int(value)):
            raise DataError(f"{self.name}={value!r} should be {number}.")
        if value <= 0 and self.scale == "log":
            raise DataError(f"{self.name}={value:g} should be > 0.")
        if not self.low <= value <= self.high:
            raise DataError(f"{self.name}={value:g} should be from {self.low:g} to {self.high:g}.")
        return int(value) if whole else float(value)


def _words(choices):
    return ", ".join(repr(choice) for choice in choices)


@dataclass(frozen=True)
class Method:
    """A way of clustering, as pages, the command line and tests know it.

    Parameters
    ----------
    key, name : str
        Word in a recipe, and name on the screen.
    family : str
        Kind of method, for grouping.
    build : callable
        `build(settings, *, device, dtype, random_state)` returns an unfitted estimator, or
        raises DataError where nothing is fitted.
    parameters : tuple of Parameter
        All settings.
    reference : str
        Where the method is published.
    limits : str
        What it cannot do, in a sentence.
    prototypes : (str, str), default ("memory", "memories")
        What its prototypes are called: one, and several.
    gaps : bool, default True
        Whether its rows may have missing values.
    """

    key: str
    name: str
    family: str
    build: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    reference: str
    limits: str
    prototypes: tuple[str, str] = ("memory", "memories")
    gaps: bool = True

    def rows(self, X):
        """Return rows as the method takes them.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            NaN marks a missing value.

        Returns
        -------
        ndarray of shape (n, d)
            With gaps filled by their column's mean where the method needs complete rows.
        """
        return X if self.gaps else fill_gaps(X)

    def parameter(self, name):
        """Return the parameter of that name.

        Parameters
        ----------
        name : str
            Name of a setting.

        Returns
        -------
        Parameter

        Raises
        ------
        KeyError
            Where the method has none of that name.
        """
        return {parameter.name: parameter for parameter in self.parameters}[name]

    def complete(self, settings=None):
        """Check settings and add the defaults of those left out.

        Parameters
        ----------
        settings : mapping of str to float, int, str or bool, optional
            What was asked for.

        Returns
        -------
        mapping
            Read-only, with a value for every parameter, in their order.

        Raises
        ------
        DataError
            For a name the method does not have, or a value that is not legal.
        """
        asked = dict(settings or {})
        known = [parameter.name for parameter in self.parameters]
        for name in asked:
            if name not in known:
                raise DataError(f"setting={name!r} should be one of {_words(known)}.")
        values = {p.name: p.check(asked.get(p.name, p.default)) for p in self.parameters}
        return MappingProxyType(values)


def complete_settings(method, settings: Mapping[str, Any] | None = None):
    """Check the settings of a method by its key and add the defaults.

    Parameters
    ----------
    method : str
        Key in `METHODS`.
    settings : mapping, optional
        What was asked for.

    Returns
    -------
    mapping
        Read-only, complete.

    Raises
    ------
    DataError
        For an unknown method, name or value.
    """
    if not isinstance(method, str) or method not in METHODS:
        raise DataError(f"method={method!r} should be one of {_words(METHODS)}.")
    return METHODS[method].complete(settings)


def _build_clam(settings, *, device="cpu", dtype="float32", random_state=0):
    from clam_core import ClAM  # heavy, and only needed here

    arguments = dict(settings)
    if arguments["step_size"] == "1/T":
        arguments["step_size"] = None
    return ClAM(**arguments, device=device, dtype=dtype, random_state=random_state)


def _build_kmeans(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.kmeans import KMeans  # scikit-learn takes a second to import

    return KMeans(**settings, random_state=random_state)


def _build_slk(settings, *, device="cpu", dtype="float32", random_state=0):
    from slk_core import SLK  # compiles, and only needed here
    from slk_core.settings import lam_unit

    arguments = dict(settings)
    units = arguments.pop("coupling")
    model = SLK(**arguments, device=device, dtype=dtype, random_state=random_state)
    return model.set_params(lam=units * lam_unit(model))


def _refuse_recall(settings, *, device="cpu", dtype="float32", random_state=0):
    raise DataError("method='recall' fits nothing: its memories are given.")


_CLUSTERS = Parameter("n_clusters", "int", 8, 1, 200, help="How many clusters to look for.")
_STEPS = Parameter(
    "n_steps", "int", 10, 1, 100,
    help="How many steps a point rolls downhill. With steps of 1/T, T = 1 jumps all the way at "
    "once; more steps follow the valley more closely, stop about two thirds of the way and take "
    "longer.",
)  # fmt: skip
_STEP_SIZE = Parameter(
    "step_size", "float", "1/T", 1e-3, 1.0, scale="log", special=("1/T",),
    help="How far each step goes of the way that is left, dt/tau; the paper uses 1/T. Larger "
    "takes points closer to the memories.",
)  # fmt: skip
_ENERGY = Parameter(
    "energy", "choice", "euclidean", choices=("euclidean", "weighted", "spherical"),
    help="How nearness is measured: distance, distance with a weight for each memory, or angle.",
)  # fmt: skip

_CLAM = (
    _CLUSTERS,
    Parameter("beta", "float", "auto", 1e-5, 1e6, scale="log", special=("auto",),
              help="Inverse temperature: large draws each point to its nearest memory only."),
    _STEPS,
    _STEP_SIZE,
    _ENERGY,
    Parameter("loss", "choice", "squared", choices=("squared", "absolute"),
              help="Absolute errors are less moved by outliers."),
    Parameter("corruption", "choice", "auto", choices=("auto", "mask", "noise", "none"),
              help="What recall must complete; auto masks from four features up."),
    Parameter("mask_rate", "float", 0.15, 0.01, 0.9,
              help="Hiding more leaves less to tell a row by, so that memories must stand for "
              "whole clusters; hiding too much blurs them."),
    Parameter("mask_value", "choice", "mean", choices=("mean", "min", "max"),
              help="mean starts in the middle of the column, which favours no cluster; min and "
              "max start at one end, and memories shift to make up for it."),
    Parameter("noise_scale", "float", 0.1, 1e-3, 10.0, scale="log",
              help="Its deviation, in units of the prepared data: larger noise smooths over "
              "small groups. Used only where recall completes noise."),
    Parameter("init", "choice", "k-means++", choices=("k-means++", "data", "gaussian"),
              help="k-means++ starts from rows far apart and usually does best; data starts from "
              "rows drawn at random, gaussian from random places: training has farther to go."),
    Parameter("n_init", "int", 16, 1, 256,
              help="Trainings from different starts, all at once, of which one is kept. More find "
              "better clusters more surely and take longer."),
    Parameter("n_epochs", "int", "auto", 1, 1000, scale="log", special=("auto",),
              help="Passes over the data. More let the memories settle and take longer."),
    Parameter("batch_size", "int", "auto", 1, 4096, scale="log", special=("auto",),
              help="Rows that memories learn from between two moves. Fewer move them more often, "
              "less steadily and more slowly."),
    Parameter("learning_rate", "float", 0.1, 1e-5, 1.0, scale="log",
              help="How far a memory moves at a time (the rate of Adam): too little does not "
              "arrive, too much jumps about."),
    Parameter("schedule", "choice", "cosine", choices=("cosine", "plateau", "constant"),
              help="cosine slows down to a stop, so that memories settle by the last epoch; "
              "plateau slows down only when the loss stops falling; constant never does."),
    Parameter("selection", "choice", "silhouette", choices=("silhouette", "mahalanobis", "loss"),
              help="Which restart is kept: by silhouette, by silhouette under the covariance of "
              "the data, or by loss."),
    Parameter("engine", "choice", "auto", choices=("auto", "numba", "torch", "autograd"),
              help="Which program computes; auto chooses by size."),
)  # fmt: skip

_RECALL = (
    Parameter("beta", "float", 10.0, 5e-4, 1e3, scale="log", special=("auto",),
              help="Inverse temperature: large draws each point to its nearest memory only."),
    _STEPS,
    _STEP_SIZE,
    _ENERGY,
    Parameter("mode", "choice", "steps", choices=("steps", "attractor"),
              help="Stop after T steps, or go on to the fixed point."),
)  # fmt: skip

_KMEANS = (
    _CLUSTERS,
    Parameter("n_init", "int", 16, 1, 1000, scale="log", help="Restarts."),
    Parameter("max_iter", "int", 300, 1, 1000, scale="log", help="Most iterations of a restart."),
    Parameter("init", "choice", "k-means++", choices=("k-means++", "random"),
              help="Where the centres start."),
    Parameter("selection", "choice", "loss", choices=("loss", "silhouette"),
              help="Which restart is kept."),
)  # fmt: skip

_SLK = (
    _CLUSTERS,
    Parameter("coupling", "float", 1.25, 0.0, 5.0,
              help="lambda, the weight of the graph, in units of the coupling c(k) at which "
              "neighbours begin to decide; 0 leaves prototypes alone (K-modes)."),
    Parameter("n_neighbors", "int", 10, 1, 100,
              help="Neighbours of each row in the graph. More join groups that lie apart; fewer "
              "leave the graph in pieces."),
    Parameter("modes", "choice", "mean-shift",
              choices=("mean-shift", "byproduct", "means", "exact"),
              help="How prototypes follow their rows: the nearest peak of density, the row most "
              "sure of its cluster, the mean, or the best row of all."),
    Parameter("affinity_kind", "choice", "binary", choices=("binary", "gaussian"),
              help="Whether all neighbours count alike, or near ones more."),
    Parameter("balance", "float", 0.0, 0.0, 10.0,
              help="Counts against one cluster that takes the whole graph; 0 is the paper's."),
    Parameter("n_init", "int", 10, 1, 100, help="Starts, of which one is kept."),
    Parameter("selection", "choice", "cut", choices=("cut", "objective"),
              help="Which start is kept: that of the least normalised cut of the graph, or that "
              "of the lowest objective E."),
)  # fmt: skip

METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.key: method
        for method in (
            Method(
                "clam", "ClAM", "associative memory", _build_clam, _CLAM,
                "Saha, Krotov, Zaki and Ram: End-to-end differentiable clustering with "
                "associative memories, ICML 2023",
                "Finds at most n_clusters clusters; some memories may end without a point.",
            ),
            Method(
                "recall", "Recall", "associative memory", _refuse_recall, _RECALL,
                "Saha, Krotov, Zaki and Ram, ICML 2023, equations 1 to 4",
                "Trains nothing: the memories are given.",
            ),
            Method(
                "kmeans", "k-means", "centres", _build_kmeans, _KMEANS,
                "Lloyd: Least squares quantization in PCM, IEEE Transactions on Information "
                "Theory 28, 1982",
                "Cells are convex; a missing value counts as its column's mean.",
                prototypes=("centre", "centres"),
            ),
            Method(
                "slk", "SLK", "modes and graph", _build_slk, _SLK,
                "Ziko, Granger and Ben Ayed: Scalable Laplacian K-modes, NeurIPS 2018",
                "Needs complete rows; a group that the graph joins to another is not parted.",
                prototypes=("mode", "modes"),
                gaps=False,
            ),
        )
    }
)  # fmt: skip
