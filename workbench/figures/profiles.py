"""Which columns set clusters apart, and how a column is spread in each of them."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.palette import diverging, scale
from workbench.figures.prototypes import shortened
from workbench.figures.style import axis, ink, layout, muted

COLUMNS_SHOWN, CLUSTERS_SHOWN = 24, 20
_STRONG = 3.0  # effects from here on have the scale's last colour
_TEXT_CELLS = 12  # clusters: beyond, no cell has room for its number
_WIDEST = 0.42  # of a cluster's lane, on either side of its middle


def effects_figure(effects, columns, used, names, *, dark=False):
    """Effect of every column on every cluster as a heat map, columns from top to bottom.

    Parameters
    ----------
    effects : ndarray, shape (k, c)
        Cohen's d or h; NaN where there is none, infinite where nothing else varies.
    columns : sequence of str, length c
        The most telling first; 24 at most are drawn.
    used : sequence of bool, length c
        Whether rows were clustered by it; the names of others are slanted.
    names : sequence of str, length k
        Of the clusters; 20 at most are drawn.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    effects = effects[:CLUSTERS_SHOWN, :COLUMNS_SHOWN].T
    columns, names = list(columns[:COLUMNS_SHOWN]), [str(name) for name in names[:CLUSTERS_SHOWN]]
    shown = np.clip(effects, -99, 99)
    # By position: two columns may have one short name, and one called 2019 is no number.
    heat = go.Heatmap(
        z=shown.astype(np.float32),
        x=np.arange(len(names)),
        y=np.arange(len(columns)),
        zmin=-_STRONG,
        zmax=_STRONG,
        colorscale=diverging(dark),
        xgap=1,
        ygap=1,
        colorbar={
            "thickness": 12,
            "outlinewidth": 0,
            "tickfont": {"color": muted(dark), "size": 13},
            "tickvals": [-3, -2, -1, 0, 1, 2, 3],
            "ticktext": ["≤ −3", "−2", "−1", "0", "1", "2", "≥ 3"],
        },
        text=[[effect_text(value) for value in row] for row in effects],
        texttemplate="%{text}" if len(names) <= _TEXT_CELLS else None,
        textfont={"size": 12},
        customdata=[[[column, name] for name in names] for column in columns],
        hovertemplate="%{customdata[1]}, %{customdata[0]}: %{text}<extra></extra>",
    )
    told = [
        shortened(name) if of else f"<i>{shortened(name)}</i>"
        for name, of in zip(columns, used, strict=False)
    ]
    return go.Figure(
        heat,
        layout(
            dark,
            height=100 + 27 * len(columns) + (50 if _long(names) else 0),
            margin={"l": 8, "r": 8, "t": 54, "b": 8},
            xaxis=axis(
                dark, showgrid=False, tickmode="array", side="top",
                tickvals=list(range(len(names))), ticktext=[shortened(name) for name in names],
            ),
            yaxis=axis(
                dark, showgrid=False, autorange="reversed", tickmode="array",
                tickvals=list(range(len(columns))), ticktext=told,
            ),
        ),
    )  # fmt: skip


def effect_text(effect):
    """Write an effect: "2.1", "−0.9", "∞", a dash where there is none."""
    if np.isnan(effect):
        return "—"
    if np.isinf(effect):
        return "∞" if effect > 0 else "−∞"
    return f"{effect:z.1f}".replace("-", "−")


def _long(names):
    return sum(len(name) for name in names) > 70


def spread_figure(edges, clusters, names, *, colours, title, order=(), dates=False, dark=False):
    """How a column of numbers is spread in each cluster: outlines as wide as values are frequent.

    Parameters
    ----------
    edges : ndarray, shape (m + 1,)
        Of the bins that all share.
    clusters : sequence of (n, quantiles, density)
        Number of values, their 5, 25, 50, 75 and 95 %, and the share of them in each bin.
    names : sequence of str, length k
        Of the clusters; 20 at most are drawn.
    colours : sequence of str, length k
    title : str
        Of the column.
    order : sequence of str, optional
        Words that stand for 0, 1, 2, ...
    dates : bool, default False
        Whether values are days since 1970.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        Of each cluster that has values an outline, a bar from 25 to 75 % and the median.
    """
    traces, lanes = [], []
    for lane, ((n, quantiles, density), name) in enumerate(
        zip(clusters[:CLUSTERS_SHOWN], names, strict=False)
    ):
        lanes.append(str(name))
        if n:
            place = _days if dates else np.asarray
            texts = [_value_text(value, order, dates) for value in quantiles]
            traces += _lane(
                lane, place(edges), n, place(quantiles), texts, density / np.diff(edges), str(name),
                colours[lane], dark,
            )  # fmt: skip
    return go.Figure(
        traces,
        layout(
            dark,
            height=120 + 58 * len(lanes),
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            showlegend=False,
            xaxis=axis(dark, shortened(title, 40), **_ticks(order)),
            yaxis=axis(
                dark, showgrid=False, range=[len(lanes) - 0.5, -0.5], tickmode="array",
                tickvals=list(range(len(lanes))), ticktext=[shortened(name) for name in lanes],
            ),
        ),
    )  # fmt: skip


def _ticks(order):
    if not order:
        return {}
    return {
        "tickmode": "array",
        "tickvals": list(range(len(order))),
        "ticktext": [shortened(word) for word in order],
    }


def _days(values):
    """Days since 1970 as dates that Plotly reads."""
    seconds = np.rint(np.asarray(values) * 86_400).astype("timedelta64[s]")
    return np.datetime_as_string(np.datetime64(0, "s") + seconds)


def _value_text(value, order, dates):
    if dates:
        return str(_days(value))[:10]
    if order:
        return order[int(np.clip(np.rint(value), 0, len(order) - 1))]
    return f"{value:.4g}"


def _lane(lane, edges, n, quantiles, texts, height, name, colour, dark):
    """One cluster: its outline, mirrored about the lane's middle, and its quartiles."""
    first_bin, last_bin = np.flatnonzero(height)[[0, -1]]  # no line where nothing is
    bins = slice(first_bin, last_bin + 1)
    half = _WIDEST * height[bins] / height.max()
    x = np.repeat(edges[first_bin : last_bin + 2], 2)[1:-1]
    up = np.repeat(half, 2)
    _, first, median, third, _ = quantiles
    told = (
        f"{name}, {n:,} values<br>median {texts[2]}, half from {texts[1]} to {texts[3]}"
        f"<br>nine tenths from {texts[0]} to {texts[4]}"
    )
    outline = go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=lane + np.concatenate([-up, up[::-1]]),
        mode="lines",
        fill="toself",
        fillcolor=colour,
        line={"color": colour, "width": 1},
        opacity=0.75,
        name=name,
        hoveron="fills",
        text=told,
        hoverinfo="text",
    )
    quartiles = go.Scatter(
        x=[first, third],
        y=[lane, lane],
        mode="lines",
        line={"color": ink(dark), "width": 4},
        hoverinfo="skip",
    )
    middle = go.Scatter(
        x=[median],
        y=[lane],
        mode="markers",
        marker={
            "color": "#ffffff" if not dark else "#14171c",
            "size": 10,
            "line": {"color": ink(dark), "width": 2},
        },
        text=[told],
        hoverinfo="text",
    )
    return outline, quartiles, middle


def shares_figure(counts, categories, names, *, dark=False):
    """Share of each category in each cluster, as a table whose cells are shaded.

    Parameters
    ----------
    counts : ndarray of int, shape (k, c)
    categories : sequence of str, length c
        The most frequent first; beyond 12 the rest is counted together.
    names : sequence of str, length k
        Of the clusters; 20 at most are drawn.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
    """
    counts, categories = counts[:CLUSTERS_SHOWN], list(categories)
    names = [str(name) for name in names[:CLUSTERS_SHOWN]]
    if len(categories) > _CATEGORIES_SHOWN:
        kept = _CATEGORIES_SHOWN - 1
        rest = counts[:, kept:].sum(axis=1, keepdims=True)
        counts = np.concatenate([counts[:, :kept], rest], axis=1)
        categories = [*categories[:kept], f"{len(categories) - kept} others"]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    stops = scale("energy", dark)[:8]  # the pale end, on which ink is legible
    heat = go.Heatmap(
        z=shares.T.astype(np.float32),
        x=np.arange(len(names)),
        y=np.arange(len(categories)),
        zmin=0,
        zmax=1,
        colorscale=[[at / (len(stops) - 1), colour] for at, colour in enumerate(stops)],
        xgap=1,
        ygap=1,
        showscale=False,
        texttemplate="%{z:.0%}" if len(names) <= _TEXT_CELLS else None,
        customdata=[
            [[category, name, f"{n:,}"] for name, n in zip(names, row, strict=True)]
            for category, row in zip(categories, counts.T, strict=True)
        ],
        hovertemplate=(
            "%{customdata[1]}, %{customdata[0]}: %{z:.1%} (%{customdata[2]})<extra></extra>"
        ),
    )
    return go.Figure(
        heat,
        layout(
            dark,
            height=110 + 30 * len(categories),
            margin={"l": 8, "r": 8, "t": 54, "b": 8},
            xaxis=axis(
                dark, showgrid=False, tickmode="array", side="top",
                tickvals=list(range(len(names))), ticktext=[shortened(name) for name in names],
            ),
            yaxis=axis(
                dark, showgrid=False, autorange="reversed", tickmode="array",
                tickvals=list(range(len(categories))),
                ticktext=[shortened(category) for category in categories],
            ),
        ),
    )  # fmt: skip


_CATEGORIES_SHOWN = 12
