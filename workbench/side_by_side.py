"""Two kept runs side by side: what differs, and how far they agree."""

import json
from typing import NamedTuple

import numpy as np

from workbench import metrics


class Difference(NamedTuple):
    """One thing that two Recipes say differently; a dash where one says nothing."""

    what: str
    first: str
    second: str


class Agreement(NamedTuple):
    """How far two clusterings agree on the rows that both have.

    Attributes
    ----------
    rows : int
        How many those are.
    ari, nmi : float
    numbers : ndarray of int, shape (k,)
        New number of each cluster of the second, so that colours keep their meaning.
    """

    rows: int
    ari: float
    nmi: float
    numbers: np.ndarray


def differences(first, second):
    """Return what two Recipes say differently.

    Parameters
    ----------
    first, second : str
        Recipes as JSON.

    Returns
    -------
    tuple of Difference
    """
    ours, theirs = (dict(_leaves(json.loads(text))) for text in (first, second))
    names = [*ours, *(name for name in theirs if name not in ours)]
    return tuple(
        Difference(name, ours.get(name, "—"), theirs.get(name, "—"))
        for name in names
        if ours.get(name) != theirs.get(name)
    )


def _leaves(value, path=()):
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _leaves(each, (*path, name))
    else:
        # Groups of the Recipe say nothing that the setting's own name does not.
        kept = path if len(path) < 2 or path[0] not in ("settings", "data") else path[1:]
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield " ".join(kept), text


def of_same_rows(first, second):
    """Whether two Recipes are of the same table, read in the same way.

    Parameters
    ----------
    first, second : str
        Recipes as JSON.

    Returns
    -------
    bool
    """
    ours, theirs = json.loads(first), json.loads(second)
    return all(ours.get(part) == theirs.get(part) for part in ("data", "reading"))


def agreement(first, second):
    """Compare the labels of two runs on the rows that both have.

    Parameters
    ----------
    first, second : workbench.record.Record

    Returns
    -------
    Agreement or None
        None where they are of different tables, or share no clustered row.
    """
    if not of_same_rows(first.recipe, second.recipe):
        return None
    _, ours, theirs = np.intersect1d(
        first.arrays["row_ids"], second.arrays["row_ids"], return_indices=True
    )
    a, b = first.arrays["labels"][ours], second.arrays["labels"][theirs]
    both = (a >= 0) & (b >= 0)
    if not both.any():
        return None
    a, b = a[both], b[both]
    # Empty clusters have numbers too: every one of both runs gets its own.
    k = max(first.facts["k"], second.facts["k"])
    numbers = metrics.matching(b, a)
    numbers = np.concatenate([numbers, np.arange(len(numbers), k)])
    return Agreement(int(both.sum()), metrics.ari(a, b), metrics.nmi(a, b), numbers)
