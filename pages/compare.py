"""Compare methods on the same rows: a race, its scores, where they agree and where not."""

import streamlit as st

from ui import cached, compare_race, compare_results, lecture, state
from ui.compare_controls import contest_controls, method_choice
from ui.controls import remembered, share
from ui.data_controls import data_controls
from ui.preparation_controls import preparation_controls, told
from ui.startup import through_app
from ui.workspace import keep_in_browser


def controls(beside, place):
    """Show the controls and return Recipe, Contest, Dataset (None at fault) and Start's place."""
    recipe, view = remembered("compare")
    contest, note = state.read_contest()
    if note:
        st.warning(note)
    compare_race.find_again(recipe, contest)
    dataset = below = None
    try:
        with beside, lecture.group("compare", "data"):
            table, recipe = data_controls(recipe, "compare")
        if table is not None:
            with place, lecture.group("compare", "columns"), st.expander("Columns and preparation"):
                recipe = preparation_controls(recipe, table, "compare")
                said = st.container()
            dataset = cached.prepared(table, recipe.preparation)
            with said:
                told(dataset)
            fresh = state.kept("compare", "job") is None
            with place, lecture.group("compare", "methods"), st.expander("Methods", expanded=fresh):
                contest = method_choice(contest, dataset)
            with beside:
                recipe, contest, below = contest_controls(recipe, contest)
    except ValueError as error:
        st.error(str(error))
        dataset = None
    state.write("compare", recipe, view)
    state.write_contest(contest)
    return recipe, contest, dataset, below


through_app()
st.title("Compare methods")
st.caption(
    "The same rows, several methods, several seeds: who finds what, how surely, at what cost, and "
    "what the same methods find where there is nothing to find."
)
beside, place = st.columns([3, 8], gap="large")
recipe, contest, dataset, below = controls(beside, place)
if dataset is not None and below is not None:
    with below:
        compare_race.start_button(recipe, contest, dataset)
with place:
    asked = compare_race.watch()
    if asked is not None:
        compare_results.show(asked, recipe, contest)
    elif dataset is not None:
        compare_results.preview(dataset, contest)
    share("compare")
keep_in_browser()
