"""Every restart as a point: what each rule of selection sees, and what it picks."""

import math

import numpy as np
import plotly.graph_objects as go

from workbench.figures.style import axis, ink, layout, span

_TITLES = {
    "loss": "loss ↓",
    "silhouette": "silhouette ↑",
    "mahalanobis": "Mahalanobis<br>silhouette ↑",
    "found": "clusters found ↑",
}
_GAP = 0.04  # of the width, between panels
_LEAST_HEIGHT = 0.2  # of ARI or silhouette: smaller differences should look small
_LEAST_SCORE = 0.1
_LEAST_LOSS = 0.1  # of the loss itself


def restarts_figure(scores, worth, picks, *, worth_title, colour, dark=False):
    """One panel per rule: its score against what the restart is worth, its pick ringed.

    Parameters
    ----------
    scores : dict of str to ndarray, shape (r,)
        By what a panel shows: "loss", "silhouette", "mahalanobis", or "found", the clusters found.
    worth : ndarray, shape (r,)
        Height of each restart, the same in all panels.
    picks : dict of str to int
        Restart that each panel's rule picks.
    worth_title : str
        What the height is.
    colour : str
        Of the points.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        Numbers that are not finite are left out.
    """
    traces, axes = [], {}
    width = (1 + _GAP) / len(scores) - _GAP
    for place, (rule, values) in enumerate(scores.items()):
        number = "" if place == 0 else str(place + 1)
        left = place * (width + _GAP)
        axes[f"xaxis{number}"] = axis(
            dark, _TITLES[rule], domain=[left, left + width], showgrid=False, tickangle=0,
            ticks="outside", ticklen=4, **_scale(rule, values),
        )  # fmt: skip
        traces += _panel(values, worth, picks[rule], f"x{number}", colour, dark)
    height = axis(
        dark, worth_title, ticks="outside", ticklen=4, tickformat=".2f", nticks=6,
        range=span(worth, _LEAST_HEIGHT),
    )  # fmt: skip
    return go.Figure(
        traces,
        layout(dark, height=320, showlegend=False, yaxis=height, **axes)
        | {"margin": {"l": 8, "r": 8, "t": 12, "b": 8}},
    )


def _scale(rule, values):
    """Range and ticks of one panel: rounded to what a reader compares."""
    if rule == "found":
        ends = span(values, 2.0)
        step = max(1, math.ceil((ends[1] - ends[0]) / 4))
        return {"range": ends, "dtick": step, "tick0": int(values.max()), "tickformat": "d"}
    if rule == "loss":
        finite = values[np.isfinite(values)]
        least = _LEAST_LOSS * float(np.abs(finite).max(initial=0)) or 1.0
        return {"range": span(values, least), "nticks": 3, "tickformat": ".3~g"}
    return {"range": span(values, _LEAST_SCORE), "nticks": 3, "tickformat": ".2f"}


def _panel(values, worth, pick, x_axis, colour, dark):
    values, worth = (np.where(np.isfinite(array), array, np.nan) for array in (values, worth))
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
        text=[f"{worth[pick]:z.2f}"],
        textposition=f"{'bottom' if high else 'top'} {'left' if right else 'right'}",
        textfont={"color": ink(dark), "size": 14},
        cliponaxis=False,
        hoverinfo="skip",
    )  # fmt: skip
    return [every, chosen]
