"""Every figure and table of the two papers that there is a run of, in the papers' order."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from workbench import published
from workbench.papers import FIGURE_1
from workbench.recipe import Builtin, Memories, Recipe
from workbench.reference_sets import MEASURED, STAND_INS
from workbench.reproduction import (
    consistency,
    elongated,
    entropies,
    evolution,
    modes,
    objectives,
    outliers,
    recalls,
    scores,
    tuned,
)
from workbench.reproduction.item import Item
from workbench.toys import FIGURE_3_II, FIGURE_4, FIGURE_11, FIGURE_12
from workbench.value import NOTHING

PAPERS: Mapping[str, str] = MappingProxyType(
    {
        "ClAM": "ClAM: Saha, Krotov, Zaki and Ram, ICML 2023",
        "SLK": "SLK: Ziko, Granger and Ben Ayed, NeurIPS 2018",
    }
)
_SETS = tuple(published.SETS)
_IMAGES = ("Yale", "USPS", "FMNIST")
_TIMED = ("Zoo", "Ecoli", "MovLib", "Yale", *STAND_INS)
_GCM = "GCM (190 x 16,063) is not at hand; an upload of it is recognised by its size."


def _recalled(preset):
    settings = {"beta": preset.beta, "n_steps": preset.n_steps}
    data = Memories(positions=preset.memories)
    return Recipe(data=data, method="recall", settings=settings)


def _clustered(name, k, method="clam", settings=NOTHING, **more):
    every = {"n_clusters": k, **settings, **more}
    return Recipe(data=Builtin(name=name), method=method, settings=every)


_DRAWN = (
    Item(
        "clam-figure-1", "Figure 1: two elongated clusters", "ClAM",
        "Two clusters as drawn, and as k-means, DEC and ClAM find them: only ClAM finds them.",
        elongated.of(2), _clustered("elongated2", 2, settings=FIGURE_1),
    ),
    Item(
        "clam-figure-2", "Figure 2: attractor dynamics", "ClAM",
        "The pull of three memories on a point, and its way to the nearest of them.",
        recalls.figure_2, _recalled(recalls.FIGURE_2), quick=True,
    ),
    Item(
        "clam-figure-3", "Figure 3: collective attraction", "ClAM",
        "Three cases: the nearest memory wins; two others together beat it; two cancel out and "
        "the farthest wins.",
        recalls.figure_3, _recalled(FIGURE_3_II), quick=True,
    ),
    Item(
        "clam-figure-4", "Figure 4: basins and Voronoi cells", "ClAM",
        "Basins of three memories at three temperatures, with the Voronoi edges dashed.",
        recalls.of(FIGURE_4), _recalled(FIGURE_4), quick=True,
    ),
    Item(
        "clam-figure-6", "Figure 6: memories by epoch", "ClAM",
        "Ten memories of Fashion MNIST at epochs 0, 5, 10, 20, 50 and 100, with T = 10.",
        evolution.evolution, _clustered("digits", 10),
        own=("digits",), sets=_IMAGES, most=1,
    ),
)  # fmt: skip


def _sweep(number, swept, title, shows, sets):
    return Item(
        f"clam-figure-{number}", f"Figure {number}: {title}", "ClAM", shows, tuned.of(swept),
        _clustered("iris", 3), own=MEASURED[:3], sets=sets, most=4, rules=True,
        absent=_GCM if "Segment" in sets else "", sweep=swept.setting,
    )  # fmt: skip


_SIX = ("Zoo", "Yale", "Ecoli", "MovLib", "Segment")
_THREE = ("Zoo", "Yale", "Ecoli")
_SWEPT = (
    _sweep(7, tuned.BETA, "silhouette against β",
           "The silhouette against β for several T, on six sets, beside k-means.", _SIX),
    _sweep(8, tuned.RATE, "silhouette against learning rate",
           "The silhouette against the initial learning rate for several T, on six sets.", _SIX),
    _sweep(9, tuned.MASK_RATE, "silhouette against mask probability",
           "The silhouette against the mask probability for several T, on three sets.", _THREE),
    _sweep(10, tuned.MASK_VALUE, "silhouette against mask value",
           "The silhouette against what hidden features are filled with, on three sets.", _THREE),
)  # fmt: skip

_APPENDED = (
    Item(
        "clam-figure-11", "Figure 11: basins of three memories", "ClAM",
        "Basins at ten temperatures from .001 to 100, with the Voronoi edges dashed.",
        recalls.of(FIGURE_11), _recalled(FIGURE_11), quick=True,
    ),
    Item(
        "clam-figure-12", "Figure 12: basins of five memories", "ClAM",
        "Basins at ten temperatures from .001 to 100, with the Voronoi edges dashed.",
        recalls.of(FIGURE_12), _recalled(FIGURE_12), quick=True,
    ),
    Item(
        "clam-figure-13", "Figure 13: three elongated clusters", "ClAM",
        "As Figure 1 with three clusters, which ClAM finds nearly.",
        elongated.of(3), _clustered("elongated3", 3, settings=FIGURE_1),
    ),
    Item(
        "clam-figure-14", "Figure 14: entropy of each row", "ClAM",
        "How hard the softmax is on each row (equation 13), on ten sets.",
        entropies.entropies, _clustered("iris", 3),
        own=MEASURED, sets=_SETS, rules=True, absent=_GCM,
    ),
    Item(
        "clam-figure-15", "Figure 15 and Table 10: outliers", "ClAM",
        "Two clusters, clean and with outliers beside them: k-means gets worse, ClAM does not.",
        outliers.outliers, _clustered("outliers", 2, loss="absolute"), printed=consistency.noise,
    ),
)  # fmt: skip


def _table(number, title, shows, view, printed, **rest):
    return Item(
        f"clam-table-{number}", f"Table {number}: {title}", "ClAM", shows, scores.scored,
        _clustered("iris", 3), view, printed, own=MEASURED, sets=_SETS, rules=True, absent=_GCM,
        **rest,
    )  # fmt: skip


_TABLES = (
    _table(1, "silhouettes",
           "The silhouette of seven methods on ten sets, and of ClAM with equation 8 (no masks) "
           "and with equation 11 (a weight for each memory). DEC^r is DEC from a random start.",
           scores.table_1,
           partial(consistency.printed, "SC", published.TABLE_1),
           checks=consistency.wins_and_gains),
    _table(2, "NMI with the classes", "NMI with the classes, to two digits.", scores.table_2,
           partial(consistency.printed, "NMI", published.TABLE_2), checks=consistency.rounding),
    Item(
        "clam-table-3", "Table 3: time", "ClAM",
        "Silhouettes and seconds of k-means and ClAM on six sets.",
        scores.timed, _clustered("iris", 3), scores.table_3, consistency.times,
        own=MEASURED, sets=_TIMED, rules=True,
        absent="The CIFAR-10 features and the million rows of Japanese Vowels are not at hand; "
        "the 9,961 rows that these were generated from may lie in the folder.",
    ),
    Item(
        "clam-table-6", "Table 6: settings, and what β means", "ClAM",
        "The settings that were best on each set. All are to be read as printed, but β.",
        consistency.halved, _clustered("iris", 3), quick=True,
    ),
    _table(8, "agreement with baselines",
           "NMI and ARI between ClAM's clusters and those of three baselines.",
           scores.table_8, consistency.overlap),
    _table(9, "NMI and ARI with the classes", "NMI and ARI with the classes, to four digits.",
           scores.table_9, consistency.truth, checks=consistency.rounding),
)  # fmt: skip

_SLK = (
    Item(
        "slk-figure-1", "Figure 1: modes are rows", "SLK",
        "Images that are modes, beside the means of k-means.",
        modes.images, _clustered("digits", 10, "slk", modes="byproduct"),
        own=("digits",), sets=_IMAGES, most=1,
    ),
    Item(
        "slk-objective", "Objective E beside LK's (footnote 3)", "SLK",
        "E at convergence is consistently lower than that of LK's convex relaxation.",
        objectives.objectives, _clustered("iris", 3, "slk"),
        own=("iris", "wine", "moons", "digits"), sets=_SETS, most=1,
    ),
    Item(
        "slk-descent", "The bound: R never rises", "SLK",
        "Each update minimises a bound that touches R, so that R falls to a minimum.",
        modes.descent, _clustered("moons", 2, "slk"),
        own=("moons", "iris", "wine", "digits"), sets=_SETS, most=1,
    ),
    Item(
        "slk-agreement", "Agreement with the classes", "SLK",
        "NMI and ACC of SLK and six baselines; SLK is very competitive.",
        modes.agreement, _clustered("moons", 2, "slk"),
        own=("moons", "iris", "wine", "digits"), sets=_SETS,
    ),
    Item(
        "slk-time", "Time against the number of rows", "SLK",
        "An iteration costs O(N ρ L): N rows, ρ neighbours, L clusters.",
        modes.linear_time, _clustered("blobs", 4, "slk"),
    ),
)  # fmt: skip

ITEMS: Mapping[str, Item] = MappingProxyType(
    {item.key: item for item in (*_DRAWN, *_SWEPT, *_APPENDED, *_TABLES, *_SLK)}
)


def of_paper(paper):
    """Return the keys of a paper's items, in its order.

    Parameters
    ----------
    paper : str
        Key in `PAPERS`.

    Returns
    -------
    tuple of str
    """
    return tuple(key for key, item in ITEMS.items() if item.paper == paper)
