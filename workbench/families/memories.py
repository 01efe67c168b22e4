"""Associative memories: ClAM, and recall from given memories."""

from workbench.families.shared import CLUSTERS
from workbench.method import Method, by_selection
from workbench.parameter import Parameter
from workbench.table import DataError


def _build_clam(settings, *, device="cpu", dtype="float32", random_state=0):
    from clam_core import ClAM  # heavy, and only needed here

    arguments = dict(settings)
    if arguments["step_size"] == "1/T":
        arguments["step_size"] = None
    return ClAM(**arguments, device=device, dtype=dtype, random_state=random_state)


def _refuse_recall(settings, *, device="cpu", dtype="float32", random_state=0):
    raise DataError("method='recall' fits nothing: its memories are given.")


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
    CLUSTERS,
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

METHODS = (
    Method(
        "clam", "ClAM", "associative memory", _build_clam, _CLAM,
        "Saha, Krotov, Zaki and Ram: End-to-end differentiable clustering with "
        "associative memories, ICML 2023",
        "Finds at most n_clusters clusters; some memories may end without a point.",
        own="loss of recalling hidden values", rules=by_selection("loss"),
    ),
    Method(
        "recall", "Recall", "associative memory", _refuse_recall, _RECALL,
        "Saha, Krotov, Zaki and Ram: End-to-end differentiable clustering with associative "
        "memories, ICML 2023, equations 1 to 4",
        "Trains nothing: the memories are given.",
        needs="memories",
    ),
)  # fmt: skip
