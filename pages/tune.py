"""Tune ClAM: what beta, T, the learning rate and the masks change, beside k-means."""

import streamlit as st

from ui import cached, lecture, state, tune_panel, tune_results
from ui.controls import remembered, share
from ui.data_controls import data_controls
from ui.preparation_controls import preparation_controls, told
from ui.startup import through_app
from ui.tune_controls import plan_controls
from ui.workspace import keep_in_browser


def controls(beside, place):
    """Show the controls and return Recipe, Plan, Dataset (None at fault) and Start's place."""
    recipe, view = remembered("tune")
    tune_panel.find_again(recipe)
    plan = dataset = below = None
    try:
        with beside, lecture.group("tune", "data"):
            table, recipe = data_controls(recipe, "tune")
        if table is not None:
            with place, lecture.group("tune", "columns"), st.expander("Columns and preparation"):
                recipe = preparation_controls(recipe, table, "tune")
                said = st.container()
            with beside:
                recipe, plan, below = plan_controls(recipe)
            dataset = cached.prepared(table, recipe.preparation)
            with said:
                told(dataset)
    except ValueError as error:
        st.error(str(error))
        dataset = None
    state.write("tune", recipe, view)
    return recipe, plan, dataset, below


through_app()
st.title("Tune ClAM")
st.caption(
    "One setting is varied, for several T, and every configuration is judged like k-means: the "
    "same rows, the same rule, the same number of starts."
)
beside, place = st.columns([3, 8], gap="large")
recipe, plan, dataset, below = controls(beside, place)
with beside, below or st.container():
    if dataset is not None:
        tune_panel.start_button(recipe, plan, dataset)
    asked = tune_panel.watch()
with place:
    if asked is not None:
        tune_results.show(asked, recipe, plan)
    elif dataset is not None:
        st.info("Start: the picture grows as configurations are trained, coarse first.")
    share("tune")
keep_in_browser()
