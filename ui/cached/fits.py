"""Caches of what is fitted at once, without a job, and of what is found in a run."""

import streamlit as st

from ui.startup import one_thread
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.laplacian import laplacian_run, rivals, sweep
from workbench.lessons.frames import frames
from workbench.lessons.own import centres
from workbench.reading import Reading
from workbench.recipe import Recipe
from workbench.reference_sets import uploaded
from workbench.reproduction.item import Asked
from workbench.reproduction.items import ITEMS
from workbench.run import run


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


def quick_run(recipe, dataset):
    """Return the Run of a Recipe that is trained in a second or two, without comparisons."""
    return _quick_run(recipe.to_json(), dataset.fingerprint, dataset)


@st.cache_resource(max_entries=6, show_spinner="Training the memories …", scope="session")
def _quick_run(recipe_json, fingerprint, _dataset):
    one_thread()
    return run(Recipe.from_json(recipe_json), _dataset, compared=False)


def lesson_frames(picture, fingerprint, points, *, own):
    """Return what a lesson's picture needs, see :func:`workbench.lessons.frames.frames`.

    Parameters
    ----------
    picture, fingerprint : str
    points : array-like, shape (n, 2)
    own : bool
        Whether the points are the reader's: what comes of them stays in the session.

    Returns
    -------
    dict
    """
    return (_own_frames if own else _toy_frames)(picture, fingerprint, points)


@st.cache_data(max_entries=4, show_spinner="Computing the picture …", scope="session")
def _own_frames(picture, fingerprint, _points):
    one_thread()
    return frames(picture, _points)


@st.cache_data(max_entries=8, show_spinner="Computing the picture …")
def _toy_frames(picture, fingerprint, _points):
    one_thread()
    return frames(picture, _points)


@st.cache_data(max_entries=4, show_spinner=False, scope="session")
def lesson_centres(fingerprint, _points):
    """Return where memories lie on own points, see :func:`workbench.lessons.own.centres`."""
    one_thread()
    return centres(_points)
