"""The data sets of both papers, read and prepared as the papers do; no benchmark."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class DataSet:
    """A reference set: its name, the stem of its file (none: comes with scikit-learn), its rows.

    `preparation` is "standardised" (each column to mean 0 and spread 1), "pixels" (all divided by
    the largest value) or "tf-idf" (counts of words weighted by rarity, rows of length 1).
    """

    name: str
    stem: str
    n: int
    d: int
    preparation: str = "standardised"
    images: bool = False
    note: str = ""

    @property
    def size(self) -> int:
        """How much there is of it, to order sets by."""
        return self.n * self.d


CLAM_SETS = (
    DataSet("Zoo", "zoo", 101, 16),
    DataSet("Ecoli", "ecoli", 336, 7),
    DataSet("MovLib", "movement_libras", 360, 90),
    DataSet("CTG", "ctg", 2126, 21),
    DataSet("Segment", "segment", 2310, 19),
    DataSet("MicePE", "mice_protein", 1080, 77),
    DataSet("Yale", "yale", 165, 1024, images=True),
    DataSet("USPS", "usps", 2007, 256, images=True),
    DataSet("NCI60", "nci60", 64, 6830, note="stands in for GCM, which is not at hand"),
    DataSet("FMNIST", "fashion_mnist_train", 60_000, 784, images=True),
)
"""Those of ClAM's Table 4, small ones first."""

SLK_SETS = (
    DataSet("digits", "", 1797, 64, "pixels", images=True, note="scikit-learn's, 8 x 8 pixels"),
    DataSet("Reuters re0", "reuters_re0", 1504, 2886, "tf-idf", note="stands in for Reuters"),
    DataSet("MNIST 5k", "mnist_5k", 5000, 784, "pixels", images=True,
            note="500 of each digit, stands in for MNIST"),
    DataSet("Shuttle", "shuttle", 58_000, 9),
)  # fmt: skip
"""Those of SLK that are at hand, and what stands in for others."""

SETS = {each.name: each for each in (*CLAM_SETS, *SLK_SETS)}


def read(chosen: DataSet, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Prepared rows (n, d) and the class of each."""
    if not chosen.stem:
        from sklearn.datasets import load_digits

        rows, classes = load_digits(return_X_y=True)
        return prepared(np.asarray(rows), chosen.preparation), np.asarray(classes)
    table = pd.read_csv(folder / f"{chosen.stem}.csv.gz")
    rows = table.drop(columns="label").to_numpy(np.float64)
    return prepared(rows, chosen.preparation), table["label"].to_numpy()


def prepared(rows: np.ndarray, how: str) -> np.ndarray:
    """Rows, scaled as said."""
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.preprocessing import StandardScaler

    if how == "pixels":
        return rows / np.abs(rows).max()
    if how == "tf-idf":
        return TfidfTransformer().fit_transform(rows).toarray()
    return StandardScaler().fit_transform(rows)
