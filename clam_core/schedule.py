"""Learning rates: of every batch, and of every restart as its training goes on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SCHEDULES = ("cosine", "plateau", "constant")


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

    Attributes
    ----------
    state : ndarray of shape (3, r)
        Rate, lowest training loss and epochs since then of each restart.
    """

    def __init__(self, kind: str, rate: float | NDArray, n_epochs: int, n_restarts: int) -> None:
        self.kind, self.rate, self.n_epochs = kind, float(np.mean(rate)), n_epochs
        self.state = np.zeros((3, n_restarts))
        self.state[0], self.state[1] = rate, np.inf

    def shares(self, epochs: range, n_batches: int) -> NDArray:
        """Share of a restart's rate that each batch of these epochs (from 0) has, (e, B)."""
        if self.kind != "cosine":
            return np.ones((len(epochs), n_batches))
        batches = np.arange(n_batches) / n_batches
        return np.stack([(1 + np.cos(np.pi * ((e + batches) / self.n_epochs))) / 2 for e in epochs])

    def rates(self, epoch: int, n_batches: int) -> NDArray:
        """Rates of the batches of one epoch (from 0), shape (n_batches, r)."""
        (shares,) = self.shares(range(epoch, epoch + 1), n_batches)
        return np.outer(shares, self.state[0])

    def report(self, losses: NDArray) -> None:
        """Take note of an epoch's training loss, (r,)."""
        if self.kind == "plateau":
            for restart, loss in enumerate(losses.tolist()):
                rate, best, stale = self.state[:, restart].tolist()
                self.state[:, restart] = after_epoch(rate, best, stale, loss)


def after_epoch(rate: float, best: float, stale: float, loss: float) -> tuple[float, float, float]:
    """Rate, lowest loss and epochs since then of a restart on a plateau, after one more epoch."""
    if loss < best * (1 - 1e-3):
        return rate, loss, 0.0
    if stale < 4:
        return rate, best, stale + 1
    return max(0.8 * rate, 1e-5), best, 0.0
