"""Masked completion: the error step by step, and how far off fills are."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.palette import colours
from workbench.figures.style import axis, ink, layout, muted

_DASHES = ("dash", "dot", "dashdot")


def step_errors_figure(losses, rivals, *, dark=False):
    """Squared error on the hidden values after each step, and that of simple fills as levels.

    Parameters
    ----------
    losses : ndarray, shape (T + 1,)
        The start first.
    rivals : dict of str to float
        Name of each other fill, and its squared error.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The trace of recall, then one for each rival.
    """
    steps = np.arange(len(losses))
    traces = [
        go.Scatter(
            x=steps,
            y=losses,
            name="recall",
            mode="lines+markers",
            line={"color": colours(1)[0], "width": 2.5},
            marker={"size": 8},
            cliponaxis=False,
            hovertemplate="step %{x}: %{y:.4g}<extra></extra>",
        )
    ]
    for at, (name, error) in enumerate(rivals.items()):
        traces.append(
            go.Scatter(
                x=[0, len(losses) - 1],
                y=[error, error],
                name=name,
                mode="lines",
                line={"color": ink(dark), "width": 1.8, "dash": _DASHES[at % len(_DASHES)]},
                hovertemplate=f"{name}: %{{y:.4g}}<extra></extra>",
            )
        )
    return go.Figure(
        traces,
        layout(
            dark,
            height=300,
            showlegend=True,
            margin={"l": 8, "r": 8, "t": 52, "b": 8},
            xaxis=axis(dark, "step of recall", dtick=max(1, (len(losses) - 1) // 10)),
            yaxis=axis(dark, "squared error", rangemode="tozero"),
        ),
    )


def fill_errors_figure(errors, *, title, dark=False):
    """Error of each way to fill gaps: a ring for each repeat, a bar at their mean.

    Parameters
    ----------
    errors : dict of str to ndarray, shape (r,)
        By the name of the fill, in the order from top to bottom.
    title : str
        Of the axis: what is measured, and its unit.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        For each fill the trace of its repeats, then that of its mean.
    """
    traces = []
    for colour, (name, values) in zip(colours(len(errors)), errors.items(), strict=True):
        traces += [
            go.Scatter(
                x=values,
                y=[name] * len(values),
                mode="markers",
                marker={
                    "color": "rgba(0,0,0,0)",
                    "size": 11,
                    "line": {"color": colour, "width": 2},
                },
                hovertemplate="one repeat: %{x:.4g}<extra></extra>",
            ),
            go.Scatter(
                x=[float(np.mean(values))],
                y=[name],
                mode="markers",
                marker={"symbol": "line-ns", "size": 24, "line": {"color": ink(dark), "width": 3}},
                hovertemplate="mean: %{x:.4g}<extra></extra>",
            ),
        ]
    return go.Figure(
        traces,
        layout(
            dark,
            height=70 + 44 * len(errors),
            showlegend=False,
            margin={"l": 8, "r": 16, "t": 8, "b": 8},
            xaxis=axis(dark, title, rangemode="tozero"),
            yaxis=axis(
                dark,
                autorange="reversed",
                tickfont={"color": muted(dark), "size": 14},
                ticklabelstandoff=10,
            ),
        ),
    )
