"""Density: methods that find the number of clusters themselves."""

from workbench.method import Method, by_selection
from workbench.parameter import Parameter


def _build_dbscan(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.dbscan import DBSCAN  # scikit-learn takes a second to import

    return DBSCAN(**settings)


def _build_hdbscan(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.hdbscan import HDBSCAN

    return HDBSCAN(**settings)


def _build_mean_shift(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.mean_shift import MeanShift

    return MeanShift(**settings, random_state=random_state)


def _selection(what):
    return Parameter(
        "selection", "choice", "given", choices=("given", "silhouette"),
        help=f"given takes the {what} as set; silhouette also tries four others around it and "
        "keeps the clusters of the highest silhouette, rows without a cluster counted as 0.",
    )  # fmt: skip


_DBSCAN = (
    Parameter("eps", "float", "auto", 1e-4, 1e4, scale="log", special=("auto",),
              help="How near neighbours lie, in units of the prepared data. Larger joins more "
              "rows; auto takes the knee of the distances to neighbours."),
    Parameter("min_samples", "int", 5, 1, 1000, scale="log",
              help="Rows within that distance, itself counted, that make a row a core of a "
              "cluster. More leave more rows without one."),
    _selection("distance"),
)  # fmt: skip

_HDBSCAN = (
    Parameter("min_cluster_size", "int", "auto", 2, 100_000, scale="log", special=("auto",),
              help="Rows that make a cluster; auto is 2 % of all, at least 5. Fewer find smaller "
              "groups."),
    Parameter("min_samples", "int", 5, 1, 1000, scale="log",
              help="Neighbours by which density is measured. More leave more rows without a "
              "cluster."),
    Parameter("cluster_selection", "choice", "eom", choices=("eom", "leaf"),
              help="eom keeps the clusters that last longest as density rises, leaf the smallest "
              "ones."),
    _selection("size"),
)  # fmt: skip

_MEAN_SHIFT = (
    Parameter("bandwidth", "float", "auto", 1e-4, 1e4, scale="log", special=("auto",),
              help="How far a point looks around, in units of the prepared data. Larger leaves "
              "fewer peaks; auto reaches the nearest fifth of all rows."),
    _selection("distance"),
)  # fmt: skip

METHODS = (
    Method(
        "dbscan", "DBSCAN", "density", _build_dbscan, _DBSCAN,
        "Ester, Kriegel, Sander and Xu: A density-based algorithm for discovering clusters in "
        "large spatial databases with noise, KDD 1996",
        "One density for all clusters; leaves rows without a cluster; labels no new rows.",
        prototypes=("mean", "means"), gaps=False, needs="a distance",
        rules=by_selection("given"), max_rows=50_000, noise=True,
    ),
    Method(
        "hdbscan", "HDBSCAN", "density", _build_hdbscan, _HDBSCAN,
        "Campello, Moulavi and Sander: Density-based clustering based on hierarchical density "
        "estimates, PAKDD 2013",
        "Leaves rows without a cluster; labels no new rows.",
        prototypes=("mean", "means"), gaps=False, needs="a smallest size",
        own="stability of clusters", rules=by_selection("given"), max_rows=50_000, noise=True,
    ),
    Method(
        "mean_shift", "Mean shift", "density", _build_mean_shift, _MEAN_SHIFT,
        "Comaniciu and Meer: Mean shift, a robust approach toward feature space analysis, IEEE "
        "Transactions on Pattern Analysis and Machine Intelligence 24, 2002",
        "One bandwidth for all clusters; slow, and blind in many dimensions.",
        prototypes=("peak", "peaks"), gaps=False, needs="a distance",
        own="density at each peak", rules=by_selection("given"), max_rows=20_000,
    ),
)  # fmt: skip
