"""The update of Z on any torch device: all rows at once, by one sparse product."""

from __future__ import annotations

import warnings

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from slk_core.assignment import Assignment, Coupling, Proximal, Stop
from slk_core.graph import Graph
from slk_core.kernels import LOWEST


class TorchAssignment:
    """See :class:`slk_core.assignment.Assignment`; here every row moves at once.

    Parameters
    ----------
    graph : Graph
    n_clusters : int
    coupling : Coupling
    dtype : numpy dtype
    device : str, default "cpu"
    """

    def __init__(
        self, graph: Graph, n_clusters: int, coupling: Coupling, dtype, *, device: str = "cpu"
    ) -> None:
        self.graph, self.coupling, self.device = graph, coupling, device
        self.dtype = torch.from_numpy(np.zeros(0, dtype)).dtype
        n = len(graph.degrees)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that sparse tensors are in beta, and unchecked
            self._W = torch.sparse_csr_tensor(
                torch.from_numpy(graph.indptr).to(device),
                torch.from_numpy(graph.indices).to(device),
                torch.from_numpy(graph.weights).to(device),
                size=(n, n),
            )
        self._d = torch.from_numpy(graph.degrees).to(device)
        self._pull = coupling.pull(graph)
        self._z = torch.from_numpy(self.columns(n, n_clusters, dtype)).to(device)
        self._proximal = Proximal()
        self.c = 0.0

    @property
    def z(self) -> NDArray:
        """Z, (n, k), in the graph's order."""
        return self._z.cpu().numpy()

    columns = staticmethod(Assignment.columns)

    @property
    def entropy(self) -> float:
        """Sum of z log z over all rows."""
        return float(torch.xlogy(self._z, self._z).sum(1).double().sum())

    def start(self, a: NDArray, t: float) -> None:
        """Set Z to softmax(a / t), one-hot where t = 0."""
        self._z = self._respond(torch.from_numpy(a).to(self.device), t, 0.0)
        self._proximal.c = self.c = 0.0

    def descend(
        self, a: NDArray, t: float, *, n_passes: int, enough: float, stop: Stop | None = None
    ) -> int:
        """Update until a pass lowers R by no more than `enough`, or is stopped."""
        kernel = torch.from_numpy(a).to(self.device)
        product = self._W @ self._z
        value = self._relaxation(self._z, kernel, product, t)
        for i in range(n_passes):
            if stop is not None and stop():
                return i
            while True:
                z = self._respond(self._field(kernel, product), t, self._proximal.c)
                there = self._W @ z
                changed = self._relaxation(z, kernel, there, t)
                if changed <= value or not self.coupling.guarded:
                    break
                if not self._proximal.rise(self.coupling.enough(self.graph, t)):
                    return i + 1
            self.c = self._proximal.c
            self._proximal.decay()
            gained = value - changed
            self._z, product, value = z, there, changed
            if abs(gained) <= enough:
                return i + 1
        return n_passes

    def _field(self, kernel: Tensor, product: Tensor) -> Tensor:
        """A + factor lam W Z, less the slope of the balance."""
        slope = self._pull * torch.outer(self._d, self._d @ self._z)
        return kernel + self.coupling.factor * self.coupling.lam * product - slope

    def _respond(self, field: Tensor, t: float, c: float) -> Tensor:
        if t <= 0:
            return torch.nn.functional.one_hot(field.argmax(1), field.shape[1]).to(self.dtype)
        logits = field / t
        if c > 0:
            logs = self._z.clamp_min(float(np.exp(LOWEST))).log()
            logits = (logits + c * logs) / (1 + c)
        return torch.softmax(logits, 1)

    def _relaxation(self, z: Tensor, kernel: Tensor, product: Tensor, t: float) -> float:
        """R, summed in double precision over the rows."""
        rows = t * torch.xlogy(z, z).sum(1) - (z * (kernel + self.coupling.lam * product)).sum(1)
        sums = (self._d @ z).double()
        balance = 0.5 * self._pull * sums.square().sum()
        return float(rows.double().sum() + balance)
