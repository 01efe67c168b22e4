"""Training: a generator of epochs over all restarts at once."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from clam_core.corruption import Corruption
from clam_core.engines import Engine, EpochsEngine, Judges, Reached, Stop
from clam_core.schedule import Schedule

_EVALUATED_ROWS = 1024
_EVALUATION_MASKS = 8
_AHEAD_SECONDS = 0.02
"""Work between two looks at ``stop``, and between a Snapshot and the next."""
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
        self._judges = self._choose_judges()
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
        self._paced = isinstance(engine, EpochsEngine) and not self._large
        self._ahead = 1

    def epochs(self, stop: Stop | None = None) -> Iterator[Snapshot]:
        """Yield the initial memories, then one Snapshot per epoch, until done or stopped.

        The Snapshot of an epoch that was cut short still counts the epochs completed before it.

        Warns
        -----
        ConvergenceWarning
            When a restart's loss is no longer finite; its last good memories are kept.
        """
        start = Reached(self.losses, self.memories, self.log_weights, self.schedule.rate)
        yield self._snapshot(0, start)
        done = 0
        while done < self.schedule.n_epochs:
            for reached in self._reach(done, stop):
                cut_short = stop is not None and stop()
                self._keep_best(reached, done)
                done += not cut_short
                yield self._snapshot(done, reached)
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

    def _reach(self, done: int, stop: Stop | None) -> list[Reached]:
        """The next epochs, run ahead where the engine can and they are short."""
        began = time.perf_counter()
        count = min(self._ahead, self.schedule.n_epochs - done)
        if count > 1 and isinstance(self.engine, EpochsEngine):
            reached = self._several(self.engine, done, count)
        else:
            reached = [self._one(done, stop)]
        if self._paced:
            self._ahead = how_many_next(count, time.perf_counter() - began)
        return reached

    def _one(self, epoch: int, stop: Stop | None) -> Reached:
        trained, rate = self._pass(epoch, stop)
        self.schedule.report(trained)
        return Reached(self._evaluate(), self.engine.memories, self.engine.log_weights, rate)

    def _several(self, engine: EpochsEngine, first: int, count: int) -> list[Reached]:
        """What `_one` gives time after time, of the same random numbers."""
        drawn, n_batches = [], -(-len(self.X) // self.batch_size)
        for _ in range(count):
            ((X, missing),) = self._views()
            drawn.append((X, missing, *self._draw(X, missing, n_batches)))
        X, missing, hidden, start = zip(*drawn, strict=True)
        return engine.run_epochs(
            np.concatenate(X),
            np.stack(hidden),
            start[0] if np.ndim(start[0]) < 2 else np.concatenate(start),
            self.schedule,
            first,
            self.batch_size,
            self._judges,
            missing=None if missing[0] is None else np.concatenate(missing),
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

    def _choose_judges(self) -> Judges:
        rows = np.arange(len(self.X))
        if len(rows) > _EVALUATED_ROWS:
            rows = self.rng.choice(rows, _EVALUATED_ROWS, replace=False)
        size = -(-len(rows) // _EVALUATION_MASKS)
        X = np.ascontiguousarray(self.X[rows])
        missing = None if self.missing is None else self.missing[rows]
        return Judges(X, *self._draw(X, missing, -(-len(rows) // size)), size, missing)

    def _draw(
        self, X: NDArray, missing: NDArray | None, n_batches: int
    ) -> tuple[NDArray, NDArray | None]:
        """Masks and starts; a gap starts at its feature's mean, which is what X holds there."""
        hidden, start = self.corruption.draw(X, n_batches, self.rng)
        if missing is not None:
            start = np.where(missing, X, X if start is None else start)
        return hidden, start

    def _evaluate(self) -> NDArray:
        X, hidden, start, size, missing = self._judges
        return np.asarray(
            self.engine.evaluate(X, hidden, start, size, missing=missing), dtype=np.float64
        )

    def _keep_best(self, reached: Reached, epoch: int) -> None:
        losses = reached.losses
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
            self.memories[better] = reached.memories[better]
            self.log_weights[better] = reached.log_weights[better]
        # A restart that is lost stands where it was: its last good memories are kept.
        self.history.append(np.where(sound, losses, self.history[-1]))

    def _snapshot(self, step: int, reached: Reached) -> Snapshot:
        losses, memories = reached.losses, reached.memories
        lead = int(np.where(np.isfinite(losses), losses, np.inf).argmin())
        if not np.isfinite(losses[lead]):
            memories = self.memories  # the last good ones
        weights = self._equal_weights
        if self._weighted:
            weights = normalised_weights(reached.log_weights[lead])
        return Snapshot(
            step, self.schedule.n_epochs, float(losses[lead]), memories[lead].astype(np.float64),
            losses.copy(), reached.rate, weights,
        )  # fmt: skip


def how_many_next(count: int, seconds: float) -> int:
    """Epochs to run ahead, where ``count`` took so long: for `_AHEAD_SECONDS`, or one."""
    return max(1, min(2 * count, int(_AHEAD_SECONDS * count / max(seconds, 1e-9))))


def normalised_weights(log_weights: NDArray) -> NDArray:
    """Weights with mean 1: a factor common to all memories changes nothing."""
    below = log_weights.astype(np.float64) - log_weights.max()
    weights = np.exp(np.maximum(below, -700))  # never 0, whose logarithm would be lost
    return weights / weights.mean()
