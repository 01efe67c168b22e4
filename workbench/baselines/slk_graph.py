"""SLK's own graph and kernel width, for methods that are compared with it."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from slk_core import affinity_of, degrees, kernel_width, knn_graph, normalise
from slk_core.settings import width_without_edges


class SlkGraph(NamedTuple):
    """The affinity W and the kernel width that SLK would have of the same rows.

    Attributes
    ----------
    W : csr_array of shape (n, n)
        Symmetric, degree-normalised, with a zero diagonal.
    sigma : float
        Kernel width, in the units of the rows.
    raw : ndarray of shape (n,)
        Row sums before the normalisation.
    """

    W: sparse.csr_array
    sigma: float
    raw: np.ndarray


def slk_graph(rows, n_neighbors, *, kind="binary", seed=0):
    """Build SLK's graph.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    n_neighbors : int
        Of each row, itself not counted.
    kind : {"binary", "gaussian"}, default "binary"
        Whether all neighbours count alike.
    seed : int, default 0
        Of the approximate search, which large data need.

    Returns
    -------
    SlkGraph
    """
    indices, lengths = knn_graph(rows, n_neighbors, random_state=seed)
    sigma = kernel_width(lengths)
    raw = affinity_of(indices, lengths, kind=kind, normalised=False, sigma=sigma)
    return SlkGraph(normalise(raw), sigma if sigma > 0 else width_without_edges(rows), degrees(raw))
