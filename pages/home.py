"""Home: what the app is, and its doors."""

import streamlit as st

from ui.home_doors import doors
from ui.home_links import forward
from ui.home_picture import home_picture
from ui.navigation import link_to
from ui.startup import through_app
from ui.tour import tour_button

through_app()
forward()
words, picture = st.columns([5, 7], gap="large", vertical_alignment="center")
with words:
    st.title("Basinscope", anchor=False)
    st.markdown(
        "Points roll downhill to memories, and the valleys are the clusters. Touch that idea until "
        "it is yours, put it to work on your own table, and see how it does beside every rival of "
        "its two papers."
    )
    tour_button(offers=True)
    link_to("lessons", "Begin with the lessons", "school")
with picture:
    home_picture()
doors()
