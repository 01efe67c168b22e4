"""The pictures of a run that leave with it, each with the words beneath it."""

from html import escape

import numpy as np

from workbench.figures import palette
from workbench.figures.clusters import clusters_figure
from workbench.figures.prototypes import prototypes_figure
from workbench.figures.silhouettes import silhouettes_figure
from workbench.html_page import Section, html_page
from workbench.notes import Notes
from workbench.projection import pca_plane, strip
from workbench.words import count

POINTS = 3000  # drawn as shapes, which print sharply; more would be pixels
PICTURES = {"points": "Points", "silhouettes": "Silhouettes", "memories": "Memories beside means"}
"""Titles of the pictures there may be, by name."""


def pictures_of(run):
    """Name the pictures that a run has.

    Parameters
    ----------
    run : Run

    Returns
    -------
    tuple of str
        Keys of `PICTURES`.
    """
    there = {
        "points": True,
        "silhouettes": len(run.silhouettes) > 0,
        "memories": run.recipe.method == "clam",
    }
    return tuple(name for name in PICTURES if there[name])


def picture(name, run, notes=None):
    """Draw one picture of a run for a light page.

    Parameters
    ----------
    name : str
        One of `pictures_of`.
    run : Run
    notes : Notes, optional
        Names of its clusters.

    Returns
    -------
    Section
    """
    draw = {"points": _points, "silhouettes": _silhouettes, "memories": _memories}[name]
    figure, words = draw(run)
    _call_by_name(figure, run, notes or Notes())
    return Section(PICTURES[name], (words,), figure=figure)


def picture_page(name, run, notes=None):
    """Write one picture as a page of its own.

    Parameters
    ----------
    name, run, notes
        As for `picture`.

    Returns
    -------
    bytes
    """
    return html_page(run.dataset.name, "", [picture(name, run, notes)])


def _points(run):
    X, n = run.dataset.X, len(run.dataset.X)
    shown = np.arange(n)
    if n > POINTS:
        shown = np.sort(np.random.default_rng(run.recipe.seed).choice(n, POINTS, replace=False))
    plane, features = pca_plane(X), run.dataset.features
    positions, titles = plane.flatten(X[shown]), tuple(features)
    how = "in their own two columns"
    if len(features) == 1:
        positions, titles = strip(run.dataset.restore(X[shown])[:, 0]), (features[0], "")
        how = f"across by their {features[0]}; up and down they are spread only to be seen"
    elif len(features) > 2:
        titles = tuple(f"principal axis {i + 1} ({plane.shares[i]:.0%})" for i in range(2))
        how = f"along the two directions of largest spread ({sum(plane.shares):.0%} of it)"
    labels, rows = run.labels[shown], run.dataset.row_ids[shown]
    figure = clusters_figure(
        positions, labels, rows,
        colours=palette.colours(len(run.sizes)),
        hover=[f"row {row}, {_where(label)}" for row, label in zip(rows, labels, strict=True)],
        titles=titles, equal=len(features) > 1, scale=len(features) == 1,
    )  # fmt: skip
    which = f"All {n:,} rows" if len(shown) == n else f"{len(shown):,} of {n:,} rows, drawn evenly"
    words = f"{which}, {how}. Colour and symbol say the cluster; numbers stand at its median."
    return figure, words


def _where(label):
    return f"cluster {label + 1}" if label >= 0 else "in no cluster"


def _silhouettes(run):
    figure = silhouettes_figure(
        run.silhouettes, run.labels[run.scored], colours=palette.colours(len(run.sizes))
    )
    astray = float((run.silhouettes < 0).mean())
    words = (
        f"Silhouettes of {count(len(run.silhouettes), 'row')}, sorted within their clusters: 1 is "
        f"well placed, 0 on a border; {astray:.1%} lie nearer to another cluster (below 0)."
    )
    return figure, words


def _memories(run):
    k = run.n_found
    figure = prototypes_figure(run.prototypes[:k], run.means[:k], run.dataset.features)
    return figure, (
        "Each memory above the mean of its cluster, in prepared units. A memory is what recall is "
        "drawn to; it is no mean."
    )


def _call_by_name(figure, run, notes):
    """Put the names of clusters into the legend, where Plotly would read tags."""
    called = {f"cluster {i + 1}": escape(notes.name(i)) for i in range(len(run.sizes))}
    figure.for_each_trace(lambda trace: trace.update(name=called.get(trace.name, trace.name)))
