"""The energy page's numbers and pictures: a landscape, a particle on it, and the same laid flat."""

from dataclasses import dataclass

import numpy as np

import clam_core
from ui import cached, fields
from ui.spaces import space_of
from workbench import energy_surface
from workbench.energy_surface import Landscape
from workbench.figures import basins as flat
from workbench.figures import globe, palette, raster, surface
from workbench.figures.lines import level_lines
from workbench.ground import WORLD, angles, borders, directions, places, ticks

GRID = 101  # points along each side of the surface
GLOBE = (55, 109)  # latitudes and longitudes of the globe's
_PIXELS = 360  # of the flat picture
_CONTOURS = 12
_DROP = (0.62, 0.7)  # of the frame: where a particle lies that nobody has dropped
_RING = 0.035  # of the cut: how far above the surface its start is marked


@dataclass(frozen=True, eq=False)
class Ground:
    """What a recall Recipe's landscape is made of, whatever the particle.

    Attributes
    ----------
    memories : ndarray, shape (k, d)
    energy : clam_core.Energy
    beta : float
    n_steps : int or None
    step_size : float or None
    kind : {"euclidean", "weighted", "spherical"}
    box : tuple of float
        Frame of the flat picture.
    across, up : ndarray
        The grid's coordinates in it.
    found : Landscape
    labels : ndarray of int, shape (rows, columns)
        Basin of each point of the grid.
    borders : ndarray, shape (s, 2, 2)
        Of the basins, in the flat picture's coordinates.
    """

    memories: np.ndarray
    energy: clam_core.Energy
    beta: float
    n_steps: int | None
    step_size: float | None
    kind: str
    box: tuple[float, ...]
    across: np.ndarray
    up: np.ndarray
    found: Landscape
    labels: np.ndarray
    borders: np.ndarray

    @property
    def on_globe(self):
        """Whether it is the spherical energy's."""
        return self.kind == "spherical"

    def heights(self, points):
        """Energy of points, shape (..., d), above the lowest valley."""
        return energy_surface.heights(
            points, self.memories, self.energy, self.beta, self.found.floor
        )

    def relabel(self, grid):
        """Basins of any places, shape (rows, columns, d)."""
        return energy_surface.labels(
            grid, self.memories, self.energy, self.beta, self.n_steps, self.step_size
        )


def ground(recipe):
    """Return the Ground of a recall Recipe."""
    return cached.of_recall(_ground, recipe)


def _ground(recipe):
    memories, energy, beta, n_steps, step_size = cached.dynamics(recipe)
    kind = recipe.settings["energy"]
    globed = kind == "spherical"
    box = WORLD if globed else fields.frame(memories, kind)
    across, up = ticks(box, GLOBE if globed else (GRID, GRID))
    grid = places(across, up, kind)
    how = (memories, energy, beta)
    labels = energy_surface.labels(grid, *how, n_steps, step_size)

    def relabel(grid):
        return energy_surface.labels(grid, *how, n_steps, step_size)

    return Ground(
        *how, n_steps, step_size, kind, box, across, up,
        found=energy_surface.landscape(grid, *how),
        labels=labels,
        borders=borders(across, up, labels, kind, relabel),
    )  # fmt: skip


def particle(recipe, view):
    """Return where the particle starts, as a Recipe's memories are written."""
    if view.particle is not None:
        return view.particle
    for preset in space_of(recipe).presets.values():
        if preset.memories == recipe.data.positions and preset.particle is not None:
            start = preset.particle
            return (
                tuple(map(float, directions(start)))
                if len(recipe.data.positions[0]) == 3
                else start
            )
    if len(recipe.data.positions[0]) == 3:
        return tuple(map(float, directions((60.0, 60.0))))
    left, right, bottom, top = fields.frame(np.array(recipe.data.positions, float), "euclidean")
    return (
        round(left + _DROP[0] * (right - left), 3), round(bottom + _DROP[1] * (top - bottom), 3)
    )  # fmt: skip


def way(recipe, start):
    """Return the way of a particle, see :func:`workbench.energy_surface.way`."""
    return cached.of_recall(_way, recipe, tuple(start))


def _way(recipe, start):
    land = ground(recipe)
    return energy_surface.way(
        start, land.memories, land.energy, land.beta, land.found,
        n_steps=land.n_steps, step_size=land.step_size,
    )  # fmt: skip


def ceiling(land, walk):
    """Height at which the picture ends."""
    if land.on_globe:
        return float(land.found.heights.max()) or 1.0
    return energy_surface.ceiling(land.found, land.memories, float(walk.heights[0])) or 1.0


def in_space(land, walk, by_height, dark):
    """Draw the landscape in three dimensions, with the particle's way on it."""
    draw = _on_globe if land.on_globe else _over_plane
    return draw(land, walk, by_height, dark)


def _shade(land, top, by_height, dark):
    if by_height:
        return surface.by_height(land.found.heights, 0, top, palette.scale("energy", dark))
    fills = [palette.fill(label, dark) for label in range(len(land.memories))]
    return surface.by_basin(land.labels, fills)


def _levels(top):
    step = top / _CONTOURS
    return step, top - step / 2, step


def _over_plane(land, walk, by_height, dark):
    top = ceiling(land, walk)
    edges = surface.lifted(land.borders, land.heights(land.borders), top)
    trail = surface.lifted(walk.trail, walk.trail_heights, top)
    marks = surface.lifted(walk.iterates, walk.heights, top)
    ring = surface.lifted(walk.iterates[0], walk.heights[0], top, _RING)
    pins = surface.memory_pins(land.memories, land.heights(land.memories), top, dark)
    return surface.surface_figure(
        land.across,
        land.up,
        land.found.heights,
        _shade(land, top, by_height, dark),
        overlays=[
            surface.border_trace(edges, dark),
            *surface.trail_traces(trail, marks, ring, walk.heights, dark),
            *pins,
        ],
        top=top,
        levels=_levels(top),
        titles=("x", "y", "energy"),
        dark=dark,
    )


def _on_globe(land, walk, by_height, dark):
    top = ceiling(land, walk)
    first, _, step = _levels(top)
    lines = [level_lines(land.found.heights, level) for level in np.arange(first, top, 2 * step)]
    scale = np.array([land.across[1] - land.across[0], land.up[1] - land.up[0]])
    contours = np.concatenate(lines) * scale + [land.across[0], land.up[0]]
    start = walk.iterates[0]
    overlays = [
        globe.grid_trace(land.found.places, dark),
        globe.contour_trace(directions(contours), dark),
        surface.border_trace(globe.LIFT * directions(land.borders), dark),
        *globe.velocity_arrow(start, walk.tangent, dark),
        *surface.trail_traces(
            globe.LIFT * walk.trail, globe.LIFT * walk.iterates, 1.02 * start, walk.heights, dark
        ),
        *globe.memory_pins(land.memories, dark),
    ]
    seen = start + walk.iterates[-1] + 0.3 * land.memories[walk.label] + [0, 0, 1e-3]
    return globe.globe_figure(
        land.found.places, _shade(land, top, by_height, dark),
        overlays=overlays, facing=seen, dark=dark,
    )  # fmt: skip


def laid_flat(recipe, land, walk, by_height, dark):
    """Draw the same from above, or the globe as a map, in the same colours."""
    top = ceiling(land, walk)
    png = cached.of_recall(_png, recipe, top if by_height else None, dark)
    step = (land.across[1] - land.across[0]) / 2, (land.up[1] - land.up[0]) / 2
    left, right, bottom, above = land.box
    # Contours stand at the middle of cells, and these values at the grid's own points.
    frame = (left - step[0], right + step[0], bottom - step[1], above + step[1])
    path, memories = walk.trail, land.memories
    if land.on_globe:
        path, memories = _on_map(angles(walk.trail)), angles(memories)
    shares = np.bincount(land.labels.ravel(), minlength=len(memories)) / land.labels.size
    marks = angles(walk.iterates) if land.on_globe else walk.iterates
    overlays = [
        flat.contour_lines(land.found.heights, frame, "energy", dark, _levels(top)),
        *flat.path_lines(path, marks, dark),
        flat.memory_markers(memories, shares, dark),
    ]
    titles = ("longitude (°)", "latitude (°)") if land.on_globe else ("x", "y")
    figure = flat.basins_figure(png, land.box, overlays=overlays, titles=titles, dark=dark)
    if land.on_globe:
        figure.update_layout(xaxis_dtick=60, yaxis_dtick=30)
    return figure


def _on_map(path):
    """Break a path where it leaves the map on one side and comes back on the other."""
    jumps = np.flatnonzero(np.abs(np.diff(path[:, 0])) > 180) + 1
    return np.insert(path, jumps, np.nan, axis=0)


def _png(recipe, top, dark):
    """Return the raster beneath the flat picture: basins, or heights up to ``top``."""
    land = ground(recipe)
    shape = (_PIXELS // 2, _PIXELS) if land.on_globe else (_PIXELS, _PIXELS)
    pixels = places(*ticks(land.box, shape, centred=True), land.kind)
    labels, k = land.relabel(pixels), len(land.memories)
    if top is None:
        index, colours = labels.copy(), [palette.fill(label, dark) for label in range(k)]
    else:
        scale = palette.scale("energy", dark)
        index, colours = raster.in_shades(land.heights(pixels), scale, 254, (0, top))
    index = np.where(raster.borders(labels), len(colours), index)
    return raster.indexed_png(index, [*colours, palette.BACKGROUND[dark]])
