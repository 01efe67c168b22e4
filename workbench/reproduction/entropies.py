"""ClAM's Figure 14: how hard the softmax is on each row, once memories are learned."""

import math
from functools import partial

from workbench import published
from workbench.figures import palette
from workbench.figures.curves import histogram_figure
from workbench.methods import METHODS
from workbench.progress import Cancelled
from workbench.reproduction.item import Claim, Compared, Outcome, Panel, Parts, built, fitted
from workbench.reproduction.scores import recipe

_SHARP = 0.05  # of ln k: next to no entropy


def entropies(asked, report, stop):
    """Entropy (equation 13) of every row, for ClAM trained on each set.

    Parameters
    ----------
    asked : Asked
    report, stop : callable
        As for a job.

    Returns
    -------
    Outcome
        Of the sets that were done.
    """
    import torch

    import clam_core

    parts = Parts(len(asked.sources), report)
    energy = clam_core.make_energy("euclidean")
    table, panels, shares = [], [], []
    for source in asked.sources:
        rows = source.load()
        key, settings = recipe(rows, "clam", asked.rule)
        model = fitted(built(METHODS[key], settings), rows.X, stop, parts)
        if stop():
            break
        x, memories = torch.from_numpy(rows.X), torch.from_numpy(model.cluster_centers_)
        values = clam_core.entropy(x, memories, energy=energy, beta=model.beta_).numpy()
        sharp = values <= _SHARP * math.log(rows.k)
        share = float(sharp.mean())
        nearest = clam_core.voronoi(x, memories, energy=energy).numpy() == model.labels_
        shares.append((rows.name, share, int(sharp.sum()), int((sharp & nearest).sum())))
        table += _rows(rows, values, share)
        panels.append(_panel(rows, values, share, model.beta_))
        parts.done()
    if not panels:
        raise Cancelled
    return Outcome(tuple(table), (_claim(shares),), tuple(panels), _notes(shares))


def _rows(rows, values, share):
    silent = "The paper draws the histogram and prints no number for it."
    most = math.log(rows.k)
    return (
        Compared(rows.name, "mean entropy / ln k", ours=float(values.mean()) / most, why=silent),
        Compared(rows.name, "share of rows below .05 ln k", ours=share, why=silent),
    )


def _panel(rows, values, share, beta):
    most = math.log(rows.k)
    words = (
        f"{rows.name}: mean entropy {values.mean():.2f} of at most ln {rows.k} = {most:.2f} nats; "
        f"{share:.0%} of {len(values):,} rows are next to 0, where the nearest memory alone "
        f"decides (β = {beta:.3g})."
    )
    draw = partial(
        histogram_figure, values, title="entropy (nats)", end=most, colour=palette.colours(1)[0]
    )
    return Panel(rows.name, words, lambda dark: draw(dark=dark))


def _claim(shares):
    told = "; ".join(
        f"{name}: {share:.0%} of all rows, {nearest:,} of these {sharp:,} with their nearest memory"
        for name, share, sharp, nearest in shares
    )
    known = any(sharp for *_, sharp, _ in shares)
    return Claim(
        "A row without entropy belongs to its closest memory, as in a Voronoi partition.",
        f"Rows next to no entropy: {told}.",
        all(sharp == nearest for *_, sharp, nearest in shares) if known else None,
    )


def _notes(shares):
    notes = ["Ten restarts; memories and β as after training, rows without a mask."]
    if any(name in published.TABLE_6 for name, *_ in shares):
        notes.append("β is Table 6's, halved to equation 1's; it decides these histograms.")
    if any(name not in published.TABLE_6 for name, *_ in shares):
        notes.append(
            "Where the paper has no β it is chosen automatically, so that k-means++ seeds share "
            "the rows with a mean entropy of .2 ln k."
        )
    return tuple(notes)
