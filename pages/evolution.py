"""Evolution: watch memories, centres and modes come about, one epoch after the other."""

import streamlit as st

from ui import cached, lecture, state
from ui.controls import remembered
from ui.data_controls import data_controls
from ui.evolution_controls import method_controls, recipes_of
from ui.evolution_player import player
from ui.evolution_training import find_again, train_button, watch
from ui.preparation_controls import preparation_controls, told
from ui.startup import through_app
from ui.workspace import keep_in_browser


def controls(beside):
    """Show the controls; return the Recipes, the Dataset (None at fault) and Train's place."""
    recipe, view = remembered("evolution")
    find_again(recipe, recipes_of(recipe, view))
    dataset = below = None
    with beside:
        try:
            with lecture.group("evolution", "data"):
                table, recipe = data_controls(recipe, "evolution")
                if table is not None:
                    with st.expander("Columns and preparation"):
                        recipe = preparation_controls(recipe, table, "evolution")
                        said = st.container()
                    dataset = cached.prepared(table, recipe.preparation)
                    with said:
                        told(dataset)
            if dataset is not None:
                with lecture.group("evolution", "training"):
                    recipe, below = method_controls(recipe, view)
        except ValueError as error:
            st.error(str(error))
            dataset = None
    state.write("evolution", recipe, view)
    return recipes_of(recipe, view), dataset, below


through_app()
st.title("Evolution")
st.caption(
    "How clusters come about: prototypes leave their start, basins follow, points change sides. "
    "Train once, then play, step and scrub."
)
bare = {"data", "training"} <= state.hidden()  # a lecture has the whole width
beside, place = (st.container(), st.container()) if bare else st.columns([3, 8], gap="large")
recipes, dataset, below = controls(beside)
if dataset is not None and below is not None:
    with below:
        train_button(recipes, dataset)
with place:
    found = watch(recipes, dataset)
    if found is not None:
        player(found)
keep_in_browser()
