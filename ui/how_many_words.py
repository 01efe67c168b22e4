"""What is said of numbers of clusters, and of clusters that other seeds find again."""

import numpy as np

from ui.explore_words import capital, in_text
from workbench.how_many import REFERENCES
from workbench.stability import DOUBTED, TRUSTED
from workbench.words import count, listing

CRITERIA = {
    "silhouette": "Silhouette",
    "calinski": "Calinski-Harabasz",
    "davies": "Davies-Bouldin",
    "gap": "Gap statistic",
    "tree": "Attractor tree",
}
MEANING = {
    "silhouette": "highest: rows nearer to their own cluster than to the next",
    "calinski": "highest: spread between clusters over spread within",
    "davies": "lowest: spread of two clusters over their distance",
    "gap": "smallest k within one standard error of the next: better than no clusters at all",
    "tree": "the number of attractors that lasts longest over β",
}


def verdict(found):
    """Say whether the criteria agree on k.

    Parameters
    ----------
    found : workbench.how_many.HowMany
    """
    if found.cancelled:
        return "Stopped before the end: what is missing was not computed."
    picks = {name: k for name, k in found.picks.items() if k is not None}
    if found.picks["gap"] == 1:
        rest = [CRITERIA[name] for name in picks if name != "gap"]
        others = (
            f" {listing(rest)} cannot answer 1, so their picks say little here." if rest else ""
        )
        return (
            "The gap statistic favours no clusters: k-means finds no more order here than in an "
            f"even cloud.{others}"
        )
    if not picks:
        return "No criterion favours any k."
    by_k = {k: [CRITERIA[name] for name in picks if picks[name] == k] for k in picks.values()}
    if len(by_k) == 1:
        (k,) = by_k
        return f"{_all(len(picks))} agree on k = {k}."
    ordered = sorted(by_k, key=lambda k: (-len(by_k[k]), k))
    parts = [f"k = {k} ({listing(by_k[k])})" for k in ordered]
    last = max(found.ks)
    end = [CRITERIA[name] for name in picks if picks[name] == last and name != "tree"]
    beyond = (
        f" {listing(end)} only {'stop' if len(end) > 1 else 'stops'} at k = {last}, the last one "
        "tried: more may look better still."
        if end
        else ""
    )
    none = " The gap statistic picks none." if found.picks["gap"] is None else ""
    return f"They disagree: {', '.join(parts)}.{none}{beyond}"


def _all(number_of):
    return {1: "Only one criterion answers; it would", 2: "Both"}.get(
        number_of, f"All {number_of} criteria"
    )


def criterion(name, found):
    """Say what one criterion's curve shows."""
    pick = found.picks[name]
    head = f"{CRITERIA[name]}, {MEANING[name]}"
    return f"{head}. Picks {'none' if pick is None else f'k = {pick}'}."


def tree(found):
    """Say what the attractor tree says."""
    if not found.tree_of:
        return "No attractor tree."
    of = f"a ClAM of {count(found.tree_of, 'memory')}".replace("memorys", "memories")
    if found.plateau is None:
        return f"{CRITERIA['tree']} of {of}: no number of attractors lasts over a range of β."
    low, high = found.plateau
    return (
        f"{CRITERIA['tree']} of {of}: {found.picks['tree']} attractors from β = {low:.3g} to "
        f"{high:.3g}, {high / low:.1f} times."
    )


def how_found(found, method_name):
    """Say on which rows and by which method k was judged."""
    rows = (
        f"a stratified sample of {found.rows:,} of {found.n:,} rows"
        if found.rows < found.n
        else f"all {count(found.n, 'row')}"
    )
    return (
        f"On {rows}, in {found.seconds:.0f} s. The first three judge clusters of {method_name}, "
        f"the gap those of k-means beside {REFERENCES} even clouds in a box along the principal "
        "axes."
    )


def trust(found, names):
    """Say which clusters other seeds find again.

    Parameters
    ----------
    found : workbench.stability.Stability
    names : mapping of int to str
    """
    if not len(found.seeds):
        return "Stopped before another seed was done."
    known = np.flatnonzero(~np.isnan(found.clusters))
    kept = found.clusters[known]
    again, never = known[kept >= TRUSTED], known[kept < DOUBTED]
    partly = known[(kept < TRUSTED) & (kept >= DOUBTED)]
    who = count(len(found.seeds), "other seed")
    verbs = ("finds", "does") if len(found.seeds) == 1 else ("find", "do")
    if len(again) == len(known):
        least = float(kept.min())
        return (
            f"{who} {verbs[0]} every cluster again, the least alike with a Jaccard similarity of "
            f"{least:.2f} on average (1 is the same rows)."
        )
    parts = []
    if len(again):
        parts.append(f"{verbs[0]} {_listed(again, names)} again")
    if len(partly):
        parts.append(f"{verbs[0]} {_listed(partly, names)} only in part")
    if len(never):
        parts.append(f"{verbs[1]} not find {_listed(never, names)} (not to be trusted)")
    return f"{who} {', '.join(parts)}."


def _listed(labels, names):
    return listing([in_text(int(label), names) for label in labels])


def agreement(found):
    """Say how much the seeds agree among themselves."""
    rows = (
        f"a stratified sample of {found.rows:,} of {found.n:,} rows"
        if found.rows < found.n
        else "all rows"
    )
    if not len(found.pairs):
        return f"{capital(rows)}; one seed has nothing to be compared with."
    low, high = found.pairs.min(), found.pairs.max()
    spread_words = f"from {low:z.2f} to {high:z.2f}" if high - low >= 0.005 else "all alike"
    return (
        f"Adjusted Rand index of {count(len(found.pairs), 'pair')} of seeds: mean "
        f"{found.pairs.mean():z.2f}, {spread_words} (1 is the same clusters, 0 is chance). Each "
        f"bar: the best match of a cluster, rows in both over rows in either, on average over the "
        f"seeds; from {TRUSTED} on it counts as found again, below {DOUBTED} as not (Hennig, "
        f"2007). On {rows}, in {found.seconds:.0f} s."
    )
