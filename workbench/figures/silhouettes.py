"""Silhouettes: how well each row sits in its cluster."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.clusters import SELECTABLE
from workbench.figures.style import axis, ink, layout, muted

_ROWS_SHOWN = 600
_GAP = 0.02  # of all rows, between clusters


def silhouettes_figure(values, labels, *, colours, rows=None, selected=None, dark=False):
    """Silhouette of every row, sorted within its cluster, clusters from top to bottom.

    ``s = (b - a) / max(a, b)`` with a the mean distance to the row's own cluster and b that to
    the nearest other one: 1 is well placed, 0 on a border, below 0 nearer to another cluster.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Silhouettes in [-1, 1].
    labels : ndarray of int, shape (n,)
    colours : sequence of str
        One per cluster.
    rows : ndarray, shape (n,), optional
        Identity of each row, carried in ``customdata`` by a point on the curve's edge, so that
        rows can be selected.
    selected : ndarray of bool, shape (n,), optional
        Rows that are marked.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        One filled curve per non-empty cluster, then one of points where there are `rows`, and a
        dotted line at the mean. Of a large cluster evenly spaced ranks are drawn, which leaves
        the shape as it is.
    """
    traces, top, points = [], 0.0, []
    gap = max(1.0, _GAP * len(values))
    for label in np.unique(labels):
        member = np.flatnonzero(labels == label)
        member = member[np.argsort(-values[member], kind="stable")]
        rank = np.unique(np.linspace(0, len(member) - 1, _ROWS_SHOWN).astype(int))
        own = values[member[rank]]
        traces.append(_band(own, top + rank, top, len(member), int(label), colours))
        points.append((own, top + rank, member[rank]))
        top += len(member) + gap
    if rows is not None:
        at, places, member = map(np.concatenate, zip(*points, strict=True))
        traces.append(_edge(at, places, member, rows, selected, dark))
    figure = go.Figure(traces, _layout(values, traces, dark))
    if rows is not None:
        figure.update_layout(SELECTABLE)
    mean = float(np.mean(values))
    figure.add_vline(x=mean, line={"color": ink(dark), "width": 2, "dash": "dot"})
    figure.add_annotation(
        x=mean,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"mean {mean:.3f}",
        showarrow=False,
        font={"color": ink(dark)},
    )
    return figure


def _band(own, at, top, size, label, colours):
    """One cluster as a closed outline between zero and its sorted silhouettes."""
    ends = np.array([top - 0.5, top + size - 0.5])
    noun = "row" if size == 1 else "rows"
    return go.Scatter(
        x=np.concatenate([[0], own[:1], own, own[-1:], [0]]),
        y=np.concatenate([ends[:1], ends[:1], at, ends[1:], ends[1:]]),
        mode="lines",
        fill="toself",
        name=f"cluster {label + 1}",
        line={"color": colours[label], "width": 1},
        fillcolor=colours[label],
        hoveron="fills",
        text=f"cluster {label + 1}: {size:,} {noun}, mean {own.mean():.3f}",
        hoverinfo="text",
        showlegend=False,
        meta={"middle": float(ends.mean()), "label": str(label + 1)},
    )


def _edge(values, places, member, rows, selected, dark):
    """One point a row: there for the hand, unseen until it is selected."""
    return go.Scatter(
        x=values,
        y=places,
        mode="markers",
        name="rows",
        marker={"color": ink(dark), "size": 6, "opacity": 0},
        customdata=rows[member],
        hovertemplate="row %{customdata}: %{x:.3f}<extra></extra>",
        selectedpoints=None if selected is None else np.flatnonzero(selected[member]).tolist(),
        selected={"marker": {"opacity": 1.0, "size": 8}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )


def _layout(values, traces, dark):
    traces = [trace for trace in traces if trace.meta is not None]
    low = min(0.0, float(np.min(values)))
    return layout(
        dark,
        height=420,
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        xaxis=axis(dark, "silhouette", range=[low - 0.05, 1.02]),
        yaxis=axis(
            dark,
            "cluster",
            autorange="reversed",
            showgrid=False,
            tickmode="array",
            tickvals=[trace.meta["middle"] for trace in traces],
            ticktext=[trace.meta["label"] for trace in traces],
            tickfont={"color": muted(dark), "size": 14},
        ),
    )
