"""What the cluster page says about a run, made from its numbers."""

import numpy as np

from workbench.run import RIVAL_ROWS, RIVAL_STARTS, rival_rule


def sentences(run):
    """Say what to know about a run, one sentence each."""
    found = []
    if run.cancelled:
        found.append(
            f"Cancelled after epoch {_epochs_done(run)} of {run.n_epochs}: this is the best "
            "model until then, usable but perhaps not the best there is."
        )
    if run.n_found < len(run.sizes):
        found.append(
            f"{len(run.sizes)} clusters were asked for and {run.n_found} "
            f"{'has' if run.n_found == 1 else 'have'} rows: the other "
            f"{'memory attracts' if len(run.sizes) - run.n_found == 1 else 'memories attract'} "
            "none."
        )
    if run.rival:
        rule = rival_rule(run.recipe)
        on = f", found on {RIVAL_ROWS:,} rows" if len(run.labels) > RIVAL_ROWS else ""
        found.append(
            f"k-means: the best of {RIVAL_STARTS} starts by {rule}, the kind of rule that chose "
            f"ClAM's restart{on}."
        )
    return [*found, *run.notes]


def _epochs_done(run):
    """Whole epochs: the history also holds the start and, of a cancelled run, the one cut short."""
    return len(run.history) - 1 - run.cancelled


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
