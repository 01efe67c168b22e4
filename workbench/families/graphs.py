"""Modes and graphs: SLK, what it is compared with on its own graph, and spectral clustering."""

from workbench.families.shared import CLUSTERS, SELECTION, starts
from workbench.method import Method, by_selection
from workbench.parameter import Parameter


def _build_slk(settings, *, device="cpu", dtype="float32", random_state=0):
    from slk_core import SLK  # compiles, and only needed here
    from slk_core.settings import lam_unit

    arguments = dict(settings)
    units = arguments.pop("coupling")
    model = SLK(**arguments, device=device, dtype=dtype, random_state=random_state)
    return model.set_params(lam=units * lam_unit(model))


def _build_kmodes(settings, *, device="cpu", dtype="float32", random_state=0):
    from slk_core import SLK

    hard: dict = {"lam": 0.0, "entropy_weight": 0.0}
    return SLK(**settings, **hard, device=device, dtype=dtype, random_state=random_state)


def _build_lk(settings, *, device="cpu", dtype="float64", random_state=0):
    from slk_core import SLK
    from slk_core.settings import lam_unit
    from workbench.baselines.laplacian_kmodes import LaplacianKModes

    arguments = dict(settings)
    # The units of SLK, so that the same coupling is the same lambda.
    lam = arguments.pop("coupling") * lam_unit(SLK(arguments["n_clusters"]))
    return LaplacianKModes(**arguments, lam=lam, random_state=random_state)


def _build_spectral(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.spectral import Spectral

    return Spectral(**settings, random_state=random_state)


_COUPLING = Parameter(
    "coupling", "float", 1.25, 0.0, 5.0,
    help="lambda, the weight of the graph, in units of the coupling c(k) at which neighbours "
    "begin to decide; 0 leaves prototypes alone (K-modes).",
)  # fmt: skip
_NEIGHBOURS = Parameter(
    "n_neighbors", "int", 10, 1, 100,
    help="Neighbours of each row in the graph. More join groups that lie apart; fewer leave the "
    "graph in pieces.",
)  # fmt: skip
_MODES = Parameter(
    "modes", "choice", "mean-shift", choices=("mean-shift", "byproduct", "means", "exact"),
    help="How prototypes follow their rows: the nearest peak of density, the row most sure of its "
    "cluster, the mean, or the best row of all.",
)  # fmt: skip
_AFFINITY_KIND = Parameter(
    "affinity_kind", "choice", "binary", choices=("binary", "gaussian"),
    help="Whether all neighbours count alike, or near ones more.",
)  # fmt: skip
_STARTS = Parameter("n_init", "int", 10, 1, 100, help="Starts, of which one is kept.")

_SLK = (
    CLUSTERS,
    _COUPLING,
    _NEIGHBOURS,
    _MODES,
    _AFFINITY_KIND,
    Parameter("balance", "float", 0.0, 0.0, 10.0,
              help="Counts against one cluster that takes the whole graph; 0 is the paper's."),
    _STARTS,
    Parameter("selection", "choice", "cut", choices=("cut", "objective", "silhouette"),
              help="Which start is kept: that of the least normalised cut of the graph, of the "
              "lowest objective E, or of the highest silhouette."),
)  # fmt: skip

_KMODES = (
    CLUSTERS,
    Parameter("n_neighbors", "int", 10, 1, 100,
              help="The width of the kernel is the root mean square distance to that many "
              "neighbours. More see larger peaks."),
    _MODES,
    _STARTS,
    Parameter("selection", "choice", "objective", choices=("objective", "silhouette"),
              help="Which start is kept: that of the lowest objective E, or of the highest "
              "silhouette."),
)  # fmt: skip

_LK = (CLUSTERS, _COUPLING, _NEIGHBOURS, _AFFINITY_KIND, starts(10, 100), SELECTION)

_SPECTRAL = (
    CLUSTERS,
    Parameter("affinity", "choice", "slk-graph", choices=("slk-graph", "knn", "rbf"),
              help="The graph that is cut: slk-graph is that of SLK, knn scikit-learn's, and rbf "
              "joins all rows by a Gaussian of their distance, which takes the most memory and "
              "cuts off rows that lie alone."),
    _NEIGHBOURS,
    Parameter("gamma", "float", "auto", 1e-5, 1e4, scale="log", special=("auto",),
              help="Of rbf: large lets only near rows count. auto takes the kernel width of SLK."),
    starts(10, 1000, help="Starts of k-means among the eigenvectors, of which one is kept."),
    SELECTION,
)  # fmt: skip

METHODS = (
    Method(
        "slk", "SLK", "modes and graph", _build_slk, _SLK,
        "Ziko, Granger and Ben Ayed: Scalable Laplacian K-modes, NeurIPS 2018",
        "Needs complete rows; a group that the graph joins to another is not parted.",
        prototypes=("mode", "modes"), gaps=False,
        own="normalised cut of its graph", rules=by_selection("cut"),
    ),
    Method(
        "kmodes", "K-modes", "modes and graph", _build_kmodes, _KMODES,
        "Carreira-Perpinan and Wang: The K-modes algorithm for clustering, arXiv:1304.6478, 2013",
        "SLK without its graph: clusters are about round.",
        prototypes=("mode", "modes"), gaps=False,
        own="sum of kernels to the modes", rules=by_selection("objective"),
    ),
    Method(
        "lk", "Laplacian K-modes", "modes and graph", _build_lk, _LK,
        "Wang and Carreira-Perpinan: The Laplacian K-modes algorithm for clustering, "
        "arXiv:1406.3895, 2014",
        "Slower than SLK, and begins from k-means, which it does not leave far behind.",
        prototypes=("mode", "modes"), gaps=False,
        own="objective E of SLK", rules=by_selection("loss"), max_rows=100_000,
    ),
    Method(
        "spectral", "Spectral", "modes and graph", _build_spectral, _SPECTRAL,
        "Shi and Malik: Normalized cuts and image segmentation, IEEE Transactions on Pattern "
        "Analysis and Machine Intelligence 22, 2000",
        "Needs eigenvectors of a matrix of all rows; labels no new rows.",
        prototypes=("mean", "means"), gaps=False,
        own="normalised cut of its graph", rules=by_selection("loss"), max_rows=20_000,
    ),
)  # fmt: skip
