"""The energy as a surface over the plane, and what stands on it: a way, memories, borders.

Traces are plain dicts in Plotly's words, with arrays in single precision: a surface is sent anew
at every change. Plotly cuts a surface at the ends of its axes, smoothly; so walls too high to be
of use end there.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from workbench.figures import palette
from workbench.figures.style import axis, faint, ink, layout, muted, paper

LIFT = 0.008  # of the cut: a line in the surface itself would flicker
PIN = 0.16  # of the cut: how far above the surface a memory's number stands
_LIGHT = {"ambient": 0.72, "diffuse": 0.5, "specular": 0.06, "roughness": 0.85, "fresnel": 0.05}
_CAMERA = {"eye": {"x": -0.63, "y": -1.04, "z": 1.28}, "center": {"x": 0.02, "y": 0, "z": -0.13}}


def surface_figure(across, up, heights, shade, *, overlays, top, levels, titles, dark=False):
    """Draw heights over a square of the plane.

    Parameters
    ----------
    across, up : ndarray, shape (columns,) and (rows,)
        Coordinates of the grid.
    heights : ndarray, shape (rows, columns)
        Energy above the lowest valley.
    shade : dict
        What colours it, see :func:`by_basin` and :func:`by_height`.
    overlays : iterable of dict
        See the other functions of this module.
    top : float
        Height at which the picture is cut.
    levels : (float, float, float)
        First and last contour, and the step between them.
    titles : (str, str, str)
        Of the three axes.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The first trace is the surface.
    """
    first, last, step = levels
    line = {"show": True, "start": first, "end": last, "size": step, "usecolormap": False}
    # The colour of contour lines has no transparency in Plotly: a soft one is mixed here.
    soft = palette.mixed(ink(dark), paper(dark), 0.45)
    surface = dict(
        type="surface",
        x=_single(across),
        y=_single(up),
        z=_single(heights),
        name="energy",
        showscale=False,
        lighting=_LIGHT,
        lightposition={"x": -2e3, "y": 1e3, "z": 1e4},
        contours={"z": line | {"color": soft, "width": 1, "highlight": False},
                  "x": {"highlight": False}, "y": {"highlight": False}},
        hovertemplate="(%{x:.3g}, %{y:.3g})<br>energy %{z:.3g}<extra></extra>",
        **shade,
    )  # fmt: skip
    x, y, z = (_axis(title, dark) for title in titles)
    z |= {"range": [-0.02 * top, top]}
    x |= {"range": [float(across[0]), float(across[-1])]}
    y |= {"range": [float(up[0]), float(up[-1])]}
    return go.Figure(
        [surface, *overlays],
        layout(
            dark,
            margin={"l": 0, "r": 0, "t": 0, "b": 0},
            showlegend=False,
            scene={
                "xaxis": x, "yaxis": y, "zaxis": z,
                "aspectmode": "manual", "aspectratio": {"x": 1, "y": 1, "z": 0.45},
                "camera": _CAMERA, "dragmode": "turntable", "uirevision": "kept",
            },
        ),
    )  # fmt: skip


def by_basin(labels, fills) -> dict[str, Any]:
    """Colour a surface by basin.

    Parameters
    ----------
    labels : ndarray of int, shape (rows, columns)
    fills : sequence of str, length k

    Returns
    -------
    dict
    """
    k = len(fills)
    steps = [[(label + end) / k, fill] for label, fill in enumerate(fills) for end in (0, 1)]
    return {
        "surfacecolor": labels.astype(np.uint8),
        "colorscale": steps,
        "cmin": -0.5,
        "cmax": k - 0.5,
    }


def by_height(values, low, high, scale) -> dict[str, Any]:
    """Colour a surface by values from ``low`` to ``high`` along a scale of colours."""
    stops = np.linspace(0, 1, len(scale))
    return {
        "surfacecolor": _single(values),
        "colorscale": [[float(at), colour] for at, colour in zip(stops, scale, strict=True)],
        "cmin": low,
        "cmax": high,
    }


def lifted(points, heights, top, lift=LIFT):
    """Points of the plane, shape (..., 2), laid just above the surface, shape (..., 3)."""
    return np.concatenate([points, (heights + lift * top)[..., None]], axis=-1)


def line_trace(path, name, colour, width) -> dict[str, Any]:
    """Draw a path in space, shape (s, 3), broken where it is NaN."""
    x, y, z = _single(path).T
    return dict(
        type="scatter3d", x=x, y=y, z=z, mode="lines", name=name,
        line={"color": colour, "width": width}, hoverinfo="skip",
    )  # fmt: skip


def border_trace(pieces, dark=False) -> dict[str, Any]:
    """Draw borders of basins, shape (s, 2, 3), as one line with gaps."""
    return line_trace(with_gaps(pieces), "borders of basins", paper(dark), 5)


def with_gaps(pieces):
    """Join pieces, shape (s, t, 3), into one path that is broken between them, shape (?, 3)."""
    gaps = np.full((len(pieces), 1, 3), np.nan)
    return np.concatenate([pieces, gaps], axis=1).reshape(-1, 3)


def trail_traces(trail, marks, start, heights, dark=False):
    """Draw the way of a particle on the surface, a mark at each step.

    Parameters
    ----------
    trail : ndarray, shape (s, 3)
    marks : ndarray, shape (t + 1, 3)
        The iterates.
    start : ndarray, shape (3,)
        Where the ring stands that marks the first of them, free of the surface.
    heights : ndarray, shape (t + 1,)
        Told on hover.
    dark : bool, default False

    Returns
    -------
    list of dict
        The line, the steps, the start.
    """
    last = len(marks) - 1
    told = [f"step {at} of {last}<br>energy {height:.4g}" for at, height in enumerate(heights)]
    steps = _marks(marks[1:], "steps", told[1:], {"color": ink(dark), "size": 4.5})
    ring = {"color": paper(dark), "size": 9, "line": {"color": ink(dark), "width": 3}}
    return [
        line_trace(trail, "the particle's way", ink(dark), 7),
        steps,
        _marks(start[None], "start", told[:1], ring),
    ]


def pins(feet, up, names, dark=False):
    """Stand numbered pins on a surface, so that no slope hides a memory.

    Parameters
    ----------
    feet : ndarray, shape (p, 3)
    up : ndarray, shape (p, 3) or (3,)
        From each foot to its head.
    names : sequence of str, length p
    dark : bool, default False

    Returns
    -------
    list of dict
        The stems, the heads.
    """
    heads = feet + up
    return [
        line_trace(with_gaps(np.stack([feet, heads], axis=1)), "pins", ink(dark), 4),
        dict(
            **_marks(
                heads, "memories", [f"memory {name}" for name in names],
                {"color": ink(dark), "size": 16, "line": {"color": paper(dark), "width": 1}},
            )
            | {"mode": "markers+text"},
            text=list(names),
            textposition="middle center",
            textfont={"color": paper(dark), "size": 14, "weight": 700},
        ),
    ]  # fmt: skip


def memory_pins(memories, heights, top, dark=False):
    """Stand pins on memories of the plane, shape (k, 2); equal ones share a pin.

    Parameters
    ----------
    memories : ndarray, shape (k, 2)
    heights : ndarray, shape (k,)
    top : float
        Of the picture.
    dark : bool, default False
    """
    feet = np.column_stack([memories, heights])
    seen, names = shared_names(memories)
    return pins(feet[seen], np.array([0, 0, PIN * top]), names, dark)


def shared_names(memories):
    """Say which memories stand for all of their place, and the numbers at each: "1", "2, 3"."""
    _, seen, owner = np.unique(memories, axis=0, return_index=True, return_inverse=True)
    members = [np.flatnonzero(owner.ravel() == place) + 1 for place in range(len(seen))]
    return seen, [", ".join(map(str, numbers)) for numbers in members]


def descent_figure(heights, lines, colour, dark=False):
    """Draw a particle's energy at each step, and heights to compare with.

    Parameters
    ----------
    heights : ndarray, shape (t + 1,)
    lines : mapping of str to float
        Height of each level line by its name.
    colour : str
        Of the way: its basin's.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The way, then the level lines.
    """
    last = len(heights) - 1
    way = dict(
        type="scatter", x=list(range(last + 1)), y=heights, name="the particle",
        mode="lines+markers",
        line={"color": colour, "width": 3}, marker={"size": 8, "color": colour},
        hovertemplate="step %{x}: energy %{y:.4g}<extra></extra>",
    )  # fmt: skip
    levels = [
        dict(
            type="scatter", x=[0, last], y=[height, height], mode="lines", name=name,
            line={"color": ink(dark), "width": 1.5, "dash": dash},
            hovertemplate=f"{name} %{{y:.4g}}<extra></extra>",
        )
        for (name, height), dash in zip(lines.items(), ("dash", "dot"), strict=False)
    ]  # fmt: skip
    top = max(float(np.max(heights)), *lines.values(), np.finfo(np.float32).tiny)
    return go.Figure(
        [way, *levels],
        layout(
            dark,
            height=300,
            margin={"l": 8, "r": 8, "t": 56, "b": 8},
            xaxis=axis(dark, "step", dtick=max(1, -(-last // 10)), range=[-0.3, last + 0.3]),
            yaxis=axis(dark, "energy", range=[-0.04 * top, 1.06 * top]),
        ),
    )


def _axis(title, dark):
    return {
        "title": {"text": title, "font": {"size": 14, "color": muted(dark)}},
        "tickfont": {"size": 11, "color": muted(dark)},
        "gridcolor": faint(dark),
        "linecolor": muted(dark),
        "showbackground": False,
        "zeroline": False,
        "showspikes": False,
        "nticks": 6,
    }


def _marks(points, name, told, marker) -> dict[str, Any]:
    x, y, z = _single(points).T
    return dict(
        type="scatter3d", x=x, y=y, z=z, mode="markers", name=name,
        marker={"opacity": 1} | marker, hovertext=told, hoverinfo="text",
    )  # fmt: skip


def _single(values):
    return np.ascontiguousarray(values, np.float32)
