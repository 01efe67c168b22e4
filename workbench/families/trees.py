"""Trees: agglomerative clustering."""

from workbench.families.shared import CLUSTERS
from workbench.method import Method, by_selection
from workbench.parameter import Parameter


def _build_agglomerative(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.agglomerative import Agglomerative  # scikit-learn takes a second

    return Agglomerative(**settings)


_AGGLOMERATIVE = (
    CLUSTERS,
    Parameter("linkage", "choice", "ward", choices=("ward", "average", "complete", "single"),
              help="Which two clusters are nearest: ward, whose merge spreads least; or by the "
              "average, the largest (complete) or the smallest (single) distance between rows."),
    Parameter("metric", "choice", "euclidean", choices=("euclidean", "manhattan", "cosine"),
              help="Distance between rows; ward always takes the Euclidean one."),
    Parameter("connectivity", "choice", "all", choices=("all", "neighbours"),
              help="Which clusters may merge: any two, or only those with neighbouring rows, "
              "which follows bent groups and serves many rows."),
    Parameter("n_neighbors", "int", 10, 1, 100,
              help="Neighbours of each row, where only neighbours merge."),
    Parameter("selection", "choice", "given", choices=("given", "silhouette"),
              help="given takes the linkage as set; silhouette tries all four and keeps the "
              "clusters of the highest silhouette."),
)  # fmt: skip

METHODS = (
    Method(
        "agglomerative", "Agglomerative", "tree", _build_agglomerative, _AGGLOMERATIVE,
        "Ward: Hierarchical grouping to optimize an objective function, Journal of the American "
        "Statistical Association 58, 1963; Johnson: Hierarchical clustering schemes, "
        "Psychometrika 32, 1967",
        "Memory grows with the square of the rows; labels no new rows.",
        prototypes=("mean", "means"), gaps=False,
        own="distance of each merge", rules=by_selection("given"), max_rows=20_000,
    ),
)  # fmt: skip
