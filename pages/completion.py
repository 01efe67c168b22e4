"""Masked completion: hide values of a row and watch recall fill them; fill a table's gaps."""

import streamlit as st

from ui import cached, lecture, state
from ui.completion_controls import memory_controls, started_on
from ui.completion_gaps import gaps
from ui.completion_results import completed_row
from ui.completion_work import trained
from ui.controls import remembered, share
from ui.data_controls import data_controls
from ui.preparation_controls import preparation_controls, told
from ui.startup import through_app
from ui.workspace import keep_in_browser


def controls(beside, place):
    """Show the controls and return the Recipe and the Dataset (None at fault)."""
    recipe, view = remembered("completion")
    dataset = None
    try:
        with beside, lecture.group("completion", "data"):
            table, recipe = data_controls(recipe, "completion")
        if table is not None:
            columns = lecture.group("completion", "columns")
            with place, columns, st.expander("Columns and preparation"):
                recipe = preparation_controls(recipe, table, "completion")
                said = st.container()
            with beside, lecture.group("completion", "memories"):
                recipe = memory_controls(recipe)
            dataset = cached.prepared(table, recipe.preparation)
            with said:
                told(dataset)
    except ValueError as error:
        st.error(str(error))
        dataset = None
    state.write("completion", recipe, view)
    return recipe, dataset


through_app()
st.title("Completion")
st.caption(
    "Clustering by completion: hide some values of a row, and recall fills them from the memories, "
    "step by step. How far off it ends is what ClAM learns to make small."
)
bare = {"data", "memories"} <= state.hidden()  # a lecture has the whole width
beside, place = (st.container(), st.container()) if bare else st.columns([3, 8], gap="large")
recipe, dataset = controls(beside, place)
with beside:
    run = None if dataset is None else trained(recipe, dataset)
with place:
    if run is not None:
        started_on(run.dataset)
        completed_row(run)
        gaps(run)
    elif dataset is not None:
        st.info("Train the memories: rows are completed with them.")
    share("completion")
keep_in_browser()
