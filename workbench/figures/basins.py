"""The picture of basins: a raster beneath, and on it memories, attractors and Voronoi edges.

Traces are plain dicts in Plotly's words: the figure checks them once, all together, which is half
the time of a picture.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from workbench.figures.raster import layout_image
from workbench.figures.style import equal_axes, ink, layout, muted, paper


def basins_figure(png, box, *, overlays, scale=None, titles=("x", "y"), dark=False):
    """Basins of attraction in the plane.

    Parameters
    ----------
    png : bytes
        The raster, see :mod:`workbench.figures.raster`; it fills the box exactly.
    box : tuple of float
        ``(left, right, bottom, top)`` in the units of the memories.
    overlays : iterable of dict
        Drawn over the raster in this order, see the functions of this module.
    scale : dict, optional
        Its colour bar explains the raster, see :func:`colour_bar`.
    titles : (str, str), default ("x", "y")
        Of the two axes.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        Equal units on both axes, no grid lines, zoom kept between updates.
    """
    traces = [trace for trace in (*overlays, scale) if trace is not None]
    return go.Figure(
        data=traces,
        layout=layout(
            dark,
            images=[layout_image(png, box)],
            dragmode="pan",
            **equal_axes(dark, box, titles),
        ),
        _validate=False,  # tests do: to check every property again costs 10 ms a picture
    )


def voronoi_lines(edges, dark=False) -> dict[str, Any]:
    """Voronoi edges, shape (s, 2, 2), as one dashed line with gaps."""
    gaps = np.full((len(edges), 1, 2), np.nan)
    path = np.concatenate([edges, gaps], axis=1).reshape(-1, 2)
    return dict(
        type="scatter",
        x=path[:, 0],
        y=path[:, 1],
        mode="lines",
        name="Voronoi edges",
        line={"color": ink(dark), "width": 2, "dash": "7px,5px"},
        hoverinfo="skip",
    )


def unit_circle(dark=False) -> dict[str, Any]:
    """Draw the circle on which the spherical energy's memories lie."""
    angles = np.linspace(0, 2 * np.pi, 121)
    return dict(
        type="scatter",
        x=np.cos(angles),
        y=np.sin(angles),
        mode="lines",
        name="unit circle",
        line={"color": muted(dark), "width": 1},
        hoverinfo="skip",
    )


def memory_markers(memories, shares, dark=False) -> dict[str, Any]:
    """Memories as numbered discs; equal ones share a disc that bears all their numbers.

    Parameters
    ----------
    memories : ndarray, shape (k, 2)
    shares : ndarray, shape (k,)
        Share of the picture that each memory's basin covers, told on hover.
    dark : bool, default False

    Returns
    -------
    dict
    """
    places, owner = np.unique(memories, axis=0, return_inverse=True)
    numbers = [np.flatnonzero(owner.ravel() == place) for place in range(len(places))]
    text = [", ".join(str(member + 1) for member in members) for members in numbers]
    hover = [
        f"memory {label}<br>({x:.3g}, {y:.3g})<br>{shares[members].sum():.1%} of the picture"
        for label, members, (x, y) in zip(text, numbers, places, strict=True)
    ]
    return dict(
        type="scatter",
        x=places[:, 0],
        y=places[:, 1],
        mode="markers+text",
        name="memories",
        text=text,
        textfont={"color": paper(dark), "size": 13, "weight": 700},
        marker={"color": ink(dark), "size": 22, "line": {"color": paper(dark), "width": 2}},
        hovertext=hover,
        hoverinfo="text",
    )


def basin_numbers(positions, numbers, dark=False) -> dict[str, Any]:
    """Write the number of each basin, large, at a place well inside it.

    Parameters
    ----------
    positions : ndarray, shape (r, 2)
    numbers : sequence of str, length r
    dark : bool, default False

    Returns
    -------
    dict
    """
    positions = np.reshape(positions, (-1, 2))
    return dict(
        type="scatter",
        x=positions[:, 0],
        y=positions[:, 1],
        mode="text",
        name="basin numbers",
        text=list(numbers),
        textfont={"color": ink(dark), "size": 26, "weight": 700},
        hoverinfo="skip",
        showlegend=False,
    )


def attractor_stars(attractors, dark=False) -> dict[str, Any]:
    """Attractors, shape (a, 2), that no memory sits on, as stars."""
    return dict(
        type="scatter",
        x=attractors[:, 0],
        y=attractors[:, 1],
        mode="markers",
        name="attractors",
        marker={
            "symbol": "star",
            "size": 18,
            "color": paper(dark),
            "line": {"color": ink(dark), "width": 2},
        },
        hovertemplate="attractor<br>(%{x:.3g}, %{y:.3g})<extra></extra>",
    )


def data_points(points, labels, leaving, colours, dark=False) -> dict[str, Any]:
    """Colour data points by their basin; a cross marks one that leaves its Voronoi cell.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
    labels : ndarray of int, shape (n,)
        Basin of each point.
    leaving : ndarray of bool, shape (n,)
        Whether it differs from the nearest memory.
    colours : sequence of str, length k
        Colour of each basin.
    dark : bool, default False

    Returns
    -------
    dict
        ``customdata`` holds the row of each point.
    """
    return dict(
        type="scatter",
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        name="data points (x: leaves its cell)",
        marker={
            "size": np.where(leaving, 9, 7),
            "symbol": np.where(leaving, "x", "circle"),
            "color": [colours[label] for label in labels],
            "line": {"color": ink(dark), "width": 0.8},
        },
        customdata=np.arange(len(points)),
        hovertext=[f"basin {label + 1}" for label in labels],
        hoverinfo="text",
    )


def recall_line(path, dark=False) -> dict[str, Any]:
    """Draw the way of one query, shape (t + 1, 2), from a ring at its start to its endpoint."""
    last = len(path) - 1
    return dict(
        type="scatter",
        x=path[:, 0],
        y=path[:, 1],
        mode="lines+markers",
        name="a query's way",
        line={"color": ink(dark), "width": 3},
        marker={
            "symbol": ["circle-open"] + ["circle"] * last,
            "size": [13] + [5] * last,
            "color": ink(dark),
            "line": {"width": 3, "color": ink(dark)},
        },
        hovertext=[f"step {step} of {last}" for step in range(len(path))],
        hoverinfo="text",
    )


def path_lines(trail, marks, dark=False) -> list[dict[str, Any]]:
    """Draw a way whose steps are not straight lines in the picture.

    Parameters
    ----------
    trail : ndarray, shape (s, 2)
        The way in small parts, NaN where it is broken.
    marks : ndarray, shape (t + 1, 2)
        Its steps, from a ring at the start.
    dark : bool, default False

    Returns
    -------
    list of dict
        The line, the marks.
    """
    line = {"mode": "lines", "name": "the particle's way", "hovertext": None, "hoverinfo": "skip"}
    return [
        recall_line(trail, dark) | line,
        recall_line(marks, dark) | {"mode": "markers", "showlegend": False},
    ]


def contour_lines(values, box, name, dark=False, levels=None) -> dict[str, Any]:
    """Contour lines of a field over the box, first row of values at the bottom.

    They are a dozen and labelled; or at ``levels``, first, last and step, without labels.
    """
    left, right, bottom, top = box
    rows, columns = values.shape
    lines = {"coloring": "none", "showlabels": levels is None}
    if levels is not None:
        lines |= dict(zip(("start", "end", "size"), levels, strict=True))
    return dict(
        type="contour",
        z=np.asarray(values, np.float32),
        x0=left + (right - left) / (2 * columns),
        dx=(right - left) / columns,
        y0=bottom + (top - bottom) / (2 * rows),
        dy=(top - bottom) / rows,
        name=name,
        showscale=False,
        showlegend=False,
        ncontours=12,
        autocontour=levels is None,
        contours=lines | {"labelfont": {"size": 12, "color": ink(dark)}},
        line={"color": ink(dark), "width": 1 if levels is None else 0.6},
        hovertemplate=name + " %{z:.3g}<extra></extra>",
    )


def colour_bar(scale, low, high, title, dark=False) -> dict[str, Any]:
    """Carry, in an empty trace, the colour bar of a raster drawn as an image."""
    stops = np.linspace(0, 1, len(scale))
    return dict(
        type="scatter",
        x=[None],
        y=[None],
        mode="markers",
        name=title,
        showlegend=False,
        hoverinfo="skip",
        marker={
            "color": [low],
            "cmin": low,
            "cmax": high,
            "colorscale": [[stop, colour] for stop, colour in zip(stops, scale, strict=True)],
            "showscale": True,
            "colorbar": {
                "title": {"text": title, "side": "right"},
                "thickness": 12,
                "outlinewidth": 0,
                "tickfont": {"color": muted(dark), "size": 13},
            },
        },
    )
