"""The foot of each page: what is found again from everywhere."""

import streamlit as st

from ui.glossary_view import words_of_page
from ui.navigation import link_to
from ui.tour import tour_button


def foot(name):
    """End a page.

    Parameters
    ----------
    name : str
        Of the page's file.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="foot"):
        words_of_page(name)
        link_to("glossary", "Glossary")
        tour_button()
