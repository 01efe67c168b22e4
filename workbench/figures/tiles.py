"""Prototypes that are images, side by side."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.palette import diverging
from workbench.figures.style import axis, layout

_PIXELS = 58  # of the screen, for each tile
_REACH = 0.98  # of the pixels lie within the colour scale: one odd pixel should not take it all


def tiles_figure(images, *, side, columns, rows, signed=True, dark=False):
    """Square images as tiles of one heat map.

    Parameters
    ----------
    images : ndarray, shape (r, c, side * side)
        By row and column of the picture; each column has a scale of its own.
    side : int
    columns, rows : sequence of str
        What stands above each column and beside each row.
    signed : bool, default True
        Whether 0 is the page's own colour and both signs have one of theirs.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    n_rows, n_columns = images.shape[:2]
    values = np.asarray(images, float)
    if not signed:
        values = values - values.min(axis=(0, 2), keepdims=True)
    reach = np.quantile(np.abs(values), _REACH, axis=(0, 2), keepdims=True)
    values = np.clip(values / np.where(reach > 0, reach, 1), -1, 1)
    pitch = side + 1  # a line of the page's own colour between tiles
    canvas = np.full((n_rows * pitch, n_columns * pitch), np.nan, np.float32)
    for row in range(n_rows):
        for column in range(n_columns):
            top, left = row * pitch, column * pitch
            canvas[top : top + side, left : left + side] = values[row, column].reshape(side, side)
    heat = go.Heatmap(
        z=canvas, zmin=-1, zmax=1, colorscale=diverging(dark), showscale=False, hoverinfo="skip"
    )
    bare = {"showgrid": False, "tickmode": "array", "ticks": "", "zeroline": False}
    middle = (side - 1) / 2
    return go.Figure(
        heat,
        layout(
            dark,
            height=60 + n_rows * _PIXELS,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis=axis(
                dark, side="top", tickvals=[at * pitch + middle for at in range(n_columns)],
                ticktext=list(columns), constrain="domain", **bare,
            ),
            yaxis=axis(
                dark, autorange="reversed", scaleanchor="x", scaleratio=1,
                tickvals=[at * pitch + middle for at in range(n_rows)], ticktext=list(rows),
                constrain="domain", **bare,
            ),
        ),
    )  # fmt: skip
