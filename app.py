"""Basinscope: page config, navigation and what all pages share, nothing else."""

import streamlit as st

from ui import interrupted_runs
from ui.foot import foot
from ui.navigation import navigation
from ui.startup import warm_up
from ui.theme_style import style
from ui.tour import tour

st.set_page_config(page_title="Basinscope", page_icon="assets/icon.png", layout="wide")
st.logo("assets/logo.svg", size="large")
style()
interrupted_runs.mend()
page = navigation()
tour()
page.run()
if page.url_path:  # the front page has its own
    foot(page.url_path)
warm_up()
