"""Basinscope: page config and navigation, nothing else."""

import streamlit as st

from ui.navigation import navigation
from ui.startup import warm_up

st.set_page_config(page_title="Basinscope", page_icon="assets/icon.png", layout="wide")
st.logo("assets/logo.svg", size="large")
navigation().run()
warm_up()
