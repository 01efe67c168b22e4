"""Energies of a dense associative memory: the specification that recall and training follow.

Every kind here scores a query ``v`` against each memory by a form that is linear in ``v`` up to a
term shared by all memories,

    logit_mu(v) = bias_mu + gain * <key_mu, v>,

and one softmax of it drives the dynamics. That is what makes recall quick: it needs inner
products with the memories and nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

ENERGIES = ("euclidean", "weighted", "spherical")
Beta = TypeVar("Beta", float, Tensor)
"""One inverse temperature for all queries, or a column of one each, shape (..., n, 1)."""


def squared_distances(x: Tensor, memories: Tensor) -> Tensor:
    """Squared Euclidean distances, ``||x - rho||^2``, never negative.

    Both sides are centred on the memories' mean first, so that a large common offset costs no
    digits; the expanded form is then clamped at 0.

    Parameters
    ----------
    x : Tensor of shape (..., n, d)
    memories : Tensor of shape (..., k, d)

    Returns
    -------
    Tensor of shape (..., n, k)
        In squared units of the data.
    """
    origin = memories.mean(-2, keepdim=True)
    x, memories = x - origin, memories - origin
    inner = x @ memories.mT
    squares = x.square().sum(-1, keepdim=True) + memories.square().sum(-1).unsqueeze(-2)
    return (squares - 2 * inner).clamp_min(0)


@dataclass(frozen=True)
class Energy(ABC):
    """Energy ``E(v)`` of a query given the memories, and the step that lowers it.

    Shapes: queries ``x`` (..., n, d), memories (..., k, d). ``beta`` is the inverse temperature,
    either one number or a column (..., n, 1) with one for each query.
    """

    name: ClassVar[str]
    flat: ClassVar[bool]
    """True in R^d, where iterates are affine combinations of the start and the memories."""

    @abstractmethod
    def log_affinity(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        """Log of each memory's unnormalised share of a query, shape (..., n, k)."""

    @abstractmethod
    def keys(self, memories: Tensor) -> Tensor:
        """Return the vectors that a query is compared with and pulled to, shape (..., k, d)."""

    @abstractmethod
    def gain(self, beta: Beta) -> Beta:
        """Factor of ``<key, v>`` in the logit."""

    @abstractmethod
    def bias(self, keys: Tensor, beta: float | Tensor) -> Tensor:
        """Part of the logit that does not depend on the query, shape (..., k)."""

    @abstractmethod
    def velocity(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        """Direction of a step from ``x``, shape (..., n, d)."""

    @abstractmethod
    def project(self, x: Tensor, hidden: Tensor | None = None) -> Tensor:
        """Bring ``x`` back to the energy's space, moving the hidden coordinates only."""

    def value(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        """Energy ``-(1/beta) log sum_mu exp(log_affinity_mu)``, shape (..., n)."""
        return -(self.log_affinity(x, memories, beta).logsumexp(-1, keepdim=True) / beta).squeeze(
            -1
        )

    def pull(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        """Softmax-weighted mean of the keys, where all memories together draw ``x``."""
        return torch.softmax(self.log_affinity(x, memories, beta), -1) @ self.keys(memories)


class _Flat(Energy):
    """What the two energies on R^d share."""

    flat = True

    def keys(self, memories: Tensor) -> Tensor:
        return memories

    def gain(self, beta: Beta) -> Beta:
        return 2 * beta

    def bias(self, keys: Tensor, beta: float | Tensor) -> Tensor:
        return -beta * keys.square().sum(-1)

    def project(self, x: Tensor, hidden: Tensor | None = None) -> Tensor:
        return x

    def log_affinity(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        return -beta * squared_distances(x, memories)

    def velocity(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        return self.pull(x, memories, beta) - x


@dataclass(frozen=True)
class Euclidean(_Flat):
    """Equation 1: ``E(v) = -(1/beta) log sum_mu exp(-beta ||rho_mu - v||^2)``.

    Its velocity (equation 2) is ``-1/2 grad E``; ``beta`` is in 1/length^2.
    """

    name = "euclidean"


@dataclass(frozen=True, eq=False)
class Weighted(_Flat):
    """Equations 10 and 11: memory mu attracts with weight ``eps_mu > 0``.

    ``E(v) = -(1/beta) log sum_mu eps_mu exp(-beta ||rho_mu - v||^2)``; velocity ``-1/2 grad E``.

    Parameters
    ----------
    log_weights : Tensor of shape (..., k)
        ``log eps_mu``.
    """

    log_weights: Tensor
    name = "weighted"

    def bias(self, keys: Tensor, beta: float | Tensor) -> Tensor:
        """Part of the logit that does not depend on the query, shape (..., k)."""
        return super().bias(keys, beta) + self.log_weights.to(keys)

    def log_affinity(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        """Log of each memory's unnormalised share of a query, shape (..., n, k)."""
        return super().log_affinity(x, memories, beta) + self.log_weights.to(x).unsqueeze(-2)


@dataclass(frozen=True)
class Spherical(Energy):
    """Equation 12, on the unit sphere: ``E(v) = -(1/beta) log sum_mu exp(beta <rho~_mu, v>)``.

    ``rho~`` is a memory at unit length. The velocity is all of ``-grad E``; ``beta`` has no unit.
    """

    name = "spherical"
    flat = False

    def keys(self, memories: Tensor) -> Tensor:
        """Memories at unit length, shape (..., k, d)."""
        return self.project(memories)

    def gain(self, beta: Beta) -> Beta:
        """Factor of ``<key, v>`` in the logit."""
        return beta

    def bias(self, keys: Tensor, beta: float | Tensor) -> Tensor:
        """Part of the logit that does not depend on the query: none."""
        return keys.new_zeros(keys.shape[:-1])

    def project(self, x: Tensor, hidden: Tensor | None = None) -> Tensor:
        """Rows at unit length, visible coordinates kept; a zero row stays zero."""
        tiny = torch.finfo(x.dtype).tiny
        if hidden is None:
            return x / torch.linalg.vector_norm(x, dim=-1, keepdim=True).clamp_min(tiny)
        moving, fixed = x * hidden, x * ~hidden
        room = (1 - fixed.square().sum(-1, keepdim=True)).clamp_min(0).sqrt()
        length = torch.linalg.vector_norm(moving, dim=-1, keepdim=True).clamp_min(tiny)
        return fixed + moving * (room / length)

    def log_affinity(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        """``beta <rho~, v>``, shape (..., n, k)."""
        return beta * (x @ self.keys(memories).mT)

    def velocity(self, x: Tensor, memories: Tensor, beta: float | Tensor) -> Tensor:
        """``-grad E``, shape (..., n, d)."""
        return self.pull(x, memories, beta)


def make_energy(kind: str, weights: ArrayLike | None = None) -> Energy:
    """Energy by its name, as settings and links write it.

    Parameters
    ----------
    kind : {"euclidean", "weighted", "spherical"}
    weights : (k,) positive numbers, optional
        Attraction of each memory; needed by "weighted", refused by the others.

    Returns
    -------
    Energy

    Raises
    ------
    ValueError
        If the kind is unknown, or weights are missing, superfluous, or not finite and > 0.
    """
    if kind not in ENERGIES:
        raise ValueError(f"energy={kind!r} should be one of {', '.join(ENERGIES)}.")
    if kind != "weighted":
        if weights is not None:
            raise ValueError(f"weights should be None for energy={kind!r}.")
        return Euclidean() if kind == "euclidean" else Spherical()
    if weights is None:
        raise ValueError("weights=None should be k numbers > 0 for energy='weighted'.")
    array = np.asarray(weights, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all() or (array <= 0).any():
        raise ValueError(f"weights={array.tolist()} should be a list of finite numbers > 0.")
    return Weighted(torch.from_numpy(np.log(array)))
