"""The energy as a landscape in three dimensions, and a particle that runs down it."""

import streamlit as st

from ui import state
from ui.controls import remembered, share
from ui.energy_controls import energy_controls
from ui.energy_hand import take_drop
from ui.energy_page import descent, pictures, ways_on
from ui.startup import through_app


@st.fragment
def energy():
    """Show the pictures, the controls beneath them and the fall; only this runs again."""
    take_drop()
    recipe, view = remembered("energy")
    place = st.container()
    try:
        recipe, view = energy_controls(recipe, view)
        state.write("energy", recipe, view)
    except ValueError as error:
        st.error(str(error))
    try:
        with place:
            pictures(recipe, view)
        descent(recipe, view)
    except ValueError as error:
        st.error(str(error))
    with st.container(horizontal=True, vertical_alignment="center"):
        share("energy")
        ways_on()


through_app()
st.title("Energy")
st.caption(
    "An associative memory is a landscape: a particle runs downhill to what it recalls, and the "
    "basins are the valleys seen from above. Turn the surface, click to drop the particle, slide β."
)
energy()
