"""The basins page's picture and sentence, put together from cached arrays."""

import numpy as np

from ui import cached, fields
from workbench.figures import basins as draw
from workbench.figures import palette
from workbench.figures.captions import BasinNumbers
from workbench.figures.voronoi import voronoi_edges
from workbench.toys import PRESETS

_APART = 0.01  # of the box: an attractor nearer to a memory than this is hidden beneath it


def basin_picture(recipe, view, dark):
    """Draw the basins of a recall Recipe and say what they show.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    view : workbench.recipe.View
    dark : bool

    Returns
    -------
    figure : plotly.graph_objects.Figure
    numbers : BasinNumbers
    """
    text = recipe.to_json()
    points = None if view.points is None else cached.plane_points(view.points)
    positions, kind = recipe.data.positions, recipe.settings["energy"]
    memories, energy, beta, n_steps, _ = cached.dynamics(recipe)
    box = fields.frame(memories, kind, points)
    found = cached.partition(text, box)
    cells = cached.nearest(positions, kind, box)
    shade = next((name for name in ("entropy", "energy") if name in view.layers), "basins")
    png = cached.basin_png(text, box, shade, "disagreement" in view.layers, dark)

    overlays = []
    if shade == "energy":
        lines = cached.scalar("energy", text, box)[2::5, 2::5]
        overlays.append(draw.contour_lines(lines, box, "energy", dark))
    if kind == "spherical":
        overlays.append(draw.unit_circle(dark))
    edges = voronoi_edges(memories, box)
    if "voronoi" in view.layers:
        overlays.append(draw.voronoi_lines(edges, dark))
    overlays += _points(text, view, points, len(memories), dark)
    overlays += _markers(recipe, view, memories, found, box, edges, dark)
    scale = None if shade == "basins" else _scale(shade, cached.ends(shade, text, box), dark)
    figure = draw.basins_figure(png, box, overlays=overlays, scale=scale, dark=dark)

    leaving = np.zeros(0, bool)
    if points is not None:
        labels, own = cached.recalled(text, view.points)
        leaving = labels != own
    numbers = BasinNumbers(
        k=len(memories),
        energy=kind,
        beta=beta,
        beta_shown=f"{view.shown_beta(beta):.4g}",
        n_steps=n_steps,
        leaving=float(np.mean(found.labels != cells)),
        n_attractors=len(found.attractors),
        entropy=found.entropy,
        heaviest=_heaviest(recipe),
        points=len(leaving),
        points_leaving=int(leaving.sum()),
    )
    return figure, numbers


def _points(text, view, points, k, dark):
    if points is None:
        return []
    labels, own = cached.recalled(text, view.points)
    return [draw.data_points(points, labels, labels != own, palette.colours(k), dark)]


def _markers(recipe, view, memories, found, box, edges, dark):
    """Numbers of basins, attractors away from memories, a figure's particle, memories on top."""
    far = _far(found.attractors, memories, _APART * (box[1] - box[0]))
    markers = np.concatenate([memories, found.attractors[far]])
    places = fields.number_places(found.regions, box, markers, edges)
    traces = [draw.basin_numbers(places, _region_names(found.region_labels), dark)]
    if "attractors" in view.layers and far.any():
        traces.append(draw.attractor_stars(found.attractors[far], dark))
    particle = _particle(recipe, view)
    if particle is not None:
        traces.append(draw.recall_line(cached.way(recipe.to_json(), particle), dark))
    if "memories" in view.layers:
        shares = np.bincount(found.labels.ravel(), minlength=len(memories)) / found.labels.size
        traces.append(draw.memory_markers(memories, shares, dark))
    return traces


def _region_names(labels):
    """Number regions by memory; regions of one memory get letters: 1, 2a, 2b."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = []
    for place, label in enumerate(labels):
        alike = np.flatnonzero(labels == label)
        letter = letters[int(np.searchsorted(alike, place)) % 26] if len(alike) > 1 else ""
        names.append(f"{label + 1}{letter}")
    return names


def _far(attractors, memories, least):
    distances = np.linalg.norm(attractors[:, None] - memories[None], axis=2)
    return distances.min(axis=1) > least


def _heaviest(recipe):
    """Number of the memory of largest weight, 0 where all weigh alike."""
    weights = recipe.data.weights if recipe.settings["energy"] == "weighted" else ()
    return int(np.argmax(weights)) + 1 if len(set(weights)) > 1 else 0


def _particle(recipe, view):
    if view.particle is not None:
        return view.particle
    for preset in PRESETS.values():
        if preset.particle is not None and preset.memories == recipe.data.positions:
            return preset.particle
    return None


def _scale(shade, ends, dark):
    titles = {"entropy": "entropy (nats)", "energy": "energy (length²)"}
    low, high = ends
    return draw.colour_bar(palette.scale(shade, dark), low, high, titles[shade], dark)
