"""Clusters on their graph: edges beneath, certainty as opacity, modes ringed; and lambda swept."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.clusters import SYMBOLS
from workbench.figures.style import axis, faint, ink, layout, muted, paper

MOST_EDGES = 12_000
"""More make a picture of lines only, and slow: then they are drawn by chance."""
_FAINTEST = 0.25  # opacity of a row that belongs to all clusters alike


def graph_figure(
    positions, labels, certainty, rows, *, edges, modes, colours, hover=None, titles=("", ""),
    seed=0, dark=False,
):  # fmt: skip
    """Points coloured by cluster over the edges of their graph.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
    labels : ndarray of int, shape (n,)
    certainty : ndarray, shape (n,)
        Largest share of each row; the opacity goes from 1/k to 1 with it.
    rows : ndarray, shape (n,)
        Identity of each point, carried in ``customdata``.
    edges : ndarray of int, shape (e, 2)
        Positions in `positions`; beyond `MOST_EDGES` a sample of them is drawn.
    modes : ndarray, shape (k, 2)
    colours : sequence of str, length k
    hover : sequence of str, length n, optional
    titles : pair of str
    seed : int, default 0
        Of the sample.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        Edges, one trace per cluster, modes.
    """
    k = len(colours)
    if len(edges) > MOST_EDGES:
        edges = edges[np.random.default_rng(seed).choice(len(edges), MOST_EDGES, replace=False)]
    share = np.clip((certainty - 1 / k) / max(1 - 1 / k, 1e-9), 0, 1)
    opacity = _FAINTEST + (1 - _FAINTEST) * share
    size = 9 if len(positions) <= 1000 else 7 if len(positions) <= 3000 else 5
    points = [
        go.Scatter(
            x=positions[member, 0],
            y=positions[member, 1],
            mode="markers",
            name=f"cluster {label + 1}",
            marker={
                "color": colours[label],
                "symbol": SYMBOLS[label % len(SYMBOLS)],
                "size": size,
                "opacity": opacity[member].round(3),
                "line": {"color": paper(dark), "width": 0.5},
            },
            customdata=rows[member],
            hovertext=None if hover is None else np.asarray(hover, object)[member],
            hovertemplate="%{hovertext}<extra></extra>" if hover is not None else None,
        )
        for label in range(k)
        for member in [labels == label]
        if member.any()
    ]
    return go.Figure(
        [_edges(positions, edges, dark), *points, _rings(modes, colours, dark)],
        _plane(titles, dark, height=560),
    )


def _edges(positions, edges, dark):
    ends = positions[edges]
    gaps = np.full((len(edges), 1, 2), np.nan)
    path = np.concatenate([ends, gaps], axis=1).reshape(-1, 2)
    return go.Scatter(
        x=path[:, 0].astype(np.float32),
        y=path[:, 1].astype(np.float32),
        mode="lines",
        name="neighbours",
        line={"color": muted(dark), "width": 0.8},
        opacity=0.45,
        hoverinfo="skip",
    )


def _rings(modes, colours, dark):
    return go.Scatter(
        x=modes[:, 0],
        y=modes[:, 1],
        mode="markers+text",
        name="modes",
        text=[str(number + 1) for number in range(len(modes))],
        textfont={"color": ink(dark), "size": 14, "weight": 700},
        marker={
            "color": paper(dark),
            "opacity": 0.95,
            "size": 26,
            "line": {"color": ink(dark), "width": 3},
        },
        hovertext=[f"mode of cluster {number + 1}" for number in range(len(modes))],
        hoverinfo="text",
    )


def _plane(titles, dark, height, **changes):
    bare = {"showgrid": False, "showticklabels": False, "ticks": "", "showline": False}
    return layout(
        dark,
        height=height,
        dragmode="pan",
        xaxis=axis(dark, titles[0], **bare),
        yaxis=axis(dark, titles[1], scaleanchor="x", scaleratio=1, **bare),
        **changes,
    )


def sweep_figure(positions, units, labels, *, colours, titles=("", ""), dark=False):
    """Points whose colours change as lambda grows: played, or moved by a slider.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
    units : sequence of float, length s
        lambda in units of c(k).
    labels : ndarray of int, shape (s, n)
    colours : sequence of str, length k
    titles : pair of str
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        One trace and s frames.
    """
    size = 9 if len(positions) <= 1000 else 6

    def marker(row):
        return {
            "color": [colours[label] for label in row],
            "symbol": [SYMBOLS[label % len(SYMBOLS)] for label in row],
            "size": size,
            "line": {"color": paper(dark), "width": 0.5},
        }

    names = [f"{value:g}" for value in units]
    frames = [
        go.Frame(data=[{"type": "scatter", "marker": marker(row)}], name=name, traces=[0])
        for name, row in zip(names, labels, strict=True)
    ]
    points = go.Scatter(
        x=positions[:, 0].astype(np.float32),
        y=positions[:, 1].astype(np.float32),
        mode="markers",
        marker=marker(labels[0]),
        hoverinfo="skip",
        showlegend=False,
    )
    at_once = {
        "frame": {"duration": 0, "redraw": False},
        "mode": "immediate",
        "transition": {"duration": 0},
    }
    slow = {
        "frame": {"duration": 700, "redraw": False},
        "fromcurrent": True,
        "transition": {"duration": 0},
    }
    button = {"method": "animate", "args": [None, slow], "label": "Play"}
    pause = {"method": "animate", "args": [[None], at_once], "label": "Pause"}
    steps = [{"method": "animate", "args": [[name], at_once], "label": name} for name in names]
    return go.Figure(
        points,
        _plane(
            titles,
            dark,
            height=520,
            margin={"l": 8, "r": 8, "t": 8, "b": 100},
            updatemenus=[
                {
                    "type": "buttons", "direction": "left", "showactive": False,
                    "x": 0, "xanchor": "left", "y": -0.04, "yanchor": "top",
                    "bgcolor": paper(dark), "bordercolor": faint(dark),
                    "font": {"color": ink(dark)}, "buttons": [button, pause],
                }
            ],
            sliders=[
                {
                    "steps": steps, "x": 0.24, "len": 0.76, "y": -0.02, "yanchor": "top",
                    "currentvalue": {
                        "prefix": "λ / c(k) = ", "font": {"color": ink(dark), "size": 15},
                    },
                    "font": {"color": muted(dark)}, "bgcolor": faint(dark),
                    "bordercolor": faint(dark), "tickcolor": muted(dark),
                }
            ],
        ),
        frames=frames,
    )  # fmt: skip


_TERMS = {
    "unary": ("prototypes", "dash"),
    "laplacian": ("graph", "dot"),
    "balance": ("balance", "dashdot"),
    "entropy": ("entropy", "longdash"),
}


def objective_figure(totals, terms, *, stages=(), title="", colours, dark=False):
    """An objective by iteration, with its terms.

    Parameters
    ----------
    totals : sequence of float, length s
    terms : mapping of str to sequence of float, length s
        By name: unary, laplacian, balance, entropy; a term that is 0 throughout is left out.
    stages : sequence of int
        Iterations after which the entropy weight falls, marked by a line.
    title : str
        Of the axis.
    colours : sequence of str, length 4
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    x = np.arange(len(totals))
    traces = [
        go.Scatter(
            x=x, y=np.asarray(totals, float), mode="lines+markers", name=title,
            line={"color": ink(dark), "width": 2.5}, marker={"size": 5},
            hovertemplate="iteration %{x}: %{y:.5g}<extra></extra>",
        )
    ]  # fmt: skip
    for colour, (name, (words, dash)) in zip(colours, _TERMS.items(), strict=True):
        values = np.asarray(terms.get(name, ()), float)
        if not np.any(values):
            continue
        traces.append(
            go.Scatter(
                x=x, y=values, mode="lines", name=words,
                line={"color": colour, "width": 2, "dash": dash},
                hovertemplate=words + " %{y:.5g}<extra></extra>",
            )
        )  # fmt: skip
    lines = [
        {
            "type": "line", "x0": at + 0.5, "x1": at + 0.5, "y0": 0, "y1": 1, "yref": "paper",
            "line": {"color": muted(dark), "width": 1, "dash": "dot"},
        }
        for at in stages
    ]  # fmt: skip
    return go.Figure(
        traces,
        layout(
            dark,
            height=320,
            shapes=lines,
            xaxis=axis(dark, "iteration"),
            yaxis=axis(dark, title),
        ),
    )
