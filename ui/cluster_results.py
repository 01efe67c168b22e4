"""What a run found: points, silhouettes, sizes, memories beside means, scores."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, cluster_words, state
from ui.controls import CHART, SELECTABLE_CHART, is_dark
from ui.explore_selection import selected, selection_words, taking
from ui.explore_words import cluster_name
from workbench.figures import palette
from workbench.figures.clusters import clusters_figure
from workbench.figures.prototypes import prototypes_figure
from workbench.figures.restarts import restarts_figure
from workbench.figures.silhouettes import silhouettes_figure
from workbench.figures.training import loss_figure
from workbench.methods import METHODS
from workbench.metrics import fill_gaps
from workbench.projection import pca_plane, strip
from workbench.words import count

_MOST = {"pca": 20_000, "umap": 5_000}  # points drawn
_HOVERED = 4  # columns told on hover
_HOVERED_ROWS = 5_000  # beyond, only the row's number


def preview(dataset):
    """Show the first rows and columns of a table that nothing was run on yet."""
    st.caption(
        f"{dataset.name}: {count(len(dataset.X), 'row')}, "
        f"{count(len(dataset.features), 'feature')}. "
        "Press Run to cluster them."
    )
    shown = dataset.source.frame.iloc[:200, :40]
    st.dataframe(shown.set_axis(range(1, len(shown) + 1)), height=420)


def summary(run):
    """Show the main numbers, each score beside that of k-means."""
    with st.container(horizontal=True, gap="medium"):
        st.metric("Clusters found", f"{run.n_found} of {len(run.sizes)}", width="content")
        if run.beta is not None:
            shown = f"{run.beta:.3g}"
            st.metric("β", shown, help="Inverse temperature, 1/length².", width="content")
        for name, value in run.scores.items():
            rival = run.rival.get(name)
            st.metric(
                _NAMES[name],
                cluster_words.score(value),
                None if rival is None else f"k-means {cluster_words.score(rival)}",
                delta_color="off",
                delta_arrow="off",
                help=_HELP[name],
                width="content",
            )
    for sentence in cluster_words.sentences(run):
        st.caption(sentence)


_NAMES = {"silhouette": "Silhouette", "nmi": "NMI", "ari": "ARI"}
_HELP = {
    "silhouette": "How much nearer rows are to their own cluster than to the next: 1 is best.",
    "nmi": "Normalised mutual information with the reference labels: 1 is agreement.",
    "ari": "Adjusted Rand index with the reference labels: 1 is agreement, 0 is chance.",
}


def layout(run, recipe):
    """Let the reader choose how points are laid out; one feature needs no choice.

    Returns
    -------
    {"pca", "umap"}
    """
    if len(run.dataset.features) == 1:
        return "pca"
    view = state.read("cluster").view
    state.seed("cluster:plane", view.plane)
    plane = st.segmented_control(
        "Points laid out by",
        ["pca", "umap"],
        format_func=str.upper,
        key="cluster:plane",
        required=True,
    )
    state.write("cluster", recipe, view.changed(plane=plane))
    return plane


def points(run, plane, names):
    """Show the clusters as points of a plane, or of a line where there is one feature.

    Parameters
    ----------
    run : workbench.run.Run
    plane : {"pca", "umap"}
    names : mapping of int to str
        The reader's own names of clusters.
    """
    data, dark = run.dataset, is_dark()
    n, line = min(len(data.X), _MOST[plane]), len(data.features) == 1
    positions, shown, shares = cached.flat(plane, data.fingerprint, data.X, n, run.recipe.seed)
    if line:
        positions = strip(data.restore(data.X[shown])[:, 0])
    figure = clusters_figure(
        positions,
        run.labels[shown],
        data.row_ids[shown],
        colours=palette.colours(len(run.sizes)),
        names=[cluster_name(label, names) for label in range(len(run.sizes))],
        hover=_hover(run, shown),
        titles=axis_titles(plane, shares, data.features),
        equal=shares is not None and not line,
        scale=line,
        selected=_marked(run, shown),
        selectable=True,
        dark=dark,
    )
    words = cluster_words.points(run, plane, shares, n)
    whole = plane == "pca" and not line
    places = partial(_all_places, data) if whole and n < len(data.X) else None
    key = "cluster.points"
    st.plotly_chart(
        figure, theme=None, config=SELECTABLE_CHART, key=key, alt=words,
        on_select=taking(run, key, places),
    )  # fmt: skip
    st.caption(f"{words} {selection_words(n, len(data.X), whole)}")


def _all_places(dataset):
    return pca_plane(dataset.X).flatten(fill_gaps(dataset.X))


def _marked(run, rows):
    """Which rows are selected (m,), or None where none is."""
    ids = selected(run)
    return None if ids is None else np.isin(run.dataset.row_ids[rows], ids)


def axis_titles(plane, shares, features):
    """Name the two axes of a layout of points; UMAP's own, which has no shares, say nothing."""
    if len(features) == 1:
        return features[0], ""
    if plane == "umap" and shares is None:
        return "", ""
    if len(features) == 2:
        return features
    return tuple(
        f"principal axis {axis} ({share:.0%})" for axis, share in enumerate(shares, start=1)
    )


def _hover(run, shown):
    """Row, cluster and a few of the table's own cells for each point."""
    rows, labels = run.dataset.row_ids[shown], run.labels[shown] + 1
    texts = [f"row {row}, cluster {label}" for row, label in zip(rows, labels, strict=True)]
    if len(shown) > _HOVERED_ROWS:
        return texts
    names = [column.name for column in run.dataset.columns[:_HOVERED]]
    if run.dataset.label:
        names.insert(0, run.dataset.label)
    cells = run.dataset.source.frame[names].iloc[rows - 1]
    for name in names:
        texts = [f"{text}<br>{name}: {cell}" for text, cell in zip(texts, cells[name], strict=True)]
    return texts


def silhouettes(run):
    """Show how well each row sits in its cluster."""
    if not len(run.silhouettes):
        st.info(cluster_words.NO_SILHOUETTE)
        return
    labels = run.labels[run.scored]
    figure = silhouettes_figure(
        run.silhouettes, labels, colours=palette.colours(len(run.sizes)),
        rows=run.dataset.row_ids[run.scored], selected=_marked(run, run.scored), dark=is_dark(),
    )  # fmt: skip
    astray = float((run.silhouettes < 0).mean())
    means = [run.silhouettes[labels == label].mean() for label in np.unique(labels)]
    weakest = int(np.unique(labels)[int(np.argmin(means))]) + 1
    words = (
        f"Each row's silhouette, sorted within its cluster; {astray:.1%} of the rows lie nearer "
        f"to another cluster (below 0), and cluster {weakest} holds together least "
        f"(mean {min(means):.2f})."
    )
    key = "cluster.silhouettes"
    st.plotly_chart(
        figure, theme=None, config=SELECTABLE_CHART, key=key, alt=words, on_select=taking(run, key)
    )
    st.caption(words)


def sizes(run, names):
    """Show rows, share and mean silhouette of each cluster, empty ones included."""
    labels = run.labels[run.scored]
    means = [
        run.silhouettes[labels == label].mean() if np.any(labels == label) else np.nan
        for label in range(len(run.sizes))
    ]
    table = pd.DataFrame(
        {
            "cluster": [
                cluster_name(label, names).removeprefix("cluster ")
                for label in range(len(run.sizes))
            ],
            "rows": run.sizes,
            "share": run.sizes / run.sizes.sum(),
            "silhouette": [cluster_words.score(mean) for mean in means],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        column_config={
            "cluster": st.column_config.TextColumn(width=60),
            "rows": st.column_config.NumberColumn(width=60),
            "share": st.column_config.NumberColumn(format="percent", width=70),
            "silhouette": st.column_config.TextColumn(width=80, alignment="right"),
        },
        alt="Rows, share and mean silhouette of each cluster.",
    )


def prototypes(run):
    """Show each memory above the mean of its cluster, and why they differ."""
    figure = prototypes_figure(
        run.prototypes[: run.n_found],
        run.means[: run.n_found],
        run.dataset.features,
        prototype=METHODS[run.recipe.method].prototypes[0],
        dark=is_dark(),
    )
    words = cluster_words.memories(run)
    st.plotly_chart(figure, theme=None, config=CHART, key="cluster.prototypes", alt=words)
    st.caption(words)


def training(run):
    """Show the loss of the restart kept, by epoch."""
    words = cluster_words.training(run)
    st.plotly_chart(
        loss_figure(run.history, dark=is_dark()),
        theme=None,
        config=CHART,
        key="cluster.loss",
        alt=words,
    )
    st.caption(words)


def restarts(run):
    """Show every restart, and which one each rule of selection would pick."""
    every = run.restarts
    if every is None or len(every.found) < 2:
        return
    st.header("All restarts")
    if every.found.max() < 2:
        st.caption(cluster_words.ONE_CLUSTER)
        return
    labelled = every.ari is not None
    worth = every.ari if labelled else every.scores["silhouette"]
    # Without reference labels the silhouette is the height already; what goes before it is shown.
    panels = {
        "found" if rule == "silhouette" and not labelled else rule: rule for rule in every.scores
    }
    scores = every.scores | {"found": every.found}
    figure = restarts_figure(
        {panel: scores[panel] for panel in panels},
        worth,
        {panel: every.picked(rule) for panel, rule in panels.items()},
        worth_title="ARI" if labelled else "silhouette",
        colour=palette.colours(1)[0],
        dark=is_dark(),
    )
    words = cluster_words.restarts(every)
    st.plotly_chart(figure, theme=None, config=CHART, key="cluster.restarts", alt=words)
    st.caption(words)
