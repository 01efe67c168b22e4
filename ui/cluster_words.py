"""What the cluster page says about a run, made from its numbers."""

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
