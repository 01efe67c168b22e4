"""Every restart as a point: what each rule of selection sees, and what it picks."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.style import axis, ink, layout

_TITLES = {
    "loss": "loss ↓",
    "silhouette": "silhouette ↑",
    "mahalanobis": "Mahalanobis<br>silhouette ↑",
}
_GAP = 0.04  # of the width, between panels


def restarts_figure(scores, worth, picks, *, worth_title, colour, dark=False):
    """One panel per rule: its score against what the restart is worth, its pick ringed.

    Parameters
    ----------
    scores : dict of str to ndarray, shape (r,)
        By rule: "loss", "silhouette", "mahalanobis".
    worth : ndarray, shape (r,)
        Height of each restart, the same in all panels.
    picks : dict of str to int
        Restart that each rule picks.
    worth_title : str
        What the height is.
    colour : str
        Of the points.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    traces, axes = [], {}
    width = (1 + _GAP) / len(scores) - _GAP
    for place, (rule, values) in enumerate(scores.items()):
        number = "" if place == 0 else str(place + 1)
        left = place * (width + _GAP)
        axes[f"xaxis{number}"] = axis(
            dark, _TITLES[rule], domain=[left, left + width], showgrid=False, nticks=3, tickangle=0,
            ticks="outside", ticklen=4,
        )  # fmt: skip
        traces += _panel(values, worth, picks[rule], f"x{number}", colour, dark)
    height = axis(dark, worth_title, ticks="outside", ticklen=4)
    return go.Figure(
        traces,
        layout(dark, height=320, showlegend=False, yaxis=height, **axes)
        | {"margin": {"l": 8, "r": 8, "t": 12, "b": 8}},
    )


def _panel(values, worth, pick, x_axis, colour, dark):
    numbers = np.arange(1, len(values) + 1)
    every = go.Scatter(
        x=values,
        y=worth,
        xaxis=x_axis,
        mode="markers",
        marker={"color": colour, "size": 8, "opacity": 0.55},
        customdata=numbers,
        hovertemplate="restart %{customdata}: %{y:.3f}<extra></extra>",
    )
    high = worth[pick] > (np.nanmin(worth) + np.nanmax(worth)) / 2
    right = values[pick] > (np.nanmin(values) + np.nanmax(values)) / 2
    chosen = go.Scatter(
        x=values[[pick]],
        y=worth[[pick]],
        xaxis=x_axis,
        mode="markers+text",
        marker={
            "color": ink(dark), "size": 15, "symbol": "circle-open",
            "line": {"color": ink(dark), "width": 3},
        },
        text=[f"picked: {worth[pick]:.2f}"],
        textposition=f"{'bottom' if high else 'top'} {'left' if right else 'right'}",
        textfont={"color": ink(dark), "size": 14},
        cliponaxis=False,
        hoverinfo="skip",
    )  # fmt: skip
    return [every, chosen]
