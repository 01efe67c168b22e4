"""Who stands in the tables: methods with their settings, and every question to be asked.

No benchmark. Sets come small ones first, methods cheap ones first, so that a run that is cut off
has answered most of what it was asked.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.answers import Question
from benchmarks.sets import CLAM_SETS, SLK_SETS, DataSet
from workbench import published
from workbench.methods import METHODS

NOT_IN_TABLE_6 = "not in Table 6"
LARGE = 20_000  # rows from which on few starts must do
FEW = 3  # starts there
SMALL = 1_000_000  # numbers in a set up to which each seed is asked
SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class Entrant:
    """A column of the tables: a method, with settings other than its own."""

    key: str
    name: str
    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    table_6: bool = False  # with the paper's settings of the set
    printed: str = ""  # its column in `workbench.published`
    rules: tuple[str, ...] = ()  # by which it is told apart; none: those of the method
    grid: tuple[Mapping[str, Any], ...] = ()  # by SC, the best of these settings


SPECTRAL: tuple[Mapping[str, Any], ...] = (
    *({"affinity": "rbf", "gamma": gamma} for gamma in (0.001, 0.01, 0.05, 0.1)),
    *({"affinity": "knn", "n_neighbors": n} for n in (10, 20, 50)),
)
"""Of the paper's grid (Table 7); a larger gamma leaves rows alone and its eigenvectors no end."""

ENTRANTS = (
    Entrant("kmeans", "k-means", "kmeans", printed="kmeans"),
    Entrant("clam", "ClAM", "clam", printed="clam"),
    Entrant("clam-8", "ClAM w/ (8)", "clam", {"corruption": "none"}, printed="unmasked"),
    Entrant("clam-11", "ClAM w/ (11)", "clam", {"energy": "weighted"}, printed="weighted"),
    Entrant(
        "clam-all",
        "ClAM (all clusters first)",
        "clam",
        {"selection": "silhouette"},
        rules=("silhouette",),
    ),
    Entrant("t6", "ClAM as in Table 6", "clam", {}, True, "clam"),
    Entrant("t6-8", "ClAM w/ (8) as in Table 6", "clam", {"corruption": "none"}, True, "unmasked"),
    Entrant(
        "t6-11", "ClAM w/ (11) as in Table 6", "clam", {"energy": "weighted"}, True, "weighted"
    ),
    Entrant("mini_batch", "mini-batch k-means", "mini_batch"),
    Entrant("agglomerative", "agglomerative", "agglomerative", printed="agglomerative"),
    Entrant("hdbscan", "HDBSCAN", "hdbscan"),
    Entrant("dbscan", "DBSCAN", "dbscan"),
    Entrant("kmodes", "K-modes", "kmodes"),
    Entrant("slk", "SLK", "slk"),
    Entrant("slk-bo", "SLK-BO", "slk", {"modes": "byproduct"}),
    Entrant("kernel_kmeans", "kernel k-means", "kernel_kmeans"),
    Entrant(
        "spectral", "spectral", "spectral", {"affinity": "rbf"}, printed="spectral", grid=SPECTRAL
    ),
    Entrant("ncut", "NCUT on SLK's graph", "spectral", {"affinity": "slk-graph"}),
    Entrant("lk", "LK", "lk"),
    Entrant("mean_shift", "mean shift", "mean_shift"),
    Entrant("mixture", "Gaussian mixture", "mixture"),
    Entrant("dec", "DEC", "dec", printed="dec"),
    Entrant("dec_random", "DEC^r", "dec_random", printed="dec_random"),
    Entrant("spectral_net", "SpectralNet", "spectral_net"),
    Entrant("dcec", "DCEC", "dcec", printed="dcec"),
)
"""Cheap ones first."""

SLOW = {"kernel_kmeans", "spectral", "ncut", "lk", "mean_shift", "mixture", "dec", "dec_random"}
"""Later on large sets."""
SLOWEST = {"spectral_net", "dcec"}
"""Last on all sets."""

COUPLINGS = (0.01, 0.1, 0.3, 1.0, 3.0)
"""lambda at which E is compared, for a graph whose rows sum to about 1."""


def entrants() -> tuple[Entrant, ...]:
    """Those above whose method is on the bench, and every other method there."""
    named = {each.method for each in ENTRANTS} | {"recall"}
    others = [Entrant(key, method.name, key) for key, method in METHODS.items()
              if key not in named]  # fmt: skip
    return (*(each for each in ENTRANTS if each.method in METHODS), *others)


def questions() -> list[Question]:
    """All of them, in the order in which they are asked: what is quick comes first."""
    sets = sorted((*CLAM_SETS, *SLK_SETS), key=lambda each: each.size)
    small = [each for each in sets if each.size <= SMALL and each.n < LARGE]
    large = [each for each in sets if each not in small]
    first, *again = SEEDS
    quick, slow, slowest = parted(entrants())
    return [
        *(question for each in small for question in of_set(each, first, [*quick, *slow])),
        *energies(),
        *(question for each in large for question in of_set(each, first, quick)),
        *(question for each in small for question in of_set(each, first, slowest)),
        *(question for each in large for question in of_set(each, first, slow)),
        *(question for seed in again for each in small
          for question in of_set(each, seed, [*quick, *slow])),
        *(question for each in large for question in of_set(each, first, slowest)),
        *(question for seed in again for each in small for question in of_set(each, seed, slowest)),
    ]  # fmt: skip


def parted(chosen: Iterable[Entrant]) -> tuple[list[Entrant], list[Entrant], list[Entrant]]:
    """Return quick, slow and the slowest methods."""
    each = list(chosen)
    return (
        [entrant for entrant in each if entrant.key not in SLOW | SLOWEST],
        [entrant for entrant in each if entrant.key in SLOW],
        [entrant for entrant in each if entrant.key in SLOWEST],
    )


def of_set(dataset: DataSet, seed: int, chosen: Iterable[Entrant]) -> Iterator[Question]:
    """Questions on one set with one seed."""
    for entrant in chosen:
        if why_not(dataset, entrant):
            continue
        settings = settings_on(dataset, entrant)
        for rule in rules(entrant):
            told: dict[str, Any] = dict(METHODS[entrant.method].rules.get(rule, {}))
            if entrant.method == "clam":  # all its restarts are at hand: see the fitter
                told = {"selection": "loss"}
            if rule == "silhouette" and entrant.grid:
                told["grid"] = [dict(point) for point in entrant.grid]
            yield Question(dataset.name, entrant.key, entrant.method, told | settings, rule, seed)


def energies() -> list[Question]:
    """E of SLK and of LK, at equal lambda."""
    if "lk" not in METHODS:
        return []
    return [
        Question(name, f"energies {lam}", "energies", {"lam": lam})
        for name in ("digits", "MNIST 5k")
        for lam in COUPLINGS
    ]


def rules(entrant: Entrant) -> tuple[str, ...]:
    """By which rules a method keeps one outcome of several; one where it has one outcome only."""
    return entrant.rules or tuple(METHODS[entrant.method].rules) or ("own",)


def why_not(dataset: DataSet, entrant: Entrant) -> str:
    """Say in words why a method cannot run on a set; nothing where it can."""
    method = METHODS[entrant.method]
    if method.images and not dataset.images:
        return "images only"
    if dataset.n > method.max_rows:
        return f"at most {method.max_rows:,} rows"
    if entrant.table_6 and dataset.name not in published.TABLE_6:
        return NOT_IN_TABLE_6
    return ""


def settings_on(dataset: DataSet, entrant: Entrant) -> dict[str, Any]:
    """Return what a method is told on a set: k, starts, and what the entrant asks for."""
    known = {parameter.name for parameter in METHODS[entrant.method].parameters}
    told: dict[str, Any] = {"n_clusters": CLASSES[dataset.name]}
    if entrant.key == "kmeans":
        told["n_init"] = 1000 if dataset.n <= 500 else 100 if dataset.size <= SMALL else 16
    if dataset.n >= LARGE:
        told["n_init"] = FEW
    if entrant.table_6:
        told.update(published.settings_of(dataset.name), n_init=10)
    return {name: value for name, value in told.items() if name in known} | dict(entrant.settings)


CLASSES = {
    "Zoo": 7, "Ecoli": 8, "MovLib": 15, "Yale": 15, "MicePE": 8, "CTG": 10, "Segment": 7,
    "USPS": 10, "FMNIST": 10, "NCI60": 14, "digits": 10, "Reuters re0": 13, "MNIST 5k": 10,
    "Shuttle": 7,
}  # fmt: skip
"""How many classes each set has: k, for every method that must be told."""
