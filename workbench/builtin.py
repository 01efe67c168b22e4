"""Built-in tables, in the form that an uploaded file takes."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd

from workbench import toys
from workbench.table import DataError, Table, fingerprint

BUILTIN: Mapping[str, str] = MappingProxyType(
    {
        "iris": "Iris: 150 flowers, 4 measures, 3 species",
        "wine": "Wine: 178 wines, 13 measures, 3 growers",
        "digits": "Digits: 1797 images of 8 x 8 pixels",
        "breast_cancer": "Breast cancer: 569 tumours, 30 measures, 2 kinds",
        "moons": "Two moons",
        "circles": "Circle within a circle",
        "spirals": "Two spirals",
        "blobs": "Four blobs",
        "elongated2": "Two elongated clusters (Figure 1)",
        "elongated3": "Three elongated clusters (Figure 13)",
        "outliers": "Two blobs and outliers (appendix B.8)",
    }
)

CLASSES: Mapping[str, int] = MappingProxyType(
    {
        "iris": 3,
        "wine": 3,
        "digits": 10,
        "breast_cancer": 2,
        "moons": 2,
        "circles": 2,
        "spirals": 2,
        "blobs": 4,
        "elongated2": 2,
        "elongated3": 3,
        "outliers": 2,  # besides the outliers, which are no group
    }
)
"""Groups of each table: the k to begin with."""

_TOYS = {
    "moons": (toys.moons, ("upper", "lower")),
    "circles": (toys.circles, ("outer", "inner")),
    "spirals": (toys.spirals, ("one", "other")),
    "blobs": (toys.blobs, ("a", "b", "c", "d")),
    "elongated2": (lambda seed: toys.elongated(2, seed=seed), ("a", "b")),
    "elongated3": (lambda seed: toys.elongated(3, seed=seed), ("a", "b", "c")),
    "outliers": (toys.outliers, ("left", "right", "outlier")),  # y = -1 is the last one
}


def builtin(name, *, seed=0):
    """Make a built-in table.

    Parameters
    ----------
    name : str
        Key in `BUILTIN`.
    seed : int, default 0
        Fixes the draw of a toy; the measured tables do not depend on it.

    Returns
    -------
    Table
        Numbers as text that reads back to the same float64, and a last column "class" of words.

    Raises
    ------
    DataError
        For an unknown name.
    """
    if name not in BUILTIN:
        raise DataError(f"name={name!r} should be one of {', '.join(map(repr, BUILTIN))}.")
    X, features, classes = _toy(name, seed) if name in _TOYS else _measured(name)
    cells: dict[str, list[str]] = {
        feature: [repr(float(value)) for value in column]
        for feature, column in zip(features, X.T, strict=True)
    }
    frame = pd.DataFrame({**cells, "class": list(classes)}, dtype="str")
    text = frame.to_csv(index=False, lineterminator="\n")
    return Table(frame, BUILTIN[name], (), ",", fingerprint(text))


def _toy(name, seed):
    draw, words = _TOYS[name]
    X, y = draw(seed=seed)
    return X, ("x", "y"), np.array(words)[y]


def _measured(name):
    from sklearn import datasets  # a second to import, and toys do without

    bunch = getattr(datasets, f"load_{name}")()
    words = [f"digit {word}" if name == "digits" else str(word) for word in bunch.target_names]
    return bunch.data, tuple(map(str, bunch.feature_names)), np.array(words)[bunch.target]
