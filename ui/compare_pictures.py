"""Pictures of a comparison: all methods side by side, how they overlap, where they disagree."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, compare_words, state
from ui.controls import CHART, is_dark, scrolled
from workbench.figures import palette
from workbench.figures.disagreement import disagreement_figure
from workbench.figures.multiples import MOST_POINTS, bounds, panel_figure
from workbench.figures.overlap import overlap_figure
from workbench.metrics import match_labels
from workbench.projection import strip

_MOST = 3000  # points of the picture of disagreement, of which small pictures show some
_FEWEST = 300  # points of a small picture, however many there are
_ABREAST = 3
_DISPUTED = 10  # rows told
_ROOM = (0.07, 0.05)  # of the picture's width and height, from one number to the next
_NAMES_WIDE, _CELL_WIDE = 150, 28  # pixels that the matrix needs
_COLUMNS = 4  # of the table, beside the clusters of a disputed row


def layout(asked, recipe):
    """Let the reader choose how points are laid out; two features or one need no choice.

    Returns
    -------
    {"pca", "umap"}
    """
    if len(asked.dataset.features) < 3:
        return "pca"
    view = state.read("compare").view
    plane = st.segmented_control(
        "Points laid out by",
        ["pca", "umap"],
        format_func=str.upper,
        key=state.seed("compare:plane", view.plane),
        required=True,
    )
    state.write("compare", recipe, view.changed(plane=plane))
    return plane


def multiples(asked, found, standings, plane):
    """Show the clusters of each method in a small picture, and the reference labels' in one.

    Parameters
    ----------
    asked : ui.compare_race.Asked
    found : workbench.overlap.Overlap
    standings : sequence of workbench.standings.Standing
    plane : {"pca", "umap"}
    """
    panels = _panels(asked.dataset, found, standings)
    most = max(_FEWEST, MOST_POINTS // len(panels))
    shown, positions, words = _laid_out(asked.dataset, plane)
    if len(shown) > most:
        some = np.linspace(0, len(shown) - 1, most).astype(int)
        shown, positions = shown[some], positions[some]
    colours = palette.colours(max(labels.max(initial=0) for _, labels, _ in panels) + 1)
    box, rows = bounds(positions), asked.dataset.row_ids[shown]
    places = [place for _ in range(0, len(panels), _ABREAST) for place in st.columns(_ABREAST)]
    for place, (name, labels, told) in zip(places, panels, strict=False):
        n_found = len(np.unique(labels[labels >= 0]))
        figure = panel_figure(
            positions, labels[shown], rows, colours=colours, box=box,
            hover=_hover(rows, labels[shown]), equal=len(asked.dataset.features) > 1,
            dark=is_dark(),
        )  # fmt: skip
        with place, st.container(gap=None):
            st.markdown(f"**{name}**")
            st.caption(told)
            st.plotly_chart(
                figure, theme=None, config=CHART | {"displayModeBar": False},
                key=f"compare.panel.{name}", alt=f"{name}: {n_found} clusters. {words}",
            )  # fmt: skip
    reference = found.names[found.reference]
    n, seeds = len(asked.dataset.X), asked.contest.seeds
    st.caption(compare_words.multiples(len(shown), n, words, reference, seeds))


def _panels(dataset, found, standings):
    """Name, labels and a line of numbers for each picture."""
    by_key = {standing.method: standing for standing in standings}
    panels = []
    if dataset.y is not None:
        classes, numbered = np.unique(dataset.y, return_inverse=True)
        numbered = np.where(dataset.y == "", -1, numbered)
        _, kept = np.unique(numbered[numbered >= 0], return_inverse=True)
        numbered[numbered >= 0] = kept
        labels = match_labels(numbered, found.labels[found.reference])
        several = f"{len(classes) - ('' in classes)} classes"
        panels.append(("Reference labels", labels, several))
    for key, name, labels in zip(found.methods, found.names, found.labels, strict=True):
        panels.append((name, labels, _told(by_key[key], labels)))
    return panels


def _told(standing, labels):
    n_found = len(np.unique(labels[labels >= 0]))
    told = [f"{n_found} cluster{'' if n_found == 1 else 's'}"]
    for key, short in (("silhouette", "SC"), ("ari", "ARI")):
        value = standing.mean.get(key, np.nan)
        if np.isfinite(value):
            told.append(f"{short} {value:z.2f}".replace("-", "−"))
    noise = float(np.mean(labels < 0))
    return " · ".join(told + ([f"{noise:.0%} in none"] if noise else []))


def _hover(rows, labels):
    return [
        f"row {row}, {f'cluster {label + 1}' if label >= 0 else 'in no cluster'}"
        for row, label in zip(rows, labels, strict=True)
    ]


def _laid_out(dataset, plane):
    """Rows that are drawn, their places, and how they are laid out, in words."""
    n = min(len(dataset.X), _MOST)
    positions, shown, shares = cached.flat(plane, dataset.fingerprint, dataset.X, n, 0)
    if len(dataset.features) == 1:
        positions = strip(dataset.restore(dataset.X[shown])[:, 0])
        return shown, positions, f"across by their {dataset.features[0]}"
    if shares is None:
        return shown, positions, "laid out by UMAP, which keeps neighbours near"
    if len(dataset.features) == 2:
        return shown, positions, "in their own two columns"
    return (
        shown,
        positions,
        f"seen along the two directions of largest spread ({sum(shares):.0%} of it)",
    )


def overlaps(found):
    """Show how far each pair of methods agrees."""
    words = compare_words.overlap(found)
    figure = overlap_figure(found.nmi, found.ari, found.names, dark=is_dark())
    with scrolled("overlap", _NAMES_WIDE + _CELL_WIDE * len(found.names)):
        st.plotly_chart(figure, theme=None, config=CHART, key="compare.overlap", alt=words)
    st.caption(words)


def disagreement(asked, found, plane):
    """Show the rows about which methods differ, and list the most disputed."""
    dataset = asked.dataset
    worst = np.argsort(found.agreement, kind="stable")[:_DISPUTED]
    worst = worst[found.agreement[worst] < 1]
    shown, positions, words = _laid_out(dataset, plane)
    places = np.flatnonzero(np.isin(shown, worst))
    places = places[np.argsort(found.agreement[shown[places]], kind="stable")]
    numbered = [(at, str(dataset.row_ids[shown[at]])) for at in apart(positions, places)]
    figure = disagreement_figure(
        positions,
        found.agreement[shown],
        dataset.row_ids[shown],
        hover=_clusters_of(found, dataset, shown),
        numbered=numbered,
        equal=len(dataset.features) > 1 and plane == "pca",
        dark=is_dark(),
    )
    told = compare_words.disagreement(found, dataset.row_ids)
    st.plotly_chart(figure, theme=None, config=CHART, key="compare.disagreement", alt=told)
    st.caption(f"{told} Rows are {words}; those in dispute are larger and stronger in colour.")
    if len(worst):
        st.markdown("**Most disputed rows**")
        st.dataframe(
            disputed(dataset, found, worst), hide_index=True,
            alt="The most disputed rows, and the cluster that each method gives them.",
        )  # fmt: skip


def apart(positions, places):
    """Return those of some points whose numbers do not cover each other, the first first.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
        Of all points.
    places : sequence of int
        Of those that would have a number.

    Returns
    -------
    list of int
    """
    extent = np.maximum(np.ptp(positions, axis=0), 1e-9)
    kept = []
    for at in places:
        gaps = [np.abs(positions[at] - positions[other]) / extent for other in kept]
        if all((gap > _ROOM).any() for gap in gaps):
            kept.append(int(at))
    return kept


def _clusters_of(found, dataset, shown):
    told = []
    for row in shown:
        named = zip(found.names, found.labels[:, row], strict=True)
        clusters = [f"{name} {_cluster(label)}" for name, label in named]
        head = f"row {dataset.row_ids[row]}: {found.agreement[row]:.0%} of pairs agree"
        told.append("<br>".join([head, *clusters]))
    return told


def _cluster(label):
    return str(label + 1) if label >= 0 else "—"


def disputed(dataset, found, rows):
    """List rows, how far pairs of methods differ on them, each method's cluster, and some cells.

    Parameters
    ----------
    dataset : workbench.dataset.Dataset
    found : workbench.overlap.Overlap
    rows : ndarray of int
        Positions.

    Returns
    -------
    pandas.DataFrame
    """
    columns = {
        "row": dataset.row_ids[rows],
        "pairs that differ": [f"{1 - found.agreement[row]:.0%}" for row in rows],
    }
    for name, labels in zip(found.names, found.labels, strict=True):
        columns[name] = [_cluster(label) for label in labels[rows]]
    cells = [column.name for column in dataset.columns[:_COLUMNS]]
    cells = ([dataset.label] if dataset.label else []) + cells
    table = dataset.source.frame[cells].iloc[dataset.row_ids[rows] - 1].reset_index(drop=True)
    return pd.concat([pd.DataFrame(columns), table], axis=1)
