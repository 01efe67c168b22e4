"""What the Papers page says, made from the numbers."""

import math
import re

from workbench.reproduction.reasons import CLOSE
from workbench.words import count, listing

AT_WORK = "Ours is being run; the result will stand here beside the paper's."
_NAMED = 4  # numbers named with a reason
_SCORES = {"SC", "NMI", "ARI"}  # on one scale: differences of other measures have another size


def to_run(item):
    """Say what Run does for an item that was not run yet.

    Parameters
    ----------
    item : workbench.reproduction.item.Item

    Returns
    -------
    str
    """
    if item.own:
        return "Choose the data and press Run ours: the result stands here beside the paper's."
    return "Press Run ours: it takes seconds, and the result stands here beside the paper's."


def compared(rows, *, ran):
    """Say how many numbers agree, and which differs most.

    Parameters
    ----------
    rows : sequence of workbench.reproduction.item.Compared
    ran : bool
        Whether ours were computed.

    Returns
    -------
    str
    """
    if not ran:
        return f"{count(len(rows), 'published number')}; ours were not run yet."
    both = [row for row in rows if not math.isnan(row.difference)]
    if not both:
        ours = sum(not math.isnan(row.ours) for row in rows)
        return f"{count(ours, 'number')} of ours, with none of the paper's to put beside."
    scores = [row for row in both if _SCORES & set(re.split(r"\W+", row.measure))]
    named = scores or both
    kind = "score" if scores else "number"
    words = (
        f"{count(len(named), kind)} of ours {'has' if len(named) == 1 else 'have'} a published one "
        "beside"
    )
    if not scores:
        return f"{words}."
    near = sum(abs(row.difference) <= CLOSE for row in scores)
    most = max(scores, key=lambda row: abs(row.difference))
    return (
        f"{words}; {near} of them within {CLOSE:g}. The largest difference is "
        f"{most.difference:+.3g}: {most.subject}, {most.measure}."
    )


def reasons(rows):
    """Give each reason once, with what it is of.

    Parameters
    ----------
    rows : sequence of workbench.reproduction.item.Compared

    Returns
    -------
    list of str
        Markdown.
    """
    of = {}
    for row in rows:
        if row.why:
            of.setdefault(row.why, []).append(f"{row.subject} ({row.measure})")
    told = []
    for why, places in of.items():
        if len(places) == len(rows):
            told.append(why)
        else:
            told.append(f"**{listing(places, _NAMED)}.** {why}")
    return told
