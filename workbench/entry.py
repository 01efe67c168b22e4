"""What a fit of a comparison came to, and the scores by which fits are compared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from workbench.recipe import Recipe


class Score(NamedTuple):
    """One of the scores of a comparison.

    Attributes
    ----------
    name, short : str
        On the screen, and above a narrow column.
    higher : bool
        Whether more is better.
    labelled : bool
        Whether it needs reference labels.
    about : str
        One sentence for the reader.
    """

    name: str
    short: str
    higher: bool
    labelled: bool
    about: str


SCORES: Mapping[str, Score] = MappingProxyType(
    {
        "silhouette": Score(
            "Silhouette", "SC", True, False,
            "How much nearer rows are to their own cluster than to the next, from -1 to 1.",
        ),
        "davies_bouldin": Score(
            "Davies-Bouldin", "DB", False, False,
            "How wide clusters are for how far apart their means lie; 0 is best.",
        ),
        "calinski_harabasz": Score(
            "Calinski-Harabasz", "CH", True, False,
            "Spread between the means of clusters over the spread within, each per degree of "
            "freedom.",
        ),
        "laplacian": Score(
            "SLK's E per row", "E", False, False,
            "SLK's objective at its default lambda on one common graph: clusters that follow "
            "dense modes and cut few edges score low.",
        ),
        "nmi": Score(
            "NMI", "NMI", True, True,
            "Normalised mutual information with the reference labels, from 0 to 1.",
        ),
        "ari": Score(
            "ARI", "ARI", True, True,
            "Adjusted Rand index with the reference labels: 0 by chance, 1 for the same groups.",
        ),
        "accuracy": Score(
            "Accuracy", "ACC", True, True,
            "Share of rows that agree with the reference labels, each cluster matched with one "
            "class.",
        ),
    }
)  # fmt: skip
"""The scores by their keys, internal ones first. Rows without a cluster (noise) are left out of
all but E, in which they earn nothing and all of their edges count as cut; missing values count as
their column's mean."""


@dataclass(frozen=True, eq=False)
class Entry:
    """What one fit of a comparison came to.

    Attributes
    ----------
    recipe : Recipe
        What was fitted.
    null : bool
        Whether the rows were drawn without clusters, with the Recipe's seed; the scores are then of
        these rows, and none needs reference labels.
    labels : ndarray of int, shape (n,), or None
        Clusters numbered by size, -1 for noise; None where there is no outcome.
    scores : mapping of str to float
        Keys of `SCORES`; NaN where one is not defined.
    seconds : float
        Of the fit alone; NaN where it did not end.
    peak : float
        Bytes that the fit held at most beyond what its process held before; NaN where unknown.
    n_found : int
        Clusters that have rows.
    error : str
        Why there is no outcome, in one sentence; empty where there is one, or it was cancelled.
    cancelled : bool
        Whether a person ended it.
    warnings : tuple of str
        What to know about it, one sentence each.
    """

    recipe: Recipe
    null: bool = False
    labels: np.ndarray | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: float = float("nan")
    peak: float = float("nan")
    n_found: int = 0
    error: str = ""
    cancelled: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def method(self):
        """Key of its method."""
        return self.recipe.method

    @property
    def done(self):
        """Whether it has labels."""
        return self.labels is not None

    @property
    def noise(self):
        """Share of the rows that lie in no cluster; NaN without labels."""
        return float("nan") if self.labels is None else float(np.mean(self.labels < 0))
