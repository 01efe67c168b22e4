"""Which table and which columns: the same controls on every page that clusters rows."""

import streamlit as st

from ui import cached, state
from ui.controls import limits
from ui.file_controls import file_controls, start_anew, start_on_table
from ui.paint_controls import paint_controls, start_on_painting
from workbench.builtin import BUILTIN, CLASSES
from workbench.recipe import Builtin

_TOYS = ("moons", "circles", "spirals", "blobs", "elongated2", "elongated3", "outliers")
_SOURCES = {"builtin": "Built-in", "file": "Your file", "paint": "Paint"}
_LARGEST_SEED = 2**32 - 1


def data_controls(recipe, page):
    """Show where the rows come from.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    page : str

    Returns
    -------
    table : workbench.dataset.Table or None
        None until a file, or painted points, that the Recipe needs are there.
    recipe : Recipe
    """
    key = state.seed(f"{page}:source", _source(recipe.data))
    source = st.segmented_control(
        "Data",
        list(_SOURCES),
        format_func=_SOURCES.__getitem__,
        key=key,
        on_change=_change_source,
        args=(page,),
        required=True,
    )
    state.tell_painted(source == "paint")
    if source == "paint":
        return paint_controls(recipe, page)
    return file_controls(recipe, page) if source == "file" else _builtin(recipe, page)


def _source(data):
    if data.kind != "upload":
        return "builtin"
    return "paint" if state.is_painted(data) else "file"


def _builtin(recipe, page):
    state.seed(f"{page}:name", recipe.data.name)
    name = st.selectbox(
        "Table",
        list(BUILTIN),
        format_func=BUILTIN.__getitem__,
        key=f"{page}:name",
        on_change=_change_source,
        args=(page,),
    )
    seed = 0
    if name in _TOYS:
        state.seed(f"{page}:draw", recipe.data.seed)
        seed = st.number_input(
            "Seed of the draw",
            0,
            _LARGEST_SEED,
            key=f"{page}:draw",
            value="min",
            help=f"Another number draws other points. {limits(0, _LARGEST_SEED)}",
        )
    recipe = recipe.changed(data=Builtin(name=name, seed=seed))
    return cached.builtin_table(name, seed), recipe


def _change_source(page):
    source = st.session_state[f"{page}:source"]
    file, drawn = state.kept(state.UPLOAD, "table"), state.kept(state.PAINTED, "table")
    if source == "builtin":
        name = st.session_state.get(f"{page}:name", "iris")
        start_anew(page, Builtin(name=name), {"n_clusters": CLASSES[name]})
    elif source == "file" and file is not None:
        start_on_table(page, file)
    elif source == "paint" and drawn is not None:
        start_on_painting(page)
