"""What the estimator's settings may be, and what "auto" resolves to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from slk_core.affinity import kernel_width
from slk_core.assignment import Assignment, Coupling
from slk_core.graph import Graph
from slk_core.modes import EXACT_ROWS, KINDS
from slk_core.objective import coupling
from slk_core.selection import SELECTIONS

if TYPE_CHECKING:
    from slk_core.estimator import SLK

INITS = ("k-means++", "data")
_CHOICES = {
    "affinity": ("knn", "precomputed"),
    "affinity_kind": ("binary", "gaussian"),
    "modes": KINDS,
    "init": INITS,
    "selection": SELECTIONS,
    "method": ("auto", "exact", "approximate"),
    "engine": ("auto", "numba", "torch"),
    "dtype": ("float32", "float64"),
}
_AUTO = ("lam", "entropy_weight", "sigma")
_ORDER = 1.25
"""Default coupling in units of the one at which order and disorder coexist."""
_FEW, _MANY = 15, 60


def check_settings(model: SLK) -> None:
    """Raise ValueError for the first setting outside its range: name, value, rule."""
    for name in ("n_clusters", "n_neighbors", "n_init", "max_iter"):
        _check_number(model, name, Integral, ">= 1", lambda value: value >= 1)
    for name in ("lam", "entropy_weight", "balance", "tol"):
        _check_number(model, name, Real, ">= 0", lambda value: 0 <= value < np.inf)
    for name in ("sigma", "factor"):
        _check_number(model, name, Real, "> 0", lambda value: 0 < value < np.inf)
    for name, allowed in _CHOICES.items():
        value = getattr(model, name)
        if not isinstance(value, str) and name in ("affinity", "init"):
            continue
        if not isinstance(value, str) or value not in allowed:
            raise ValueError(f"{name}={value!r} should be one of {', '.join(allowed)}.")
    for name in ("normalised", "reset"):
        if not isinstance(value := getattr(model, name), (bool, np.bool_)):
            raise ValueError(f"{name}={value!r} should be True or False.")
    _check_anneal(model.anneal)
    _check_device(model)


def _check_anneal(anneal: Any) -> None:
    rule = f"anneal={anneal!r} should be one or more finite numbers > 0, the last of them 1."
    try:
        factors = np.asarray(anneal, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(rule) from error
    fine = factors.ndim == 1 and factors.size and np.isfinite(factors).all() and (factors > 0).all()
    if not fine or factors[-1] != 1:
        raise ValueError(rule)


def _check_device(model: SLK) -> None:
    if model.device == "cpu":
        return
    import torch  # only where it serves

    try:
        torch.zeros(1, device=model.device).cpu()
    except (RuntimeError, AssertionError, TypeError, NotImplementedError) as error:
        raise ValueError(
            f"device={model.device!r} should be a torch device of this machine, such as 'cpu'."
        ) from error
    if model.engine == "numba":
        raise ValueError(f"engine='numba' needs device='cpu', not {model.device!r}.")


def check_complete(X: NDArray) -> None:
    """Raise ValueError where a row of X (n, d) has a gap."""
    if not np.isnan(X.sum()):
        return
    row, column = np.argwhere(np.isnan(X))[0]
    raise ValueError(
        f"X is NaN in row {row}, column {column}; SLK needs complete rows: fill the gaps or leave "
        "them out."
    )


def check_rows(model: SLK, X: NDArray) -> None:
    """Raise ValueError where the rows (n, d) cannot carry what is asked for."""
    n, k = len(X), model.n_clusters
    if n < k:
        raise ValueError(f"n_clusters={k} should be <= n_samples={n}.")
    if model.modes == "exact" and n > EXACT_ROWS:
        raise ValueError(f"modes='exact' should have n_samples={n} <= {EXACT_ROWS}.")
    if isinstance(model.init, str):
        return
    shape = np.shape(model.init)
    if shape not in ((k, X.shape[1]), (model.n_init, k, X.shape[1])):
        raise ValueError(
            f"init of shape {shape} should have shape ({k}, {X.shape[1]}) or "
            f"({model.n_init}, {k}, {X.shape[1]})."
        )
    if not np.isfinite(np.asarray(model.init, dtype=np.float64)).all():
        raise ValueError("init should hold finite numbers only.")


def entropy_weight_of(model: SLK) -> float:
    """t: as given, or 1 up to 15 clusters and 1 / ln k from 60 on, with a smooth way between."""
    if not isinstance(model.entropy_weight, str):
        return float(model.entropy_weight)
    logs = np.log([max(model.n_clusters, 2), _FEW, _MANY])
    u = float(np.clip((logs[0] - logs[1]) / (logs[2] - logs[1]), 0, 1))
    share = u * u * (3 - 2 * u)
    return float(1 - share + share / max(logs[0], 1.0))


def lam_unit(model: SLK) -> float:
    """c(k) t / 2, in which lam is measured: where order and disorder coexist, for rows of W near 1.

    Without an entropy weight, t = 0, as if it were 1.
    """
    return coupling(model.n_clusters) * (entropy_weight_of(model) or 1.0) / 2


def lam_of(model: SLK, t: float, degrees: NDArray) -> float:
    """lam: as given, or 1.25 c(k) t / 2 over the mean row sum of W where that is not near 1."""
    if not isinstance(model.lam, str):
        return float(model.lam)
    scale = 1.0
    if not (is_knn(model) and model.normalised):
        scale = float(degrees[degrees > 0].mean()) if (degrees > 0).any() else 1.0
    return _ORDER * coupling(model.n_clusters) * t / 2 / scale


def is_knn(model: SLK) -> bool:
    """Whether W is built from the rows."""
    return isinstance(model.affinity, str) and model.affinity == "knn"


def stages_of(model: SLK, t: float) -> tuple[float, ...]:
    """Entropy weights of the anneal, the last of them t; one 0 where t is 0."""
    return tuple(float(factor) * t for factor in model.anneal) if t > 0 else (0.0,)


def engine_of(model: SLK) -> Any:
    """Maker of the Assignment: Numba on the CPU, torch elsewhere, or as asked for."""
    torch_serves = model.engine == "torch" or (model.engine == "auto" and model.device != "cpu")
    if not torch_serves:
        return Assignment
    from slk_core.torch_assignment import TorchAssignment  # torch is imported only where it serves

    return partial(TorchAssignment, device=model.device)


def edge_lengths(W: Any, X: NDArray) -> NDArray:
    """Lengths of the edges of a sparse W (n, n) between the rows of X, each once."""
    pairs = sparse.triu(W, 1).tocoo()
    lengths = np.empty(pairs.nnz)
    for i in range(0, pairs.nnz, 65_536):
        p, q = pairs.row[i : i + 65_536], pairs.col[i : i + 65_536]
        lengths[i : i + 65_536] = np.sqrt(np.square(X[p] - X[q]).sum(axis=1))
    return lengths


def width_without_edges(X: NDArray) -> float:
    """A width > 0 for rows (n, d) of which no edge has a length: any will do."""
    return kernel_width(X - X.mean(axis=0)) * X.shape[1] ** 0.5 or 1.0


def _check_number(
    model: SLK, name: str, kind: type, rule: str, holds: Callable[[Any], bool]
) -> None:
    value = getattr(model, name)
    if isinstance(value, str) and value == "auto" and name in _AUTO:
        return
    if not isinstance(value, kind) or isinstance(value, bool) or not holds(value):
        also = " or 'auto'" if name in _AUTO else ""
        raise ValueError(f"{name}={value!r} should be {rule}{also}.")


def warm_up() -> None:
    """Compile what the CPU needs, or load it from Numba's cache on disk.

    Takes some seconds the first time on a machine; without it the first fit is late by as much.
    """
    from slk_core.estimator import SLK

    SLK(1, n_init=1, random_state=0).fit([[0.0], [1.0], [2.0]])
    graph = Graph.of(sparse.csr_array(np.eye(2, dtype=np.float32)), np.float32)
    blocks = Assignment(graph, 1, Coupling(1.0), np.float32, at_once=True)
    blocks.descend(blocks.columns(2, 1, np.float32), 1.0, n_passes=1, enough=0.0)
