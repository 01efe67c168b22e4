"""What all figures share: ink, grid and margins for a light and a dark page."""

import numpy as np

from workbench.figures.palette import BACKGROUND, INK

FONT = "Source Sans, Segoe UI, Helvetica, Arial, sans-serif"
ANY_REVISION = "kept"
"""With one constant ``uirevision`` the reader's zoom outlives a change of the data."""


def ink(dark):
    """Colour of text, markers and lines."""
    return INK[dark]


def paper(dark):
    """Colour of the page: the halo around markers and the ink's counterpart."""
    return BACKGROUND[dark]


def faint(dark):
    """Colour of axes and grid lines."""
    return "#3a424d" if dark else "#dfe3e8"


def muted(dark):
    """Colour of secondary text."""
    return "#aab3bf" if dark else "#57606c"


def layout(dark, **changes):
    """Return the Plotly layout of every figure, with changes on top.

    Parameters
    ----------
    dark : bool
        Whether the page behind is dark.
    **changes
        Entries that replace or extend the layout.

    Returns
    -------
    dict
    """
    return {
        "template": "none",  # the default one is longer than most figures
        "font": {"family": FONT, "size": 15, "color": ink(dark)},
        "paper_bgcolor": paper(dark),  # so that a downloaded picture is legible anywhere
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "hoverlabel": {
            "bgcolor": paper(dark),
            "bordercolor": muted(dark),
            "font": {"family": FONT, "size": 14, "color": ink(dark)},
        },
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1.01,
            "yanchor": "bottom",
            "itemsizing": "constant",
            "itemwidth": 36,
            "bgcolor": "rgba(0,0,0,0)",
        },
        "uirevision": ANY_REVISION,
    } | changes


def axis(dark, title=None, **changes):
    """Return a Plotly axis in the same ink, with changes on top."""
    return {
        "title": {"text": title, "font": {"size": 15}, "standoff": 8},
        "automargin": True,
        "gridcolor": faint(dark),
        "linecolor": muted(dark),
        "tickcolor": muted(dark),
        "tickfont": {"color": muted(dark), "size": 13},
        "zeroline": False,
    } | changes


def span(values, least):
    """Return the two ends of an axis around values, room for markers included.

    Parameters
    ----------
    values : ndarray
        Those that are not finite do not count.
    least : float
        Smallest length, so that differences of rounding do not fill a picture.

    Returns
    -------
    list of float
    """
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    middle, half = (low + high) / 2, 0.58 * max(high - low, least)
    return [middle - half, middle + half]


def equal_axes(dark, box, titles=("x", "y")):
    """Both axes of a picture of the plane: equal units, no grid, cut to the box."""
    left, right, bottom, top = box
    bare = {"showgrid": False, "ticks": "outside", "ticklen": 4, "constrain": "domain"}
    return {
        "xaxis": axis(dark, titles[0], range=[left, right], **bare),
        "yaxis": axis(dark, titles[1], range=[bottom, top], scaleanchor="x", scaleratio=1, **bare),
    }
