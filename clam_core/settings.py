"""What the estimator's settings may be, and what they resolve to."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from clam_core.corruption import CORRUPTIONS, MASK_VALUES, Corruption, Intact, Mask, Noise
from clam_core.energy import ENERGIES, Spherical, make_energy
from clam_core.engines import Engine
from clam_core.schedule import SCHEDULES
from clam_core.seeding import INITS
from clam_core.selection import SELECTIONS

if TYPE_CHECKING:
    from clam_core.estimator import ClAM

ENGINES = ("auto", "numba", "torch", "autograd")
_CHOICES = {
    "energy": ENERGIES,
    "loss": ("squared", "absolute"),
    "corruption": ("auto", *CORRUPTIONS),
    "mask_value": MASK_VALUES,
    "init": INITS,
    "schedule": SCHEDULES,
    "selection": SELECTIONS,
    "engine": ENGINES,
    "dtype": ("float32", "float64"),
}
_AUTO = ("beta", "n_epochs", "batch_size")


def check_settings(model: ClAM) -> None:
    """Raise ValueError for the first setting outside its range: name, value, rule."""
    for name in ("n_clusters", "n_steps", "n_init", "n_epochs", "batch_size"):
        _check_number(model, name, Integral, ">= 1", lambda value: value >= 1)
    for name in ("beta", "learning_rate", "noise_scale"):
        _check_number(model, name, Real, "> 0 and finite", lambda value: 0 < value < np.inf)
    _check_number(model, "mask_rate", Real, "in (0, 1)", lambda value: 0 < value < 1)
    if model.step_size is not None:
        _check_number(model, "step_size", Real, "in (0, 1]", lambda value: 0 < value <= 1)
    for name, allowed in _CHOICES.items():
        value = getattr(model, name)
        if name == "init" and not isinstance(value, str):
            continue
        if not isinstance(value, str) or value not in allowed:
            raise ValueError(f"{name}={value!r} should be one of {', '.join(allowed)}.")
    _check_device(model.device)
    if model.weights is not None:
        if model.energy == "weighted" and np.shape(model.weights) != (model.n_clusters,):
            raise ValueError(
                f"weights of shape {np.shape(model.weights)} should have shape "
                f"({model.n_clusters},)."
            )
        make_energy(model.energy, model.weights)


def _check_device(device: str) -> None:
    try:
        torch.zeros(1, device=device).cpu()
    except (RuntimeError, AssertionError, TypeError, NotImplementedError) as error:
        raise ValueError(
            f"device={device!r} should be a torch device of this machine, such as 'cpu'."
        ) from error


def check_rows(model: ClAM, X: NDArray) -> None:
    """Raise ValueError where the rows (n, d) cannot carry the clusters asked for."""
    n, k = len(X), model.n_clusters
    if n < k:
        raise ValueError(f"n_clusters={k} should be <= n_samples={n}.")
    if (empty := np.isnan(X).all(0)).any():
        raise ValueError(
            f"X has no value at all in column {int(empty.argmax())}; leave that column out."
        )
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


def check_distinct(model: ClAM, rows: NDArray) -> None:
    """Raise ValueError where prepared rows (n, d) hold fewer distinct ones than clusters."""
    k = model.n_clusters
    if not isinstance(model.init, str):
        return
    for part in (rows[: 100 * k], rows):  # the first rows nearly always settle it
        distinct = len(np.unique(part, axis=0))
        if distinct >= k:
            return
    raise ValueError(f"n_clusters={k} should be <= {distinct}, the number of distinct rows of X.")


def epochs_and_batch(model: ClAM, n: int) -> tuple[int, int]:
    """Epochs and batch size for n rows, "auto" resolved."""
    n_epochs, batch_size = model.n_epochs, model.batch_size
    if isinstance(n_epochs, str):
        n_epochs = 100 if n < 1000 else 50 if n < 20_000 else 20
    if isinstance(batch_size, str):
        batch_size = 16 if n < 500 else 32 if n < 20_000 else 256
    return n_epochs, batch_size


def step_size(model: ClAM) -> float:
    """dt/tau, 1/T unless given."""
    return 1 / model.n_steps if model.step_size is None else model.step_size


def choose_engine(model: ClAM, rows: NDArray, has_gaps: bool) -> str:
    """Name of the engine for prepared rows (n, d): by what it can do, then by what is quicker.

    The sphere needs the direct form, and so do rows with gaps off the CPU. On the CPU the times
    of a batch, fitted to measurements on one thread in microseconds, decide: compiled lanes carry
    16 restarts for the price of one, k-space lets each row go through the caches once.
    """
    if model.energy == "spherical":
        return "autograd"
    on_cpu = torch.device(model.device).type == "cpu"
    if model.engine == "numba" and not on_cpu:
        raise ValueError(f"engine='numba' needs device='cpu', not {model.device!r}.")
    if has_gaps:
        return "numba" if on_cpu and model.engine in ("auto", "numba") else "autograd"
    if model.engine != "auto":
        return model.engine
    r, k, depth = model.n_init, model.n_clusters, model.n_clusters * model.n_steps
    n, n_features = rows.shape
    batch = min(epochs_and_batch(model, n)[1], n) * k
    lanes = -(-r // 16) * batch * (0.0021 * n_features + 0.0006 * depth + 0.01 * model.n_steps)
    torch_time = 150 + r * batch * (0.00012 * n_features + 0.0002 * depth + 0.001 * model.n_steps)
    if model.loss == "absolute":
        torch_time = 700 + r * batch * (0.0003 * n_features + 0.0004 * depth)
    return "numba" if on_cpu and lanes < torch_time else "torch"


def make_engine(model: ClAM, name: str, memories: NDArray, beta: float | NDArray) -> Engine:
    """Engine by its name, with memories (r, k, d) and beta, one or (r,), in prepared units."""
    log_weights = np.zeros(memories.shape[:2])
    if model.weights is not None:
        log_weights += np.log(np.asarray(model.weights, dtype=np.float64))
    settings = {
        "beta": beta,
        "n_steps": model.n_steps,
        "step_size": step_size(model),
        "loss": model.loss,
        "learn_weights": model.energy == "weighted" and model.weights is None,
    }
    if name == "numba":  # compiled code is imported only where it serves
        from clam_core.lane_engine import LaneEngine

        return LaneEngine(memories, log_weights, dtype=np.dtype(model.dtype).type, **settings)
    from clam_core.direct import DirectEngine
    from clam_core.kspace import KSpaceEngine

    settings |= {"dtype": getattr(torch, model.dtype), "device": model.device}
    if name == "torch":
        return KSpaceEngine(memories, log_weights, **settings)
    sphere = Spherical() if model.energy == "spherical" else None
    return DirectEngine(memories, log_weights, energy=sphere, **settings)


def warm_up() -> None:
    """Compile both engines of the CPU, or load them from Numba's cache on disk.

    Takes some twenty seconds the first time on a machine and next to nothing later; nothing
    breaks without it, the first fit is just late by as much.
    """
    from clam_core.estimator import ClAM

    for engine in ("numba", "torch"):
        ClAM(1, engine=engine, n_init=1, n_epochs=5, random_state=0).fit([[0.0], [1.0]])


def make_corruption(model: ClAM, rows: NDArray, varies: NDArray[np.bool_]) -> Corruption:
    """Corruption for prepared rows (n, d); there is nothing to mask in one column."""
    eligible = np.flatnonzero(varies)
    kind = model.corruption
    if kind == "auto":
        kind = "mask" if len(eligible) >= 4 else "none"
    if kind == "noise":
        return Noise(model.noise_scale)
    if kind == "none" or len(eligible) == 0 or rows.shape[1] < 2:
        return Intact()
    fill = {"mean": np.mean, "min": np.min, "max": np.max}[model.mask_value](rows, axis=0)
    return Mask(model.mask_rate, fill.astype(rows.dtype), eligible)


def _check_number(
    model: ClAM, name: str, kind: type, rule: str, holds: Callable[[Any], bool]
) -> None:
    value = getattr(model, name)
    if isinstance(value, str) and value == "auto" and name in _AUTO:
        return
    if not isinstance(value, kind) or isinstance(value, bool) or not holds(value):
        also = " or 'auto'" if name in _AUTO else ""
        raise ValueError(f"{name}={value!r} should be {rule}{also}.")
