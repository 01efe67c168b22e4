"""Clusters as points of a plane."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from workbench.figures.palette import GREY
from workbench.figures.style import axis, ink, layout, paper

SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "star",
    "hexagon",
    "triangle-down",
    "x",
    "pentagon",
)
"""A second code beside colour, in the order of the clusters."""


UNSELECTED = 0.12
"""Opacity of points beside those that are selected."""
SELECTABLE = {
    "dragmode": "pan",  # in which a click selects; drawing around points is the lasso's
    "clickmode": "event+select",
    "modebar": {"orientation": "v"},
}
"""Layout of a picture whose points the reader selects; its buttons leave the legend its room."""


def clusters_figure(
    positions,
    labels,
    rows,
    *,
    colours,
    names=None,
    centres=None,
    hover=None,
    titles=("", ""),
    equal=True,
    scale=False,
    selected=None,
    selectable=False,
    dark=False,
):
    """Points coloured by cluster, each cluster's middle numbered.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
        Points of the plane.
    labels : ndarray of int, shape (n,)
        Cluster of each point; -1 for "not clustered", drawn in grey.
    rows : ndarray, shape (n,)
        Identity of each point, carried in ``customdata``.
    colours : sequence of str
        One per cluster, made from all clusters so that colours keep their meaning.
    names : sequence of str, optional
        What the legend calls each cluster.
    centres : ndarray, shape (k, 2), optional
        Where the numbers go; by default the median of each cluster.
    hover : sequence of str, length n, optional
        Text for each point.
    titles : pair of str
        Names of the two axes.
    equal : bool, default True
        Whether both axes have one unit, as distances that mean something need.
    scale : bool, default False
        Whether to write numbers on the axis across, for points in units that a reader knows; the
        axis up then means nothing and has no lines.
    selected : ndarray of bool, shape (n,), optional
        Points that stand out; all do where it is None.
    selectable : bool, default False
        Whether the reader selects points.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        One trace per cluster, then one with the numbers.
    """
    present = [label for label in range(len(colours)) if np.any(labels == label)]
    groups = ([-1] if np.any(labels < 0) else []) + present
    # WebGL beyond some thousands of points, yet it hides what is laid over it: numbers come last.
    kind = go.Scattergl if len(positions) > 3000 else go.Scatter
    traces = [
        kind(
            x=positions[member, 0],
            y=positions[member, 1],
            mode="markers",
            name=_name(label, names),
            marker=_marker(label, colours, len(positions), dark),
            customdata=rows[member],
            hovertext=None if hover is None else np.asarray(hover, object)[member],
            hovertemplate="%{hovertext}<extra></extra>" if hover is not None else None,
            selectedpoints=None if selected is None else np.flatnonzero(selected[member]).tolist(),
            unselected={"marker": {"opacity": UNSELECTED}},
        )
        for label in groups
        for member in [labels == label]
    ]
    if centres is None:
        centres = np.full((len(colours), 2), np.nan)
        for label in present:
            centres[label] = np.median(positions[labels == label], axis=0)
    figure = go.Figure(
        [*traces, _numbers(centres, present, dark)], _layout(titles, equal, scale, dark)
    )
    return figure.update_layout(SELECTABLE) if selectable else figure


def _name(label, names):
    if label < 0:
        return "not clustered"
    return f"cluster {label + 1}" if names is None else escape(names[label])


def _marker(label, colours, n, dark):
    size = 8 if n <= 1000 else 6 if n <= 5000 else 4
    if label < 0:
        return {"color": GREY, "symbol": "circle-open", "size": size}
    return {
        "color": colours[label],
        "symbol": SYMBOLS[label % len(SYMBOLS)],
        "size": size,
        "opacity": 0.9,
        "line": {"color": paper(dark), "width": 0.6 if n <= 3000 else 0},
    }


def _numbers(centres, present, dark):
    """Write the clusters' numbers on discs of the page's colour."""
    return go.Scatter(
        x=centres[present, 0],
        y=centres[present, 1],
        mode="markers+text",
        name="centres",
        text=[str(label + 1) for label in present],
        textfont={"color": ink(dark), "size": 14, "weight": 700},
        marker={
            "color": paper(dark),
            "size": 26,
            "opacity": 0.92,
            "line": {"color": ink(dark), "width": 2},
        },
        hovertext=[f"middle of cluster {label + 1}" for label in present],
        hoverinfo="text",
        showlegend=False,
        unselected={"marker": {"opacity": 0.92}, "textfont": {"color": ink(dark)}},
    )


def _layout(titles, equal, scale, dark):
    bare = {"showgrid": True, "showticklabels": False, "ticks": ""}
    across, up = dict(bare), dict(bare)
    if equal:
        up |= {"scaleanchor": "x", "scaleratio": 1}
    if scale:
        across["showticklabels"] = True
        up["showgrid"] = False
    return layout(
        dark,
        height=320 if scale else 520,
        dragmode="pan",
        xaxis=axis(dark, titles[0], **across),
        yaxis=axis(dark, titles[1], **up),
    )
