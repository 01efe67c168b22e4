"""One row's cluster against the next, column by column."""

import plotly.graph_objects as go

from workbench.figures.palette import scale
from workbench.figures.prototypes import shortened
from workbench.figures.style import axis, faint, ink, layout

BARS_SHOWN = 12


def gap_figure(columns, gaps, *, unit, dark=False):
    """What each column adds to the gap between two prototypes, from zero to their sum.

    Parameters
    ----------
    columns : sequence of str, length c
        The longest bars first; beyond 12 the rest is added up.
    gaps : sequence of float, length c
        Positive where the column speaks for the row's own cluster.
    unit : str
        What is added up.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        One waterfall from top to bottom; its last bar is the sum.
    """
    columns, gaps = list(columns), [float(gap) for gap in gaps]
    if len(gaps) > BARS_SHOWN:
        kept = BARS_SHOWN - 1
        columns = [*columns[:kept], f"{len(columns) - kept} others"]
        gaps = [*gaps[:kept], sum(gaps[kept:])]
    places = list(range(len(gaps) + 1))
    total = sum(gaps)
    for_it, against = scale("energy", dark)[7], scale("entropy", dark)[7]
    told = [signed(gap) for gap in [*gaps, total]]
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            x=[*gaps, total],
            y=places,
            measure=["relative"] * len(gaps) + ["total"],
            increasing={"marker": {"color": for_it}},
            decreasing={"marker": {"color": against}},
            totals={"marker": {"color": ink(dark)}},
            connector={"line": {"color": faint(dark), "width": 1}},
            text=told,
            textposition="outside",
            cliponaxis=False,
            customdata=[*columns, "sum"],
            hovertemplate="%{customdata}: %{text}<extra></extra>",
        )
    )
    low, high = _ends(gaps)
    room = 0.16 * (high - low or 1)
    figure.update_layout(
        layout(
            dark,
            height=90 + 30 * len(places),
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            showlegend=False,
            bargap=0.3,
            xaxis=axis(
                dark, unit, zeroline=True, zerolinecolor=ink(dark), range=[low - room, high + room]
            ),
            yaxis=axis(
                dark, showgrid=False, autorange="reversed", tickmode="array", tickvals=places,
                ticktext=[*(shortened(name) for name in columns), "<b>sum</b>"],
            ),
        )
    )  # fmt: skip
    return figure


def signed(number):
    """Write a number with its sign: "+1.2", "−0.03"."""
    return f"{number:+.3g}".replace("-", "−")


def _ends(gaps):
    """How far the steps reach on either side of zero."""
    at, low, high = 0.0, 0.0, 0.0
    for gap in gaps:
        at += gap
        low, high = min(low, at), max(high, at)
    return low, high
