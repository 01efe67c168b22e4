"""Why a row lies in its cluster and not in another, column by column."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from workbench.flip import Flip, Switch, shortest_flip, switches


class Bar(NamedTuple):
    """What one column says for the row's own cluster against the other.

    Attributes
    ----------
    column : str
        Of the table; empty for the prototypes' weights.
    gap : float
        Positive where it speaks for the row's own cluster.
    missing : bool
        Whether the row has no value there, so that the column's mean was taken.
    """

    column: str
    gap: float
    missing: bool


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why one row lies where it does.

    Attributes
    ----------
    row : int
        Position in the dataset.
    label, other : int
        Its cluster, and that for which second most speaks; -1 where there is no other.
    bars : tuple of Bar
        The longest first; they add up to `gap`.
    gap : float
        Log affinity (in nats) to its own prototype less that to the other, or, for a rule without
        an inverse temperature, squared distance to the other less that to its own.
    distances : tuple of float
        To its own prototype and to the other, in prepared units; on the sphere chords.
    entropy : float or None
        Of its shares among all prototypes, in nats; None for a rule without.
    share : float or None
        Of its own prototype.
    flip : Flip or None
        The shortest move found that changes its cluster; None where none does.
    switches : tuple of Switch
        Columns of which a change alone changes its cluster, the nearest first.
    """

    row: int
    label: int
    other: int
    bars: tuple[Bar, ...]
    gap: float
    distances: tuple[float, float]
    entropy: float | None
    share: float | None
    flip: Flip | None
    switches: tuple[Switch, ...]


def explain(rule, dataset, labels, row):
    """Explain the cluster of one row.

    For log affinities `-beta ||x - rho||^2 + log w` the gap between two prototypes is a sum over
    columns, `beta ((x_j - rho'_j)^2 - (x_j - rho_j)^2)`, and one term for their weights; features
    of the same column of the table are added up.

    Parameters
    ----------
    rule : workbench.rule.Rule
    dataset : Dataset
    labels : ndarray of int, shape (n,)
        Clusters of all rows; this one's is >= 0.
    row : int
        Position in the dataset.

    Returns
    -------
    Explanation
    """
    point = rule.inside(dataset.X[[row]])
    label = int(labels[row])
    evidence = rule.evidence(point)[0]
    other = second(evidence, label, occupied=np.unique(labels[labels >= 0]))
    entropy, share = _shares(rule, evidence, label)
    if other < 0:
        own = float(np.sqrt(rule.squared_distances(point)[0, label]))
        return Explanation(
            row, label, other, (), 0.0, (own, float("nan")), entropy, share, None, ()
        )
    bars = _bars(rule, dataset, point[0], row, label, other)
    first, last = np.sqrt(rule.squared_distances(point)[0, [label, other]])
    return Explanation(
        row=row,
        label=label,
        other=other,
        bars=bars,
        gap=float(evidence[label] - evidence[other]),
        distances=(float(first), float(last)),
        entropy=entropy,
        share=share,
        flip=shortest_flip(rule, point[0], label) if rule.decides else None,
        switches=switches(rule, dataset, row, label, bars) if rule.decides else (),
    )


def second(evidence, label, *, occupied):
    """Return the prototype, other than the row's own, for which most speaks.

    Parameters
    ----------
    evidence : ndarray of shape (k,)
    label : int
    occupied : ndarray of int
        Clusters that have rows: an empty one is no alternative.

    Returns
    -------
    int
        -1 where there is none.
    """
    others = occupied[occupied != label]
    return int(others[np.argmax(evidence[others])]) if len(others) else -1


def _shares(rule, evidence, label):
    if rule.energy is None:
        return None, None
    logits = evidence - evidence.max()
    shares = np.exp(logits) / np.exp(logits).sum()
    logs = logits - np.log(np.exp(logits).sum())
    return float(max(0.0, -(shares * logs).sum())), float(shares[label])


def _bars(rule, dataset, point, row, label, other):
    own, far = rule.keys[label], rule.keys[other]
    unit = 1.0 if rule.energy is None else rule.beta * (0.5 if rule.spherical else 1.0)
    # As a product: squares of places far from the origin would lose the digits.
    by_feature = unit * (own - far) * (2 * point - own - far)
    missing = np.isnan(dataset.X[row])
    names = list(dict.fromkeys(dataset.origins))
    place = np.array([names.index(origin) for origin in dataset.origins])
    sums = np.bincount(place, by_feature, len(names))
    absent = np.bincount(place, missing, len(names)) > 0
    bars = [
        Bar(name, float(gap), bool(gone))
        for name, gap, gone in zip(names, sums, absent, strict=True)
    ]
    if rule.energy == "weighted":
        bars.append(Bar("", float(np.log(rule.weights[label] / rule.weights[other])), False))
    return tuple(sorted(bars, key=lambda bar: -abs(bar.gap)))
