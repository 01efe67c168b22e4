"""The engine for the CPU: one restart in each lane of the processor's vector registers.

With few rows and memories, dispatching small operations costs far more than their arithmetic.
Here nothing is dispatched within a slice of batches, and `WIDTH` restarts cost as much as one.
"""

import time

import numpy as np

from clam_core.engines import Reached
from clam_core.kernels import (
    Block,
    Course,
    Pace,
    Rows,
    Rule,
    lane_array,
    run_batches,
    run_epochs,
    work_arrays,
)
from clam_core.lanes import WIDTH

_SLICE_SECONDS = 0.02
"""Work between two polls of `stop`."""
_NO_GAPS = np.zeros((0, 1), bool)


class LaneEngine:
    """Trains r restarts of k memories side by side.

    Parameters
    ----------
    memories : array (r, k, d)
        Initial memories of each restart.
    log_weights : array (r, k)
        Initial log eps of equation 10; zeros without weights.
    beta : float or array (r,)
        Inverse temperature of equation 1, one for all restarts or one for each.
    n_steps : int
        Number T of recall steps.
    step_size : float
        dt/tau of equation 4.
    loss : str
        "squared" (equations 8 and 9) or "absolute" (appendix B.8).
    learn_weights : bool
        Whether log eps is trained too.
    dtype : numpy dtype
        float32 or float64.
    """

    def __init__(
        self, memories, log_weights, *, beta, n_steps, step_size, loss, learn_weights, dtype
    ):
        self._shape = memories.shape
        self._dtype = np.dtype(dtype)
        self._rule = Rule(int(n_steps), float(step_size), loss == "absolute", bool(learn_weights))
        r, k, d = memories.shape
        n_blocks = -(-r // WIDTH[self._dtype])
        wide, flat = [(k, d)], [(1, k)]
        shapes = [(1, 4)] + wide + flat + wide + flat + wide + wide + flat + flat
        self._blocks = [
            Block(*(lane_array(shape, self._dtype) for shape in shapes)) for _ in range(n_blocks)
        ]
        self._set_gains(np.broadcast_to(np.asarray(beta, np.float64), r))
        self._steps = 0
        self._work = work_arrays(0, k, d, self._rule.n_steps, self._dtype)
        self.restore(memories, log_weights)

    @property
    def learns_weights(self):
        """Whether the log weights move."""
        return self._rule.learn_weights

    @property
    def memories(self):
        """A copy of the memories, (r, k, d)."""
        return self._without_lanes([block.memories for block in self._blocks])

    @property
    def log_weights(self):
        """A copy of log eps, (r, k)."""
        return self._without_lanes([block.log_weights[0] for block in self._blocks])

    def restore(self, memories, log_weights):
        """Set memories (r, k, d) and log weights (r, k); Adam keeps its moments."""
        wide, flat = self._in_lanes(memories), self._in_lanes(log_weights)
        for block, own_memories, own_weights in zip(self._blocks, wide, flat, strict=True):
            block.memories[:] = own_memories
            block.log_weights[0] = own_weights

    def run(self, X, hidden, start, rates, batch_size, stop=None, *, missing=None):
        """Pass over the rows once, with a step of Adam after each batch.

        Parameters
        ----------
        X : array (n, d)
            Shuffled rows; batch i is rows i * batch_size to (i + 1) * batch_size.
        hidden : bool array (B, d)
            Coordinates that each batch hides.
        start : array (d,) or (n, d), or None
            Where the hidden coordinates start: the fill, a point for each row, or X itself.
        rates : array (B, r)
            Learning rate of each batch and restart.
        batch_size : int
            Rows of a batch; the last may have fewer.
        stop : callable, default=None
            Polled every few hundredths of a second; the pass ends early where it returns True.
        missing : bool array (n, d), default=None
            Values that X lacks (it holds 0 there): hidden in their row, but never scored.

        Returns
        -------
        array (r,)
            Mean loss per scored coordinate, each batch before its step.
        """
        lane_rates = self._in_lanes(np.asarray(rates).T)[:, :, None]
        return self._pass(self._rows(X, hidden, start, batch_size, missing), lane_rates, stop)

    def evaluate(self, X, hidden, start, batch_size, *, missing=None):
        """Mean loss per scored coordinate (r,), as `run` returns it, without learning."""
        rates = np.zeros((len(self._blocks), 0, 1, WIDTH[self._dtype]), self._dtype)
        return self._pass(self._rows(X, hidden, start, batch_size, missing), rates, None)

    def run_epochs(self, X, hidden, start, schedule, first, batch_size, judges, *, missing=None):
        """See :meth:`clam_core.engines.EpochsEngine.run_epochs`."""
        n_epochs, n_batches, d = hidden.shape
        rows = self._rows(X, hidden.reshape(-1, d), start, batch_size, missing)
        judged = self._rows(*judges)
        work = self._work_for(max(rows.batch_size, judged.batch_size))
        shares = schedule.shares(range(first, first + n_epochs), n_batches)
        states = self._in_lanes(schedule.state.T, np.float64)
        rates = np.empty((n_batches, 1, WIDTH[self._dtype]), self._dtype)
        courses = [self._course(n_epochs) for _ in self._blocks]
        for block, state, course in zip(self._blocks, states, courses, strict=True):
            pace = Pace(shares, state, schedule.kind == "plateau")
            scored = run_epochs(
                rows, len(X) // n_epochs, judged, self._rule, block, work, pace, rates,
                self._steps, course,
            )  # fmt: skip
        self._steps += n_epochs * n_batches
        schedule.state[:] = self._without_lanes(list(states)).T
        losses, memories, log_weights, used = (
            self._without_lanes([getattr(course, part) for course in courses]).swapaxes(0, 1)
            for part in ("losses", "memories", "log_weights", "rates")
        )
        last = (shares[:, -1:] * used).sum(1) / self._shape[0]
        return [
            Reached(*each)
            for each in zip(losses / max(scored, 1), memories, log_weights, last, strict=True)
        ]

    def _summed_gradient(self):
        """Gradient of the last batch's summed loss: by memories (r, k, d), by log eps (r, k)."""
        return (
            self._without_lanes([block.gradient for block in self._blocks]),
            self._without_lanes([block.weight_gradient[0] for block in self._blocks]),
        )

    def _pass(self, rows, rates, stop):
        work, n_batches = self._work_for(rows.batch_size), len(rows.hidden)
        totals = np.zeros((len(self._blocks), WIDTH[self._dtype]))
        scored = first = 0
        size = n_batches if stop is None else 1
        while first < n_batches:
            last = min(first + size, n_batches)
            began = time.perf_counter()
            for block, own_rates, own_totals in zip(self._blocks, rates, totals, strict=True):
                newly_scored = run_batches(
                    rows, first, last, self._rule, block, work, own_rates, self._steps - first,
                    own_totals,
                )  # fmt: skip
            scored += newly_scored
            self._steps += (last - first) if rates.shape[1] else 0
            first = last
            if stop is not None:
                if stop():
                    break
                if time.perf_counter() - began < _SLICE_SECONDS:
                    size *= 2
        return totals.ravel()[: self._shape[0]] / max(scored, 1)

    def _rows(self, X, hidden, start, batch_size, missing=None):
        points, stride = _ready(X, self._dtype), 1 if start is None or np.ndim(start) == 2 else 0
        start = points if start is None else _ready(np.atleast_2d(start), self._dtype)
        missing = _NO_GAPS if missing is None else _ready(missing, np.dtype(bool))
        return Rows(points, start, stride, _ready(hidden, np.dtype(bool)), missing, batch_size)

    def _course(self, n_epochs):
        (_, k, d), width = self._shape, WIDTH[self._dtype]
        rates, trained, losses = np.zeros((3, n_epochs, width))
        memories = np.empty((n_epochs, k, d, width), self._dtype)
        log_weights = np.empty((n_epochs, k, width), self._dtype)
        return Course(rates, trained, losses, memories, log_weights)

    def _set_gains(self, betas):
        pull = 2 * betas * self._rule.step_size
        gains = np.stack([betas, 2 * betas, pull, 1 / pull], axis=1)
        for block, own in zip(self._blocks, self._in_lanes(gains), strict=True):
            block.gains[0] = own

    def _work_for(self, batch_size):
        if self._work.base.shape[0] < batch_size:
            k, d = self._shape[1:]
            self._work = work_arrays(batch_size, k, d, self._rule.n_steps, self._dtype)
        return self._work

    def _in_lanes(self, values, dtype=None):
        """(r, ...) -> (blocks, ..., lanes), zeros in the lanes left over."""
        width = WIDTH[self._dtype]
        lanes = np.zeros((len(self._blocks), *np.shape(values)[1:], width), dtype or self._dtype)
        for block, first in zip(lanes, range(0, len(values), width), strict=True):
            own = values[first : first + width]
            block[..., : len(own)] = own.transpose(*range(1, own.ndim), 0)
        return lanes

    def _without_lanes(self, values):
        """Lanes of each block, (..., lanes) -> (r, ...), a copy."""
        axes = (values[0].ndim - 1, *range(values[0].ndim - 1))
        return np.concatenate([block.transpose(axes) for block in values])[: self._shape[0]]


def _ready(array, dtype):
    """The array as compiled code takes it: of this type, contiguous and writeable."""
    flags = array.flags
    if array.dtype == dtype and flags.c_contiguous and flags.writeable:
        return array
    return np.require(array, dtype, ["C", "W"])
