"""What the page of runs says, made from what the history has."""

import time

from ui.cluster_words import score
from ui.jobs import KEPT_SECONDS
from workbench.keeping import UNDO, Limits
from workbench.methods import METHODS
from workbench.words import count

SCORES = {"silhouette": "silhouette", "nmi": "NMI", "ari": "ARI"}
EMPTY = (
    "No runs yet. Each run that ends on the Cluster page, to its end or cancelled with something "
    "to keep, appears here by itself: its settings, labels, scores and picture. From here it is "
    "opened again, named, compared with another, or deleted."
)
REFUSED = (
    "This browser keeps no cookies for this page, so these runs are found only until you leave or "
    "reload it."
)
ASKS_FOR_FILE = (
    "This run was made with a file that is not here. Below is what was kept of it; choose the "
    "same file on the Cluster page to see all of it again."
)


def privacy(folder):
    """Say where data are, and for how long.

    Parameters
    ----------
    folder : Path
        Of the history.
    """
    limits = Limits()
    return (
        "Your file is in the memory of the computer that runs Basinscope while this page is open "
        f"and for {KEPT_SECONDS // 60} minutes after a run of it. The history keeps labels and "
        "numbers of each run, "
        f"and the names of its columns, in {folder} on that computer, and the file itself only if "
        "you choose so. Only this browser finds them: it keeps an id in a cookie, and links never "
        f"hold it. A run that is not opened for {limits.days:g} days is removed; beyond "
        f"{limits.workspace / 1e6:,.0f} MB the oldest runs without a name go first. What you "
        f"delete can be brought back for {UNDO // 60} minutes and is then erased."
    )


def title(entry):
    """Name a run: by its own name, else by what it is."""
    return entry.name or described(entry)


def described(entry):
    """Say what a run is: table, method and k."""
    facts = entry.facts
    table = facts["table"].partition(":")[0]
    return f"{table}, {METHODS[facts['method']].name}, k = {facts['k']}"


def line(entry, now=None):
    """Say what a run found and when, in one line.

    Parameters
    ----------
    entry : workbench.shelf.Entry
    now : float, optional
        Seconds since 1970.
    """
    facts = entry.facts
    parts = [described(entry)] if entry.name else []
    parts += [f"{count(facts['rows'], 'row')}", f"{facts['found']} of {facts['k']} found"]
    parts += [f"{SCORES[name]} {score(value)}" for name, value in facts["scores"].items()]
    if facts["cancelled"]:
        parts.append("cancelled")
    if entry.has_file:
        parts.append("file kept")
    return " · ".join([*parts, ago(entry.made, now)])


def ago(then, now=None):
    """Say how long ago something was."""
    seconds = (time.time() if now is None else now) - then
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= unit:
            return f"{count(int(seconds // unit), name)} ago"
    return "just now"


def removal(each, now=None):
    """Say what the history let go by itself."""
    if not each.runs:
        return f"A kept file was removed {ago(each.at, now)}, {each.reason}; its runs stay."
    were = "was" if each.runs == 1 else "were"
    return f"{count(each.runs, 'run')} {were} removed {ago(each.at, now)}, {each.reason}."


def agreement(found):
    """Say how far two runs agree.

    Parameters
    ----------
    found : workbench.side_by_side.Agreement or None
    """
    if found is None:
        return "They are of different tables, so there are no rows to compare them on."
    return (
        f"On the {count(found.rows, 'row')} that both have, they agree by an ARI of "
        f"{found.ari:z.2f} and an NMI of {found.nmi:z.2f} (1: the same groups, ARI 0: no more than "
        "chance). Clusters of the second have the colours of those of the first that they share "
        "most rows with."
    )


def picture(record):
    """Say what the picture of a kept run shows."""
    shown, rows = len(record.arrays["shown"]), record.facts["rows"]
    some = f"{shown:,} of {count(rows, 'row')}, drawn evenly"
    many = some if shown < rows else f"All {rows:,} rows"
    features = record.facts["features"]
    if len(features) == 1:
        laid = f"across by their {features[0]}"
    elif len(features) == 2:
        laid = "in their own two columns"
    else:
        spread = sum(record.facts["shares"])
        laid = f"seen along the two directions of largest spread ({spread:.0%} of it)"
    return f"{many}, {laid}. Colour and symbol say the cluster, numbered by size."


def escaped(text):
    """Write a person's own words without the marks that would format them."""
    return "".join("\\" + letter if letter in _MARKS else letter for letter in text)


_MARKS = "\\`*_{}[]()#+-!|~$:<>"
