"""The papers: each figure and table beside our own run of it."""

import streamlit as st

from ui import lecture, papers_outcome, papers_run
from ui.papers_choice import chosen_data, chosen_item
from ui.papers_play import play_button
from ui.startup import through_app
from ui.workspace import keep_in_browser

through_app()
st.title("The papers, run again")
st.caption(
    "Figures and tables of the two papers behind this program: what is published, what our own "
    "run gives, how they differ and why."
)
beside, place = st.columns([3, 8], gap="large")
with beside, lecture.group("papers", "item"):
    item = chosen_item()
with place:
    papers_outcome.heading(item)
with beside, lecture.group("papers", "data"):
    asked = chosen_data(item)
with beside:
    found = papers_run.outcome(item, asked)
    play_button(item)
with place:
    papers_outcome.show(item, found)
    lecture.notice("papers")
keep_in_browser()
