"""What the two papers print: the numbers of their tables, as data.

ClAM is Saha et al. (ICML 2023), SLK is Ziko et al. (NeurIPS 2018). Columns are named by keys of
`COLUMNS`, data sets by their short names in `SETS`. No number of SLK's tables stands here: the text
that this was written from has lost them.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Described(NamedTuple):
    """A data set of ClAM's Table 4.

    Attributes
    ----------
    name : str
        In full.
    rows, features, classes : int
    file : str
        Stem of its CSV among the reference sets; empty where there is none.
    """

    name: str
    rows: int
    features: int
    classes: int
    file: str


class Tuned(NamedTuple):
    """A row of ClAM's Table 6; beta is the published program's, exp(-(beta/2) d^2)."""

    beta: float
    n_steps: int
    learning_rate: float
    batch_size: int
    mask_rate: float
    mask_value: str


class Timed(NamedTuple):
    """A row of ClAM's Table 3: silhouettes, and seconds of training."""

    kmeans: float
    clam: float
    kmeans_seconds: float
    clam_seconds: float


COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "kmeans": "k-means",
        "spectral": "Spectral",
        "agglomerative": "Agglomerative",
        "dcec": "DCEC",
        "dec": "DEC",
        "dec_random": "DEC^r",
        "clam": "ClAM",
        "unmasked": "ClAM with (8)",
        "weighted": "ClAM with (11)",
    }
)
"""Columns of ClAM's Table 1 in their order; equation (8) has no mask, (11) has weights."""

SETS: Mapping[str, Described] = MappingProxyType(
    {
        "Zoo": Described("Zoo", 101, 16, 7, "zoo"),
        "Ecoli": Described("Ecoli", 336, 7, 8, "ecoli"),
        "MovLib": Described("Movement Libras", 360, 90, 15, "movement_libras"),
        "Yale": Described("Yale", 165, 1024, 15, "yale"),
        "USPS": Described("USPS", 2007, 256, 10, "usps"),
        "Segment": Described("Segment", 2310, 19, 7, "segment"),
        "FMNIST": Described("Fashion MNIST", 60_000, 784, 10, "fashion_mnist_train"),
        "GCM": Described("GCM", 190, 16_063, 14, ""),
        "MicePE": Described("Mice Protein Expression", 1080, 77, 8, "mice_protein"),
        "CTG": Described("CTG", 2126, 21, 10, "ctg"),
    }
)
"""ClAM's Table 4, in the order of Table 1."""

_NAN = math.nan


def _columns(rows, names=tuple(COLUMNS)):
    """Give each cell its column; NaN marks a dash or "N/A"."""
    return MappingProxyType(
        {
            name: MappingProxyType(dict(zip(names, values, strict=True)))
            for name, values in rows.items()
        }
    )


TABLE_1 = _columns(
    {
        "Zoo": (0.374, 0.398, 0.398, _NAN, 0.374, 0.367, 0.412, 0.382, 0.412),
        "Ecoli": (0.262, 0.381, 0.404, _NAN, 0.262, 0.255, 0.331, 0.301, 0.345),
        "MovLib": (0.252, 0.247, 0.247, _NAN, 0.258, 0.184, 0.260, 0.248, 0.262),
        "Yale": (0.117, 0.120, 0.114, 0.089, 0.123, 0.088, 0.129, 0.121, 0.119),
        "USPS": (0.135, 0.228, 0.231, 0.119, 0.135, 0.108, 0.136, 0.127, 0.136),
        "Segment": (0.357, 0.702, 0.697, _NAN, 0.357, 0.287, 0.483, 0.357, 0.410),
        "FMNIST": (0.126, 0.075, 0.096, 0.121, 0.129, 0.070, 0.138, 0.131, 0.118),
        "GCM": (0.118, 0.205, 0.288, _NAN, 0.115, 0.054, 0.191, 0.142, 0.156),
        "MicePE": (0.128, 0.156, 0.193, _NAN, 0.137, 0.115, 0.201, 0.126, 0.127),
        "CTG": (0.161, 0.449, 0.387, _NAN, 0.164, 0.130, 0.246, 0.147, 0.158),
    }
)
"""Silhouettes."""

TABLE_1_GAINS = _columns(
    {
        "Zoo": (10, 3, 3, _NAN, 10, 12),
        "Ecoli": (26, -13, -18, _NAN, 26, 30),
        "MovLib": (3, 5, 5, _NAN, 1, 41),
        "Yale": (10, 8, 13, 45, 5, 47),
        "USPS": (1, -40, -41, 14, 1, 26),
        "Segment": (35, -31, -31, _NAN, 35, 68),
        "FMNIST": (10, 84, 44, 14, 7, 97),
        "GCM": (62, -7, -34, _NAN, 66, 254),
        "MicePE": (56, 28, 4, _NAN, 46, 74),
        "CTG": (53, -45, -36, _NAN, 50, 89),
    },
    tuple(COLUMNS)[:6],
)
"""Gain of ClAM over each baseline as Table 1 prints it, in per cent."""

TABLE_1_WINS: Mapping[str, Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "clam": MappingProxyType(
            {
                "kmeans": (10, 0), "spectral": (5, 5), "agglomerative": (5, 5), "dcec": (3, 0),
                "dec": (10, 0), "dec_random": (10, 0), "unmasked": (10, 0), "weighted": (6, 2),
            }
        ),
        "unmasked": MappingProxyType(
            {
                "kmeans": (5, 3), "spectral": (3, 7), "agglomerative": (3, 7), "dcec": (3, 0),
                "dec": (5, 4), "dec_random": (10, 0), "clam": (0, 10), "weighted": (2, 8),
            }
        ),
    }
)  # fmt: skip
"""The two rows W/L at the foot of Table 1: sets on which each wins and loses against a column."""

TABLE_2 = _columns(
    {
        "Zoo": (0.83, 0.89, 0.84, _NAN, 0.83, 0.80, 0.94),
        "Yale": (0.60, 0.57, 0.67, 0.54, 0.55, 0.51, 0.64),
        "GCM": (0.44, 0.17, 0.19, _NAN, 0.42, 0.39, 0.45),
        "Ecoli": (0.63, 0.66, 0.71, _NAN, 0.63, 0.57, 0.66),
        "MovLib": (0.60, 0.61, 0.61, _NAN, 0.60, 0.51, 0.62),
        "MicePE": (0.24, 0.01, 0.26, _NAN, 0.29, 0.30, 0.31),
        "USPS": (0.54, 0.08, 0.02, 0.69, 0.54, 0.45, 0.56),
        "CTG": (0.36, 0.04, 0.04, _NAN, 0.35, 0.36, 0.32),
        "Segment": (0.58, 0.01, 0.01, _NAN, 0.59, 0.61, 0.55),
        "FMNIST": (0.50, 0.64, 0.01, 0.59, 0.50, 0.43, 0.52),
    },
    tuple(COLUMNS)[:7],
)
"""NMI with the classes, to two digits; Table 9 has it to four."""

TABLE_3: Mapping[str, Timed] = MappingProxyType(
    {
        "Zoo": Timed(0.374, 0.412, 2, 18),
        "Ecoli": Timed(0.262, 0.331, 4, 47),
        "MovLib": Timed(0.252, 0.260, 6, 67),
        "Yale": Timed(0.117, 0.129, 9, 88),
        "CIFAR-10": Timed(0.022, 0.031, 2995, 3419),
        "JV": Timed(0.109, 0.118, 1973, 3933),
    }
)

TABLE_6: Mapping[str, Tuned] = MappingProxyType(
    {
        "Zoo": Tuned(2.4, 10, 0.1, 8, 0.2, "mean"),
        "Yale": Tuned(0.06, 10, 0.1, 8, 0.15, "mean"),
        "GCM": Tuned(0.0004, 12, 0.1, 8, 0.15, "max"),
        "Ecoli": Tuned(0.095, 12, 0.1, 16, 0.15, "mean"),
        "MovLib": Tuned(0.7, 7, 0.01, 8, 0.15, "mean"),
        "MicePE": Tuned(0.1, 5, 0.2, 8, 0.15, "mean"),
        "USPS": Tuned(0.1, 5, 0.001, 16, 0.15, "min"),
        "CTG": Tuned(0.4, 12, 0.1, 8, 0.1, "mean"),
        "Segment": Tuned(0.1, 7, 0.1, 8, 0.1, "mean"),
        "FMNIST": Tuned(0.0005, 5, 0.01, 256, 0.1, "max"),
    }
)

_OVERLAP = ("kmeans", "spectral", "agglomerative")

TABLE_8_NMI = _columns(
    {
        "Zoo": (0.8808, 0.8315, 0.8146),
        "Yale": (0.8846, 0.8568, 0.8840),
        "GCM": (0.4402, 0.1400, 0.1487),
        "Ecoli": (0.7448, 0.7378, 0.7718),
        "MovLib": (0.9158, 0.7918, 0.8426),
        "MicePE": (0.4671, 0.0043, 0.4278),
        "USPS": (0.8150, 0.1163, 0.0227),
        "CTG": (0.5335, 0.0449, 0.0514),
        "Segment": (0.6359, 0.0084, 0.0070),  # the last is printed 0.0.0070
        "FMNIST": (0.6391, 0.5469, 0.0023),
    },
    _OVERLAP,
)
TABLE_8_ARI = _columns(
    {
        "Zoo": (0.7736, 0.6691, 0.6953),
        "Yale": (0.7870, 0.7308, 0.7621),
        "GCM": (0.1832, -0.0223, -0.0314),
        "Ecoli": (0.5868, 0.7381, 0.8049),
        "MovLib": (0.8110, 0.6212, 0.7009),
        "MicePE": (0.3652, 0.0003, 0.2960),
        "USPS": (0.7869, 0.0136, 0.0023),
        "CTG": (0.3588, 0.0106, 0.0126),
        "Segment": (0.5484, -0.0013, -0.0010),
        "FMNIST": (0.5182, 0.4251, 0.0021),
    },
    _OVERLAP,
)
"""Table 8: agreement of ClAM's clusters with those of each baseline."""

TABLE_9_NMI = _columns(
    {
        "Zoo": (0.8330, 0.8891, 0.8429, _NAN, 0.8330, 0.7992, 0.9429),
        "Yale": (0.6034, 0.5744, 0.6723, 0.5428, 0.5499, 0.5068, 0.6418),
        "GCM": (0.4385, 0.1715, 0.1882, _NAN, 0.4228, 0.3923, 0.4476),
        "Ecoli": (0.6332, 0.6606, 0.7111, _NAN, 0.6332, 0.5707, 0.6633),
        "MovLib": (0.6044, 0.6118, 0.6086, _NAN, 0.5959, 0.3147, 0.6142),
        "MicePE": (0.2373, 0.0056, 0.2596, _NAN, 0.2873, 0.2951, 0.3108),
        "USPS": (0.5368, 0.0777, 0.0180, 0.6961, 0.5376, 0.4538, 0.5566),
        "CTG": (0.3581, 0.0391, 0.0419, _NAN, 0.3507, 0.3587, 0.3154),
        "Segment": (0.5846, 0.0102, 0.0085, _NAN, 0.5853, 0.6102, 0.5489),
        "FMNIST": (0.5036, 0.6429, 0.0051, 0.5948, 0.5008, 0.3339, 0.5183),
    },
    tuple(COLUMNS)[:7],
)
TABLE_9_ARI = _columns(
    {
        "Zoo": (0.7373, 0.8664, 0.9109, _NAN, 0.7373, 0.6755, 0.9642),
        "Yale": (0.3644, 0.3226, 0.4567, 0.2817, 0.2920, 0.2398, 0.4230),
        "GCM": (0.1308, -0.0119, -0.0071, _NAN, 0.1188, 0.0880, 0.2492),
        "Ecoli": (0.4997, 0.6505, 0.7261, _NAN, 0.4997, 0.3893, 0.7027),
        "MovLib": (0.3260, 0.3236, 0.3144, _NAN, 0.3147, 0.2223, 0.3351),
        "MicePE": (0.1260, 0.0019, 0.1558, _NAN, 0.1756, 0.1796, 0.1652),
        "USPS": (0.4304, -0.0033, 0.0002, 0.5907, 0.4306, 0.3226, 0.4537),
        "CTG": (0.1780, 0.0060, 0.0078, _NAN, 0.1766, 0.1818, 0.1736),
        "Segment": (0.4607, 0.0005, 0.0003, _NAN, 0.4612, 0.5038, 0.4331),
        "FMNIST": (0.3461, 0.4307, 0.0005, 0.4113, 0.3369, 0.2279, 0.3665),
    },
    tuple(COLUMNS)[:7],
)
"""Table 9: agreement of each method's clusters with the classes."""

TABLE_10: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"kmeans": (0.511, 0.477), "clam": (0.531, 0.531)}
)
"""Silhouettes of the inliers of Figure 15: clean, and with outliers beside them."""


def wins(table, one, other):
    """Count the data sets on which one column of a table beats another, and loses to it.

    Parameters
    ----------
    table : mapping of str to mapping of str to float
        Such as `TABLE_1`; NaN counts for neither.
    one, other : str
        Columns.

    Returns
    -------
    tuple of (int, int)
        Wins and losses; what is printed alike is neither.
    """
    rows = table.values()
    return sum(row[one] > row[other] for row in rows), sum(row[one] < row[other] for row in rows)


def settings_of(name):
    """Return Table 6's row as settings of `clam_core.ClAM`, beta halved to equation 1's.

    With Table 5's schedule and number of epochs, and memories that start at random as in
    Algorithm 1.

    Parameters
    ----------
    name : str
        Key in `TABLE_6`.

    Returns
    -------
    dict
    """
    tuned = TABLE_6[name]
    return tuned._asdict() | {
        "beta": tuned.beta / 2,
        "corruption": "mask",
        "init": "gaussian",
        "n_epochs": 200,
        "schedule": "plateau",
    }
