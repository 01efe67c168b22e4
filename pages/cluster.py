"""Cluster a table: upload or built-in data, run, look, take the labels away."""

import streamlit as st

from ui import cached, cluster_results, cluster_words, slice_view, state, take_away
from ui.cluster_controls import method_controls
from ui.controls import remembered, share
from ui.data_controls import data_controls
from ui.preparation_controls import preparation_controls, told
from ui.startup import through_app
from ui.training_panel import run_button, watch


def controls(beside, place):
    """Show the controls and return the Recipe, the Dataset (None at fault) and Run's place."""
    recipe, view = remembered("cluster")
    dataset = below = None
    try:
        with beside:
            table, recipe = data_controls(recipe, "cluster")
        if table is not None:
            fresh = state.kept("cluster", "run") is None
            with place.expander("Columns and preparation", expanded=fresh):
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


def results(run, recipe):
    """Show what a run found; if settings or data have moved on, say so first."""
    moved_on = cluster_words.out_of_date(run, recipe)
    if moved_on:
        st.warning(moved_on)
    cluster_results.summary(run)
    take_away.take_away(run)
    cluster_results.points(run, cluster_results.layout(run, recipe))
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("Silhouettes")
        cluster_results.silhouettes(run)
    with right:
        st.subheader("Sizes")
        cluster_results.sizes(run)
        cluster_results.training(run)
    st.subheader("Memories beside means")
    cluster_results.prototypes(run)
    slice_view.basins_of(run)
    cluster_results.restarts(run)


through_app()
st.title("Cluster a table")
beside, place = st.columns([3, 8], gap="large")
recipe, dataset, below = controls(beside, place)
with beside, below or st.container():
    if dataset is not None:
        run_button(recipe, dataset)
    run = watch(recipe)
with place:
    if run is not None:
        results(run, recipe)
    elif dataset is not None:
        cluster_results.preview(dataset)
    share("cluster")
