"""How each memory pulls a point, and where the pulls take it."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.basins import recall_line
from workbench.figures.style import equal_axes, ink, layout, paper

_MARGIN = 0.18  # of the extent, on each side


def attraction_figure(memories, pulls, path, *, colours, dark=False):
    """Arrows from a point towards each memory, as long as the memory pulls, and its way.

    Parameters
    ----------
    memories : ndarray, shape (k, 2)
    pulls : ndarray, shape (k, 2)
        Part of each memory in the velocity of equation 2: softmax times (memory - point).
    path : ndarray, shape (t + 1, 2)
        Of the point, from its start on.
    colours : sequence of str, length k
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The thick arrow in the ink's colour is the sum of all pulls.
    """
    start = path[0]
    ends = np.vstack([start + pulls, start + pulls.sum(axis=0)])
    arrows = [
        _arrow(start, end, colour, 3 if thick else 2)
        for end, colour, thick in zip(
            ends, [*colours, ink(dark)], [False] * len(pulls) + [True], strict=True
        )
    ]
    dots = dict(
        type="scatter",
        x=memories[:, 0],
        y=memories[:, 1],
        mode="markers+text",
        name="memories",
        text=[str(number + 1) for number in range(len(memories))],
        textfont={"color": paper(dark), "size": 13, "weight": 700},
        marker={"color": list(colours), "size": 24, "line": {"color": ink(dark), "width": 1}},
        hovertemplate="memory %{text}<br>(%{x:.3g}, %{y:.3g})<extra></extra>",
    )
    return go.Figure(
        [recall_line(path, dark) | {"opacity": 0.55}, dots],
        layout(
            dark,
            height=320,
            margin={"l": 4, "r": 4, "t": 8, "b": 4},
            showlegend=False,
            annotations=arrows,
            **equal_axes(dark, _box(np.vstack([memories, path, ends])), ("", "")),
        ),
    )


def _arrow(start, end, colour, width):
    return {
        "x": end[0], "y": end[1], "ax": start[0], "ay": start[1],
        "xref": "x", "yref": "y", "axref": "x", "ayref": "y",
        "text": "", "showarrow": True, "arrowhead": 2, "arrowsize": 1,
        "arrowwidth": width, "arrowcolor": colour,
    }  # fmt: skip


def _box(points):
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low).max() * (0.5 + _MARGIN)
    middle = (low + high) / 2
    return tuple(float(end) for centre in middle for end in (centre - half, centre + half))
