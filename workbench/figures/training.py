"""The loss while memories are trained."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.style import axis, ink, layout


def loss_figure(losses, *, dark=False):
    """Loss of one restart by epoch, its lowest marked: that epoch's memories are kept.

    Parameters
    ----------
    losses : sequence of float
        One per epoch, from epoch 0, the initial memories.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    losses = np.asarray(losses, float)
    line = go.Scatter(
        x=np.arange(len(losses)),
        y=losses,
        mode="lines",
        name="loss",
        line={"color": ink(dark), "width": 2},
        hovertemplate="epoch %{x}: %{y:.4g}<extra></extra>",
    )
    best = int(np.argmin(losses))
    kept = go.Scatter(
        x=[best],
        y=losses[[best]],
        mode="markers",
        name="kept",
        marker={"color": ink(dark), "size": 9},
        cliponaxis=False,
        hovertemplate="kept: epoch %{x}, %{y:.4g}<extra></extra>",
    )
    return go.Figure(
        [line, kept],
        layout(
            dark,
            height=240,
            showlegend=False,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis=axis(dark, "epoch"),
            yaxis=axis(dark, "loss", rangemode="tozero"),
        ),
    )
