"""How many clusters: a criterion over k, and how well clusters are found again."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.prototypes import shortened
from workbench.figures.style import axis, ink, layout, muted


def criterion_figure(ks, values, *, pick, title, colour, errors=None, dark=False):
    """Draw one criterion over the number of clusters, its pick marked.

    Parameters
    ----------
    ks : sequence of int, length m
    values : sequence of float, length m
        NaN where it is not defined.
    pick : int or None
        The k that it favours.
    title : str
        Of the axis up.
    colour : str
        Of the pick's mark.
    errors : sequence of float, length m, optional
        Half a bar's length.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The curve, and the mark where there is a pick.
    """
    values = np.asarray(values, float)
    line = go.Scatter(
        x=list(ks),
        y=values,
        mode="lines+markers",
        line={"color": ink(dark), "width": 2},
        marker={"color": ink(dark), "size": 5},
        error_y=None
        if errors is None
        else {"array": errors, "color": muted(dark), "thickness": 1, "width": 3},
        hovertemplate="k = %{x}: %{y:.4g}<extra></extra>",
    )
    traces = [line]
    if pick is not None and pick in ks:
        traces.append(
            go.Scatter(
                x=[pick],
                y=[values[list(ks).index(pick)]],
                mode="markers",
                marker={
                    "color": "rgba(0,0,0,0)", "size": 16, "line": {"color": colour, "width": 3},
                },
                cliponaxis=False,
                hoverinfo="skip",
            )
        )  # fmt: skip
    return go.Figure(
        traces,
        layout(
            dark,
            height=230,
            showlegend=False,
            margin={"l": 8, "r": 12, "t": 12, "b": 8},
            xaxis=axis(dark, "k", dtick=1 if len(ks) <= 12 else None, showgrid=False),
            yaxis=axis(dark, title),
        ),
    )


def stability_figure(similarities, names, *, colours, trusted, doubted, dark=False):
    """How well each cluster is found again by other seeds, from 0 to 1.

    Parameters
    ----------
    similarities : sequence of float, length k
        Mean best Jaccard similarity.
    names : sequence of str, length k
    colours : sequence of str, length k
    trusted, doubted : float
        Where the two dotted lines stand.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    places = list(range(len(names)))
    figure = go.Figure(
        go.Bar(
            orientation="h",
            x=list(similarities),
            y=places,
            marker={"color": list(colours)},
            text=[f"{value:.2f}" for value in similarities],
            textposition="auto",
            customdata=[str(name) for name in names],
            hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
        )
    )
    for at in (doubted, trusted):
        figure.add_vline(x=at, line={"color": ink(dark), "width": 1.5, "dash": "dot"})
    figure.update_layout(
        layout(
            dark,
            height=90 + 32 * len(places),
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            showlegend=False,
            bargap=0.3,
            xaxis=axis(dark, "found again (Jaccard similarity)", range=[0, 1.02]),
            yaxis=axis(
                dark, showgrid=False, autorange="reversed", tickmode="array", tickvals=places,
                ticktext=[shortened(str(name)) for name in names],
            ),
        )
    )  # fmt: skip
    return figure
