"""How methods stand in a comparison: scores over seeds, ranks, and the same on null rows."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """One row of the table of a comparison.

    Attributes
    ----------
    method, name : str
        Key and name.
    fits, failed : int
        Fits that came to an end, and those that did not (cancelled ones do not count).
    mean, spread : mapping of str to float
        By key of `SCORES`: mean over the fits, and their standard deviation (NaN for one fit, 0
        where all agree).
    n_found : tuple of int
        Clusters with rows, by fit.
    noise : float
        Mean share of rows without a cluster.
    seconds, peak : float
        Mean time of a fit, and the most bytes that one held.
    ranks : mapping of str to float
        By score that is defined: 1 is best, equal ones share the mean of their places.
    rank : float
        Mean over all scores that are defined; NaN without a fit.
    null : mapping of str to float
        Mean scores on rows without clusters; empty where there were no such fits.
    error : str
        Why it failed, in one sentence; empty where it did not.
    """

    method: str
    name: str
    fits: int
    failed: int
    mean: Mapping[str, float]
    spread: Mapping[str, float]
    n_found: tuple[int, ...]
    noise: float
    seconds: float
    peak: float
    ranks: Mapping[str, float]
    rank: float
    null: Mapping[str, float]
    error: str


def standings(entries) -> tuple[Standing, ...]:
    """Sum a comparison up, the best mean rank first, methods without a fit last.

    Parameters
    ----------
    entries : sequence of Entry

    Returns
    -------
    tuple of Standing
    """
    raise NotImplementedError


def null_row(entries) -> Mapping[str, tuple[float, float]]:
    """Return what scores come to without clusters: by key, the mean and the best of any method.

    Parameters
    ----------
    entries : sequence of Entry

    Returns
    -------
    mapping of str to (float, float)
        Empty where there were no fits on null rows.
    """
    raise NotImplementedError
