"""One configuration and all its restarts: what each is worth, on rows that all share."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from workbench.metrics import fill_gaps, nmi

ROWS = 2000  # on which every restart is scored
RULES = ("silhouette", "loss")
"""By which a restart, and the best configuration, is kept."""
_UNDEFINED = -1.0  # silhouette of one cluster, or of single rows only: no other score is as low


@dataclass(frozen=True, eq=False)
class Trial:
    """What the restarts of one configuration found.

    Attributes
    ----------
    settings : mapping
        Complete settings of the method.
    losses, silhouettes : ndarray, shape (r,)
        Of every restart; losses in the method's own unit.
    found : ndarray of int, shape (r,)
        Clusters that have rows.
    nmi : mapping of str to float
        Of the restart that each of the `RULES` keeps; empty without reference labels.
    """

    settings: Mapping
    losses: np.ndarray
    silhouettes: np.ndarray
    found: np.ndarray
    nmi: Mapping[str, float]

    def kept(self, rule):
        """Return the restart that a rule keeps: of silhouette, among those with most clusters."""
        return kept(self.losses, self.silhouettes, self.found, rule)

    def value(self, measure, rule):
        """Return a measure of the restart kept; NaN where it is not defined.

        Parameters
        ----------
        measure : {"silhouette", "nmi", "loss"}
        rule : str
            One of `RULES`.
        """
        if measure == "nmi":
            return float(self.nmi.get(rule, np.nan))
        if measure == "loss":
            return float(self.losses[self.kept(rule)])
        score = float(self.silhouettes[self.kept(rule)])
        return score if score > _UNDEFINED else float("nan")

    def n_found(self, rule):
        """Return the clusters that have rows, of the restart kept."""
        return int(self.found[self.kept(rule)])

    def empty(self, rule):
        """Return how many clusters of the restart kept have no row."""
        return max(0, int(self.settings["n_clusters"]) - self.n_found(rule))

    def spread(self):
        """Standard deviation of the silhouette over the restarts that found most clusters."""
        scores = self.silhouettes[self.found == self.found.max()]
        return float(scores.std())


def kept(losses, silhouettes, found, rule):
    """Return the restart that a rule keeps, see `clam_core.selection.best_restart`."""
    from clam_core.selection import best_restart

    if rule == "loss":
        return best_restart(losses, None, None)
    return best_restart(losses, silhouettes, found)


class Judge:
    """Scores restarts of many configurations on the same rows.

    Parameters
    ----------
    dataset : Dataset
    seed : int
        Draws 2000 rows where there are more.
    """

    def __init__(self, dataset, seed):
        self.rows = np.arange(len(dataset.X))
        if len(self.rows) > ROWS:
            rng = np.random.default_rng(seed)
            self.rows = np.sort(rng.choice(self.rows, ROWS, replace=False))
        self.X = dataset.X[self.rows]
        filled = fill_gaps(dataset.X)[self.rows]
        self._points = filled - filled.mean(axis=0)
        self._y = None if dataset.y is None else dataset.y[self.rows]

    def trials(self, settings, labelings, losses, stop):
        """Score the restarts of several configurations at once.

        Parameters
        ----------
        settings : sequence of mapping, length c
        labelings : sequence of ndarray of int, shape (r, s)
            Of the rows `X`.
        losses : sequence of ndarray, shape (r,)
        stop : callable returning bool

        Returns
        -------
        list of Trial or None
            None where it was stopped.
        """
        import torch

        from clam_core.selection import silhouettes

        points = torch.from_numpy(self._points)
        every = torch.from_numpy(np.concatenate(labelings))
        scores, found = silhouettes(points, every, stop)
        if np.isnan(scores).any():
            return None
        r = len(labelings[0])
        parts = [slice(first, first + r) for first in range(0, len(scores), r)]
        return [
            self._trial(own, labels, lost, scores[part], found[part])
            for own, labels, lost, part in zip(settings, labelings, losses, parts, strict=True)
        ]

    def _trial(self, settings, labels, losses, scores, found):
        agreement = {}
        if self._y is not None:
            for rule in RULES:
                agreement[rule] = nmi(labels[kept(losses, scores, found, rule)], self._y)
        return Trial(settings, losses, scores, found, agreement)
