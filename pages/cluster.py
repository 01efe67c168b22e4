"""Cluster a table: upload or built-in data, run, look, take the labels away."""

import streamlit as st

from ui import cached, cluster_results, history, lecture, state
from ui.cluster_controls import method_controls
from ui.cluster_sections import show
from ui.controls import remembered, share
from ui.data_controls import data_controls
from ui.preparation_controls import preparation_controls, told
from ui.startup import through_app
from ui.training_panel import run_button, watch
from ui.workspace import keep_in_browser


def controls(beside, place):
    """Show the controls and return the Recipe, the Dataset (None at fault) and Run's place."""
    recipe, view = remembered("cluster")
    history.find_again(recipe)
    dataset = below = None
    try:
        with beside, lecture.group("cluster", "data"):
            table, recipe = data_controls(recipe, "cluster")
        if table is not None:
            fresh = state.kept("cluster", "run") is None
            with (
                place,
                lecture.group("cluster", "columns"),
                st.expander("Columns and preparation", expanded=fresh),
            ):
                recipe = preparation_controls(recipe, table, "cluster")
                said = st.container()
            with beside:
                recipe, below = method_controls(recipe)
            dataset = cached.prepared(table, recipe.preparation)
            with said:
                told(dataset)
    except ValueError as error:
        st.error(str(error))
    state.write("cluster", recipe, view)
    return recipe, dataset, below


through_app()
st.title("Cluster a table")
beside, place = st.columns([3, 8], gap="large")
recipe, dataset, below = controls(beside, place)
with beside, below or st.container():
    if dataset is not None:
        run_button(recipe, dataset)
    run = watch(recipe, dataset)
with place:
    if run is not None:
        show(run, recipe)
    elif dataset is not None:
        cluster_results.preview(dataset)
    share("cluster")
keep_in_browser()
