"""Deep clustering: DEC and its kin."""

from workbench.families.shared import CLUSTERS, SELECTION, starts
from workbench.method import Method, by_selection
from workbench.parameter import Parameter


def _build_dec(settings, *, device="cpu", dtype="float32", random_state=0):
    from workbench.baselines.dec import DEC  # torch takes a second to import

    return DEC(**settings, device=device, dtype=dtype, random_state=random_state)


def _build_dec_random(settings, *, device="cpu", dtype="float32", random_state=0):
    return _build_dec(
        {**settings, "start": "random"}, device=device, dtype=dtype, random_state=random_state
    )


_DEC = (
    CLUSTERS,
    starts(4),
    Parameter("max_iter", "int", 20_000, 1, 100_000, scale="log",
              help="Most steps of a start, of one batch each; it ends earlier where rows keep "
              "their clusters."),
    Parameter("update_interval", "int", 140, 1, 1000, scale="log",
              help="Steps between two targets p: few chase a moving target, many train towards "
              "an old one."),
    Parameter("tol", "float", 1e-3, 0.0, 0.1,
              help="A start ends where fewer than this share of the rows change their cluster "
              "between two targets; 0 goes on to the last step."),
    Parameter("batch_size", "int", 256, 1, 8192, scale="log",
              help="Rows of one step."),
    Parameter("learning_rate", "float", 0.01, 1e-5, 10.0, scale="log",
              help="How far a step moves the centres. The usual 0.01 leaves them near where they "
              "start; ten times that lets random starts go further."),
    SELECTION,
)  # fmt: skip

_XIE = "Xie, Girshick and Farhadi: Unsupervised deep embedding for clustering analysis, ICML 2016"

METHODS = (
    Method(
        "dec", "DEC", "deep", _build_dec, _DEC, _XIE,
        "On the features as they are, without an encoder; its kernel has length 1, so the scale "
        "of the columns matters.",
        prototypes=("centre", "centres"),
        gaps=False,
        own="squared distances to its centres",
        rules=by_selection("loss"),
    ),
    Method(
        "dec_random", "DEC^r", "deep", _build_dec_random, _DEC, _XIE,
        "DEC whose centres start on rows drawn by lot; they hardly move from there at the usual "
        "learning rate.",
        prototypes=("centre", "centres"),
        gaps=False,
        own="squared distances to its centres",
        rules=by_selection("loss"),
    ),
)  # fmt: skip
