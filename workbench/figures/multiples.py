"""One small picture for each method, all on the same plane and in the same colours."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.clusters import SYMBOLS
from workbench.figures.palette import GREY
from workbench.figures.style import axis, ink, layout, paper

HEIGHT = 250
MOST_POINTS = 12_000
"""Points of all small pictures together: each is drawn by itself, and many make a page slow."""
_NUMBERED = 12  # clusters: beyond, their numbers cover a small picture


def panel_figure(positions, labels, rows, *, colours, box, hover=None, equal=True, dark=False):
    """Points coloured by one method's clusters, small, each cluster's middle numbered.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
    labels : ndarray of int, shape (n,)
        Cluster of each point, matched with those of the other pictures; -1 is drawn in grey.
    rows : ndarray, shape (n,)
        Identity of each point, carried in ``customdata``.
    colours : sequence of str
        One for each cluster of any of the pictures.
    box : tuple of float
        ``(left, right, bottom, top)``, the same for all pictures.
    hover : sequence of str, length n, optional
    equal : bool, default True
        Whether both axes have one unit.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The points, then the numbers where they have room.
    """
    size = 7 if len(positions) <= 250 else 5 if len(positions) <= 800 else 4
    noise = labels < 0
    points = go.Scatter(
        x=positions[:, 0].astype(np.float32),
        y=positions[:, 1].astype(np.float32),
        mode="markers",
        marker={
            "color": [GREY if label < 0 else colours[label] for label in labels],
            "symbol": [
                "circle-open" if label < 0 else SYMBOLS[label % len(SYMBOLS)] for label in labels
            ],
            "size": size,
            "opacity": np.where(noise, 0.6, 0.9),
            "line": {"color": paper(dark), "width": 0.3},
        },
        customdata=rows,
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>" if hover is not None else None,
    )
    present = np.unique(labels[~noise])
    traces = [points]
    if len(present) <= _NUMBERED:
        traces.append(_numbers(positions, labels, present, dark))
    return go.Figure(traces, _layout(box, equal, dark))


def _numbers(positions, labels, present, dark):
    middles = np.array([np.median(positions[labels == label], axis=0) for label in present])
    middles = middles.reshape(-1, 2)
    return go.Scatter(
        x=middles[:, 0],
        y=middles[:, 1],
        mode="markers+text",
        text=[str(label + 1) for label in present],
        textfont={"color": ink(dark), "size": 12, "weight": 700},
        marker={
            "color": paper(dark), "size": 19, "opacity": 0.92,
            "line": {"color": ink(dark), "width": 1.5},
        },
        hoverinfo="skip",
    )  # fmt: skip


def _layout(box, equal, dark):
    left, right, bottom, top = box
    bare = {"showgrid": False, "showticklabels": False, "ticks": "", "showline": True}
    frame = {"mirror": True, "linewidth": 1, "constrain": "domain"}
    up = {"scaleanchor": "x", "scaleratio": 1} if equal else {}
    return layout(
        dark,
        height=HEIGHT,
        margin={"l": 2, "r": 2, "t": 2, "b": 2},
        showlegend=False,
        dragmode="pan",
        xaxis=axis(dark, range=[left, right], **bare, **frame),
        yaxis=axis(dark, range=[bottom, top], **bare, **frame, **up),
    )


def bounds(positions, room=0.05):
    """Return the box (left, right, bottom, top) around points, with some room.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
    room : float, default 0.05
        Share of each side, on both ends.

    Returns
    -------
    tuple of float
    """
    low, high = positions.min(axis=0), positions.max(axis=0)
    spare = room * np.maximum(high - low, 1e-9)
    (left, bottom), (right, top) = low - spare, high + spare
    return float(left), float(right), float(bottom), float(top)
