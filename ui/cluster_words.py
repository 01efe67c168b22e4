"""What the cluster page says about a run, made from its numbers."""

import numpy as np

from workbench.methods import METHODS
from workbench.projection import FEWEST_FOR_UMAP
from workbench.rows import row_ranges
from workbench.run import RIVAL_ROWS, RIVAL_STARTS, rival_rule
from workbench.words import count


def outcome(run):
    """Say in one short line what a run found."""
    ended = "Cancelled" if run.cancelled else "Done"
    value = run.scores["silhouette"]
    told = f", silhouette {value:z.2f}" if np.isfinite(value) else ""
    return f"{ended}: {count(run.n_found, 'cluster')} found{told}; the results follow."


def waiting(before):
    """Say how many runs come before the reader's."""
    are = "is" if before == 1 else "are"
    line = f"{count(before, 'run')} {are} before yours" if before else "yours is next"
    return f"Waiting: {line} …"


def out_of_date(run, recipe):
    """Say that the page has moved on since a run, and whether to another table; else nothing."""
    if run.recipe == recipe:
        return ""
    if run.recipe.changed(preparation={"rows": recipe.preparation.rows}) == recipe:
        few = sum(last - first + 1 for first, last in row_ranges(recipe.preparation.rows))
        which = f"the {count(few, 'row')} chosen" if few else "all rows again"
        return f"Out of date: these results are of other rows. Press Run to cluster {which}."
    if run.recipe.data == recipe.data:
        return "Out of date: these results belong to earlier settings. Run again to renew."
    same = getattr(run.recipe.data, "name", "") == getattr(recipe.data, "name", None)
    table = "another draw of the table" if same else f"another table, {run.dataset.name}"
    return f"Out of date: these results are of {table}. Run to see those of the one chosen now."


def sentences(run):
    """Say what to know about a run, one sentence each."""
    found = []
    if run.cancelled:
        found.append(
            f"Cancelled after epoch {_epochs_done(run)} of {run.n_epochs}: this is the best "
            "model until then, usable but perhaps not the best there is."
        )
    if run.n_found < len(run.sizes):
        one, several = METHODS[run.recipe.method].prototypes
        alone = len(run.sizes) - run.n_found == 1
        found.append(
            f"{len(run.sizes)} clusters were asked for and {run.n_found} "
            f"{'has' if run.n_found == 1 else 'have'} rows: the other "
            f"{f'{one} attracts' if alone else f'{several} attract'} none."
        )
    if not len(run.silhouettes):
        found.append(NO_SILHOUETTE)
    elif run.sizes.max() >= _NEARLY_ALL * run.sizes.sum():
        found.append(
            f"Cluster 1 holds {run.sizes.max() / run.sizes.sum():.0%} of the rows: a high "
            "silhouette then says only that a few rows lie far away. A log scale for skewed "
            "columns, or a robust scale, may show groups among the rest."
        )
    if run.rival:
        rule = rival_rule(run.recipe)
        on = f", found on {RIVAL_ROWS:,} rows" if len(run.labels) > RIVAL_ROWS else ""
        by = {"loss": "lowest inertia", "silhouette": "silhouette"}[rule]
        same = ", the kind of rule that chose ClAM's restart" * (run.recipe.method == "clam")
        found.append(f"k-means beside it: the best of {RIVAL_STARTS} starts by {by}{same}{on}.")
    return [*found, *run.notes]


_NEARLY_ALL = 0.95  # of the rows in one cluster

NO_SILHOUETTE = "A silhouette needs at least two clusters with rows, and one with several rows."


def score(value):
    """Write a score; one that is not defined is a dash."""
    return f"{value:z.3f}" if np.isfinite(value) else "—"


def _epochs_done(run):
    """Whole epochs: the history also holds the start and, of a cancelled run, the one cut short."""
    return len(run.history) - 1 - run.cancelled


def points(run, plane, shares, n):
    """Say which rows a picture of points shows, and how they are laid out.

    Parameters
    ----------
    run : workbench.run.Run
    plane : {"pca", "umap"}
    shares : tuple of float or None
        Of the variance, along the axes of PCA; None where UMAP laid the rows out.
    n : int
        Rows drawn.
    """
    many = len(run.dataset.X)
    kind = "chosen row" if run.recipe.preparation.rows else "row"
    shown = f"{n:,} of {count(many, kind)}, drawn evenly" if n < many else f"All {many:,} {kind}s"
    largest = ", ".join(f"{size:,}" for size in run.sizes[: min(run.n_found, 5)])
    more = " and smaller ones" if run.n_found > 5 else ""
    return (
        f"{shown}, {_laid_out(run.dataset.features, plane, shares)}. Colour and symbol say the "
        f"cluster, numbered by size ({largest}{more}); each number stands at the median of its "
        "cluster."
    )


def _laid_out(features, plane, shares):
    if len(features) == 1:
        return f"across by their {features[0]}; up and down they are spread only to be seen"
    if plane == "umap" and shares is None:
        return (
            "laid out by UMAP: near points are alike, but distances between groups mean little, "
            "and another machine may draw other shapes"
        )
    own = "in their own two columns"
    seen = f"seen along the two directions of largest spread ({sum(shares):.0%} of it)"
    why = f", since UMAP needs at least {FEWEST_FOR_UMAP} different rows" if plane == "umap" else ""
    return f"{own if len(features) == 2 else seen}{why}"


def memories(run):
    """Say how memories and means differ in this run, and why."""
    unit = _UNITS[run.recipe.preparation.scaling]
    if run.recipe.method == "kmeans":
        return (
            f"Each centre above the mean of its cluster, in {unit}: they are the same, but for "
            "values that are missing, which count as the column's mean in a centre."
        )
    if run.recipe.method == "slk":
        return (
            f"Each mode above the mean of its cluster, in {unit}. A mode is where rows lie "
            "densest, so it leaves the mean where a cluster is lopsided or bent."
        )
    return (
        f"Each memory above the mean of its cluster, in {unit}. A memory is what recall is drawn "
        f"to, not a mean. {_cause(run)}{_reach(inflation(run))}"
    )


_UNITS = {
    "standard": "deviations from the column's mean",
    "robust": "quartile distances from the column's median",
    "min-max": "shares of the column's range",
    "none": "the columns' units",
}


def _cause(run):
    """Say what training does to a memory under the run's corruption."""
    settings, many = run.recipe.settings, len(run.dataset.features) >= _MASKED_FROM
    kind = settings["corruption"]
    if kind == "auto":
        kind = "mask" if many else "none"
    if kind != "mask" or len(run.dataset.features) < 2:
        return (
            "No feature is hidden in this run, so a memory has nothing to make up for: it leaves "
            "the mean where several memories share a row."
        )
    if settings["mask_value"] != "mean":
        return (
            f"Hidden features start at the column's {_ENDS[settings['mask_value']]}, and a memory "
            "makes up for what recall keeps of that start."
        )
    left = _left_over(settings)
    if left < 0.01:
        return (
            "Hidden features start at the column's mean, and recall leaves nothing of that start."
        )
    steps = count(settings["n_steps"], "step")
    return (
        f"Hidden features start at the column's mean and {steps} of recall keep {left:.0%} of that "
        "start, which pushes memories outward; memories that share rows can lie nearer together "
        "all the same."
    )


def _left_over(settings):
    """Share of the start that T steps keep: (1 - step)^T, whatever the memories are."""
    step = 1 / settings["n_steps"] if settings["step_size"] == "1/T" else settings["step_size"]
    return (1 - step) ** settings["n_steps"]


_MASKED_FROM = 4  # features: from there on, "auto" hides some of them
_ENDS = {"min": "smallest value", "max": "largest value"}
_ALIKE = 0.05  # of the means' distance: nearer than that, both lie equally far out


def _reach(ratio):
    if ratio is None:
        return ""
    if abs(ratio - 1) < _ALIKE:
        return f" Here memories lie about as far out as the means ({ratio:z.2f} times)."
    only = "only " if ratio < 1 else ""
    return f" Here memories lie {only}{ratio:z.2f} times as far out as the means."


def inflation(run):
    """Least-squares factor from the means, seen from the data's middle, to the memories.

    Parameters
    ----------
    run : workbench.run.Run

    Returns
    -------
    float or None
        None where all means lie in the middle, as that of a single cluster does.
    """
    X, k = run.dataset.X, run.n_found
    middle = np.nanmean(X, axis=0)
    means, memories = run.means[:k] - middle, run.prototypes[:k] - middle
    square = float(np.nansum(means**2))
    if square <= _NOTHING * float(np.nansum((X - middle) ** 2)) / len(X):
        return None
    return float(np.nansum(means * memories)) / square


_NOTHING = 1e-12  # of the data's spread: rounding


def training(run):
    """Say whose loss the curve shows, and where it was lowest."""
    lowest = min(run.history)
    return (
        "Loss of the restart that was kept, after each epoch, on masks fixed once: from "
        f"{run.history[0]:.3g} at the start to {lowest:.3g} at epoch {run.history.index(lowest)}, "
        f"whose memories are kept (the dot). All restarts together took {run.seconds:.1f} s."
    )


ONE_CLUSTER = (
    "With one cluster found there is nothing to choose between: every restart gives all rows the "
    "same label."
)

_RULES = {
    "loss": "the lowest loss",
    "silhouette": "the highest silhouette",
    "mahalanobis": "the highest silhouette under the covariance of the data",
}


def restarts(every):
    """Say what the restarts are worth, which one each rule picks, and which one was kept.

    Parameters
    ----------
    every : workbench.restarts.Restarts
    """
    labelled = every.ari is not None
    worth = every.ari if labelled else every.scores["silhouette"]
    what = "ARI (agreement with the reference labels)" if labelled else "silhouette"
    picks = ", ".join(f"{_RULES[rule]} picks {worth[every.picked(rule)]:z.2f}" for rule in _RULES)
    return (
        f"Each point is one of {len(worth)} restarts; its height is its {what}, from "
        f"{np.nanmin(worth):z.2f} to {np.nanmax(worth):z.2f}, median {np.nanmedian(worth):z.2f}. "
        f"The ring marks each rule's choice: {picks}. Both silhouettes choose among the restarts "
        f"that found most clusters ({every.full.sum()} found {every.found.max()}); the loss does "
        f"not look at that. This run kept {_RULES[every.rule]}: {worth[every.kept]:z.2f}."
    )
