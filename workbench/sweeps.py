"""What a tuning tries: which setting is swept, over which values, for which T."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.table import DataError

STEPS = (1, 2, 3, 5, 7, 10, 12, 15, 20)
"""Values of T that are offered; the paper used 2 to 20."""
_BETAS, _MAP_BETAS = 17, 13
_DECADES = 2.0  # of beta to either side of "auto"
_MASK_RATES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
_FEW = 9  # columns up to which each number of hidden ones is tried


@dataclass(frozen=True)
class Sweep:
    """One kind of tuning.

    Attributes
    ----------
    name : str
        On the screen.
    setting : str
        That is swept, of `METHODS["clam"]`.
    scale : {"log", "linear", "choice"}
        How its axis is spaced.
    steps : tuple of int
        Values of T that are tried unless others are asked for.
    source : str
        Where the paper has it.
    """

    name: str
    setting: str
    scale: str
    steps: tuple[int, ...]
    source: str


SWEEPS: Mapping[str, Sweep] = MappingProxyType(
    {
        "beta": Sweep("β", "beta", "log", (2, 5, 10, 20), "Figure 7"),
        "learning_rate": Sweep("Learning rate", "learning_rate", "log", (2, 5, 10, 20), "Figure 8"),
        "mask_rate": Sweep("Mask rate", "mask_rate", "linear", (5, 10, 20), "Figure 9"),
        "mask_value": Sweep("Mask value", "mask_value", "choice", (2, 5, 10, 20), "Figure 10"),
        "map": Sweep("β × T map", "beta", "log", (1, 2, 3, 5, 7, 10, 15, 20), ""),
    }
)


@dataclass(frozen=True)
class Plan:
    """What is asked for: a sweep, its T and a budget.

    Parameters
    ----------
    sweep : str, default "beta"
        Key in `SWEEPS`.
    steps : tuple of int, default those of the sweep
        Values of T, rising.
    seconds : float, default 60
        After so many no more is trained; what is done is kept.

    Raises
    ------
    DataError
        In one sentence, where a value is not legal.
    """

    sweep: str = "beta"
    steps: tuple[int, ...] = ()
    seconds: float = 60.0

    def __post_init__(self):
        if self.sweep not in SWEEPS:
            raise DataError(f"sweep={self.sweep!r} should be one of {', '.join(SWEEPS)}.")
        steps = tuple(sorted(set(self.steps))) or SWEEPS[self.sweep].steps
        for n_steps in steps:
            if n_steps != int(n_steps) or not 1 <= n_steps <= 100:
                raise DataError(f"T={n_steps:g} should be a whole number from 1 to 100.")
        if not 0 < self.seconds <= 24 * 3600:
            raise DataError(f"seconds={self.seconds:g} should be > 0 and at most a day.")
        object.__setattr__(self, "steps", steps)

    @property
    def kind(self):
        """The `Sweep` asked for."""
        return SWEEPS[self.sweep]

    def fixed(self):
        """Return settings that the sweep needs, whatever the Recipe says."""
        masked = self.kind.setting.startswith("mask")
        return {"corruption": "mask"} if masked else {}


def values_of(plan, X, beta):
    """Return the values that are tried, by the data.

    Parameters
    ----------
    plan : Plan
    X : ndarray of shape (n, d)
        Prepared rows, NaN where a value is missing.
    beta : float
        That "auto" finds, or the Recipe's own: betas spread evenly on a log scale from a
        hundredth of it to a hundred times as much.

    Returns
    -------
    tuple of float or of str

    Raises
    ------
    DataError
        In one sentence, where there is nothing to sweep.
    """
    setting = plan.kind.setting
    if setting == "beta":
        n = _MAP_BETAS if plan.sweep == "map" else _BETAS
        return _short(np.clip(beta * np.logspace(-_DECADES, _DECADES, n), 1e-5, 1e6))
    if setting == "learning_rate":
        return _short(np.logspace(-4, 0, 9))
    varying = int((np.nanmax(X, axis=0) > np.nanmin(X, axis=0)).sum())
    most = min(varying, X.shape[1] - 1)
    if most < 1:
        raise DataError("A mask needs two columns at least, one of which varies.")
    return ("mean", "min", "max") if setting == "mask_value" else _rates(X.shape[1], most)


def _rates(d, most):
    """Shares of d columns that hide different numbers of them, `most` at most."""
    if d <= _FEW + 1:
        return _short([hidden / d for hidden in range(1, most + 1)])
    by_number = {max(1, min(round(rate * d), most)): rate for rate in reversed(_MASK_RATES)}
    return tuple(sorted(by_number.values()))


def _short(values: Any):
    """Four figures, so that tables and recipes are legible; each value once."""
    return tuple(dict.fromkeys(float(f"{value:.4g}") for value in values))


def coarse_first(m):
    """Order m places so that any first few of them are spread over all.

    Returns
    -------
    list of int
        0 first, then the middle, then the quarters, and so on.
    """
    bits = max(1, (m - 1).bit_length())
    return sorted(range(m), key=lambda place: int(f"{place:0{bits}b}"[::-1], 2))
