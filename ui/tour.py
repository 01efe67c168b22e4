"""The tour: six stops on real pages, skipped at any moment, begun again from any page.

The card belongs to the browser (assets/tour/); Python only opens the page that a stop is on.
"""

import streamlit as st
from streamlit.components.v2 import component

from ui.browser_modules import script, text

STOPS = (
    {
        "page": "basins",
        "target": ".live [data-id=beta-dial]",
        "title": "Slide β",
        "words": "Large β: every point goes to its nearest memory. Small β: memories pull "
        "together, and basins melt into one. The picture follows at once.",
    },
    {
        "page": "basins",
        "target": ".live [data-id=stage]",
        "title": "Drop a particle",
        "words": "Click the picture, or press P in it. The particle rolls downhill, and words say "
        "which memories pulled it, and why.",
    },
    {
        "page": "lessons",
        "target": "h1",
        "title": "Eight lessons",
        "words": "One idea each, one picture to touch, and a guess before the answer. Paint points "
        "of your own, or bring a file.",
    },
    {
        "page": "cluster",
        "target": ".st-key-group-cluster-data",
        "title": "Choose a file",
        "words": "A table of yours, or one that is built in. Links and other readers never get it. "
        "Press Run: clusters, what sets them apart, and your rows with labels.",
    },
    {
        "page": "compare",
        "target": ".st-key-group-compare-terms",
        "title": "Let methods race",
        "words": "The same rows, several methods, several seeds: who finds what, how surely, and "
        "what they find where there is nothing.",
    },
    {
        "page": "compare",
        "target": ".st-key-share-compare",
        "title": "Share what you see",
        "words": "Share gives an address that brings a picture back, seed included. A teacher can "
        "hide controls with it. The tour is found again at the foot of each page.",
    },
)
"""Page, what is spoken of there (a CSS selector), a title and words."""

_card = component("tour", js=script("tour/main.js"))
_button = component(
    "tour_button",
    html=text("tour/button.html"),
    css=text("tour/button.css"),
    js=script("tour/button.js"),
)


def tour():
    """Hold the tour ready, and open the page that its next stop is on."""
    st.html("<style>div:has(> .st-key-tour) {position: absolute;}</style>")
    with st.container(key="tour"):
        told = _card(key="tour.card", data={"stops": list(STOPS)}, on_go_change=lambda: None)
    if told.go in [stop["page"] for stop in STOPS]:  # a browser may send anything
        st.switch_page(f"pages/{told.go}.py")


def tour_button(offers=False):
    """Show where the tour begins.

    Parameters
    ----------
    offers : bool, default False
        Whether to offer it to who has neither taken nor declined it.
    """
    _button(key=f"tour.button.{offers}", data={"offers": offers}, width="content")
