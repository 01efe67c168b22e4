"""ClAM as a scikit-learn estimator: validation and units; the mathematics is elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from clam_core.energy import Energy, Weighted, make_energy, squared_distances
from clam_core.engines import Stop
from clam_core.recall import assign, recall
from clam_core.schedule import Schedule
from clam_core.seeding import auto_beta, initial_memories
from clam_core.selection import best_restart, silhouettes, whitened
from clam_core.settings import (
    check_distinct,
    check_rows,
    check_settings,
    choose_engine,
    epochs_and_batch,
    make_corruption,
    make_engine,
    step_size,
)
from clam_core.space import Space
from clam_core.training import Snapshot, Trained, Trainer, normalised_weights

_SCORED_ROWS = 2000
"""Rows on which restarts are compared by silhouette."""


class Prepared(NamedTuple):
    """Data and settings, checked and in the units of training."""

    rows: NDArray  # (n, d) without gaps
    missing: NDArray | None  # (n, d) where they were
    space: Space
    beta: float  # in the units of X
    engine: str
    rng: np.random.Generator


class ClAM(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    r"""Clustering with Associative Memories (Saha et al., ICML 2023).

    Learns k memories so that recall completes corrupted rows (equation 9),

    .. math:: \sum_x \mathbb{E}_m \| \bar m \odot (x - x^T) \|^2, \quad x^0 = m \odot x,

    and labels a row by the memory nearest to where recall takes it. All restarts are trained at
    once. Rows may have gaps (NaN): a gap starts at its feature's mean, is recalled, and is never
    scored. Inside, data are centred and divided by one number, the root-mean-square spread of the
    columns that vary, so that ``learning_rate`` and ``noise_scale`` need no unit; every attribute
    and ``beta`` are in the units of ``X``. Columns on different scales should be standardised
    first.

    Parameters
    ----------
    n_clusters : int, default 8
    beta : float or "auto", default "auto"
        Inverse temperature of equation 1, in 1/length^2 of X (none for "spherical"). "auto" finds
        the value at which k-means++ seeds share the data with a mean entropy of 0.2 log k.
    n_steps : int, default 10
        T, steps of recall.
    step_size : float, optional
        dt/tau in (0, 1]; 1/T when None, as in the paper.
    energy : {"euclidean", "weighted", "spherical"}, default "euclidean"
        "spherical" compares directions and refuses rows that are all zero.
    weights : array-like of shape (n_clusters,), optional
        For "weighted": attraction of each memory (equation 10); learned when None.
    loss : {"squared", "absolute"}, default "squared"
        "absolute" is robust to outliers (appendix B.8).
    corruption : {"auto", "mask", "noise", "none"}, default "auto"
        What recall must undo while learning. "auto" masks where at least 4 columns vary and is
        "none" (equation 8) below.
    mask_rate : float, default 0.15
        Share of coordinates hidden, in (0, 1).
    mask_value : {"mean", "min", "max"}, default "mean"
        What a hidden coordinate is filled with.
    noise_scale : float, default 0.1
        Standard deviation of the noise, in root-mean-square spreads.
    init : {"k-means++", "data", "gaussian"} or array-like of shape ([n_init,] k, d)
        Starting memories; "k-means++" is followed by 3 Lloyd steps.
    n_init : int, default 16
        Restarts, trained together.
    n_epochs : int or "auto", default "auto"
        "auto": 100 below 1000 rows, 50 below 20,000, else 20.
    batch_size : int or "auto", default "auto"
        "auto": 16 below 500 rows, 32 below 20,000, else 256.
    learning_rate : float, default 0.1
        Adam's first rate.
    schedule : {"cosine", "plateau", "constant"}, default "cosine"
    selection : {"silhouette", "mahalanobis", "loss"}, default "silhouette"
        Restart kept: most non-empty clusters, then the highest silhouette (on a sample of 2000
        rows), Euclidean or under the covariance of the whole data; or the lowest evaluation
        loss. The epoch kept is always that of the lowest loss on masks fixed once.
    engine : {"auto", "numba", "torch", "autograd"}, default "auto"
        Same mathematics, other speed; "auto" chooses by size.
    device : str, default "cpu"
        Any torch device.
    dtype : {"float32", "float64"}, default "float32"
    random_state : int, RandomState or None

    Attributes
    ----------
    cluster_centers_ : float64 ndarray of shape (n_clusters, n_features)
        Memories. Masking inflates them: a memory is not the mean of its cluster.
    labels_ : int64 ndarray of shape (n_samples,)
    beta_ : float
        Inverse temperature used, in 1/length^2 of X.
    weights_ : ndarray of shape (n_clusters,)
        Attraction of each memory, mean 1.
    n_found_ : int
        Clusters that have rows.
    loss_ : float
        Evaluation loss of the restart kept, per scored coordinate, in squared (absolute loss:
        plain) units of X.
    history_ : list of float
        Evaluation loss of the restart kept, at the start and after each epoch (one that was cut
        short too), in the same units.
    restart_ : int
        Restart kept.
    restarts_ : float64 ndarray of shape (n_init, n_clusters, n_features)
        Memories of every restart at its best epoch.
    restart_losses_ : ndarray of shape (n_init,)
        Their evaluation losses, in the units of ``loss_``.
    restart_weights_ : ndarray of shape (n_init, n_clusters)
    n_iter_ : int
        Epochs completed.
    engine_ : str
        Engine that served.

    Examples
    --------
    >>> import numpy as np
    >>> from clam_core import ClAM
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> len(set(ClAM(n_clusters=2, random_state=0).fit_predict(X)))
    2
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        beta: float | str = "auto",
        n_steps: int = 10,
        step_size: float | None = None,
        energy: str = "euclidean",
        weights: ArrayLike | None = None,
        loss: str = "squared",
        corruption: str = "auto",
        mask_rate: float = 0.15,
        mask_value: str = "mean",
        noise_scale: float = 0.1,
        init: str | ArrayLike = "k-means++",
        n_init: int = 16,
        n_epochs: int | str = "auto",
        batch_size: int | str = "auto",
        learning_rate: float = 0.1,
        schedule: str = "cosine",
        selection: str = "silhouette",
        engine: str = "auto",
        device: str = "cpu",
        dtype: str = "float32",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.beta = beta
        self.n_steps = n_steps
        self.step_size = step_size
        self.energy = energy
        self.weights = weights
        self.loss = loss
        self.corruption = corruption
        self.mask_rate = mask_rate
        self.mask_value = mask_value
        self.noise_scale = noise_scale
        self.init = init
        self.n_init = n_init
        self.n_epochs = n_epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.schedule = schedule
        self.selection = selection
        self.engine = engine
        self.device = device
        self.dtype = dtype
        self.random_state = random_state

    def fit(self, X, y=None):
        """Learn the memories.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            May hold NaN where a value is missing.
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a setting is outside its range, X holds infinite numbers, or there are fewer
            (distinct) rows than clusters.
        """
        for _ in self.fit_iter(X):
            pass
        return self

    def fit_iter(self, X, y=None, *, stop: Stop | None = None) -> Iterator[Snapshot]:
        """Learn the memories, one :class:`Snapshot` per epoch after one of the start.

        Settings and data are checked, and memories seeded, at the call. Leaving early, by closing
        the iterator after its first Snapshot or by ``stop`` (asked between batches), leaves a
        usable model: the best epoch so far. A later fit makes an earlier iterator powerless.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        stop : callable returning bool, optional

        Returns
        -------
        iterator of Snapshot
            Prototypes in the units of X.
        """
        ready = self._prepare(X)
        trainer = self._trainer(ready, ready.beta, self.learning_rate)
        return self._train(ready, trainer, stop, self._begin())

    def _prepare(self, X: Any) -> Prepared:
        check_settings(self)
        X = self._checked(X, reset=True)
        check_rows(self, X)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        space = Space.of(X, centred=self.energy != "spherical")
        energy = self._energy(np.zeros(self.n_clusters))
        rows, missing = space.enter(X, energy, np.dtype(self.dtype))
        check_distinct(self, rows)
        beta = self._resolve_beta(rows, space, energy, rng)
        engine = choose_engine(self, rows, missing is not None)
        return Prepared(rows, missing, space, beta, engine, rng)

    def _begin(self) -> int:
        """Make every fit that began before powerless; the number of this one."""
        self._latest = getattr(self, "_latest", 0) + 1
        return self._latest

    def predict(self, X) -> NDArray[np.int64]:
        """Label of the memory nearest to each row's endpoint after T steps (InferClAM)."""
        X = self._checked(X)
        rows, _ = self.space_.enter(X, self._energy(), np.dtype(self.dtype))
        return self._labels_of(rows)

    def predict_restarts(self, X) -> NDArray[np.int64]:
        """Labels that each restart would give, (n_init, n_samples), to compare selection rules."""
        X = self._checked(X)
        rows, _ = self.space_.enter(X, self._energy(), np.dtype(self.dtype))
        memories = self.space_.inside(self.restarts_).astype(self.dtype)
        log_weights = np.log(self.restart_weights_)
        return np.stack(
            [self._labels(rows, *each).numpy() for each in zip(memories, log_weights, strict=True)]
        )

    def transform(self, X) -> NDArray[np.float64]:
        """Euclidean distance of each row to each memory, (n_samples, n_clusters), units of X.

        A gap counts as its feature's mean; for "spherical" the row is taken at unit length.
        """
        X = self._checked(X)
        rows = torch.from_numpy(self.space_.enter(X, self._energy(), np.float64)[0])
        memories = torch.from_numpy(self.space_.inside(self.cluster_centers_))
        return squared_distances(rows, memories).sqrt().numpy() * self.space_.scale

    def score(self, X, y=None) -> float:
        """Negative mean of equation 8, ``-||x - x^T||^2`` of a row without a mask."""
        X = self._checked(X)
        rows, missing = self.space_.enter(X, self._energy(), np.dtype(self.dtype))
        ends = recall(*self._tensors(rows), **self._dynamics()).cpu().numpy()
        gaps = (ends - rows) * (1.0 if missing is None else ~missing)
        return -float(np.square(gaps, dtype=np.float64).sum(1).mean()) * self.space_.scale**2

    def _checked(self, X: Any, *, reset: bool = False) -> NDArray[np.float64]:
        """X as finite float64 numbers or NaN, with the features that the model knows."""
        if not reset:
            check_is_fitted(self, "cluster_centers_")
        rows: Any = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset
        )
        return rows

    def _train(
        self, ready: Prepared, trainer: Trainer, stop: Stop | None, latest: int
    ) -> Iterator[Snapshot]:
        """Train, and make the model of whatever was reached, unless a later fit has begun."""
        space, unit = ready.space, self._loss_unit(ready.space)
        n_done = 0
        try:
            for snapshot in trainer.epochs(stop):
                n_done = snapshot.step
                yield replace(
                    snapshot,
                    prototypes=space.leave(snapshot.prototypes),
                    objective=snapshot.objective * unit,
                    losses=snapshot.losses * unit,
                )
        finally:
            if self._latest == latest:
                self._keep(ready, trainer.trained(), n_done, trainer.schedule.n_epochs, stop)

    def _trainer(
        self, ready: Prepared, beta: float | NDArray, rate: float | NDArray, copies: int = 1
    ) -> Trainer:
        """Trainer of the restarts, or of several copies of them with their own beta and rate."""
        rows, space, rng = ready.rows, ready.space, ready.rng
        init = self.init if isinstance(self.init, str) else space.inside(np.asarray(self.init))
        memories = initial_memories(rows, self.n_clusters, self.n_init, init=init, rng=rng)
        n_epochs, batch_size = epochs_and_batch(self, len(rows))
        memories = np.tile(memories, (copies, 1, 1))
        return Trainer(
            rows,
            ready.missing,
            engine=make_engine(self, ready.engine, memories, beta * space.scale**2),
            corruption=make_corruption(self, rows, space.varies),
            schedule=Schedule(self.schedule, rate, n_epochs, len(memories)),
            batch_size=min(batch_size, len(rows)),
            rng=rng,
        )

    def _keep(
        self, ready: Prepared, trained: Trained, n_done: int, n_epochs: int, stop: Stop | None
    ) -> None:
        """Choose a restart and set the fitted attributes; a run left early goes by loss alone."""
        rows, space, rng = ready.rows, ready.space, ready.rng
        self.space_, self.beta_, self.engine_ = space, ready.beta, ready.engine
        self.n_iter_ = n_done
        scores = found = None
        if n_done == n_epochs and self.selection != "loss" and len(trained.losses) > 1:
            sample = rows
            if len(rows) > _SCORED_ROWS:
                sample = rows[rng.choice(len(rows), _SCORED_ROWS, replace=False)]
            labelings = [
                self._labels(sample, *each)
                for each in zip(trained.memories, trained.log_weights, strict=True)
            ]
            points = torch.from_numpy(sample).double()
            points = whitened(points) if self.selection == "mahalanobis" else points
            scores, found = silhouettes(points, torch.stack(labelings), stop)
            if np.isnan(scores).any():  # stopped among them: they cannot be compared
                scores = found = None
        self.restart_ = best = best_restart(trained.losses, scores, found)
        unit = self._loss_unit(space)
        self.restarts_ = space.leave(trained.memories.astype(np.float64))
        self.restart_weights_ = np.stack([normalised_weights(w) for w in trained.log_weights])
        self.restart_losses_ = trained.losses * unit
        self.cluster_centers_ = self.restarts_[best].copy()
        self.weights_ = self.restart_weights_[best].copy()
        self.loss_ = float(self.restart_losses_[best])
        self.history_ = [float(loss) * unit for loss in trained.history[:, best]]
        self._n_features_out = len(self.cluster_centers_)
        self.labels_ = self._labels_of(rows)
        self.n_found_ = len(np.unique(self.labels_))

    def _labels_of(self, rows: NDArray) -> NDArray[np.int64]:
        memories = self.space_.inside(self.cluster_centers_).astype(self.dtype)
        return self._labels(rows, memories, np.log(self.weights_)).numpy()

    def _labels(self, rows: NDArray, memories: NDArray, log_weights: NDArray) -> torch.Tensor:
        return assign(*self._tensors(rows, memories), **self._dynamics(log_weights)).cpu()

    def _tensors(self, rows: NDArray, memories: NDArray | None = None) -> tuple:
        if memories is None:
            memories = self.space_.inside(self.cluster_centers_).astype(self.dtype)
        return torch.from_numpy(rows).to(self.device), torch.from_numpy(memories).to(self.device)

    def _dynamics(self, log_weights: NDArray | None = None) -> dict:
        return {
            "energy": self._energy(log_weights),
            "beta": self.beta_ * self.space_.scale**2,
            "n_steps": self.n_steps,
            "step_size": step_size(self),
        }

    def _energy(self, log_weights: NDArray | None = None) -> Energy:
        if self.energy != "weighted":
            return make_energy(self.energy)
        logs = np.log(self.weights_) if log_weights is None else log_weights
        return Weighted(torch.from_numpy(np.asarray(logs, dtype=np.float64)))

    def _loss_unit(self, space: Space) -> float:
        return space.scale if self.loss == "absolute" else space.scale**2

    def _resolve_beta(
        self, rows: NDArray, space: Space, energy: Energy, rng: np.random.Generator
    ) -> float:
        if self.beta != "auto":
            return float(self.beta)
        return auto_beta(rows, self.n_clusters, energy=energy, rng=rng) / space.scale**2

    def __sklearn_tags__(self):
        """Gaps are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
