"""Centres: k-means and its kin."""

from workbench.families.shared import CLUSTERS
from workbench.method import Method, by_selection
from workbench.parameter import Parameter


def _build_kmeans(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.kmeans import KMeans  # scikit-learn takes a second to import

    return KMeans(**settings, random_state=random_state)


_KMEANS = (
    CLUSTERS,
    Parameter("n_init", "int", 16, 1, 1000, scale="log", help="Restarts."),
    Parameter("max_iter", "int", 300, 1, 1000, scale="log", help="Most iterations of a restart."),
    Parameter("init", "choice", "k-means++", choices=("k-means++", "random"),
              help="Where the centres start."),
    Parameter("selection", "choice", "loss", choices=("loss", "silhouette"),
              help="Which restart is kept."),
)  # fmt: skip

METHODS = (
    Method(
        "kmeans", "k-means", "centres", _build_kmeans, _KMEANS,
        "Lloyd: Least squares quantization in PCM, IEEE Transactions on Information "
        "Theory 28, 1982",
        "Cells are convex; a missing value counts as its column's mean.",
        prototypes=("centre", "centres"),
        own="inertia", rules=by_selection("loss"),
    ),
)  # fmt: skip
