"""How far labelings of the same rows agree, pair by pair."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.palette import BACKGROUND, INK, scale
from workbench.figures.prototypes import shortened
from workbench.figures.style import axis, layout, muted

_ROOMY = 8  # methods: beyond, numbers are smaller and lose their zero


def overlap_figure(upper, lower, names, *, titles=("NMI", "ARI"), dark=False):
    """Heat map of two measures at once: one above the diagonal, the other below it.

    Rows carry names behind their numbers and columns numbers alone, so that it fits a telephone.

    Parameters
    ----------
    upper, lower : ndarray, shape (m, m)
        Symmetric; NaN where a pair has no common row.
    names : sequence of str, length m
    titles : (str, str), default ("NMI", "ARI")
        Of the two measures.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        One heat map; its diagonal is empty.
    """
    m = len(names)
    above = np.triu(np.ones((m, m), bool), 1)
    values = np.where(above, upper, lower).astype(float)
    np.fill_diagonal(values, np.nan)
    shades = scale("energy", dark)
    heat = go.Heatmap(
        z=values.astype(np.float32),
        x=np.arange(m),
        y=np.arange(m),
        zmin=0,
        zmax=1,
        colorscale=[[step / (len(shades) - 1), shade] for step, shade in enumerate(shades)],
        xgap=2,
        ygap=2,
        showscale=False,
        customdata=[
            [f"{names[i]} and {names[j]}: {titles[j < i]}" for j in range(m)] for i in range(m)
        ],
        hovertemplate="%{customdata} %{z:.3f}<extra></extra>",
        hoverongaps=False,
    )
    figure = go.Figure(heat, _layout(names, titles, dark))
    for i, j in np.argwhere(np.isfinite(values)):
        figure.add_annotation(
            x=int(j), y=int(i), showarrow=False, text=cell_text(values[i, j], m <= _ROOMY),
            font={"size": 14 if m <= _ROOMY else 11, "color": _on(values[i, j], dark)},
        )  # fmt: skip
    return figure


def cell_text(value, roomy=True):
    """Write an agreement: "0.83", ".83" in a small cell, "−0.02"."""
    text = f"{value:z.2f}".replace("-", "−")
    return text if roomy else text.replace("0.", ".", 1)


def _on(value, dark):
    """Ink that is legible on the shade of a value: the scale runs from paper to its contrary."""
    return BACKGROUND[dark] if value > 0.5 else INK[dark]


def _layout(names, titles, dark):
    m = len(names)
    side = {
        "showgrid": False, "tickmode": "array", "tickvals": list(range(m)), "ticks": "",
        "showline": False, "fixedrange": True, "tickangle": 0,
    }  # fmt: skip
    numbers = [str(number) for number in range(1, m + 1)]
    corner = {"showarrow": False, "font": {"color": muted(dark), "size": 13}, "yref": "paper"}
    return layout(
        dark,
        height=90 + max(30, min(52, 420 // m)) * m,
        margin={"l": 8, "r": 8, "t": 30, "b": 30},
        xaxis=axis(dark, **side, side="top", ticktext=numbers, range=[-0.5, m - 0.5]),
        yaxis=axis(
            dark, **side, range=[m - 0.5, -0.5],
            ticktext=[f"{shortened(name)}  {at}" for at, name in enumerate(names, start=1)],
        ),
        annotations=[
            corner | {
                "text": f"{titles[1]} below the diagonal, {titles[0]} above it",
                "xref": "paper", "x": 1, "xanchor": "right", "y": 0, "yanchor": "top",
                "yshift": -8,
            }
        ],
    )  # fmt: skip
