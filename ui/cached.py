"""Every cache of the app.

Keys are the Recipe as JSON, or the part of it that decides, and the fingerprint of a table. What
comes from a reader's file is cached for that reader's session only.
"""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import streamlit as st

import clam_core
from ui import fields
from ui.startup import one_thread
from workbench import facts, model_file, typed_export
from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.figures import palette, raster
from workbench.intake import read_table
from workbench.laplacian import laplacian_run, rivals, sweep
from workbench.lessons.frames import frames
from workbench.lessons.own import centres
from workbench.preparation import Preparation
from workbench.projection import enough_for_umap, pca_plane, umap_embedding
from workbench.reading import Reading
from workbench.recipe import Memories, Recipe
from workbench.reference_sets import uploaded
from workbench.reproduction.item import Asked
from workbench.reproduction.items import ITEMS
from workbench.roles import guess_roles
from workbench.run import run

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


@st.cache_resource(max_entries=16, show_spinner=False)
def builtin_table(name, seed):
    """Return a built-in table; nobody changes it."""
    return builtin(name, seed=seed)


def file_table(name, payload, mark, reading):
    """Return the table of a file, see :func:`workbench.intake.read_table`.

    Parameters
    ----------
    name : str
    payload : bytes
    mark : str
        Fingerprint of the payload.
    reading : workbench.reading.Reading
    """
    return _file_table(name, mark, reading.model_dump_json(), payload)


@st.cache_resource(max_entries=3, show_spinner="Reading the file …", scope="session")
def _file_table(name, mark, reading_json, _payload):
    return read_table(_payload, name, Reading.model_validate_json(reading_json))


def guesses(table):
    """Return what each column seems to be, see :func:`workbench.roles.guess_roles`."""
    return _guesses(table.key, table)


@st.cache_data(max_entries=4, show_spinner="Looking at the columns …", scope="session")
def _guesses(key, _table):
    return guess_roles(_table)


def column_facts(table):
    """Return what to know about each column, see :func:`workbench.facts.column_facts`."""
    return _column_facts(table.key, table)


@st.cache_data(max_entries=4, show_spinner=False, scope="session")
def _column_facts(key, _table):
    return facts.column_facts(_table, guesses(_table))


def prepared(table, preparation):
    """Return the Dataset of a table, see :func:`workbench.dataset.prepare`."""
    return _prepared(table.key, preparation.model_dump_json(), table, preparation)


@st.cache_resource(max_entries=4, show_spinner="Preparing the table …", scope="session")
def _prepared(key, preparation_json, _table, _preparation):
    return prepare(_table, _preparation)


@st.cache_data(max_entries=4, show_spinner="Laying out the points …", scope="session")
def flat(plane, fingerprint, _X, rows, seed):
    """Positions of the rows of a dataset in two dimensions.

    Parameters
    ----------
    plane : {"pca", "umap"}
    fingerprint : str
        Of the dataset.
    _X : ndarray, shape (n, d)
    rows : int
        How many of them, drawn evenly by the seed; the key, unlike their values.
    seed : int

    Returns
    -------
    positions : ndarray, shape (rows, 2)
    shown : ndarray of int, shape (rows,)
        Positions of the rows in the dataset, rising.
    shares : tuple of float or None
        Of the variance along the two axes of PCA; None of UMAP, which gives way to PCA where there
        are too few rows for it.
    """
    shown = np.arange(len(_X))
    if rows < len(_X):
        shown = np.sort(np.random.default_rng(seed).choice(len(_X), rows, replace=False))
    if plane == "umap" and enough_for_umap(_X[shown]):
        return umap_embedding(_X[shown], seed=seed), shown, None
    found = pca_plane(_X)
    return found.flatten(_X[shown]), shown, found.shares


def format_note(ending, table, notes, as_written):
    """Say what a format does to cells, see :func:`workbench.typed_export.format_note`."""
    return _format_note(ending, table.key, notes.model_dump_json(), as_written, table, notes)


@st.cache_data(max_entries=12, show_spinner=False, scope="session")
def _format_note(ending, table_key, notes_json, as_written, _table, _notes):
    return typed_export.format_note(ending, _table, _notes, as_written=as_written)


def model_of(run):
    """Return what a run has learned, see :func:`workbench.model_file.model_of`."""
    return _model_of(run.key, run)


@st.cache_resource(max_entries=2, show_spinner=False, scope="session")
def _model_of(key, _run):
    return model_file.model_of(_run)


@st.cache_resource(max_entries=2, show_spinner="Reading the model …", scope="session")
def saved_model(file_id, _payload, name):
    """Return the model of an uploaded file, see :func:`workbench.model_file.read_model`."""
    return model_file.read_model(_payload.getvalue(), name)


@st.cache_resource(max_entries=2, show_spinner="Reading the table …", scope="session")
def new_table(file_id, _payload, name, reading_json):
    """Return an uploaded table that new labels are for, read like the model's own."""
    reading = Reading.model_validate_json(reading_json)
    return read_table(_payload.getvalue(), name, reading)


@st.cache_resource(max_entries=2, show_spinner="Labelling the rows …", scope="session")
def new_labels(model_key, table_key, _model, _table):
    """Return clusters of a table's rows, see :meth:`workbench.model_file.Model.predict`."""
    one_thread()
    return _model.predict(_table)


def laplacian(recipe, dataset):
    """Return what SLK finds, see :func:`workbench.laplacian.laplacian_run`."""
    return _laplacian(recipe.to_json(), dataset.fingerprint, dataset)


@st.cache_resource(max_entries=24, show_spinner="Building the graph …", scope="session")
def _laplacian(recipe_json, fingerprint, _dataset):
    one_thread()
    return laplacian_run(Recipe.from_json(recipe_json), _dataset)


def laplacian_sweep(recipe, dataset):
    """Return the clusters for lambda from 0 up; the Recipe's own lambda does not count."""
    recipe = recipe.changed(settings={"coupling": 0.0})
    return _sweep(recipe.to_json(), dataset.fingerprint, dataset)


@st.cache_resource(max_entries=4, show_spinner="Sweeping λ …", scope="session")
def _sweep(recipe_json, fingerprint, _dataset):
    one_thread()
    return sweep(Recipe.from_json(recipe_json), _dataset)


def prototypes_alone(recipe, dataset, labels):
    """Return clusters of k-means and ClAM, see :func:`workbench.laplacian.rivals`."""
    key = (recipe.settings["n_clusters"], recipe.seed, recipe.dtype, labels.tobytes())
    return _alone(key, dataset.fingerprint, recipe, dataset, labels)


@st.cache_data(max_entries=8, show_spinner="k-means and ClAM …", scope="session")
def _alone(key, fingerprint, _recipe, _dataset, _labels):
    one_thread()
    return dict(rivals(_recipe, _dataset, _labels))


@st.cache_resource(max_entries=16, show_spinner="Drawing …")
def quick_item(key):
    """Return what a quick figure or table finds, see :class:`workbench.reproduction.item.Item`."""
    one_thread()
    item = ITEMS[key]
    return item.view(item.run(Asked(), lambda progress: None, lambda: False))


@st.cache_resource(max_entries=4, show_spinner="Reading the table …", scope="session")
def uploaded_set(file_id, _payload, name):
    """Return the source for an uploaded table, see :func:`workbench.reference_sets.uploaded`."""
    return uploaded(prepare(read_table(_payload.getvalue(), name, Reading())))


def of_run(find, run):
    """Return what a function of a run finds, once for each run.

    Parameters
    ----------
    find : callable
        ``find(run)``, of a module; what it returns is shared and nobody changes it.
    run : workbench.run.Run
    """
    return _of_run(find.__name__, run.key, find, run)


@st.cache_resource(max_entries=8, show_spinner="Looking at every row …", scope="session")
def _of_run(name, key, _find, _run):
    one_thread()
    return _find(_run)


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


def quick_run(recipe, dataset):
    """Return the Run of a Recipe that is trained in a second or two, without comparisons."""
    return _quick_run(recipe.to_json(), dataset.fingerprint, dataset)


@st.cache_resource(max_entries=6, show_spinner="Training the memories …", scope="session")
def _quick_run(recipe_json, fingerprint, _dataset):
    one_thread()
    return run(Recipe.from_json(recipe_json), _dataset, compared=False)


@st.cache_data(max_entries=16, show_spinner="Computing the picture …")
def lesson_frames(picture, fingerprint, _points):
    """Return what a lesson's picture needs, see :func:`workbench.lessons.frames.frames`."""
    one_thread()
    return frames(picture, _points)


@st.cache_data(max_entries=16, show_spinner=False)
def lesson_centres(fingerprint, _points):
    """Return where memories lie on own points, see :func:`workbench.lessons.own.centres`."""
    one_thread()
    return centres(_points)
