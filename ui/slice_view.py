"""Basins of a trained model: in its own plane, or in the plane through three of its memories."""

import numpy as np
import streamlit as st

from ui import state
from ui.live_basins import live_slice
from workbench.dataset import DataError
from workbench.projection import pca_plane
from workbench.slices import Slice, slice_through

_MOST_POINTS = 2000
_LAYERS = ["voronoi", "attractors", "memories"]


def basins_of(run):
    """Show the live canvas on a run's memories, where its energy has basins in a plane.

    Parameters
    ----------
    run : workbench.run.Run
    """
    energy = run.recipe.settings.get("energy")
    k, d = run.prototypes.shape
    if run.beta is None or energy not in ("euclidean", "weighted") or d < 2 or (d > 2 and k < 3):
        return
    st.header("Basins of the memories")
    _canvas(run, k, d)


@st.fragment
def _canvas(run, k, d):
    chosen = _chosen(k) if d > 2 else None
    try:
        cut = (
            _own_plane(run)
            if chosen is None
            else slice_through(run.prototypes, chosen, run.dataset.X)
        )
    except DataError as error:
        st.warning(str(error))
        return
    rows = np.arange(len(run.labels))
    if len(rows) > _MOST_POINTS:
        rows = np.sort(np.random.default_rng(0).choice(rows, _MOST_POINTS, replace=False))
    note = _note(cut, chosen, run.dataset.features)
    model = {
        "beta": float(np.clip(run.beta, 1e-3, 1e3)),
        "steps": run.recipe.settings["n_steps"],
        "mode": "steps",
        "layers": _LAYERS,
    }
    live_slice(
        f"{run.recipe.key()}:{chosen}",
        model,
        cut,
        np.log(run.weights),
        cut.plane.flatten(run.dataset.X[rows]),
        run.labels[rows],
        note,
    )


def _chosen(k):
    """Three memories of the reader's choice."""
    numbers = list(range(1, k + 1))
    places = st.columns(3)
    chosen = []
    for place, first in zip(places, numbers[:3], strict=True):
        key = f"cluster:corner{first}"
        if st.session_state.get(key, 1) > k:
            state.restart_widgets(key)
        state.seed(key, first)
        title = ("Plane through memory", "and", "and")[first - 1]
        chosen.append(place.selectbox(title, numbers, key=key) - 1)
    return tuple(chosen)


def _own_plane(run):
    held = np.ones(len(run.prototypes), bool)
    return Slice(pca_plane(run.dataset.X), run.prototypes, held)


def _note(cut, chosen, features):
    if chosen is None:
        return f"{features[0]} across, {features[1]} up."
    first, second, third = (number + 1 for number in chosen)
    return (
        f"A slice: the plane through memories {first}, {second} and {third} holds "
        f"{cut.share:.0%} of the data's variance. Rows and other memories are shown where they "
        "project to; colours of rows are their clusters, colours of the plane its own basins."
    )
