"""Scores against a setting, and how values are spread."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.style import axis, ink, layout, muted

_DASHES = ("solid", "dash", "dot", "dashdot")
_MARKS = ("circle", "square", "diamond", "triangle-up")


def curves_figure(values, curves, *, level, titles, colours, log=False, dark=False):
    """Draw lines of a score against a setting, and a level to compare with.

    Parameters
    ----------
    values : sequence of float or str, length v
        Of the setting.
    curves : mapping of str to sequence of float, length v
        By the name of each line; NaN leaves a gap.
    level : (str, float)
        What the horizontal line stands for, and its height.
    titles : (str, str)
        Of the two axes.
    colours : sequence of str
        One for each line.
    log : bool, default False
        Whether the setting has a log scale.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        One trace per line, then the level.
    """
    traces = [
        go.Scatter(
            x=list(values),
            y=list(scores),
            name=name,
            mode="lines+markers",
            line={"color": colours[at], "width": 2, "dash": _DASHES[at % len(_DASHES)]},
            marker={"symbol": _MARKS[at % len(_MARKS)], "size": 8},
            hovertemplate="%{x}: %{y:.3f}",
        )
        for at, (name, scores) in enumerate(curves.items())
    ]
    name, height = level
    traces.append(
        go.Scatter(
            x=[values[0], values[-1]],
            y=[height, height],
            name=name,
            mode="lines",
            line={"color": ink(dark), "width": 2, "dash": "longdash"},
            hovertemplate="%{y:.3f}",
        )
    )
    kind = {"type": "log"} if log else {}
    if isinstance(values[0], str):
        kind = {"type": "category"}
    return go.Figure(
        traces,
        layout(
            dark,
            height=320,
            margin={"l": 8, "r": 8, "t": 48, "b": 8},
            xaxis=axis(dark, titles[0], **kind),
            yaxis=axis(dark, titles[1]),
        ),
    )


def histogram_figure(values, *, title, end, colour, dark=False):
    """Draw the shares of values in forty bins from 0.

    Parameters
    ----------
    values : ndarray, shape (n,)
    title : str
        Of the axis across.
    end : float
        Largest value there can be.
    colour : str
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    counts, edges = np.histogram(values, bins=40, range=(0, end))
    bars = go.Bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts / max(len(values), 1),
        width=np.diff(edges),
        marker={"color": colour, "line": {"color": muted(dark), "width": 0.5}},
        hovertemplate="%{x:.2f}: %{y:.1%}<extra></extra>",
    )
    return go.Figure(
        bars,
        layout(
            dark,
            height=260,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            showlegend=False,
            xaxis=axis(dark, title, range=[0, end]),
            yaxis=axis(dark, "share of rows", tickformat=".0%"),
        ),
    )
