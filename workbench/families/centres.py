"""Centres: k-means and its kin."""

from workbench.families.shared import CLUSTERS, SELECTION, starts
from workbench.method import Method, by_selection
from workbench.parameter import Parameter


def _build_kmeans(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.kmeans import KMeans  # scikit-learn takes a second to import

    return KMeans(**settings, random_state=random_state)


def _build_mini_batch(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.mini_batch import MiniBatchKMeans

    return MiniBatchKMeans(**settings, random_state=random_state)


def _build_kernel_kmeans(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.kernel_kmeans import KernelKMeans

    return KernelKMeans(**settings, random_state=random_state)


def _build_mixture(settings, *, device="cpu", dtype="float64", random_state=0):
    from workbench.baselines.mixture import GaussianMixture

    return GaussianMixture(**settings, random_state=random_state)


_INIT = Parameter(
    "init", "choice", "k-means++", choices=("k-means++", "random"), help="Where the centres start."
)


def _iterations(default):
    return Parameter("max_iter", "int", default, 1, 1000, scale="log",
                     help="Most iterations of a restart.")  # fmt: skip


_KMEANS = (
    CLUSTERS,
    starts(16, 1000),
    _iterations(300),
    _INIT,
    SELECTION,
    Parameter("algorithm", "choice", "lloyd", choices=("lloyd", "elkan"),
              help="The same centres by other sums: elkan spares distances between rows and "
              "centres and takes more memory; lloyd is the plain rule."),
)  # fmt: skip

_MINI_BATCH = (
    CLUSTERS,
    starts(4, 1000),
    Parameter("batch_size", "int", 1024, 16, 65536, scale="log",
              help="Rows that centres learn from between two moves. Fewer are quicker and less "
              "exact."),
    _iterations(100),
    _INIT,
    SELECTION,
)  # fmt: skip

_KERNEL_KMEANS = (
    CLUSTERS,
    Parameter("sigma", "float", "auto", 1e-3, 1e3, scale="log", special=("auto",),
              help="Width of the Gaussian kernel, in units of the prepared data: small follows "
              "bent groups, large makes it k-means."),
    starts(10),
    _iterations(100),
    SELECTION,
)  # fmt: skip

_MIXTURE = (
    CLUSTERS,
    Parameter("covariance_type", "choice", "full", choices=("full", "tied", "diag", "spherical"),
              help="Shape of the groups: full lets each be any ellipsoid, tied gives all one and "
              "the same, diag lies along the features, spherical is round."),
    Parameter("reg_covar", "float", 1e-6, 1e-9, 1.0, scale="log",
              help="Added to every variance, so that no Gaussian shrinks to a point; raise it "
              "where there are few rows for so many features."),
    starts(10),
    Parameter("init", "choice", "k-means", choices=("k-means", "random"),
              help="k-means begins each start from its clusters; random from rows drawn at random, "
              "which finds long groups that k-means cuts across."),
    _iterations(200),
    SELECTION,
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
    Method(
        "mini_batch", "Mini-batch k-means", "centres", _build_mini_batch, _MINI_BATCH,
        "Sculley: Web-scale k-means clustering, WWW 2010",
        "As k-means, a little less exact; a missing value counts as its column's mean.",
        prototypes=("centre", "centres"),
        own="inertia", rules=by_selection("loss"),
        max_rows=10_000_000,
    ),
    Method(
        "kernel_kmeans", "Kernel k-means", "centres", _build_kernel_kmeans, _KERNEL_KMEANS,
        "Dhillon, Guan and Kulis: Kernel k-means, spectral clustering and normalized cuts, "
        "KDD 2004",
        "Time grows with the square of the rows; its centres have no place among them.",
        prototypes=("mean", "means"), gaps=False,
        own="inertia in the kernel's space", rules=by_selection("loss"),
        max_rows=20_000,
    ),
    Method(
        "mixture", "Gaussian mixture", "centres", _build_mixture, _MIXTURE,
        "Dempster, Laird and Rubin: Maximum likelihood from incomplete data via the EM "
        "algorithm, Journal of the Royal Statistical Society B 39, 1977",
        "Groups are ellipsoids; full ones need many rows for each pair of features.",
        prototypes=("mean", "means"), gaps=False,
        own="likelihood", rules=by_selection("loss"),
        max_rows=200_000,
    ),
)  # fmt: skip
