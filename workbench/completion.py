"""Masked completion: some values of a row are hidden, and recall fills them.

Equation 9 of the ClAM paper, for one row x and one mask m (1 where visible):

    x^0 = m*x + (1-m)*fill,    x^{t+1} = x^t + step_size * (1-m) * velocity(x^t),
    loss = ||(1-m) * (x - x^T)||^2.

Nothing is learned here: the memories are those of a Run.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from clam_core import make_energy, recall, recall_path
from clam_core.corruption import MASK_VALUES
from clam_core.direct import DirectEngine
from clam_core.engines import Batch
from workbench.table import DataError

NEIGHBOURS = 5  # nearest rows that stand beside recall,
DONORS = 5000  # looked for among so many


class Dynamics(NamedTuple):
    """What recall computes with, in prepared units.

    Attributes
    ----------
    memories : ndarray, shape (k, d)
    log_weights : ndarray, shape (k,)
    beta : float
        Inverse temperature, 1/length^2.
    n_steps : int
        T.
    step_size : float
        dt/tau.
    """

    memories: NDArray
    log_weights: NDArray
    beta: float
    n_steps: int
    step_size: float

    @property
    def _energy(self):
        if self.log_weights.any():
            return make_energy("weighted", np.exp(self.log_weights))
        return make_energy("euclidean")

    def path(self, start, hidden):
        """Every iterate of some rows, the start first.

        Parameters
        ----------
        start : ndarray, shape (n, d)
            Rows with the starting values where they are hidden.
        hidden : ndarray of bool, shape (n, d)

        Returns
        -------
        ndarray, shape (T + 1, n, d)
        """
        return recall_path(*self._given(start), **self._how(hidden)).numpy()

    def ends(self, start, hidden):
        """Endpoints of some rows after T steps, (n, d); parameters as for `path`."""
        return recall(*self._given(start), **self._how(hidden)).numpy()

    def nearest(self, points):
        """Memory nearest to each point, int, (...,), by squared distance."""
        gaps = points[..., None, :] - self.memories
        return np.square(gaps).sum(-1).argmin(-1)

    def loss(self, x, start, hidden, missing):
        """ClAM's own loss of one row and mask, by the engine that trains.

        Parameters
        ----------
        x : ndarray, shape (d,)
            The row, any finite value where it is missing.
        start : ndarray, shape (d,)
            What hidden values start at.
        hidden, missing : ndarray of bool, shape (d,)

        Returns
        -------
        float
            Squared error summed over what is hidden and known.
        """
        if not (hidden & ~missing).any():
            return 0.0
        engine = DirectEngine(
            self.memories[None], self.log_weights[None], beta=self.beta, n_steps=self.n_steps,
            step_size=self.step_size, loss="squared", learn_weights=False, dtype=torch.float64,
        )  # fmt: skip
        batch = Batch(
            torch.from_numpy(x[None]),
            torch.from_numpy(np.flatnonzero(hidden)),
            torch.from_numpy(start),
            torch.from_numpy(missing[None]),
        )
        return float(engine.loss(batch)[0])

    def _given(self, start):
        return torch.from_numpy(np.asarray(start, float)), torch.from_numpy(self.memories)

    def _how(self, hidden):
        return {
            "energy": self._energy,
            "beta": self.beta,
            "n_steps": self.n_steps,
            "step_size": self.step_size,
            "hidden": torch.from_numpy(np.asarray(hidden)),
        }


def dynamics_of(recipe, memories, weights, beta):
    """Return the Dynamics of what a Recipe of ClAM has trained.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    memories : ndarray, shape (k, d)
    weights : ndarray, shape (k,)
        Of each in the energy.
    beta : float

    Returns
    -------
    Dynamics

    Raises
    ------
    DataError
        For the spherical energy, whose recall keeps a row's direction and loses its length.
    """
    settings = recipe.settings
    if settings["energy"] == "spherical":
        raise DataError(
            "energy='spherical' completes directions, not values: choose the Euclidean or the "
            "weighted energy."
        )
    n_steps = int(settings["n_steps"])
    step = settings["step_size"]
    return Dynamics(
        np.ascontiguousarray(memories, float),
        np.log(np.asarray(weights, float)),
        float(beta),
        n_steps,
        1 / n_steps if step == "1/T" else float(step),
    )


@dataclass(frozen=True, eq=False)
class Completion:
    """One row, what was hidden of it, and what recall made of that; in prepared units.

    Attributes
    ----------
    position : int
        Of the row in the dataset.
    truth : ndarray, shape (d,)
        NaN where the table has a gap.
    hidden : ndarray of bool, shape (d,)
        Gaps included.
    path : ndarray, shape (T + 1, d)
    losses : ndarray, shape (T + 1,)
        Squared error of each iterate, summed over what is hidden and known.
    loss : float
        ClAM's own for this row and mask, as its engine computes it; the last of `losses`.
    went_to : ndarray of int, shape (T + 1,)
        Memory nearest to each iterate, numbered like the clusters.
    own : int
        Cluster of the complete row.
    rivals : dict of str to ndarray, shape (d,)
        Simple fills: "mean" of the columns, "memory" nearest to what is visible (to
        that mean where nothing is), "neighbours": the mean of the nearest rows that know the value.
    """

    position: int
    truth: NDArray
    hidden: NDArray
    path: NDArray
    losses: NDArray
    loss: float
    went_to: NDArray
    own: int
    rivals: dict[str, NDArray]

    @property
    def scored(self):
        """Hidden values whose truth is known, (d,)."""
        return self.hidden & ~np.isnan(self.truth)

    @property
    def end(self):
        """The completion, (d,)."""
        return self.path[-1]

    def error(self, fill):
        """Squared error of a fill (d,), summed over what is hidden and known."""
        return squared_error(self.truth, fill, self.scored)


def squared_error(truth, fill, scored):
    """Sum of squared differences over the values that are scored, (...,) for fills (..., d)."""
    return np.square(np.where(scored, fill - np.where(scored, truth, 0), 0)).sum(-1)


def starting_values(X, start="mean"):
    """Return what hidden values start at, (d,): the mean, min or max of the known ones."""
    return {"mean": np.nanmean, "min": np.nanmin, "max": np.nanmax}[start](X, axis=0)


def all_starts(run):
    """Return every start that hidden values may have, by name, each (d,)."""
    X = known_values(run.dataset)
    return {start: starting_values(X, start) for start in MASK_VALUES}


def complete(run, position, hidden, *, start="mean", starts=None):
    """Hide values of a row and let recall fill them.

    Parameters
    ----------
    run : workbench.run.Run
        Of ClAM.
    position : int
        Of the row in its dataset.
    hidden : ndarray of bool, shape (d,)
        What is hidden; gaps of the row always are.
    start : {"mean", "min", "max"}, default "mean"
    starts : mapping of str to ndarray, optional
        Of `all_starts`, where they are at hand.

    Returns
    -------
    Completion

    Raises
    ------
    DataError
        For the spherical energy.
    """
    dynamics = dynamics_of(run.recipe, run.prototypes, run.weights, run.beta)
    starts = starts or all_starts(run)
    truth = known_values(run.dataset)[position]
    missing = np.isnan(truth)
    hidden = hidden | missing
    fill = starts[start]
    begun = np.where(hidden, fill, truth)
    path = dynamics.path(begun[None], hidden[None])[:, 0]
    scored = hidden & ~missing
    return Completion(
        position=position,
        truth=truth,
        hidden=hidden,
        path=path,
        losses=squared_error(truth, path, scored),
        loss=dynamics.loss(np.where(missing, fill, truth), fill, hidden, missing),
        went_to=dynamics.nearest(path),
        own=int(run.labels[position]),
        rivals=_rivals(dynamics, run.dataset, position, hidden, starts["mean"]),
    )


def known_values(dataset):
    """Return a dataset's matrix with NaN where the table says nothing, filled or not, (n, d)."""
    if dataset.preparation.impute not in ("mean", "median"):
        return dataset.X
    return np.where(dataset.gaps, np.nan, dataset.X)


def _rivals(dynamics, dataset, position, hidden, mean):
    truth = known_values(dataset)[position]
    seen = mean if hidden.all() else np.where(hidden, np.nan, truth)
    gaps = np.nan_to_num(seen - dynamics.memories)
    fills = {
        "mean": mean,
        "memory": dynamics.memories[np.square(gaps).sum(-1).argmin()],
        "neighbours": _by_neighbours(dataset, position, hidden, mean),
    }
    return {name: np.where(hidden, fill, truth) for name, fill in fills.items()}


def _by_neighbours(dataset, position, hidden, mean):
    from sklearn.impute import KNNImputer

    others = np.delete(np.arange(len(dataset.X)), position)
    if hidden.all() or not len(others):
        return mean
    if len(others) > DONORS:
        others = np.sort(np.random.default_rng(0).choice(others, DONORS, replace=False))
    known = known_values(dataset)
    imputer = KNNImputer(n_neighbors=NEIGHBOURS, keep_empty_features=True).fit(known[others])
    return np.asarray(imputer.transform(np.where(hidden, np.nan, known[position])[None]))[0]
