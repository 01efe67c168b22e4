"""Home: what the app is, and its doors."""

import streamlit as st

from ui.home_links import forward
from ui.startup import through_app

through_app()
forward()
st.title("Basinscope")
