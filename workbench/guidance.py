"""What the evidence of a comparison favours, in a short and honest paragraph."""

import math
from collections import Counter
from dataclasses import dataclass

from workbench.methods import METHODS
from workbench.standings import NOISY
from workbench.words import count, listing

BETTER = 0.05
"""By so much the silhouette must be higher than on rows without clusters to mean anything."""
ALIKE = 0.01  # silhouettes that differ by less say nothing, however little seeds move them
_ALIKE_ONE_SEED = 0.03  # the same where no seeds tell how much they move
_ALIKE_E = 0.005  # E, per row
_SAME_E = 1e-6  # E of the same clusters
_SAME = 0.9  # adjusted Rand index from which two clusterings are nearly the same
_STEADY = 0.75
_FEW_ROWS = 50
_CRITERIA = {
    "silhouette": "silhouette", "calinski": "Calinski-Harabasz", "davies": "Davies-Bouldin",
    "gap": "gap statistic", "tree": "attractor tree",
}  # fmt: skip


@dataclass(frozen=True)
class Guidance:
    """What a comparison speaks for.

    Attributes
    ----------
    sentences : tuple of str
        A paragraph, in order.
    method : str or None
        Key of the method that is favoured; None where none is.
    k : int or None
        Number of clusters that is favoured; None where none is.
    """

    sentences: tuple[str, ...]
    method: str | None
    k: int | None


def guidance(standings, overlap=None, *, rule="own", n=0, asked=None, how_many=None) -> Guidance:
    """Say what the evidence favours, and where it favours nothing.

    The silhouette decides, since rows without clusters tell what it is worth, and only where it is
    higher than on those by 0.05, by more than seeds move it, and where SLK's E, which
    follows dense and connected groups instead of round ones, does not favour other clusters. The
    reference labels are told and decide nothing.

    Parameters
    ----------
    standings : sequence of Standing
        Of `workbench.standings.standings`.
    overlap : Overlap, optional
        How far the methods agree.
    rule : {"own", "silhouette"}, default "own"
        By which all kept one outcome of several.
    n : int, default 0
        Rows; 0 where that is not to be spoken of.
    asked : int, optional
        The k that methods were told.
    how_many : HowMany, optional
        Five criteria for k.

    Returns
    -------
    Guidance
    """
    scored = [each for each in standings if not math.isnan(each.mean.get("silhouette", math.nan))]
    if not scored:
        return Guidance((_unscored(standings),), None, None)
    rivals = [each for each in scored if each.noise <= NOISY] or scored
    best = max(rivals, key=_worth)
    said, clustered = _against_null(best, rivals)
    method = None
    if clustered:
        words, method = _between(best, rivals, overlap)
        said += words
    said += _left_out(scored, rivals, best)
    other = _other_k(best, rivals, asked)
    if method is not None and other:
        said.append(
            f"But {best.name} found {other} clusters, where others were told {asked}: that may be "
            f"the lead of k, not of the method. Race again with k = {other} to tell."
        )
        method = None
    words, k = _number(how_many, asked)
    said += [*_fewer(rivals, asked), *words, *_labels(rivals)]
    if rule == "silhouette":
        said.append(
            "Each method kept the outcome of highest SC, so SC also rewards those that tried more."
        )
    if 0 < n < _FEW_ROWS:
        said.append(f"All this rests on {count(n, 'row')}, which is little.")
    return Guidance(tuple(said), method, k if clustered else None)


def _unscored(standings):
    """Why there is no silhouette at all."""
    if any(found > 1 for each in standings for found in each.n_found):
        return (
            "Every cluster that was found is a single row, and SC is not defined for those, so "
            "there is nothing to favour."
        )
    return "No method found two clusters or more, so there is nothing to favour."


def _against_null(best, rivals):
    """What the best silhouette is worth, and whether that is anything."""
    told = best.mean["silhouette"]
    if not any(each.null for each in rivals):
        return [
            f"{best.name} has the highest SC, {told:.3f}; no rows without clusters were tried, so "
            "nothing tells what that is worth, and no method is favoured."
        ], False
    chance = _chance(best)
    if all(_worth(each) - _chance(each) < BETTER for each in rivals):
        return [
            "No method parts these rows clearly better than rows without any clusters: the highest "
            f"SC is {told:.3f} ({best.name}), against {chance:.3f} on those. The evidence favours "
            "no method and no k; there may be no clusters of the kind that SC sees."
        ], False
    return [
        f"There is something to find: SC is {told:.3f} at best ({best.name}), against "
        f"{chance:.3f} on rows without clusters."
    ], True


def _worth(standing, score="silhouette"):
    """A mean score; a silhouette with 0 for the rows left out, which would else only gain by it."""
    told = standing.mean[score]
    return told * (1 - standing.noise) if score == "silhouette" else told


def _chance(standing):
    """SC on rows without clusters; 0 where the method rightly finds no two of them."""
    found = standing.null.get("silhouette", math.nan)
    return 0.0 if math.isnan(found) else found


def _between(best, rivals, overlap):
    """Which method the scores favour, if any."""
    if len(rivals) == 1:
        return [f"Only {best.name} can be judged, so no method is favoured."], None
    alike = [each for each in rivals if _alike(best, each, "silhouette", ALIKE)]
    other = _by_graph(alike, rivals, overlap)
    doubt = []
    if other is not None:
        doubt = [
            f"SLK's E favours {_with_equals(other, rivals)}, whose clusters are others: SC likes "
            "round groups, E dense and connected ones. Look at both; the evidence does not decide."
        ]
    if len(alike) > 1:
        return [_tie(alike, overlap), *doubt], None
    if _worth(best) - _chance(best) < BETTER:
        return [f"{best.name} scores as high without clusters, so it is not favoured."], None
    if doubt:
        return doubt, None
    said = [f"The evidence favours {best.name}: its lead is larger than what seeds change."]
    if best.fits == 1:
        said = [f"The evidence favours {best.name}, on one seed only."]
    if best.agreement < _STEADY:
        said.append(
            f"Its own seeds find different clusters, though (ARI {best.agreement:.2f} on average)."
        )
    return said, best.method


def _with_equals(first, rivals):
    """Names of a method and of those of the same E."""
    level = first.mean["laplacian"]
    return listing(
        [
            each.name
            for each in rivals
            if each is first or abs(each.mean["laplacian"] - level) < _SAME_E
        ]
    )


def _tie(alike, overlap):
    names = listing([each.name for each in alike])
    said = f"{names} score alike, within {ALIKE:g} or what seeds change, so none is favoured"
    shared = _least_shared(alike, overlap)
    if math.isnan(shared):
        return f"{said}."
    if shared > 1 - 1e-9:
        return f"{said}; their clusters are the same."
    if shared >= _SAME:
        return f"{said}; their clusters are nearly the same (ARI {shared:.2f} or more)."
    return f"{said}; their clusters differ (ARI down to {shared:.2f})."


def _alike(best, other, score, least):
    """Whether two methods score alike: by no more than seeds change, or than `least`."""
    moves = [each.spread.get(score, math.nan) for each in (best, other)]
    known = [move for move in moves if not math.isnan(move)]
    if not known and score == "silhouette":
        least = _ALIKE_ONE_SEED
    values = [_worth(each, score) for each in (best, other)]
    return abs(values[0] - values[1]) <= max([*known, least])


def _least_shared(alike, overlap):
    if overlap is None or any(each.method not in overlap.methods for each in alike):
        return math.nan
    places = [overlap.methods.index(each.method) for each in alike]
    return float(overlap.ari[places][:, places].min())


def _by_graph(alike, rivals, overlap):
    """The method that E favours beyond doubt over the best by SC, and whose clusters are others."""
    known = [each for each in rivals if not math.isnan(each.mean["laplacian"])]
    first = min(known, key=lambda each: each.mean["laplacian"], default=None)
    if first is None or first in alike:
        return None
    for each in alike:
        shared = _least_shared([first, each], overlap)
        if each not in known or shared >= _SAME or _alike(first, each, "laplacian", _ALIKE_E):
            return None
    return first


def _other_k(best, rivals, asked):
    """The number that the best found by itself, where its rivals were told another; else None."""
    (found, *others) = set(best.n_found)
    told = any(not METHODS[each.method].finds_k for each in rivals)
    own = METHODS[best.method].finds_k and told and not others
    return found if own and asked is not None and found != asked else None


def _left_out(scored, rivals, best):
    """What is said of methods that leave rows out, whose SC is of the others only."""
    noisy = [each for each in scored if each.noise > NOISY]
    if not noisy:
        return []
    if best in noisy:
        return [f"{best.name} leaves {100 * best.noise:.0f} % of the rows out, which SC ignores."]
    names = listing([f"{each.name} ({100 * each.noise:.0f} %)" for each in noisy])
    return [f"Not ranked here, since SC ignores the rows that they leave out: {names}."]


def _fewer(rivals, asked):
    """What is said of methods that left clusters empty, which alone can raise SC."""
    found = {each.name: min(each.n_found) for each in rivals if not METHODS[each.method].finds_k}
    short = [f"{name} ({least})" for name, least in found.items() if least < (asked or 0)]
    if not short:
        return []
    return [
        f"Fewer clusters than the {asked} asked for, which alone can raise SC: {listing(short)}."
    ]


def _number(how_many, asked):
    """What the criteria say on k, and which one they favour."""
    if how_many is None:
        told = (
            "" if asked is None else f"Methods that take k were told {asked}; no other k was tried."
        )
        return [told] if told else [], None
    picks = {_CRITERIA[name]: k for name, k in how_many.picks.items() if k is not None}
    if not picks:
        return ["No criterion for k favours any."], None
    (k, votes), *others = Counter(picks.values()).most_common()
    if 2 * votes > len(_CRITERIA):
        names = listing([name for name, pick in picks.items() if pick == k])
        said = [f"On k, {votes} of {len(_CRITERIA)} criteria favour {k} ({names})."]
        if asked is not None and asked != k:
            said.append(f"The methods were told {asked}.")
        return said, k
    told = listing([f"{pick} ({name})" for name, pick in picks.items()])
    return [f"On k, the criteria do not agree: {told}."], None


def _labels(rivals):
    """What the reference labels say of methods that leave few rows out; they decide nothing."""
    known = [each for each in rivals if not math.isnan(each.mean.get("ari", math.nan))]
    if not known:
        return []
    best = max(known, key=lambda each: each.mean["ari"])
    alike = [each for each in known if _alike(best, each, "ari", ALIKE)]
    names = listing([each.name for each in alike])
    verb = "agrees" if len(alike) == 1 else "agree"
    return [
        f"With the reference labels, which decided nothing here, {names} {verb} most "
        f"(ARI {best.mean['ari']:.3f})."
    ]
