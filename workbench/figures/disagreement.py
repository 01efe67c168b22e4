"""Where clusterings of the same rows disagree."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures.palette import scale
from workbench.figures.style import axis, ink, layout, muted, paper

_SIZES = (4.0, 13.0)  # of a row that all put alike, and of one about which every pair differs
_CROWDED = (3.0, 9.0)  # the same beyond a thousand rows

_LEAST_RANGE = 0.5  # of the colours: where all but agree, little should look little


def disagreement_figure(
    positions, agreement, rows, *, hover=None, numbered=(), equal=True, dark=False
):
    """Points that grow and take on colour the fewer pairs of methods put them alike.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
    agreement : ndarray, shape (n,)
        Share of the pairs of methods that agree on the row, from 0 to 1.
    rows : ndarray, shape (n,)
        Identity of each point, carried in ``customdata``.
    hover : sequence of str, length n, optional
    numbered : sequence of (int, str), optional
        Positions of points that carry a text, and the text.
    equal : bool, default True
        Whether both axes have one unit.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The points, the disputed ones on top; then the texts.
    """
    dispute = 1 - np.asarray(agreement, float)
    small, large = _SIZES if len(dispute) <= 1000 else _CROWDED
    order = np.argsort(dispute, kind="stable")
    shades = scale("entropy", dark)[1:]  # its first is the page's own colour
    points = go.Scatter(
        x=positions[order, 0].astype(np.float32),
        y=positions[order, 1].astype(np.float32),
        mode="markers",
        marker={
            "color": dispute[order].round(3),
            "cmin": 0,
            "cmax": max(_LEAST_RANGE, float(dispute.max(initial=0))),
            "colorscale": [[step / (len(shades) - 1), shade] for step, shade in enumerate(shades)],
            "size": (small + (large - small) * dispute[order]).round(1),
            "line": {"color": muted(dark), "width": 0.5},
            "colorbar": {
                "title": {
                    "text": "pairs of methods that disagree", "side": "top", "font": {"size": 13},
                },
                "thickness": 12, "outlinewidth": 0, "orientation": "h", "len": 0.6, "x": 0,
                "xanchor": "left", "y": 1.01, "yanchor": "bottom", "tickformat": ".0%",
                "tickvals": [0, 0.25, 0.5, 0.75, 1], "tickfont": {"color": muted(dark), "size": 12},
            },
        },
        customdata=rows[order],
        hovertext=None if hover is None else np.asarray(hover, object)[order],
        hovertemplate="%{hovertext}<extra></extra>" if hover is not None else None,
    )  # fmt: skip
    traces = [points]
    if len(numbered):
        at, texts = zip(*numbered, strict=True)
        at = list(at)
        traces.append(
            go.Scatter(
                x=positions[at, 0], y=positions[at, 1], mode="text", text=list(texts),
                textposition="top center", textfont={
                    "color": ink(dark), "size": 13, "weight": 600,
                    "shadow": ", ".join([f"0 0 3px {paper(dark)}"] * 4),
                },
                hoverinfo="skip",
            )
        )  # fmt: skip
    bare = {"showgrid": False, "showticklabels": False, "ticks": "", "mirror": True}
    up = {"scaleanchor": "x", "scaleratio": 1} if equal else {}
    return go.Figure(
        traces,
        layout(
            dark,
            height=500,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            showlegend=False,
            dragmode="pan",
            xaxis=axis(dark, **bare),
            yaxis=axis(dark, **bare, **up),
        ),
    )
