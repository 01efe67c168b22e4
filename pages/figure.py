"""The basins page's picture as a figure: for export, reports and the spherical energy."""

import streamlit as st

from ui import state
from ui.basin_controls import basin_controls
from ui.basin_picture import basin_picture
from ui.controls import BASINS_CHART, is_dark, remembered, share, square
from ui.startup import through_app
from workbench.figures.captions import basin_sentence


@st.fragment
def basins():
    """Controls beside the picture; only this fragment runs again when one of them moves."""
    recipe, view = remembered("basins")
    place, beside = st.columns([7, 4], gap="large")
    with beside:
        try:
            recipe, view = basin_controls(recipe, view)
            state.write("basins", recipe, view)
        except ValueError as error:
            st.error(str(error))
    with place:
        picture(recipe, view)
        share("basins", shown_on="figure")


def picture(recipe, view):
    """Show the figure and, beneath it, what it shows and why."""
    try:
        figure, numbers = basin_picture(recipe, view, is_dark())
    except ValueError as error:
        st.error(str(error))
        return
    sentence = basin_sentence(numbers)
    with square("basins-figure"):
        st.plotly_chart(
            figure,
            theme=None,
            height="stretch",
            config=BASINS_CHART,
            alt=f"Basins of attraction in the plane. {sentence}",
            key="basins.figure",
        )
    st.markdown(sentence)


through_app()
st.title("Basins as a figure")
st.caption(
    "Each point of the plane is recalled by an associative memory; its colour and number say to "
    "which memory. Dashed lines bound the Voronoi cells: where colour and cell differ, memories "
    "pull together."
)
basins()
