"""Basinscope: page config and navigation, nothing else."""

import streamlit as st

from ui.startup import warm_up

st.set_page_config(page_title="Basinscope", page_icon="assets/icon.png", layout="wide")
st.logo("assets/logo.svg", size="large")
page = st.navigation(
    [
        st.Page("pages/basins.py", title="Basins", icon=":material/landscape:", default=True),
        st.Page("pages/figure.py", title="Figure", icon=":material/image:"),
        st.Page("pages/cluster.py", title="Cluster", icon=":material/scatter_plot:"),
        st.Page("pages/laplacian.py", title="Graph", icon=":material/hub:"),
        st.Page("pages/compare.py", title="Compare", icon=":material/balance:"),
        st.Page("pages/tune.py", title="Tune", icon=":material/tune:"),
        st.Page("pages/papers.py", title="Papers", icon=":material/menu_book:"),
        st.Page("pages/runs.py", title="Runs", icon=":material/history:"),
    ],
    position="top",
)
page.run()
warm_up()
