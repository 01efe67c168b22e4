"""How methods stand in a comparison: scores over seeds, ranks, and the same on null rows."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from workbench.entry import SCORES
from workbench.methods import METHODS
from workbench.metrics import ari

NOISY = 0.05
"""Share of rows left out, beyond which scores of the other rows are no rival to scores of all."""
_OF_ALL = ("laplacian",)  # scores that charge a method with the rows that it leaves out
_ALIKE = 6  # decimals: scores that differ by less share a rank


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
    agreement : float
        Mean adjusted Rand index between its clusterings by different seeds; NaN for one fit.
    n_found : tuple of int
        Clusters with rows, by fit.
    noise : float
        Mean share of rows without a cluster.
    seconds, peak : float
        Mean time of a fit, and the most bytes that one held.
    ranks : mapping of str to float
        By score that is defined for a method: 1 is best, equal ones share the mean of their
        places, and a method for which it is not defined comes last. So does one that leaves more
        than 5 % of the rows out, but in E: all others see only the rows that it found easy.
    rank : float
        Mean of the ranks; NaN without a fit.
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
    agreement: float
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
    methods = dict.fromkeys(entry.method for entry in entries)
    given = {key: [e for e in entries if e.method == key and not e.null] for key in methods}
    drawn = {key: [e for e in entries if e.method == key and e.null and e.done] for key in methods}
    done = {key: [entry for entry in own if entry.done] for key, own in given.items()}
    means = {key: _over(own, _mean) for key, own in done.items()}
    noise = {key: _mean([entry.noise for entry in own]) for key, own in done.items()}
    ranks = _ranks({key: _ranked(means[key], noise[key]) for key in methods if done[key]})
    found = [
        Standing(
            method=key,
            name=METHODS[key].name,
            fits=len(done[key]),
            failed=sum(bool(entry.error) for entry in given[key]),
            mean=means[key],
            spread=_over(done[key], _deviation),
            agreement=_agreement(done[key]),
            n_found=tuple(entry.n_found for entry in done[key]),
            noise=noise[key],
            seconds=_mean([entry.seconds for entry in done[key]]),
            peak=_most([entry.peak for entry in done[key]]),
            ranks=ranks.get(key, {}),
            rank=_mean(list(ranks.get(key, {}).values())),
            null=_over(drawn[key], _mean) if drawn[key] else {},
            error=next((entry.error for entry in given[key] if entry.error), ""),
        )
        for key in methods
    ]
    return tuple(sorted(found, key=lambda each: math.inf if math.isnan(each.rank) else each.rank))


def null_row(entries) -> Mapping[str, tuple[float, float]]:
    """Return what scores come to without clusters: by key, the mean and the best of any method.

    Parameters
    ----------
    entries : sequence of Entry

    Returns
    -------
    mapping of str to (float, float)
        Of the scores that need no reference labels; empty where there were no fits on null rows.
    """
    found = {}
    for key, score in SCORES.items():
        values = [entry.scores[key] for entry in entries if entry.null and entry.done]
        values = [value for value in values if not math.isnan(value)]
        if values and not score.labelled:
            found[key] = _mean(values), max(values) if score.higher else min(values)
    return found


def _over(entries, measure):
    return {key: measure([entry.scores.get(key, math.nan) for entry in entries]) for key in SCORES}


def _known(values):
    return [value for value in values if not math.isnan(value)]


def _mean(values):
    known = _known(values)
    return float(np.mean(known)) if known else math.nan


def _deviation(values):
    known = _known(values)
    return float(np.std(known, ddof=1)) if len(known) > 1 else math.nan


def _most(values):
    return max(_known(values), default=math.nan)


def _agreement(entries):
    pairs = combinations([entry.labels for entry in entries], 2)
    return _mean([ari_of_both(first, second) for first, second in pairs])


def ari_of_both(first, second):
    """Return the adjusted Rand index of the rows that both labelings give a cluster."""
    both = (first >= 0) & (second >= 0)
    return ari(first[both], second[both])


def _ranked(means, noise):
    """The scores by which a method is ranked: of all rows, or of nearly all."""
    if noise <= NOISY:
        return means
    return dict.fromkeys(means, math.nan) | {name: means[name] for name in _OF_ALL}


def _ranks(means):
    """Ranks by method and score, of the scores that are defined for any method."""
    from scipy.stats import rankdata

    found = {key: {} for key in means}
    for name, score in SCORES.items():
        values = np.round([mean[name] for mean in means.values()], _ALIKE)
        if np.isnan(values).all():
            continue
        losses = np.where(np.isnan(values), np.inf, -values if score.higher else values)
        for key, rank in zip(means, rankdata(losses), strict=True):
            found[key][name] = float(rank)
    return found
