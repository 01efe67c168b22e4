"""Density modes and a graph: Scalable Laplacian K-modes, and what lambda does."""

import streamlit as st

from ui import cached, laplacian_results, lecture, state
from ui.controls import remembered, share
from ui.data_controls import data_controls
from ui.laplacian_controls import graph_controls
from ui.preparation_controls import preparation_controls
from ui.startup import through_app


def controls(beside, place):
    """Show the controls and return the Recipe and the Dataset (None at fault)."""
    recipe, view = remembered("laplacian")
    dataset = None
    try:
        with beside, lecture.group("laplacian", "data"):
            table, recipe = data_controls(recipe, "laplacian")
        if table is not None:
            with (
                place,
                lecture.group("laplacian", "columns"),
                st.expander("Columns and preparation"),
            ):
                recipe = preparation_controls(recipe, table, "laplacian")
            with beside, lecture.group("laplacian", "graph"):
                recipe = graph_controls(recipe, len(table.frame))
            dataset = cached.prepared(table, recipe.preparation)
    except ValueError as error:
        st.error(str(error))
    state.write("laplacian", recipe, view)
    return recipe, dataset


def results(recipe, dataset):
    """Show the picture first, then what stands behind it."""
    try:
        run = cached.laplacian(recipe, dataset)
    except ValueError as error:
        st.error(str(error))
        return
    laplacian_results.scores(dataset, run)
    laplacian_results.picture(recipe, dataset, run)
    laplacian_results.beside(recipe, dataset, run)
    laplacian_results.swept(recipe, dataset)
    laplacian_results.objectives(run)
    laplacian_results.modes(recipe, dataset, run)


through_app()
st.title("Modes and graph")
st.caption(
    "Scalable Laplacian K-modes: each row joins the mode that is near and the cluster of its "
    "neighbours. λ weighs the two: slide it from 0, where prototypes decide alone."
)
beside, place = st.columns([3, 8], gap="large")
recipe, dataset = controls(beside, place)
with place:
    if dataset is not None:
        results(recipe, dataset)
    share("laplacian")
