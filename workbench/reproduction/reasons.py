"""Why a number of ours is not the paper's: one sentence for each case that is understood."""

import math

CLOSE = 0.005
"""Silhouettes and indices nearer than this are called the same."""

_COLLAPSED = (
    "The published silhouette was met only by clusterings that leave several clusters empty; with "
    "all clusters thousands of configurations stay below it."
)
_UNSTABLE = (
    "165 faces of 1,024 pixels leave k-means unstable: by seed its silhouette is from .099 to .121."
)
_CASES = {
    ("Zoo", "clam"): "Which start is kept decides on Zoo: among many starts of plain k-means the "
    "one of best silhouette reaches .41 and the one of least inertia .374, so that ClAM's .412 "
    "beside k-means' .374 compares two rules.",
    ("MovLib", "kmeans"): "A thousand starts give .258 and fifty .240 to .251: the paper's number "
    "is what fewer starts give, though its Table 7 says a thousand.",
    ("Yale", "kmeans"): _UNSTABLE,
    ("Yale", "dec"): _UNSTABLE,
    ("MicePE", "kmeans"): "By seed k-means has from .117 to .129 on these data.",
    ("MicePE", "clam"): _COLLAPSED,
    ("CTG", "clam"): _COLLAPSED,
    ("Segment", "clam"): _COLLAPSED,
    ("FMNIST", "clam"): "Trained for a tenth of the epochs and with fewer restarts.",
}
_SHAPELESS = ("spectral", "agglomerative")
_SWOLLEN = ("GCM", "USPS", "CTG", "Segment")
"""Sets on which these methods end with one large cluster, by the paper's answer to its Q1."""
_NEARLY_ALL = " On this set it ends, it says, with one large cluster and many tiny ones."
_TUNED = {
    "spectral": "The paper keeps the best silhouette over affinity, its width, neighbours and "
    "the way of labelling.",
    "agglomerative": "The paper keeps the best silhouette over linkages and metrics.",
    "dcec": "The autoencoder is another one, and trained for less long.",
    "dec": "The paper keeps the best silhouette over sixteen update intervals.",
    "dec_random": "A random start decides much, and the paper keeps the best of several settings.",
    "unmasked": "The paper does not print this column's settings: ours are ClAM's own of Table 6.",
    "weighted": "The paper does not print this column's settings: ours are ClAM's own of Table 6.",
}


def why(name, column, measure, printed, ours, found):
    """Say why our number is not the paper's.

    Parameters
    ----------
    name, column, measure : str
        Set, column of Table 1, and "SC", "NMI", "ARI", "overlap" or "seconds".
    printed, ours : float
    found : Scored

    Returns
    -------
    str
        A sentence; nothing where there is nothing to say.
    """
    if math.isnan(printed) or math.isnan(ours):
        return ""
    if measure == "seconds":
        return "Other programs on another machine; ours trains all restarts of ClAM at once."
    if abs(ours - printed) <= CLOSE:
        return ""
    if name == "JV":
        return "The paper has a million rows generated from the 9,961 measured ones that ours are."
    if measure == "overlap":
        return _of_both(column)
    sentence = _CASES.get((name, column)) if measure == "SC" else None
    if sentence is not None:
        return sentence
    if column in _SHAPELESS and name in _SWOLLEN:
        return _TUNED[column] + _NEARLY_ALL
    return _TUNED.get(column) or _general(column, found)


def _general(column, found):
    if column == "kmeans":
        if found.rule == "silhouette":
            return "The paper keeps k-means' start of least inertia, ours that of best silhouette."
        return "k-means ends elsewhere from other starts."
    if found.rule == "own":
        return "The paper keeps the best silhouette of all it tried, ours the lowest loss."
    return "The paper keeps the best of a search over thousands of configurations; this is one."


def _of_both(column):
    if column == "kmeans":
        return "Two clusterings differ in two ways: ClAM's restart is another one than the paper's."
    return "ClAM's restart is another one, and the paper tuned this baseline by silhouette."
