"""Memories beside the means of their clusters."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.palette import diverging
from workbench.figures.style import axis, layout, muted

_FEATURES_SHOWN = 60
_REACH = 0.99  # of the cells lie within the colour scale
_LONGEST = 18  # characters of a feature's name beneath the map; hovering tells all


def prototypes_figure(memories, means, features, *, prototype="memory", dark=False):
    """Each cluster's memory and mean as two neighbouring rows of a heat map.

    Parameters
    ----------
    memories, means : ndarray, shape (k, d)
        In the units of the prepared data; a row of NaN where a cluster is empty.
    features : sequence of str, length d
    prototype : str, default "memory"
        What the rows above the means are called.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        One heat map of 2k rows; beyond 60 features only those in which the means differ most.
        Both axes hold words: a column called 2019 is no place on a scale of numbers.
    """
    shown = most_telling(means, _FEATURES_SHOWN)
    values = np.stack([memories, means], axis=1).reshape(-1, memories.shape[1])[:, shown]
    names = [f"{row} {label + 1}" for label in range(len(memories)) for row in (prototype, "mean")]
    columns = [str(features[column]) for column in shown]
    # One odd cell should not take the colour from all others.
    reach = max(float(np.nanquantile(np.abs(values), _REACH)), 1e-12)
    heat = go.Heatmap(
        z=values.astype(np.float32),
        x=columns,
        y=names,
        zmin=-reach,
        zmax=reach,
        colorscale=diverging(dark),
        ygap=1,
        colorbar={
            "thickness": 12,
            "outlinewidth": 0,
            "tickfont": {"color": muted(dark), "size": 13},
        },
        hovertext=[columns] * len(names),  # an axis would tell the short name
        hovertemplate="%{y}, %{hovertext}: %{z:.3g}<extra></extra>",
        **_cell_text(values),
    )
    short = [shortened(column) for column in columns]
    height = 110 + 26 * len(names) + 7 * max(map(len, short))
    return go.Figure(
        heat,
        layout(
            dark,
            height=min(max(height, 300), 960),
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis=axis(
                dark, type="category", showgrid=False,
                tickmode="array", tickvals=columns, ticktext=short,
            ),
            yaxis=axis(dark, type="category", showgrid=False, autorange="reversed"),
        ),
    )  # fmt: skip


def shortened(name, longest=_LONGEST):
    """Name with its middle left out where it is long: both ends may tell it from others."""
    if len(name) <= longest:
        return name
    end = (longest - 1) // 3
    return f"{name[: longest - 1 - end]}…{name[len(name) - end :]}"


def most_telling(means, n):
    """Columns in which the means differ most, at most n of them, in their own order."""
    if means.shape[1] <= n:
        return np.arange(means.shape[1])
    spread = np.nan_to_num(np.nanstd(means, axis=0))
    return np.sort(np.argsort(-spread, kind="stable")[:n])


def _cell_text(values):
    """Numbers in the cells, so that colour is not the only code, where there is room."""
    if values.shape[1] > 15:
        return {}
    return {"texttemplate": "%{z:.2f}", "textfont": {"size": 12}}
