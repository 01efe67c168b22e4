"""How far clusterings of the same rows agree, pair by pair and row by row."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from workbench import metrics
from workbench.methods import METHODS


@dataclass(frozen=True, eq=False)
class Overlap:
    """How far the methods of a comparison agree, as in Table 8 of the ClAM paper.

    Attributes
    ----------
    methods, names : tuple of str, length m
    labels : ndarray of int, shape (m, n)
        A clustering of each (of its first seed that ended), all renumbered to overlap most with
        that of `reference`, so that colours keep their meaning; -1 for noise.
    reference : int
        Whose numbers the others follow: the method that agrees most with all others.
    nmi, ari : ndarray of shape (m, m)
        Between the clusterings, rows that either leaves out not counted; 1 on the diagonal.
    agreement : ndarray of shape (n,)
        Share of the pairs of methods that give a row the same cluster, the two matched with each
        other; 1 where all agree. All 1 for a single method.
    """

    methods: tuple[str, ...]
    names: tuple[str, ...]
    labels: np.ndarray
    reference: int
    nmi: np.ndarray
    ari: np.ndarray
    agreement: np.ndarray

    def between(self, first, second):
        """Return the adjusted Rand index of two methods by their keys."""
        return float(self.ari[self.methods.index(first), self.methods.index(second)])


def overlap(entries) -> Overlap | None:
    """Compare the clusterings of a comparison with each other.

    Parameters
    ----------
    entries : sequence of Entry
        Those on null rows do not count.

    Returns
    -------
    Overlap or None
        None without a clustering.
    """
    found = {}
    for entry in entries:
        if entry.done and not entry.null:
            found.setdefault(entry.method, np.asarray(entry.labels))
    if not found:
        return None
    methods, labelings = tuple(found), list(found.values())
    nmi, ari = _matrix(labelings, metrics.nmi), _matrix(labelings, metrics.ari)
    reference = int(np.nan_to_num(ari).sum(axis=0).argmax())
    return Overlap(
        methods=methods,
        names=tuple(METHODS[key].name for key in methods),
        labels=np.stack(
            [metrics.match_labels(labels, labelings[reference]) for labels in labelings]
        ),
        reference=reference,
        nmi=nmi,
        ari=ari,
        agreement=agreement(labelings),
    )


def agreement(labelings):
    """Return of each row the share of pairs of clusterings that give it the same cluster.

    Parameters
    ----------
    labelings : sequence of ndarray of int, shape (n,)
        Clusters of the same rows; each pair is matched so that it overlaps most. Rows that both
        leave out (-1) agree, rows that one leaves out do not.

    Returns
    -------
    ndarray of shape (n,)
    """
    pairs = list(combinations(labelings, 2))
    if not pairs:
        return np.ones(len(labelings[0]))
    same = [metrics.match_labels(second, first) == first for first, second in pairs]
    return np.mean(same, axis=0)


def _matrix(labelings, measure):
    found = np.eye(len(labelings))
    for i, j in combinations(range(len(labelings)), 2):
        both = (labelings[i] >= 0) & (labelings[j] >= 0)
        found[i, j] = found[j, i] = measure(labelings[i][both], labelings[j][both])
    return found
