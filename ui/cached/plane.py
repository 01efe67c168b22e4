"""Caches of recall in the plane: what the pictures of basins and the energy are made of."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import streamlit as st

import clam_core
from ui import fields
from ui.startup import one_thread
from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.figures import palette, raster
from workbench.preparation import Preparation
from workbench.recipe import Memories, Recipe

_PICTURES = 64


def dynamics(recipe):
    """Return what a recall Recipe computes with: memories, energy, beta, n_steps, step size.

    Parameters
    ----------
    recipe : Recipe
        Of the method "recall".

    Returns
    -------
    tuple
        ``(memories (k, 2), energy, beta, n_steps or None, step_size or None)``.
    """
    settings: Mapping[str, Any] = recipe.settings
    data = cast(Memories, recipe.data)
    kind = settings["energy"]
    weights = data.weights or (1.0,) * len(data.positions)
    energy = clam_core.make_energy(kind, weights if kind == "weighted" else None)
    memories = fields.on_screen(np.array(data.positions, float), kind)
    beta = settings["beta"]
    if beta == "auto":
        beta = _beta(data.positions, kind, weights)
    n_steps = settings["n_steps"] if settings["mode"] == "steps" else None
    step_size = None if settings["step_size"] == "1/T" else settings["step_size"]
    return memories, energy, beta, n_steps, step_size


@st.cache_data(max_entries=_PICTURES, show_spinner=False)
def _beta(positions, kind, weights):
    one_thread()
    energy = clam_core.make_energy(kind, weights if kind == "weighted" else None)
    memories = fields.on_screen(np.array(positions, float), kind)
    rng = np.random.default_rng(0)
    return float(clam_core.auto_beta(memories, len(memories), energy=energy, rng=rng))


@st.cache_data(max_entries=_PICTURES, show_spinner=False)
def partition(recipe_json, box):
    """Basins of a recall Recipe over a box, see :func:`ui.fields.partition`."""
    memories, energy, beta, n_steps, step_size = dynamics(Recipe.from_json(recipe_json))
    return fields.partition(memories, energy, beta, n_steps, box, step_size=step_size)


@st.cache_data(max_entries=_PICTURES, show_spinner=False)
def nearest(positions, kind, box):
    """Nearest memory over a box: the same for every beta and T."""
    memories = fields.on_screen(np.array(positions, float), kind)
    energy = clam_core.make_energy("spherical" if kind == "spherical" else "euclidean")
    return fields.nearest(memories, energy, box)


@st.cache_data(max_entries=_PICTURES // 4, show_spinner=False)
def scalar(name, recipe_json, box):
    """Entropy or energy over a box, see :func:`ui.fields.scalar`."""
    memories, energy, beta, _, _ = dynamics(Recipe.from_json(recipe_json))
    return fields.scalar(name, memories, energy, beta, box)


def ends(name, recipe_json, box):
    """Values at the ends of a colour scale: the entropy's own bounds, the energy's in the box."""
    if name == "entropy":
        k = len(cast(Memories, Recipe.from_json(recipe_json).data).positions)
        return 0.0, float(np.log(k)) if k > 1 else 1.0
    values = scalar(name, recipe_json, box)
    return float(values.min()), float(values.max())


@st.cache_data(max_entries=_PICTURES, show_spinner=False)
def basin_png(recipe_json, box, shade, hatch, dark):
    """Return the raster beneath the basins as PNG bytes.

    Parameters
    ----------
    recipe_json : str
    box : tuple of float
    shade : {"basins", "entropy", "energy"}
        What colours the pixels.
    hatch : bool
        Whether to hatch what leaves its Voronoi cell, in the colour of that cell.
    dark : bool

    Returns
    -------
    bytes
    """
    recipe = Recipe.from_json(recipe_json)
    positions = cast(Memories, recipe.data).positions
    found = partition(recipe_json, box)
    cells = nearest(positions, recipe.settings["energy"], box)
    k = len(positions)
    if shade == "basins":
        index, colours = found.labels.copy(), [palette.fill(label, dark) for label in range(k)]
    else:
        values = scalar(shade, recipe_json, box)
        scale = palette.scale(shade, dark)
        index, colours = raster.in_shades(values, scale, 256 - k - 1, ends(shade, recipe_json, box))
    if hatch:
        row, column = np.indices(index.shape)
        struck = (found.labels != cells) & ((row + column) % 14 < 4)
        index = np.where(struck, len(colours) + cells, index)
    line = palette.BACKGROUND[dark] if shade == "basins" else palette.INK[dark]
    index = np.where(raster.borders(found.regions), len(colours) + k, index)
    return raster.indexed_png(index, [*colours, *palette.colours(k), line])


@st.cache_data(max_entries=16, show_spinner=False)
def plane_points(name):
    """Points of a built-in table in the plane, shape (n, 2), in its own units."""
    return prepare(builtin(name), Preparation(scaling="none")).X


@st.cache_data(max_entries=_PICTURES, show_spinner=False)
def recalled(recipe_json, name):
    """Basin and nearest memory of each of the :func:`plane_points`.

    Returns
    -------
    tuple of ndarray of int, each of shape (n,)
    """
    memories, energy, beta, n_steps, step_size = dynamics(Recipe.from_json(recipe_json))
    torch = one_thread()
    x = torch.as_tensor(plane_points(name), dtype=torch.float32)
    rho = torch.as_tensor(memories, dtype=torch.float32)
    ends = clam_core.basins(x, rho, energy=energy, beta=beta, n_steps=n_steps, step_size=step_size)
    return ends.labels.numpy(), clam_core.voronoi(x, rho, energy=energy).numpy()


def attractor_tree(recipe):
    """Return the attractors against beta as the canvas draws them.

    Parameters
    ----------
    recipe : Recipe
        Of the method "recall", Euclidean or weighted.

    Returns
    -------
    dict
        ``betas`` (the ends), ``counts`` as pairs (beta where the number begins, number),
        ``critical``, ``widest`` (low, high, count; or None), ``branches`` (betas, heights from 0
        to 1 along the memories' longest direction, labels), and ``of``: what it is the tree of.
    """
    data = cast(Memories, recipe.data)
    kind = recipe.settings["energy"]
    weights = data.weights if kind == "weighted" else ()
    return _tree(data.positions, weights or (1.0,) * len(data.positions), kind)


@st.cache_data(max_entries=_PICTURES, show_spinner=False)
def _tree(positions, weights, kind):
    torch = one_thread()
    energy = clam_core.make_energy(kind, weights if kind == "weighted" else None)
    memories = np.array(positions, float)
    tree = clam_core.attractor_tree(torch.as_tensor(memories), energy=energy)
    centred = memories - memories.mean(0)
    axis = np.linalg.svd(centred)[2][0]
    along = centred @ axis
    low, extent = float(along.min()), float(np.ptp(along)) or 1.0

    def height(places):
        return ((places - memories.mean(0)) @ axis - low) / extent

    begins = np.flatnonzero(np.diff(tree.counts, prepend=-1))
    widest = tree.widest
    return {
        "betas": [float(tree.betas[0]), float(tree.betas[-1])],
        "counts": [[float(tree.betas[at]), int(tree.counts[at])] for at in begins],
        "critical": tree.critical.tolist(),
        "widest": None if widest is None else widest._asdict(),
        "branches": [
            {
                "betas": _short(branch.betas),
                "heights": _short(height(branch.positions)),
                "labels": branch.labels.tolist(),
            }
            for branch in tree.branches
        ],
        "of": {"memories": memories.tolist(), "weights": list(weights), "energy": kind},
    }


def _short(values):
    """Five figures: enough for a picture, and half of the letter."""
    return [float(f"{value:.5g}") for value in values]


@st.cache_data(max_entries=_PICTURES, show_spinner=False)
def way(recipe_json, start):
    """Every iterate of one query, shape (t + 1, 2); the attractor mode takes 100 full steps."""
    memories, energy, beta, n_steps, step_size = dynamics(Recipe.from_json(recipe_json))
    torch = one_thread()
    x, rho = (torch.as_tensor(np.atleast_2d(a), dtype=torch.float32) for a in (start, memories))
    path = clam_core.recall_path(
        x,
        rho,
        energy=energy,
        beta=beta,
        n_steps=n_steps or 100,
        step_size=1.0 if n_steps is None else step_size,
    )
    return path[:, 0].numpy()


def of_recall(find, recipe, *about):
    """Return what ``find(recipe, *about)`` finds, once for each recall Recipe; nobody changes it.

    Parameters
    ----------
    find : callable
        Of a module, named unlike others.
    recipe : workbench.recipe.Recipe
    *about
        What else decides, such as a particle's place.
    """
    return _of_recall(find.__name__, recipe.to_json(), about, find, recipe)


@st.cache_resource(max_entries=_PICTURES, show_spinner=False)
def _of_recall(name, recipe_json, about, _find, _recipe):
    one_thread()
    return _find(_recipe, *about)
