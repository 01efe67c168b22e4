"""The spherical energy as colours of a globe, with memories, a way and what pulls it."""

import numpy as np
import plotly.graph_objects as go

from workbench.figures import palette
from workbench.figures.style import ink, layout, paper
from workbench.figures.surface import line_trace, pins, shared_names, with_gaps

LIFT = 1.006
"""Radius of what lies on the globe: a line in the surface itself would flicker."""
_PIN = 0.1
_GRID = 30  # degrees between the lines of the grid
_REACH = 1.12  # of the axes, beyond which nothing is drawn
_ARROW = 0.5  # length of the longest velocity there is
_LIGHT = {"ambient": 0.66, "diffuse": 0.55, "specular": 0.05, "roughness": 0.9, "fresnel": 0.05}


def globe_figure(places, shade, *, overlays, facing, dark=False):
    """Draw the unit sphere, coloured.

    Parameters
    ----------
    places : ndarray, shape (rows, columns, 3)
        Unit vectors of a grid of latitudes and longitudes.
    shade : dict
        See :func:`workbench.figures.surface.by_basin` and
        :func:`workbench.figures.surface.by_height`.
    overlays : iterable of dict
        See the other functions of this module.
    facing : ndarray, shape (3,)
        Direction from which it is seen at first.
    dark : bool, default False

    Returns
    -------
    plotly.graph_objects.Figure
        The first trace is the sphere.
    """
    x, y, z = (np.ascontiguousarray(part, np.float32) for part in np.moveaxis(places, -1, 0))
    eye = np.asarray(facing, float) / np.linalg.norm(facing)
    light = 1e4 * (eye + [0, 0, 1])
    sphere = dict(
        type="surface",
        x=x,
        y=y,
        z=z,
        name="energy",
        showscale=False,
        lighting=_LIGHT,
        lightposition=_point(light),
        contours={axis: {"highlight": False} for axis in "xyz"},
        hoverinfo="skip",
        **shade,
    )
    bare = {"visible": False, "range": [-_REACH, _REACH]}
    return go.Figure(
        [sphere, *overlays],
        layout(
            dark,
            margin={"l": 0, "r": 0, "t": 0, "b": 0},
            showlegend=False,
            scene={
                "xaxis": bare,
                "yaxis": bare,
                "zaxis": bare,
                "aspectmode": "cube",
                "camera": {"eye": _point(1.5 * eye)},
                "dragmode": "orbit",
                "uirevision": "kept",
            },
        ),
    )


def grid_trace(places, dark=False):
    """Draw each thirtieth meridian and parallel of a grid of the globe, (rows, columns, 3)."""
    rows, columns = places.shape[:2]
    down, across = (rows - 1) * _GRID // 180, (columns - 1) * _GRID // 360
    path = [
        np.concatenate([line, np.full((1, 3), np.nan)])
        for line in (*places[down:-1:down], *places[:, :-1:across].swapaxes(0, 1))
    ]
    colour = palette.mixed(ink(dark), paper(dark), 0.3)
    return line_trace(LIFT * np.concatenate(path), "every 30 degrees", colour, 1)


def contour_trace(pieces, dark=False):
    """Draw level lines, shape (s, 2, 3), as one line with gaps."""
    colour = palette.mixed(ink(dark), paper(dark), 0.6)
    return line_trace(LIFT * with_gaps(pieces), "lines of equal energy", colour, 1.5)


def memory_pins(memories, dark=False):
    """Stand pins on memories, shape (k, 3), of unit length; equal ones share a pin."""
    seen, names = shared_names(memories)
    return pins(memories[seen], _PIN * memories[seen], names, dark)


def velocity_arrow(start, tangent, dark=False):
    """Draw the velocity with which a particle leaves, along the sphere at its start.

    Parameters
    ----------
    start, tangent : ndarray, shape (3,)
        The tangent is at most 1 long.
    dark : bool, default False

    Returns
    -------
    list of dict
        The shaft, the head; empty where nothing moves.
    """
    if np.linalg.norm(tangent) < 1e-6:
        return []
    foot = LIFT * start
    tip = foot + _ARROW * tangent
    colour = palette.PALETTE[1]
    x, y, z = np.asarray(tip, np.float32)[:, None]
    u, v, w = np.asarray(0.1 * tangent / np.linalg.norm(tangent), np.float32)[:, None]
    head = dict(
        type="cone", x=x, y=y, z=z, u=u, v=v, w=w, name="velocity", anchor="tail",
        colorscale=[[0, colour], [1, colour]], showscale=False, sizemode="raw", sizeref=1,
        hoverinfo="skip",
    )  # fmt: skip
    return [line_trace(np.stack([foot, tip]), "velocity", colour, 6), head]


def _point(vector):
    return dict(zip("xyz", map(float, vector), strict=True))
