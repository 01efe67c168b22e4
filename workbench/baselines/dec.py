"""DEC: centres that sharpen their own soft assignment, on the features as they are."""

from typing import Any, NamedTuple

import numpy as np
import torch
from sklearn import cluster

from workbench.baselines.networks import (
    check_amounts,
    check_choice,
    check_counts,
    draws,
    endless,
    in_blocks,
    torch_type,
)
from workbench.baselines.starts import BestOfStarts, Found, Moment

Lloyd: Any = cluster.KMeans

MOMENTUM = 0.9


def closeness(rows, centres):
    r"""Return the Student kernel :math:`(1 + \|z_i - \mu_j\|^2)^{-1}`, one degree of freedom.

    Parameters
    ----------
    rows : Tensor of shape (n, d)
    centres : Tensor of shape (k, d)

    Returns
    -------
    Tensor of shape (n, k)
    """
    norms = rows.square().sum(1, keepdim=True) + centres.square().sum(1)
    squares = torch.addmm(norms, rows, centres.T, alpha=-2)
    return 1 / (1 + squares.clamp_min(0))


def soft_assignment(rows, centres):
    r"""Return :math:`q_{ij}`, the share of row i in cluster j (equation 1 of DEC).

    .. math:: q_{ij} = \frac{(1 + \|z_i - \mu_j\|^2)^{-1}}{\sum_l (1 + \|z_i - \mu_l\|^2)^{-1}}

    Parameters
    ----------
    rows : Tensor of shape (n, d)
    centres : Tensor of shape (k, d)

    Returns
    -------
    Tensor of shape (n, k)
        Rows add up to 1.
    """
    near = closeness(rows, centres)
    return near / near.sum(1, keepdim=True)


def target(q):
    r"""Return :math:`p_{ij} \propto q_{ij}^2 / f_j` with :math:`f_j = \sum_i q_{ij}` (equation 3).

    Parameters
    ----------
    q : Tensor of shape (n, k)

    Returns
    -------
    Tensor of shape (n, k)
        Rows add up to 1.
    """
    sharp = q.square() / q.sum(0)
    return sharp / sharp.sum(1, keepdim=True)


def divergence(p, q):
    r"""Return :math:`\mathrm{KL}(p \| q) = \sum_{ij} p_{ij} \log(p_{ij} / q_{ij})` per row.

    Parameters
    ----------
    p, q : Tensor of shape (n, k)

    Returns
    -------
    Tensor, a scalar
        The sum divided by n (equation 2 of DEC).
    """
    return (torch.xlogy(p, p) - torch.xlogy(p, q)).sum() / len(p)


def centre_gradient(rows, centres, p):
    r"""Return the gradient of the divergence for fixed p (equation 5 of DEC), per row.

    .. math:: -\frac{2}{n} \sum_i (1 + \|z_i - \mu_j\|^2)^{-1} (p_{ij} - q_{ij}) (z_i - \mu_j)

    Parameters
    ----------
    rows : Tensor of shape (n, d)
    centres : Tensor of shape (k, d)
    p : Tensor of shape (n, k)

    Returns
    -------
    Tensor of shape (k, d)
    """
    near = closeness(rows, centres)
    pull = near * (p - near / near.sum(1, keepdim=True))
    return (pull.sum(0)[:, None] * centres - pull.T @ rows) * (2 / len(rows))


class _End(NamedTuple):
    """What a start leaves besides labels and centres."""

    divergence: float
    n_steps: int


class DEC(BestOfStarts):
    r"""Minimise :math:`\mathrm{KL}(p \| q)` over the centres, p a sharper q (Xie et al., 2016).

    q is the soft assignment by Student's kernel with one degree of freedom, and p, held for
    ``update_interval`` steps, is q squared, divided by the size of the cluster and normalised. The
    features stay as they are: the papers' "soft DEC", without an encoder.

    Parameters
    ----------
    n_clusters : int, default 8
        How many centres.
    start : {"k-means", "random"}, default "k-means"
        Where the centres begin: where k-means ends, or on rows drawn by lot (DEC^r).
    n_init : int, default 4
        Starts, of which one is kept.
    max_iter : int, default 20000
        Most steps, of one batch each.
    update_interval : int, default 140
        Steps between two targets p.
    tol : float, default 0.001
        Share of the rows: a start ends where fewer change their cluster between two targets.
    batch_size : int, default 256
        Rows of a step.
    learning_rate : float, default 0.01
        Of gradient descent with momentum 0.9.
    selection : {"loss", "silhouette"}, default "loss"
        Which start is kept: lowest ``loss_``, or highest silhouette.
    device : str, default "cpu"
        Where torch computes.
    dtype : {"float32", "float64"}, default "float32"
        Its numbers.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
    labels_ : ndarray of int, shape (n,)
    loss_ : float
        Sum of squared distances to the nearest centre. Between starts the divergence says nothing:
        it is 0 where all centres lie in one place.
    divergence_ : float
        KL(p || q) per row at the end.
    n_iter_ : int
        Steps of the start that was kept.
    n_found_ : int
        Clusters that have a row.

    Notes
    -----
    Student's kernel has unit length 1, so the scale of the features matters.
    """

    _dtype = (np.float64, np.float32)
    _learned = ("cluster_centers_", "mean_")

    def __init__(
        self,
        n_clusters=8,
        *,
        start="k-means",
        n_init=4,
        max_iter=20_000,
        update_interval=140,
        tol=1e-3,
        batch_size=256,
        learning_rate=0.01,
        selection="loss",
        device="cpu",
        dtype="float32",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.start = start
        self.n_init = n_init
        self.max_iter = max_iter
        self.update_interval = update_interval
        self.tol = tol
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.selection = selection
        self.device = device
        self.dtype = dtype
        self.random_state = random_state

    def _prepare(self, rows) -> Any:
        """Centre the rows, which keeps the digits of their squared distances."""
        check_choice(self, "start", ("k-means", "random"))
        check_choice(self, "selection", ("loss", "silhouette"))
        check_counts(self, "n_clusters", "n_init", "max_iter", "update_interval", "batch_size")
        check_amounts(self, "learning_rate", zero=("tol",))
        self.mean_ = rows.mean(0)
        return self._tensor(rows)

    def _tensor(self, rows):
        return torch.as_tensor(rows - self.mean_, device=self.device, dtype=torch_type(self))

    def _start(self, rows, shared, seed):
        yield 0.0
        centres = self._tensor(self._begin(rows, seed))
        step = 0
        for step, settled in self._descend(shared, centres, seed):
            if not settled:
                yield step / self.max_iter
        return self._found(shared, centres, step)

    def course(self, X, centres, seed=0):
        """Descend from given centres, a :class:`Moment` at each target p, and one at the end.

        Nothing is kept: the model stays as it was, but for the mean of the rows.

        Parameters
        ----------
        X : array-like of shape (n, d)
        centres : ndarray of shape (k, d)
        seed : int, default 0
            Of the order of the batches.

        Returns
        -------
        iterator of Moment
            ``objective`` is the divergence; a step is an interval between two targets.
        """
        shared = self._prepare(self._checked(X, reset=True))
        at = self._tensor(np.asarray(centres, np.float64)).clone()
        planned = -(-self.max_iter // self.update_interval)
        for done, _ in self._descend(shared, at, seed):
            found = self._found(shared, at, done)
            step = -(-done // self.update_interval)
            yield Moment(
                step, planned, found.state.divergence, found.centres, found.labels,
                self.learning_rate,
            )  # fmt: skip

    def _descend(self, shared, centres, seed):
        """Move the centres, a tensor, in place: yield steps done and whether rows have settled."""
        velocity = torch.zeros_like(centres)
        steps = endless(len(shared), self.batch_size, draws(seed))
        labels = p = None
        for step in range(self.max_iter):
            if step % self.update_interval == 0:
                q = in_blocks(soft_assignment, shared, centres)
                before, labels = labels, q.argmax(1)
                settled = before is not None and bool(
                    (labels != before).sum() < self.tol * len(labels)
                )
                yield step, settled
                if settled:
                    return
                p = target(q)
            batch = next(steps).to(shared.device)
            slope = centre_gradient(shared[batch], centres, p[batch])
            velocity.mul_(MOMENTUM).sub_(slope, alpha=self.learning_rate)
            centres += velocity
        yield self.max_iter, True

    def _begin(self, rows, seed):
        if self.start == "random":
            chosen = np.random.RandomState(seed).choice(len(rows), self.n_clusters, replace=False)
            return rows[chosen]
        return Lloyd(self.n_clusters, n_init=1, random_state=seed).fit(rows).cluster_centers_

    def _found(self, shared, centres, n_steps):
        near = in_blocks(closeness, shared, centres)
        q = near / near.sum(1, keepdim=True)
        loss = float((1 / near.amax(1) - 1).sum(dtype=torch.float64).cpu())
        return Found(
            near.argmax(1).cpu().numpy(),
            centres.cpu().numpy().astype(np.float64) + self.mean_,
            loss,
            _End(float(divergence(target(q), q)), n_steps),
        )

    def _keep(self, found):
        super()._keep(found)
        self.divergence_, self.n_iter_ = found.state.divergence, found.state.n_steps

    def predict(self, X):
        """Return the nearest centre of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        ndarray of int, shape (n,)
        """
        rows = self._checked(X)
        points = self._tensor(rows)
        centres = self._tensor(self.cluster_centers_)
        return in_blocks(closeness, points, centres).argmax(1).cpu().numpy()
