"""SpectralNet: a network that learns the eigenvectors of a graph, and so embeds new rows too."""

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from sklearn import cluster

from slk_core.affinity import knn_graph
from workbench.baselines.networks import (
    check_amounts,
    check_choice,
    check_counts,
    draws,
    endless,
    in_blocks,
    perceptron,
    settled,
    torch_type,
)
from workbench.baselines.starts import BestOfStarts, Found, cluster_means

Lloyd: Any = cluster.KMeans

AUTO_STEPS = 600
"""Steps of either network where epochs are "auto"; or five epochs of more."""
PAIRS = 128
"""Pairs of neighbours, and of others, in a step of the Siamese network."""
MARGIN = 1.0  # how far apart the Siamese network puts rows that are no neighbours
REPORTED = 10  # steps between two reports
_RIDGE = 1e-6  # of the Gram matrix: an output that is constant must not end the training


def affinity(points, n_neighbors):
    r"""Return :math:`\exp(-\|a - b\|^2 / s_a s_b)` between near neighbours, symmetrised.

    The local scale :math:`s_a` is the distance of a to its furthest neighbour of ``n_neighbors``
    (Zelnik-Manor and Perona, 2004).

    Parameters
    ----------
    points : Tensor of shape (n, e)
    n_neighbors : int
        At most n - 1 are used.

    Returns
    -------
    Tensor of shape (n, n)
        Symmetric, with zeros on the diagonal.
    """
    distances = torch.cdist(points, points)
    distances.fill_diagonal_(math.inf)
    near, columns = distances.topk(min(n_neighbors, len(points) - 1), largest=False)
    scale = near[:, -1].clamp_min(torch.finfo(points.dtype).tiny ** 0.5)
    values = torch.exp(-near.square() / (scale[:, None] * scale[columns]))
    weights = torch.zeros_like(distances).scatter_(1, columns, values)
    return (weights + weights.T) / 2


def whitening(outputs, weights):
    r"""Return C with :math:`Y = \tilde Y C` and :math:`Y^\top D Y = I`, by Cholesky.

    Parameters
    ----------
    outputs : Tensor of shape (n, k)
    weights : Tensor of shape (n,)
        Diagonal of D, made to add up to 1.

    Returns
    -------
    Tensor of shape (k, k)
        Upper triangular.
    """
    weighted = outputs * (weights / weights.sum())[:, None]
    gram = (outputs.T @ weighted).cpu().double()  # small, and near singular as training begins
    identity = torch.eye(len(gram), dtype=gram.dtype)
    ridge = _RIDGE * gram.diagonal().mean().clamp_min(_RIDGE)
    lower = torch.linalg.cholesky(gram + ridge * identity)
    return torch.linalg.solve_triangular(lower, identity, upper=False).T.to(outputs)


def spectral_loss(W, outputs):
    r"""Return :math:`\sum_{ij} W_{ij} \|y_i - y_j\|^2 / 2` for orthogonalised outputs y.

    It is at least the sum of the k smallest eigenvalues of :math:`(D - W) u = \lambda D u`.

    Parameters
    ----------
    W : Tensor of shape (n, n)
        Symmetric affinity.
    outputs : Tensor of shape (n, k)
        Of the network, before they are orthogonalised.

    Returns
    -------
    Tensor, a scalar
        From 0, k where the outputs know nothing of the graph.
    """
    degrees = W.sum(1)
    embedded = outputs @ whitening(outputs, degrees)
    cut = (degrees @ embedded.square() - ((W @ embedded) * embedded).sum(0)).sum()
    return cut / degrees.sum()


class _Learned(NamedTuple):
    """What a start leaves besides labels and centres."""

    network: torch.nn.Module
    whitening: torch.Tensor
    embedded_centres: np.ndarray


class SpectralNet(BestOfStarts):
    r"""Learn the map of spectral clustering by networks (Shaham et al., 2018).

    A Siamese network learns distances from pairs of nearest neighbours and of rows drawn by lot; a
    Gaussian of them with local scale is the affinity W of a batch; a second network lessens
    :math:`\sum_{ij} W_{ij} \|y_i - y_j\|^2` with outputs orthogonalised by Cholesky; k-means in the
    embedding gives the clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        How many clusters, and numbers of the embedding.
    n_neighbors : int, default 10
        Neighbours that make a pair for the Siamese network, and of a row in the graph of a batch.
    siamese : bool, default True
        Whether distances are learned; else they are those of the rows.
    n_hidden : int, default 128
        Units of each of two hidden layers.
    n_init : int, default 3
        Starts, of which one is kept.
    n_epochs : int or "auto", default "auto"
        Epochs of either network; "auto" makes 600 steps, or 5 epochs of more.
    batch_size : int, default 1024
        Rows of a step, 2 at least.
    learning_rate : float, default 0.003
        Of Adam; it falls to 0 as a cosine.
    selection : {"loss", "silhouette"}, default "loss"
        Which start is kept: lowest spectral loss, or highest silhouette.
    device : str, default "cpu"
        Where torch computes.
    dtype : {"float32", "float64"}, default "float32"
        Its numbers.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Mean of each cluster; it plays no part.
    labels_ : ndarray of int, shape (n,)
    loss_ : float
        Spectral loss at the end, mean over batches.
    n_found_ : int
        Clusters that have a row.
    """

    _dtype = (np.float64, np.float32)

    def __init__(
        self,
        n_clusters=8,
        *,
        n_neighbors=10,
        siamese=True,
        n_hidden=128,
        n_init=3,
        n_epochs: int | str = "auto",
        batch_size=1024,
        learning_rate=3e-3,
        selection="loss",
        device="cpu",
        dtype="float32",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.siamese = siamese
        self.n_hidden = n_hidden
        self.n_init = n_init
        self.n_epochs = n_epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.selection = selection
        self.device = device
        self.dtype = dtype
        self.random_state = random_state

    def _prepare(self, rows) -> Any:
        """Check settings, bring the rows to one scale and find their neighbours."""
        check_choice(self, "selection", ("loss", "silhouette"))
        counts = ("n_clusters", "n_neighbors", "n_hidden", "n_init")
        check_counts(self, *counts, auto=("n_epochs",))
        check_counts(self, "batch_size", least=2)  # one row alone has no graph
        check_amounts(self, "learning_rate")
        self.mean_ = rows.mean(0, dtype=np.float64)
        self.scale_ = float((rows - self.mean_).std()) or 1.0
        points = self._tensor(rows)
        if not self.siamese:
            return points, None
        neighbours, _ = knn_graph(rows, self.n_neighbors)
        return points, torch.as_tensor(neighbours)

    def _tensor(self, rows):
        scaled = (rows - self.mean_) / self.scale_
        return torch.as_tensor(scaled, device=self.device, dtype=torch_type(self))

    def _start(self, rows, shared, seed):
        points, neighbours = shared
        generator = draws(seed)
        learned = points
        if neighbours is not None:
            twin = self._network(points, generator)
            for share in self._learn_distances(twin, points, neighbours, generator):
                yield share / 2
            learned = in_blocks(twin, points)
        network = self._network(points, generator)
        begun = 0.0 if neighbours is None else 0.5
        for share in self._learn_embedding(network, points, learned, generator):
            yield begun + share * (1 - begun)
        return self._found(rows, points, learned, network, seed)

    def _network(self, points, generator):
        widths = (points.shape[1], self.n_hidden, self.n_hidden, self.n_clusters)
        place = {"device": points.device, "dtype": points.dtype}
        return settled(lambda: perceptron(widths), generator, bias=1.0, **place)

    def _steps(self, n, size):
        per_epoch = math.ceil(n / size)
        if not isinstance(self.n_epochs, str):
            return self.n_epochs * per_epoch
        return max(AUTO_STEPS, 5 * per_epoch)

    def _descend(self, network, n, size, loss_of, generator):
        """Take the steps of one network; `loss_of` gives the loss of a batch of row numbers."""
        n_steps = self._steps(n, size)
        optimiser = torch.optim.Adam(network.parameters(), lr=self.learning_rate, fused=True)
        falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, n_steps)
        batches = endless(n, size, generator)
        for step in range(n_steps):
            if step % REPORTED == 0:
                yield step / n_steps
            batch = next(batches)
            if len(batch) < min(n, size):  # the rest of an epoch may be too few for a graph
                batch = next(batches)
            loss = loss_of(batch)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            falling.step()

    def _learn_distances(self, twin, points, neighbours, generator):
        """Draw neighbours together and rows that are none a margin apart (contrastive loss)."""
        n, k = neighbours.shape

        def contrast(batch):
            column = torch.randint(k, (len(batch),), generator=generator)
            near = neighbours[batch, column]
            near = torch.where(near < 0, batch, near)  # where a search found too few
            far = torch.randint(n, (len(batch),), generator=generator)
            three = torch.cat([batch, near, far]).to(points.device)
            here, there, elsewhere = twin(points[three]).chunk(3)
            together = (here - there).square().sum(1)
            apart = (here - elsewhere).square().sum(1).clamp_min(1e-12).sqrt()
            return (together + (MARGIN - apart).clamp_min(0).square()).mean()

        return self._descend(twin, n, min(PAIRS, self.batch_size), contrast, generator)

    def _learn_embedding(self, network, points, learned, generator):
        whole = affinity(learned, self.n_neighbors) if len(points) <= self.batch_size else None

        def cut(batch):
            if whole is not None:
                return spectral_loss(whole, network(points))
            rows = batch.to(points.device)
            return spectral_loss(affinity(learned[rows], self.n_neighbors), network(points[rows]))

        return self._descend(network, len(points), self.batch_size, cut, generator)

    def _found(self, rows, points, learned, network, seed):
        outputs = in_blocks(network, points)
        whiten = whitening(outputs, torch.ones_like(outputs[:, 0]))
        embedded = (outputs @ whiten).cpu().numpy()
        lloyd = Lloyd(self.n_clusters, n_init=10, random_state=seed).fit(embedded)
        labels = lloyd.labels_
        order = torch.randperm(len(points), generator=draws(seed)).to(points.device)
        losses = [
            spectral_loss(affinity(learned[batch], self.n_neighbors), outputs[batch])
            for batch in order.split(self.batch_size)
            if len(batch) == min(len(order), self.batch_size)
        ]
        return Found(
            labels,
            cluster_means(rows, labels, self.n_clusters),
            float(torch.stack(losses).mean()),
            _Learned(network, whiten, lloyd.cluster_centers_),
        )

    def _keep(self, found):
        super()._keep(found)
        self.network_, self.whitening_, self.embedded_centers_ = found.state

    def predict(self, X):
        """Return the cluster of each row: the nearest centre in the embedding.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        ndarray of int, shape (n,)
        """
        rows = self._checked(X)
        outputs = in_blocks(self.network_, self._tensor(rows))
        embedded = (outputs @ self.whitening_).cpu().numpy().astype(np.float64)
        squares = ((embedded[:, None] - self.embedded_centers_) ** 2).sum(2)
        return squares.argmin(1)
