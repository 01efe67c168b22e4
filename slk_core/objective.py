"""The discrete objective E, its relaxation R and the coupling in which lam is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from slk_core.affinity import degrees


@dataclass(frozen=True)
class Terms:
    """An objective by its terms.

    Attributes
    ----------
    unary : float
        Minus the kernel between rows and modes ("means": half squared distance / sigma^2).
    laplacian : float
        The edges, times lam.
    balance : float
        lam gamma sum_l (d'Z)_l^2 / sum(d).
    entropy : float
        t sum z log z; 0 in the discrete objective.
    total : float
        Their sum.
    """

    unary: float
    laplacian: float
    balance: float
    entropy: float = 0.0

    @property
    def total(self) -> float:
        """The objective."""
        return self.unary + self.laplacian + self.balance + self.entropy


def discrete(labels: NDArray, a: NDArray, W: Any, *, lam: float, balance: float = 0.0) -> Terms:
    r"""Discrete objective, equation 1 of Ziko et al. (2018), with the balance term added.

    .. math:: E = -\sum_{pl} z_{pl} k(x_p, m_l) + \frac{\lambda}{2} \sum_{pq} w_{pq} \lVert z_p -
        z_q \rVert^2 + \lambda \gamma \sum_l \frac{(d^\top Z)_l^2}{\sum d}, \quad z_p
        \text{ one-hot}

    Parameters
    ----------
    labels : int ndarray of shape (n,)
    a : ndarray of shape (n, k)
        Kernel values k(x_p, m_l), or what stands for them.
    W : sparse array of shape (n, n)
        Symmetric.
    lam : float
    balance : float, default 0
        gamma.

    Returns
    -------
    Terms
    """
    labels = np.asarray(labels)
    n, k = a.shape
    unary = -float(a[np.arange(n), labels].sum(dtype=np.float64))
    W = W.tocoo()
    cut = float(W.data[labels[W.row] != labels[W.col]].sum(dtype=np.float64))
    d = degrees(W)
    sums = np.bincount(labels, d, minlength=k)
    return Terms(unary, lam * cut, balance_term(sums, d, lam, balance))


def relaxed(
    Z: NDArray,
    a: NDArray,
    W: Any,
    *,
    lam: float,
    entropy_weight: float = 1.0,
    balance: float = 0.0,
) -> Terms:
    r"""Relaxation of the discrete objective, equation 2 of Ziko et al. (2018), with balance.

    .. math:: R = t \sum_p z_p^\top \log z_p - \sum_{pl} z_{pl} k(x_p, m_l) - \lambda \sum_{pq}
        w_{pq} z_p^\top z_q + \lambda \gamma \sum_l \frac{(d^\top Z)_l^2}{\sum d}

    At one-hot rows it is the discrete objective less lam sum(d).

    Parameters
    ----------
    Z : ndarray of shape (n, k)
        Rows on the simplex; a share of 0 counts 0 log 0 = 0.
    a, W, lam, balance
        As for :func:`discrete`.
    entropy_weight : float, default 1
        t, as in the paper.

    Returns
    -------
    Terms
    """
    Z = np.asarray(Z, np.float64)
    d = degrees(W)
    logs = np.log(np.where(Z > 0, Z, 1))
    return Terms(
        -float((Z * a).sum()),
        -lam * float((Z * (W @ Z)).sum()),
        balance_term(d @ Z, d, lam, balance),
        entropy_weight * float((Z * logs).sum()),
    )


def balance_term(sums: NDArray, degrees: NDArray, lam: float, balance: float) -> float:
    """Lam gamma sum_l (d'Z)_l^2 / sum(d): what modularity expects of edges inside clusters.

    Parameters
    ----------
    sums : ndarray of shape (k,)
        d'Z.
    degrees : ndarray of shape (n,)
        d, the row sums of W.
    lam, balance : float
        lam and gamma.
    """
    total = float(degrees.sum(dtype=np.float64))
    squares = float(np.square(sums, dtype=np.float64).sum())
    return lam * balance * squares / total if total > 0 else 0.0


def coupling(n_clusters: int) -> float:
    r"""Coupling 2 lam / t at which order and disorder coexist in the mean-field Potts model.

    .. math:: c(L) = \frac{2 (L - 1) \ln (L - 1)}{L - 2}, \qquad c(2) = 2

    for a W whose rows sum to 1. One cluster is trivial: 0.
    """
    if n_clusters <= 2:
        return 2.0 * (n_clusters == 2)
    return 2 * (n_clusters - 1) * float(np.log(n_clusters - 1)) / (n_clusters - 2)


def normalised_cut(labels: NDArray, W: Any, n_clusters: int) -> float:
    r"""Normalised cut of a partition (Shi and Malik, 2000).

    .. math:: \sum_l \left( 1 - \frac{\sum_{pq} w_{pq} z_{pl} z_{ql}}{(d^\top Z)_l} \right)

    Parameters
    ----------
    labels : int ndarray of shape (n,)
    W : CSR array of shape (n, n)
        Symmetric.
    n_clusters : int
        k; a cluster without weight counts 1.

    Returns
    -------
    float
        From 0, where no edge joins two clusters, to k.
    """
    W = sparse.csr_array(W)
    own = np.repeat(labels, np.diff(W.indptr))
    inside = own == labels[W.indices]
    within = np.bincount(own[inside], W.data[inside], minlength=n_clusters)
    volumes = np.bincount(own, W.data, minlength=n_clusters)
    shares = np.divide(within, volumes, out=np.zeros(n_clusters), where=volumes > 0)
    return float(n_clusters - shares.sum())
