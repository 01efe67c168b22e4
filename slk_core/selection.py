"""Which of several starts is kept: by what each is worth, without a label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slk_core.objective import normalised_cut

SELECTIONS = ("cut", "objective", "silhouette")
SCORED_ROWS = 2000
"""Most rows on which starts are compared by silhouette."""


class Selection:
    """What a start is worth, the less the better.

    Parameters
    ----------
    rule : {"cut", "objective", "silhouette"}
        The normalised cut, the objective E alone, or minus the silhouette.
    rows : ndarray of shape (n, d)
    W : csr_array of shape (n, n)
        Of rows in that order.
    """

    def __init__(self, rule: str, rows: NDArray, W: Any) -> None:
        self.rule, self._rows, self._W = rule, rows, W
        n = len(rows)
        # Drawn once, without regard to clusters: the same rows judge all starts.
        few = np.random.default_rng(0).permutation(n)[:SCORED_ROWS]
        self._some = np.sort(few) if n > SCORED_ROWS else np.arange(n)

    def cut(self, labels: NDArray, n_clusters: int) -> float:
        """Normalised cut of labels (n,) in the order of the rows."""
        return normalised_cut(labels, self._W, n_clusters)

    def worth(self, labels: NDArray, cut: float, objective: float) -> tuple[float, float]:
        """What the rule says of a start, and what decides between equals: the lower the better.

        Parameters
        ----------
        labels : int ndarray of shape (n,)
        cut, objective : float
            Its normalised cut and its E.
        """
        if self.rule == "cut":
            return cut, objective
        if self.rule == "objective":
            return 0.0, objective
        return -silhouette(self._rows[self._some], labels[self._some]), objective


def silhouette(rows: NDArray, labels: NDArray) -> float:
    """Mean silhouette of rows (n, d); -1, the lowest, where it is not defined."""
    from sklearn.metrics import silhouette_score  # a second to import: only where it serves

    if not 2 <= len(np.unique(labels)) < len(labels):
        return -1.0
    return float(silhouette_score(rows, labels))
