"""What the graph did: the picture on its edges, objectives, modes as rows, rivals, the sweep."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached
from ui.cluster_results import axis_titles
from ui.controls import CHART, is_dark
from workbench import metrics
from workbench.figures import images, palette
from workbench.figures.captions import GraphNumbers, graph_sentence, percent
from workbench.figures.clusters import clusters_figure
from workbench.figures.graph import MOST_EDGES, graph_figure, objective_figure, sweep_figure
from workbench.projection import pca_plane

_MOST = 4000  # points drawn
_MOST_SWEPT = 1200  # points in each frame of the sweep
_MOST_COLUMNS = 40  # of the table of modes


def picture(recipe, dataset, run):
    """Show the clusters on the graph, and say what lambda did."""
    shown, positions, titles = _laid_out(dataset, _MOST)
    inside = np.full(len(run.labels), -1)
    inside[shown] = np.arange(len(shown))
    edges = inside[run.edges]
    edges = edges[(edges >= 0).all(axis=1)]
    figure = graph_figure(
        positions,
        run.labels[shown],
        run.certainty[shown],
        dataset.row_ids[shown],
        edges=edges,
        modes=pca_plane(dataset.X).flatten(run.modes),
        colours=palette.colours(len(run.modes)),
        hover=_hover(dataset, run, shown),
        titles=titles,
        dark=is_dark(),
    )
    words = graph_sentence(_numbers(recipe, dataset, run))
    st.plotly_chart(figure, theme=None, config=CHART, key="laplacian.graph", alt=words)
    st.markdown(words)
    for sentence in run.notes:
        st.caption(f":material/info: {sentence}")
    told = "Lines join neighbours; fainter points belong to several clusters; rings are modes."
    if len(edges) > MOST_EDGES or len(shown) < len(run.labels):
        told += f" {len(shown):,} of {len(run.labels):,} rows are drawn, and at most "
        told += f"{MOST_EDGES:,} edges."
    st.caption(told)


def _numbers(recipe, dataset, run):
    alone = cached.laplacian(recipe.changed(settings={"coupling": 0.0}), dataset)
    same = metrics.match_labels(alone.labels, run.labels)
    return GraphNumbers(
        n=len(run.labels),
        k=len(run.modes),
        found=run.n_found,
        coupling=recipe.settings["coupling"],
        moved=int((same != run.labels).sum()),
        cut=run.cut,
        cut_alone=alone.cut,
    )


def _laid_out(dataset, most):
    """Rows that are drawn, their places, and the axes' names."""
    n = min(len(dataset.X), most)
    positions, shown, shares = cached.flat("pca", dataset.fingerprint, dataset.X, n, 0)
    return shown, positions, axis_titles("pca", shares, dataset.features)


def _hover(dataset, run, shown):
    return [
        f"row {row}<br>cluster {label + 1}, share {share:.2f}"
        for row, label, share in zip(
            dataset.row_ids[shown], run.labels[shown], run.certainty[shown], strict=True
        )
    ]


def scores(dataset, run):
    """Show found clusters, cut edges and, with reference labels, the agreement."""
    told = {
        "Clusters found": (f"{run.n_found} of {len(run.modes)}", "Those that have rows."),
        "Edges cut": (percent(run.cut), "Share of the graph's edges that join two clusters."),
    }
    if dataset.y is not None:
        matched = metrics.accuracy(run.labels, dataset.y)
        told["ACC"] = f"{matched:.3f}", "Rows that agree, clusters matched with classes at best."
        told["NMI"] = f"{metrics.nmi(run.labels, dataset.y):.3f}", "Agreement with the labels."
    with st.container(horizontal=True, gap="medium"):
        for name, (value, explanation) in told.items():
            st.metric(name, value, help=explanation, width="content")


def beside(recipe, dataset, run):
    """Show k-means and ClAM beside SLK on the same points."""
    st.header("Prototypes alone, and with the graph")
    found = {**cached.prototypes_alone(recipe, dataset, run.labels), "SLK": run.labels}
    shown, positions, titles = _laid_out(dataset, 1500)
    for place, (name, labels) in zip(st.columns(len(found)), found.items(), strict=True):
        figure = clusters_figure(
            positions,
            labels[shown],
            dataset.row_ids[shown],
            colours=palette.colours(len(run.modes)),
            dark=is_dark(),
        )
        figure.update_layout(height=320, showlegend=False, margin={"l": 4, "r": 4, "t": 8, "b": 4})
        told = f"**{name}**"
        if dataset.y is not None:
            told += f": ARI {metrics.ari(labels, dataset.y):z.2f} with the reference labels"
        with place:
            st.plotly_chart(
                figure, theme=None, config=CHART, key=f"laplacian.beside.{name}",
                alt=f"Clusters of {name}.",
            )  # fmt: skip
            st.caption(told)
    st.caption(
        "k-means and ClAM give a row to a prototype by distance, so their borders cannot wind; the "
        "graph keeps neighbours together along any shape."
    )


def objectives(run):
    """Show E and R by iteration, each with its terms."""
    st.header("Objective and relaxation")
    weights = [snapshot.entropy_weight for snapshot in run.history]
    stages = [at for at, (one, other) in enumerate(zip(weights, weights[1:], strict=False))
              if one != other]  # fmt: skip
    colours = palette.colours(4)
    for place, (name, title) in zip(
        st.columns(2), {"objective": "E, discrete", "relaxation": "R, relaxed"}.items(), strict=True
    ):
        terms = [getattr(snapshot, f"{name}_terms") for snapshot in run.history]
        figure = objective_figure(
            [getattr(snapshot, name) for snapshot in run.history],
            {part: [getattr(term, part) for term in terms]
             for part in ("unary", "laplacian", "balance", "entropy")},
            stages=stages, title=title, colours=colours, dark=is_dark(),
        )  # fmt: skip
        first, last = (getattr(run.history[at], name) for at in (0, -1))
        words = f"{title}: from {first:.4g} to {last:.4g} in {len(run.history) - 1} iterations."
        with place:
            st.plotly_chart(figure, theme=None, config=CHART, key=f"laplacian.{name}", alt=words)
            st.caption(words)
    if stages:
        st.caption(
            "Dotted lines: there the entropy weight falls. Between two of them R never rises; E "
            "counts whole rows and may."
        )


def modes(recipe, dataset, run):
    """Show the modes as what they are: rows of the table, or nearest to rows of it."""
    st.header("Modes")
    st.caption(
        "Each mode is a row of the table."
        if run.exact
        else "A mode is a peak of its cluster's density, not a row: the nearest row stands for it."
    )
    rows = dataset.row_ids[run.mode_rows]
    frame = dataset.source.frame.iloc[rows - 1].copy()
    pixels = [name for name in frame.columns if name != dataset.label]
    side = images.side_of(len(pixels), pixels)
    if side:
        st.image(
            [images.enlarged(row, side) for row in frame[pixels].to_numpy(float)],
            caption=[f"{number}: row {row}" for number, row in enumerate(rows, start=1)],
            width=80,
        )
        return
    shown = frame.iloc[:, :_MOST_COLUMNS]
    shown.insert(0, "row", rows)
    shown.index = pd.RangeIndex(1, len(shown) + 1, name="cluster")
    st.dataframe(shown, alt="The row of each mode.")
    if frame.shape[1] > _MOST_COLUMNS:
        st.caption(f"The first {_MOST_COLUMNS} of {frame.shape[1]:,} columns are shown.")


def swept(recipe, dataset):
    """Play lambda from 0 upwards."""
    st.header("λ swept")
    if not st.toggle(
        "Compute clusters from λ = 0 to 3 c(k)", key="laplacian:swept",
        help="One fit for each of thirteen values.",
    ):  # fmt: skip
        return
    found = cached.laplacian_sweep(recipe, dataset)
    shown, positions, titles = _laid_out(dataset, _MOST_SWEPT)
    figure = sweep_figure(
        positions,
        found.units,
        found.labels[:, shown],
        colours=palette.colours(recipe.settings["n_clusters"]),
        titles=titles,
        dark=is_dark(),
    )
    best = int(np.argmin(np.where(found.found == found.found.max(), found.cut, np.inf)))
    words = (
        f"From λ = 0, where prototypes decide alone and {found.cut[0]:.1%} of the edges are cut, "
        f"to {found.cut[-1]:.1%} at λ = {found.units[-1]:g} c(k). Fewest edges are cut with all "
        f"{found.found.max()} clusters at λ = {found.units[best]:g} c(k): {found.cut[best]:.1%}."
    )
    st.plotly_chart(figure, theme=None, config=CHART, key="laplacian.sweep", alt=words)
    st.caption(words)
