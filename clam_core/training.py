"""Training: a generator of epochs over all restarts at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from clam_core.corruption import Corruption
from clam_core.engines import Engine, Stop

SCHEDULES = ("cosine", "plateau", "constant")
_EVALUATED_ROWS = 1024
_EVALUATION_MASKS = 8
_LARGE = 1 << 23
"""Numbers above which rows are shuffled once and epochs start at a random row instead."""


@dataclass(frozen=True)
class Snapshot:
    """What one epoch left behind.

    Attributes
    ----------
    step : int
        Epochs completed; 0 shows the initial memories.
    n_epochs : int
        Epochs planned.
    objective : float
        Lowest evaluation loss among the restarts (per scored coordinate, prepared units).
    prototypes : float64 ndarray of shape (k, d)
        Memories of that restart.
    losses : ndarray of shape (r,)
        Evaluation loss of every restart.
    learning_rate : float
        Adam's rate at the end of the epoch, the mean over restarts.
    weights : ndarray of shape (k,)
        Attraction of each memory, mean 1.
    """

    step: int
    n_epochs: int
    objective: float
    prototypes: NDArray
    losses: NDArray
    learning_rate: float
    weights: NDArray


class Trained(NamedTuple):
    """What training left of some restarts.

    Attributes
    ----------
    memories : ndarray of shape (r, k, d)
        Of the best epoch.
    log_weights : ndarray of shape (r, k)
    losses : ndarray of shape (r,)
    history : ndarray of shape (e, r)
        Evaluation losses: of the start, then of each epoch.
    """

    memories: NDArray
    log_weights: NDArray
    losses: NDArray
    history: NDArray


class Schedule:
    """Learning rate of every batch and restart.

    "cosine" falls from ``rate`` to 0 over all batches; "plateau" multiplies by 0.8 after 5 epochs
    without a relative improvement of 1e-3, never below 1e-5 (Table 5); "constant" stays.

    Parameters
    ----------
    kind : {"cosine", "plateau", "constant"}
    rate : float or ndarray of shape (r,)
        First rate of all restarts, or of each.
    n_epochs, n_restarts : int
    """

    def __init__(self, kind: str, rate: float | NDArray, n_epochs: int, n_restarts: int) -> None:
        self.kind, self.rate, self.n_epochs = kind, float(np.mean(rate)), n_epochs
        self._rates = np.broadcast_to(np.asarray(rate, dtype=np.float64), n_restarts).copy()
        self._best = np.full(n_restarts, np.inf)
        self._stale = np.zeros(n_restarts, dtype=int)

    def rates(self, epoch: int, n_batches: int) -> NDArray:
        """Rates of the batches of one epoch (from 0), shape (n_batches, r)."""
        if self.kind == "cosine":
            done = (epoch + np.arange(n_batches) / n_batches) / self.n_epochs
            return np.outer((1 + np.cos(np.pi * done)) / 2, self._rates)
        return self._rates[None].repeat(n_batches, axis=0)

    def report(self, losses: NDArray) -> None:
        """Take note of an epoch's training loss, (r,)."""
        if self.kind != "plateau":
            return
        better = losses < self._best * (1 - 1e-3)
        self._best = np.where(better, losses, self._best)
        self._stale = np.where(better, 0, self._stale + 1)
        tired = self._stale >= 5
        if tired.any():
            self._rates = np.where(tired, np.maximum(0.8 * self._rates, 1e-5), self._rates)
            self._stale[tired] = 0


class Trainer:
    """Memories of all restarts, and for each the best epoch so far.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Prepared rows, gaps filled.
    missing : bool ndarray of shape (n, d) or None
        Where the gaps are.
    engine : Engine
    corruption : Corruption
    schedule : Schedule
    batch_size : int
    rng : numpy.random.Generator
    """

    def __init__(
        self,
        X: NDArray,
        missing: NDArray[np.bool_] | None,
        *,
        engine: Engine,
        corruption: Corruption,
        schedule: Schedule,
        batch_size: int,
        rng: np.random.Generator,
    ) -> None:
        self.engine, self.corruption, self.schedule = engine, corruption, schedule
        self.batch_size, self.rng = batch_size, rng
        self._large = X.size > _LARGE
        if self._large:
            order = rng.permutation(len(X))
            X, missing = X[order], None if missing is None else missing[order]
        self.X, self.missing = X, missing
        self._evaluation = self._fix_evaluation()
        self.memories, self.log_weights = engine.memories, engine.log_weights
        self.losses = self._evaluate()
        if not np.isfinite(self.losses).any():
            raise ValueError(
                "No restart has a finite loss at the start: a smaller beta or noise_scale, nearer "
                "starting memories or dtype='float64' may help."
            )
        self._equal_weights = np.ones(self.memories.shape[1])
        self._weighted = bool(self.log_weights.any()) or engine.learns_weights
        self.history = [self.losses.copy()]  # of every restart: the start, then each epoch
        self._sound = np.ones(len(self.memories), dtype=bool)

    def epochs(self, stop: Stop | None = None) -> Iterator[Snapshot]:
        """Yield the initial memories, then one Snapshot per epoch, until done or stopped.

        The Snapshot of an epoch that was cut short still counts the epochs completed before it.

        Warns
        -----
        ConvergenceWarning
            When a restart's loss is no longer finite; its last good memories are kept.
        """
        yield self._snapshot(0, self.losses, self.memories, self.schedule.rate)
        for epoch in range(self.schedule.n_epochs):
            trained, rate = self._pass(epoch, stop)
            cut_short = stop is not None and stop()
            self.schedule.report(trained)
            losses, memories = self._evaluate(), self.engine.memories
            self._keep_best(losses, memories, epoch)
            # A restart that is lost stands where it was: its last good memories are kept.
            self.history.append(np.where(np.isfinite(losses), losses, self.history[-1]))
            yield self._snapshot(epoch + (not cut_short), losses, memories, rate)
            if cut_short:
                return

    def trained(self, restarts: slice = slice(None)) -> Trained:
        """Return what some restarts have reached, all by default."""
        return Trained(
            self.memories[restarts],
            self.log_weights[restarts],
            self.losses[restarts],
            np.array(self.history)[:, restarts],
        )

    def _pass(self, epoch: int, stop: Stop | None) -> tuple[NDArray, float]:
        """One epoch; its training loss (r,) and the last rate."""
        views = self._views()
        total, rate = np.zeros(len(self.losses)), self.schedule.rate
        n_batches = [-(-len(X) // self.batch_size) for X, _ in views]
        rates = self.schedule.rates(epoch, sum(n_batches))
        for (X, missing), count in zip(views, n_batches, strict=True):
            hidden, start = self._draw(X, missing, count)
            part, rates = rates[:count], rates[count:]
            loss = self.engine.run(
                X, hidden, start, part, self.batch_size, missing=missing, stop=stop
            )
            total, rate = total + loss * (len(X) / len(self.X)), float(part[-1].sum()) / len(total)
        return total, rate

    def _views(self) -> list[tuple[NDArray, NDArray | None]]:
        """Rows in this epoch's order, in one or two contiguous pieces."""
        if not self._large:
            order = self.rng.permutation(len(self.X))
            missing = None if self.missing is None else self.missing.take(order, axis=0)
            return [(self.X.take(order, axis=0), missing)]
        first = int(self.rng.integers(len(self.X)))
        pieces = [slice(first, None), slice(0, first)] if first else [slice(None)]
        return [(self.X[p], None if self.missing is None else self.missing[p]) for p in pieces]

    def _fix_evaluation(self) -> tuple:
        """Rows, masks and starts that every epoch is judged on."""
        rows = np.arange(len(self.X))
        if len(rows) > _EVALUATED_ROWS:
            rows = self.rng.choice(rows, _EVALUATED_ROWS, replace=False)
        size = -(-len(rows) // _EVALUATION_MASKS)
        X = np.ascontiguousarray(self.X[rows])
        missing = None if self.missing is None else self.missing[rows]
        hidden, start = self._draw(X, missing, -(-len(rows) // size))
        return X, hidden, start, size, missing

    def _draw(
        self, X: NDArray, missing: NDArray | None, n_batches: int
    ) -> tuple[NDArray, NDArray | None]:
        """Masks and starts; a gap starts at its feature's mean, which is what X holds there."""
        hidden, start = self.corruption.draw(X, n_batches, self.rng)
        if missing is not None:
            start = np.where(missing, X, X if start is None else start)
        return hidden, start

    def _evaluate(self) -> NDArray:
        X, hidden, start, size, missing = self._evaluation
        return np.asarray(
            self.engine.evaluate(X, hidden, start, size, missing=missing), dtype=np.float64
        )

    def _keep_best(self, losses: NDArray, memories: NDArray, epoch: int) -> None:
        sound = np.isfinite(losses)
        lost, self._sound = self._sound & ~sound, self._sound & sound
        if lost.any():
            warnings.warn(
                f"The loss of {lost.sum()} of {len(lost)} restarts is not finite after epoch "
                f"{epoch + 1}; their last good memories are kept. A smaller learning_rate or beta "
                "may help.",
                ConvergenceWarning,
                stacklevel=4,
            )
        better = sound & ~(losses >= self.losses)
        if better.any():
            self.losses[better] = losses[better]
            self.memories[better] = memories[better]
            if self._weighted:
                self.log_weights[better] = self.engine.log_weights[better]

    def _snapshot(self, step: int, losses: NDArray, memories: NDArray, rate: float) -> Snapshot:
        lead = int(np.where(np.isfinite(losses), losses, np.inf).argmin())
        if not np.isfinite(losses[lead]):
            memories = self.memories  # the last good ones
        weights = self._equal_weights
        if self._weighted:
            weights = normalised_weights(self.engine.log_weights[lead])
        return Snapshot(
            step, self.schedule.n_epochs, float(losses[lead]), memories[lead].astype(np.float64),
            losses.copy(), rate, weights,
        )  # fmt: skip


def normalised_weights(log_weights: NDArray) -> NDArray:
    """Weights with mean 1: a factor common to all memories changes nothing."""
    below = log_weights.astype(np.float64) - log_weights.max()
    weights = np.exp(np.maximum(below, -700))  # never 0, whose logarithm would be lost
    return weights / weights.mean()
