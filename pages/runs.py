"""Runs of this browser: found again, named, compared, deleted."""

import streamlit as st

from ui.runs_list import runs
from ui.startup import through_app
from ui.workspace import keep_in_browser

through_app()
st.title("Runs")
runs()
keep_in_browser()
