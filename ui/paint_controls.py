"""Painted points as a page's table."""

import streamlit as st

from ui import state
from ui.file_controls import of_columns, start_on_table
from ui.painter import download, painter
from workbench.reading import Reading
from workbench.recipe import Upload

_FEWEST = 2  # rows


def paint_controls(recipe, page):
    """Show the painter and what is in use of it.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    page : str

    Returns
    -------
    table : workbench.table.Table or None
        None until there are points that the Recipe is of.
    recipe : workbench.recipe.Recipe
    """
    painter(page, _begin)
    drawn = state.kept(state.PAINTED, "table")
    if recipe.data.kind == "upload" and state.own_table(recipe.data)[0] is None:
        st.info(
            "This link was made with painted points, which no link contains: choose their CSV as "
            "your file, or go on with points of your own."
        )
        if drawn is not None:
            st.button("Go on with mine", key=f"{page}:mine", on_click=_go_on, args=(page,))
    if drawn is None or drawn.fingerprint != getattr(recipe.data, "fingerprint", None):
        return None, recipe
    if len(drawn.frame) < _FEWEST:
        st.info("One point is painted, and clustering needs at least two: paint more.")
        return None, recipe
    download(page)
    preparation = of_columns(recipe.preparation, drawn)
    return drawn, recipe.changed(preparation=preparation, reading=Reading())


def start_on_painting(page):
    """Start the Recipe anew for the painted points: a cluster for each ink, if there are several.

    Parameters
    ----------
    page : str
    """
    drawn = state.kept(state.PAINTED, "table")
    inks = drawn.frame["label"].nunique() if "label" in drawn.frame else None
    start_on_table(page, drawn, inks)


def _begin(page, restored):
    """Start on new points, unless the page has them already or its link is of other ones."""
    drawn, data = state.kept(state.PAINTED, "table"), state.read(page).recipe.data
    if data == Upload(fingerprint=drawn.fingerprint):
        return
    linked = data.kind == "upload" and state.own_table(data)[0] is None
    if not (restored and linked):
        start_on_painting(page)


def _go_on(page):
    """Take the points of now for those of the link; all settings stay."""
    drawn = state.kept(state.PAINTED, "table")
    recipe, view, _ = state.read(page)
    state.write(page, recipe.changed(data=Upload(fingerprint=drawn.fingerprint)), view)
