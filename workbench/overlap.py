"""How far clusterings of the same rows agree, pair by pair and row by row."""

from dataclasses import dataclass

import numpy as np


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


def overlap(entries) -> Overlap | None:
    """Compare the clusterings of a comparison with each other.

    Parameters
    ----------
    entries : sequence of Entry

    Returns
    -------
    Overlap or None
        None without a clustering.
    """
    raise NotImplementedError
