"""Basins of attraction under the hand: the live canvas."""

import streamlit as st

from ui import state
from ui.basin_controls import canvas_controls
from ui.controls import remembered, share
from ui.live_basins import live_basins, take_release
from ui.startup import through_app


@st.fragment
def basins():
    """Show the canvas, and beneath it what the page adds; only this runs again on a release."""
    take_release()
    recipe, view = remembered("basins")
    place = st.container()
    if recipe.settings["energy"] == "spherical":
        with place:
            st.info("The spherical energy is drawn as a figure, on the unit circle.")
            st.page_link("pages/figure.py", label="Open the figure")
        return
    try:
        recipe, view = canvas_controls(recipe, view)
        state.write("basins", recipe, view)
    except ValueError as error:
        st.error(str(error))
    with place:
        live_basins(recipe, view)
    share("basins")


through_app()
st.title("Basins of attraction")
st.caption(
    "Each point of the plane is recalled by an associative memory; its colour and number say to "
    "which memory. Dashed lines bound the Voronoi cells: where colour and cell differ, memories "
    "pull together. Slide, drag and click: the picture follows."
)
basins()
