"""What an engine is, and the two that run on torch: batches, Adam, and a loss with its gradient.

An engine holds the memories of all restarts, (r, k, d), and trains them together. Which engine
serves is a matter of size only: each computes the same equations.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clam_core.schedule import Schedule

Stop = Callable[[], bool]
_POLL = 8
"""Batches between two looks at ``stop``."""


class Engine(Protocol):
    """Memories of all restarts in training."""

    @property
    def learns_weights(self) -> bool:
        """Whether the log weights move."""
        ...

    @property
    def memories(self) -> NDArray:
        """Copy of the memories, (r, k, d)."""
        ...

    @property
    def log_weights(self) -> NDArray:
        """Copy of the log weights, (r, k)."""
        ...

    def run(
        self,
        X: NDArray,
        hidden: NDArray[np.bool_],
        start: NDArray | None,
        rates: NDArray,
        batch_size: int,
        *,
        missing: NDArray[np.bool_] | None = None,
        stop: Stop | None = None,
    ) -> NDArray:
        """One pass with an Adam step per batch; mean loss per scored coordinate, (r,).

        Batch i holds rows [i * batch_size, (i + 1) * batch_size) of ``X`` (n, d), hides
        ``hidden[i]`` and steps at ``rates[i]`` (r,). ``start`` as in
        :meth:`clam_core.corruption.Corruption.draw`. ``missing`` (n, d) marks coordinates that
        move and are never scored; ``start`` is then (n, d).
        """
        ...

    def evaluate(
        self,
        X: NDArray,
        hidden: NDArray[np.bool_],
        start: NDArray | None,
        batch_size: int,
        *,
        missing: NDArray[np.bool_] | None = None,
    ) -> NDArray:
        """Mean loss per scored coordinate, (r,), without a step."""
        ...


class Judges(NamedTuple):
    """Rows, masks and starts on which every epoch is judged: what `Engine.evaluate` takes."""

    X: NDArray
    hidden: NDArray[np.bool_]
    start: NDArray | None
    batch_size: int
    missing: NDArray[np.bool_] | None


class Reached(NamedTuple):
    """What an epoch leaves of all restarts.

    Attributes
    ----------
    losses : ndarray of shape (r,)
        Evaluation loss.
    memories : ndarray of shape (r, k, d)
    log_weights : ndarray of shape (r, k)
    rate : float
        Learning rate of the last batch, the mean over restarts.
    """

    losses: NDArray
    memories: NDArray
    log_weights: NDArray
    rate: float


@runtime_checkable
class EpochsEngine(Engine, Protocol):
    """An engine that can run several epochs without coming back to Python between them."""

    def run_epochs(
        self,
        X: NDArray,
        hidden: NDArray[np.bool_],
        start: NDArray | None,
        schedule: Schedule,
        first: int,
        batch_size: int,
        judges: Judges,
        *,
        missing: NDArray[np.bool_] | None = None,
    ) -> list[Reached]:
        """Run and evaluate the epochs from ``first`` on, of n rows in B batches each.

        ``X`` and ``missing`` (e n, d), and ``start`` where it is of each row, hold the rows of one
        epoch after those of another; ``hidden`` is (e, B, d). The schedule takes note of each
        epoch's training loss.
        """
        ...


@dataclass(frozen=True)
class Batch:
    """Rows that share one mask."""

    x: Tensor  # (b, d)
    columns: Tensor | None  # (h,) indices of the hidden coordinates; None: all
    start: Tensor | None  # (d,) fill, (b, d) starting points, or None: the rows themselves
    missing: Tensor | None  # (b, d)


@dataclass(frozen=True)
class Gradient:
    """Loss of each restart, summed over scored coordinates, and its gradient."""

    loss: Tensor  # (r,)
    n_scored: int
    memories: Tensor  # (r, k, d)
    log_weights: Tensor  # (r, k)


class TorchEngine(ABC):
    """Batches and Adam on any torch device; how a loss and its gradient come about is left open.

    Parameters
    ----------
    memories : ndarray of shape (r, k, d)
    log_weights : ndarray of shape (r, k)
    beta : float or ndarray of shape (r,)
        Of all restarts, or of each.
    n_steps, step_size, loss, learn_weights
        As in :class:`clam_core.ClAM`, all resolved to numbers.
    dtype : torch.dtype
    device : str
    """

    def __init__(
        self,
        memories: NDArray,
        log_weights: NDArray,
        *,
        beta: float | NDArray,
        n_steps: int,
        step_size: float,
        loss: str,
        learn_weights: bool,
        dtype: torch.dtype,
        device: str = "cpu",
    ) -> None:
        self.n_steps, self.step_size = n_steps, step_size
        self.absolute, self._learns = loss == "absolute", learn_weights
        self._memories = torch.tensor(memories, dtype=dtype, device=device)
        self._log_weights = torch.tensor(log_weights, dtype=dtype, device=device)
        self.beta: float | Tensor = (
            float(beta)
            if np.ndim(beta) == 0
            else torch.tensor(beta, dtype=dtype, device=device)[:, None, None]
        )
        self._adam = Adam(self._memories)
        self._weight_adam = Adam(self._log_weights)

    @property
    def learns_weights(self) -> bool:
        """Whether the log weights move."""
        return self._learns

    @property
    def memories(self) -> NDArray:
        """Copy of the memories, (r, k, d)."""
        return self._memories.cpu().numpy().copy()

    @property
    def log_weights(self) -> NDArray:
        """Copy of the log weights, (r, k)."""
        return self._log_weights.cpu().numpy().copy()

    @abstractmethod
    def gradient(self, batch: Batch) -> Gradient:
        """Loss and gradient of one batch at the memories as they stand."""

    @abstractmethod
    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Loss of one batch, summed, (r,), and the number of coordinates that it sums."""

    def run(
        self,
        X: NDArray,
        hidden: NDArray[np.bool_],
        start: NDArray | None,
        rates: NDArray,
        batch_size: int,
        *,
        missing: NDArray[np.bool_] | None = None,
        stop: Stop | None = None,
    ) -> NDArray:
        """See :meth:`Engine.run`."""
        steps = torch.as_tensor(rates).to(self._memories)
        total, scored = self._memories.new_zeros(len(self._memories)), 0
        for i, batch in enumerate(self._batches(X, hidden, start, batch_size, missing)):
            if stop is not None and i % _POLL == 0 and stop():
                break
            found = self.gradient(batch)
            total += found.loss
            scored += found.n_scored
            self._adam.step(
                self._memories, found.memories / found.n_scored, steps[i, :, None, None]
            )
            if self._learns:
                slope = found.log_weights / found.n_scored
                self._weight_adam.step(self._log_weights, slope, steps[i, :, None])
        return (total / max(scored, 1)).cpu().numpy()

    def evaluate(
        self,
        X: NDArray,
        hidden: NDArray[np.bool_],
        start: NDArray | None,
        batch_size: int,
        *,
        missing: NDArray[np.bool_] | None = None,
    ) -> NDArray:
        """See :meth:`Engine.evaluate`."""
        total, scored = self._memories.new_zeros(len(self._memories)), 0
        for batch in self._batches(X, hidden, start, batch_size, missing):
            loss, n_scored = self.loss(batch)
            total, scored = total + loss, scored + n_scored
        return (total / max(scored, 1)).cpu().numpy()

    def _batches(
        self,
        X: NDArray,
        hidden: NDArray[np.bool_],
        start: NDArray | None,
        batch_size: int,
        missing: NDArray[np.bool_] | None,
    ) -> Iterator[Batch]:
        device, dtype = self._memories.device, self._memories.dtype
        rows = torch.from_numpy(X).to(device, dtype)
        begin = None if start is None else torch.from_numpy(start).to(device, dtype)
        gaps = None if missing is None else torch.from_numpy(missing).to(device)
        for i, first in enumerate(range(0, len(X), batch_size)):
            part = slice(first, first + batch_size)
            columns = None
            if not hidden[i].all():
                columns = torch.from_numpy(np.flatnonzero(hidden[i])).to(device)
            where = begin if begin is None or begin.ndim == 1 else begin[part]
            yield Batch(rows[part], columns, where, None if gaps is None else gaps[part])


class Adam:
    """Adam (Kingma & Ba, 2015) with its own rate for each restart, in place."""

    def __init__(self, like: Tensor) -> None:
        self.mean, self.square = torch.zeros_like(like), torch.zeros_like(like)
        self.n_steps = 0

    def step(self, weights: Tensor, slope: Tensor, rates: Tensor) -> None:
        """Move ``weights`` against ``slope``; ``rates`` broadcasts over both."""
        self.n_steps += 1
        self.mean.lerp_(slope, 0.1)
        self.square.mul_(0.999).addcmul_(slope, slope, value=0.001)
        # rate / (1 - 0.9^n) * mean / (sqrt(square / (1 - 0.999^n)) + 1e-8), fewest operations
        root = (1 - 0.999**self.n_steps) ** 0.5
        scale = self.square.sqrt().add_(1e-8 * root)
        weights.addcdiv_(self.mean * rates, scale, value=-root / (1 - 0.9**self.n_steps))
