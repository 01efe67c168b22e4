"""What the parts that explore a run say, made from its numbers."""

import numpy as np

from workbench.profiles import CLEAR
from workbench.remarkable import FAR, FEWEST
from workbench.words import count, listing

_TOLD = 4  # traits of a cluster, and columns of a row, in a sentence


def cluster_name(label, names):
    """Name a cluster: the reader's own name beside its number, where there is one.

    Parameters
    ----------
    label : int
        From 0; -1 is "not clustered".
    names : mapping of int to str
    """
    if label < 0:
        return "not clustered"
    name = names.get(label, "").strip()
    return f"{label + 1} · {name}" if name else f"cluster {label + 1}"


def in_text(label, names):
    """Name a cluster within a sentence: "cluster 2 (big spenders)"."""
    name = names.get(label, "").strip()
    return f"cluster {label + 1} ({name})" if name else f"cluster {label + 1}"


def capital(text):
    """Write the first letter large."""
    return text[:1].upper() + text[1:]


def number(value):
    """Write a number of the table's own in four figures: "1,234", "0.05"."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}".replace("-", "−")


def profile(found, label, size, names):
    """Say in one sentence what sets a cluster apart.

    Parameters
    ----------
    found : workbench.profiles.Profiles
    label, size : int
    names : mapping of int to str
    """
    head = f"{capital(in_text(label, names))} ({count(size, 'row')})"
    if not size:
        return f"{head}: empty."
    telling = found.telling(label)
    if not telling:
        return f"{head}: there is no other to compare it with."
    clear = [trait for trait in telling if abs(trait.effect) >= CLEAR][:_TOLD]
    if not clear:
        return f"{head}: nothing sets it clearly apart; most does {_trait(telling[0])}."
    used = ", ".join(_trait(trait) for trait in clear if trait.used)
    unused = ", ".join(_trait(trait) for trait in clear if not trait.used)
    return f"{head}: {'; not clustered by, yet '.join(filter(None, [used, unused]))}."


def _trait(trait):
    effect = _effect(trait.effect)
    if trait.category:
        return (
            f"{trait.column} {_quoted(trait.category)} {trait.inside:.0%} against "
            f"{trait.outside:.0%} (h = {effect})"
        )
    return f"{'high' if trait.effect > 0 else 'low'} {trait.column} (d = {effect})"


def _quoted(text):
    return f"“{text}”"


def _effect(value):
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:z.1f}".replace("-", "−")


def effects(found, shown, clusters_shown, k):
    """Say what the map of effects shows, what it leaves out, and what it does not prove."""
    of = len(found.columns)
    which = f"The {shown} columns of {of} that tell most" if shown < of else f"All {of} columns"
    told = [
        f"{which}, strongest first. A number is how many deviations the cluster's mean lies above "
        "(amber) or below (blue) that of all other rows: Cohen's d; for columns of categories, "
        "Cohen's h of the one whose share differs most."
    ]
    if clusters_shown < k:
        told.append(f"Of {k} clusters the {clusters_shown} largest are shown.")
    if any(not column.used for column in found.columns):
        told.append("Names in italics: columns that the rows were not clustered by.")
    if found.left_out:
        told.append(f"Left out, since they name rows or never vary: {listing(found.left_out)}.")
    return " ".join(told)


CAUTION = (
    "Clusters differ in the columns that they were found by, whatever the data are: such "
    "differences describe them and prove nothing, so no p-values are given. Columns that were not "
    "used are the fairer witnesses."
)


def spread(column, clusters, names, shown):
    """Say what the picture of one column shows.

    Parameters
    ----------
    column : workbench.profiles.Described
        Of numbers.
    clusters : sequence of workbench.distributions.Distribution
    names : mapping of int to str
    shown : int
        Clusters drawn.
    """
    medians = np.array([each.quantiles[2] for each in clusters[:shown]])
    known = np.flatnonzero(~np.isnan(medians))
    told = (
        f"{column.name} in each cluster: an outline is as wide as values are frequent, the bar "
        "spans the middle half, the dot is the median."
    )
    if len(known) > 1:
        low, high = (known[find(medians[known])] for find in (np.argmin, np.argmax))
        told += (
            f" Medians run from {_value(column, medians[low])} ({in_text(int(low), names)}) to "
            f"{_value(column, medians[high])} ({in_text(int(high), names)})."
        )
    return told


def _value(column, value):
    """Write a value of a column in its own terms: a day, a word, a number."""
    if column.dates:
        return str(np.datetime64(int(np.floor(value)), "D"))
    if column.order:
        return column.order[int(np.rint(value))]
    return number(value)


def shares(column, counts, names):
    """Say what the shares of a column's categories show."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    label, category = np.unravel_index(np.argmax(share), share.shape)
    return (
        f"Share of each {column.name} within each cluster; a column adds up to 100 %. The purest: "
        f"{share[label, category]:.0%} of {in_text(int(label), names)} are "
        f"{_quoted(column.categories[category])}."
    )


def representatives(recalled):
    """Say what the representative rows are nearest to."""
    to = (
        "where recall from the cluster's memory comes to rest (its attractor)"
        if recalled
        else "the cluster's own prototype"
    )
    return f"The rows of each cluster nearest to {to}; distance in units of the prepared data."


def outliers(found, n):
    """Say how many rows are outliers, by which rule, and what was not judged.

    Parameters
    ----------
    found : workbench.remarkable.Outliers
    n : int
        Rows that were clustered.
    """
    rule = (
        "A row counts as one where its distance to the nearest prototype exceeds its cluster's "
        f"median by more than {FAR} robust deviations (1.48 times the median absolute deviation)."
    )
    m = len(found.rows)
    if m:
        share = f"{m / n:.1%}"
        head = f"{count(m, 'row')} of {n:,} ({share}) {'lies' if m == 1 else 'lie'} far from all."
    else:
        head = f"None of the {n:,} rows lies far from all prototypes."
    told = f"{head} {rule}"
    if found.small:
        named = listing([label + 1 for label in found.small])
        plural = "s" if len(found.small) > 1 else ""
        told += f" Not judged, with fewer than {FEWEST} rows: cluster{plural} {named}."
    return told


def explanation(told, row_id, names, k):
    """Say why a row lies in its cluster.

    Parameters
    ----------
    told : workbench.explanation.Explanation
    row_id : int
    names : mapping of int to str
    k : int
        Prototypes, empty ones included.
    """
    own = in_text(told.label, names)
    if told.other < 0:
        return f"Row {row_id} lies in {own}, the only one with rows: there is nothing to compare."
    other = in_text(told.other, names)
    for_it = [bar.column for bar in told.bars if bar.gap > 0 and bar.column][:2]
    against = [bar.column for bar in told.bars if bar.gap < 0 and bar.column][:2]
    words = f"Row {row_id} lies in {own} rather than in {other}"
    if for_it:
        words += f" mostly by {listing(for_it)}"
    if against:
        words += f", against {listing(against)}"
    words += "."
    if told.gap < 0:
        words += (
            f" By affinity alone it would lie in {other}: recall carries it to the basin of {own}."
        )
    if told.share is not None:
        sure = 1 - told.entropy / np.log(k) if k > 1 else 1.0
        words += (
            f" Its own memory holds {told.share:.0%} of it, at an entropy of {told.entropy:.2f} "
            f"nats: {sure:.0%} of the way from undecided to sure."
        )
    return words


def flip(told, names, spherical, decides):
    """Say how far the row is from another cluster.

    Parameters
    ----------
    told : workbench.explanation.Explanation
    names : mapping of int to str
    spherical : bool
    decides : bool
        Whether prototypes alone decide.
    """
    if told.other < 0:
        return ""
    if not decides:
        return (
            "SLK's labels also follow the graph of neighbours, so that prototypes alone do not say "
            "how far this row is from changing its cluster."
        )
    if told.flip is None:
        return "No move toward another prototype changes its cluster."
    into = in_text(told.flip.into, names)
    far = (
        f"{told.flip.distance:.3g}°"
        if spherical
        else f"{told.flip.distance:.3g}, {told.flip.distance / told.distances[1]:.0%} of its "
        f"distance to the prototype of {in_text(told.other, names)}"
    )
    return f"It would change to {into} if it moved by {far}, in units of the prepared data."


def switches(told, names):
    """Say which column alone would change the row's cluster."""
    if not told.switches:
        return "No single column, moved within the values that it takes here, would change that."
    parts = [_switch(switch, names) for switch in told.switches[:3]]
    more = len(told.switches) - len(parts)
    tail = f" {count(more, 'more column')} would do it, too." if more else ""
    return f"One column alone would do it: {'; or '.join(parts)}.{tail}"


def _switch(switch, names):
    into = in_text(switch.into, names)
    if isinstance(switch.value, str):
        return f"{switch.column} {_quoted(switch.value)} instead of {_quoted(switch.was)} ({into})"
    up = switch.value > switch.was
    return (
        f"{switch.column} {'above' if up else 'below'} {number(switch.value)} instead of "
        f"{number(switch.was)} ({into})"
    )


def bars(told, unit):
    """Say what the bars show, and which of them stand for missing values."""
    words = (
        "Each bar is what one column says for the row's own cluster (blue, to the right) or for "
        f"the other (amber, to the left), in {unit}; together they make the sum."
    )
    missing = [bar.column for bar in told.bars if bar.missing]
    if missing:
        words += f" Missing, so taken at the column's mean: {listing(missing)}."
    return words
