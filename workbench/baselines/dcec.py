"""DCEC: a convolutional autoencoder whose embedding clusters itself while it learns images."""

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from sklearn import cluster
from torch import nn

from workbench.baselines.dec import closeness, divergence, soft_assignment, target
from workbench.baselines.networks import (
    check_amounts,
    check_choice,
    check_counts,
    draws,
    endless,
    in_blocks,
    settled,
    torch_type,
)
from workbench.baselines.starts import BestOfStarts, Found

Lloyd: Any = cluster.KMeans

FILTERS = (16, 32, 64)
KERNELS = (5, 5, 3)
SPREAD = 0.3
"""Spread that pixels are brought to: that of digits from 0 to 1, which gamma = 0.1 is meant for."""
AUTO_IMAGES = 400_000
"""Images that are seen in pretraining where epochs are "auto"."""
AUTO_EPOCHS = (5, 60)
BLOCK = 4096  # images that are embedded at once
REPORTED = 20  # steps of pretraining between two reports


class Autoencoder(nn.Module):
    """Three convolutions of stride 2 to a few numbers, and their mirror image back.

    Parameters
    ----------
    side : int
        Height and width of the images.
    width : int
        Numbers of the embedding.
    """

    def __init__(self, side, width):
        super().__init__()
        sides = [side]
        for _ in FILTERS:
            sides.append((sides[-1] + 1) // 2)
        steps = list(zip((1, *FILTERS), FILTERS, KERNELS, sides, sides[1:], strict=False))
        shape = (FILTERS[-1], sides[-1], sides[-1])
        inner = math.prod(shape)
        down, up = [], []
        for before, after, kernel, _, _ in steps:
            down += [nn.Conv2d(before, after, kernel, 2, kernel // 2), nn.ReLU()]
        for before, after, kernel, larger, smaller in reversed(steps):
            odd = larger - 2 * smaller + 1  # 1 where the side was even
            up += [nn.ReLU(), nn.ConvTranspose2d(after, before, kernel, 2, kernel // 2, odd)]
        self.encode = nn.Sequential(*down, nn.Flatten(), nn.Linear(inner, width))
        self.decode = nn.Sequential(nn.Linear(width, inner), nn.Unflatten(1, shape), *up)


class _Learned(NamedTuple):
    """What a start leaves besides labels and centres."""

    network: Autoencoder
    latent_centres: torch.Tensor
    divergence: float
    reconstruction: float
    n_iter: int


class DCEC(BestOfStarts):
    r"""Cluster images in the embedding of an autoencoder that learns both (Guo et al., 2017).

    .. math:: \min \frac{1}{nd} \sum_i \|x_i - \hat x_i\|^2 + \frac{\gamma}{n} \sum_{ij}
        p_{ij} \log \frac{p_{ij}}{q_{ij}}

    where q is DEC's soft assignment in the embedding, and p is q sharpened. The autoencoder is
    trained on reconstruction first, and k-means in its embedding gives the centres to begin with.

    Parameters
    ----------
    n_clusters : int, default 8
        How many centres.
    n_embedded : int, default 10
        Numbers of the embedding.
    gamma : float, default 0.1
        Weight of the divergence.
    n_init : int, default 1
        Starts, of which one is kept.
    n_epochs : int or "auto", default "auto"
        Epochs of pretraining; "auto" shows 400,000 images, in 5 to 60 epochs.
    max_iter : int, default 1400
        Most steps after it, of one batch each.
    update_interval : int, default 140
        Steps between two targets p.
    tol : float, default 0.001
        Share of the rows: a start ends where fewer change their cluster between two targets.
    batch_size : int, default 256
        Rows of a step.
    learning_rate : float, default 0.001
        Of Adam.
    selection : {"loss", "silhouette"}, default "loss"
        Which start is kept: lowest ``loss_``, or highest silhouette.
    device : str, default "cpu"
        Where torch computes.
    dtype : {"float32", "float64"}, default "float32"
        Its numbers.
    pixels : array-like of bool, shape (side * side,), default None
        Which pixels of a square image the columns are, row by row: the others are zero in all of
        them. None where the columns are a whole square.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        The images that the decoder makes of the centres, at the pixels of the columns.
    latent_centers_ : ndarray of shape (k, n_embedded)
    labels_ : ndarray of int, shape (n,)
    loss_ : float
        The objective at the end.
    divergence_, reconstruction_ : float
        Its two parts.
    n_iter_ : int
        Steps after pretraining, of the start that was kept.
    n_found_ : int
        Clusters that have a row.

    Notes
    -----
    Rows must be square images, pixels row by row. The images are brought to one scale as a whole,
    so that neither their units nor their offset matter.
    """

    _dtype = (np.float64, np.float32)
    n_features_in_: int

    def __init__(
        self,
        n_clusters=8,
        *,
        n_embedded=10,
        gamma=0.1,
        n_init=1,
        n_epochs: int | str = "auto",
        max_iter=1400,
        update_interval=140,
        tol=1e-3,
        batch_size=256,
        learning_rate=1e-3,
        selection="loss",
        device="cpu",
        dtype="float32",
        pixels=None,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.n_embedded = n_embedded
        self.gamma = gamma
        self.n_init = n_init
        self.n_epochs = n_epochs
        self.max_iter = max_iter
        self.update_interval = update_interval
        self.tol = tol
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.selection = selection
        self.device = device
        self.dtype = dtype
        self.pixels = pixels
        self.random_state = random_state

    def _prepare(self, rows) -> Any:
        """Check settings and lay the rows out as images on one scale."""
        counts = ("n_clusters", "n_embedded", "n_init", "max_iter", "update_interval", "batch_size")
        check_choice(self, "selection", ("loss", "silhouette"))
        check_counts(self, *counts, auto=("n_epochs",))
        check_amounts(self, "learning_rate", zero=("tol", "gamma"))
        squares = self._squares(rows)
        self.offset_ = float(squares.mean(dtype=np.float64))
        self.scale_ = float(squares.std(dtype=np.float64)) / SPREAD or 1.0
        return self._images(squares)

    def _squares(self, rows):
        """Rows with all the pixels of a square."""
        inside = self._inside(rows.shape[1])
        side = math.isqrt(len(inside))
        if side**2 != len(inside) or side < 2:
            raise ValueError(
                f"X with {len(inside)} columns should be square images for DCEC: 4, 9, 16, ... "
                "pixels, row by row."
            )
        if inside.all():
            return rows
        squares = np.zeros((len(rows), len(inside)), rows.dtype)
        squares[:, inside] = rows
        return squares

    def _inside(self, n_columns):
        if self.pixels is None:
            return np.ones(n_columns, bool)
        inside = np.asarray(self.pixels, bool)
        if inside.sum() != n_columns:
            raise ValueError(
                f"pixels={inside.sum()} should be as many as the {n_columns} columns of X."
            )
        return inside

    def _images(self, squares):
        side = math.isqrt(squares.shape[1])
        scaled = (squares - self.offset_) / self.scale_
        images = torch.as_tensor(scaled, device=self.device, dtype=torch_type(self))
        return images.reshape(-1, 1, side, side)

    def _start(self, rows, shared, seed):
        generator = draws(seed)
        side = shared.shape[-1]
        network = settled(
            lambda: Autoencoder(side, self.n_embedded),
            generator,
            device=shared.device,
            dtype=shared.dtype,
        )
        yield from self._pretrain(network, shared, generator)
        begun = in_blocks(network.encode, shared, size=BLOCK)
        lloyd = Lloyd(self.n_clusters, n_init=10, random_state=seed).fit(begun.cpu().numpy())
        centres = nn.Parameter(torch.as_tensor(lloyd.cluster_centers_).to(begun))
        n_iter = yield from self._refine(network, centres, shared, generator)
        return self._found(network, centres.detach(), shared, n_iter)

    def _pretrain(self, network, images, generator):
        n_steps = self._epochs(len(images)) * math.ceil(len(images) / self.batch_size)
        steps = endless(len(images), self.batch_size, generator)
        optimiser = torch.optim.Adam(network.parameters(), lr=self.learning_rate, fused=True)
        for step in range(n_steps):
            if step % REPORTED == 0:
                yield step / n_steps / 2
            shown = images[next(steps).to(images.device)]
            loss = (network.decode(network.encode(shown)) - shown).square().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()

    def _epochs(self, n):
        if not isinstance(self.n_epochs, str):
            return self.n_epochs
        return int(np.clip(AUTO_IMAGES // n, *AUTO_EPOCHS))

    def _refine(self, network, centres, images, generator):
        steps = endless(len(images), self.batch_size, generator)
        learned = [*network.parameters(), centres]
        optimiser = torch.optim.Adam(learned, lr=self.learning_rate, fused=True)
        labels = None
        for step in range(self.max_iter):
            if step % self.update_interval == 0:
                q = self._shares(network, centres, images)
                before, labels = labels, q.argmax(1)
                if before is not None and (labels != before).sum() < self.tol * len(labels):
                    return step
                p = target(q)
            if step % REPORTED == 0:
                yield (1 + step / self.max_iter) / 2
            batch = next(steps).to(images.device)
            shown = images[batch]
            embedded = network.encode(shown)
            loss = (network.decode(embedded) - shown).square().mean()
            loss = loss + self.gamma * divergence(p[batch], soft_assignment(embedded, centres))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        return self.max_iter

    def _shares(self, network, centres, images):
        return in_blocks(
            lambda block: soft_assignment(network.encode(block), centres), images, size=BLOCK
        )

    def _found(self, network, centres, images, n_iter):
        q = self._shares(network, centres, images)
        error = in_blocks(
            lambda block: (network.decode(network.encode(block)) - block).square().mean((1, 2, 3)),
            images,
            size=BLOCK,
        )
        reconstruction = float(error.mean())
        spread = float(divergence(target(q), q))
        with torch.no_grad():
            decoded = network.decode(centres).flatten(1).cpu().numpy().astype(np.float64)
        return Found(
            q.argmax(1).cpu().numpy(),
            (decoded * self.scale_ + self.offset_)[:, self._inside(self.n_features_in_)],
            reconstruction + self.gamma * spread,
            _Learned(network, centres, spread, reconstruction, n_iter),
        )

    def _keep(self, found):
        super()._keep(found)
        self.network_ = found.state.network
        self.latent_centers_ = found.state.latent_centres.cpu().numpy()
        self.divergence_ = found.state.divergence
        self.reconstruction_ = found.state.reconstruction
        self.n_iter_ = found.state.n_iter

    def predict(self, X):
        """Return the nearest centre of each row in the embedding.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Square images.

        Returns
        -------
        ndarray of int, shape (n,)
        """
        rows = self._checked(X)
        embedded = in_blocks(self.network_.encode, self._images(self._squares(rows)), size=BLOCK)
        centres = torch.as_tensor(self.latent_centers_).to(embedded)
        return closeness(embedded, centres).argmax(1).cpu().numpy()
