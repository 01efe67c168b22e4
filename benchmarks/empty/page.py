"""The least that a fragment can do, beside the same heavy imports: a slider and its value."""

import importlib

import streamlit as st

from ui.startup import one_thread, warm_up

one_thread()
warm_up()
importlib.import_module("plotly.graph_objects")


@st.fragment
def empty() -> None:
    value = st.slider("value", 1, 100, 50)
    st.markdown(f"<p id='shown'>{value}</p>", unsafe_allow_html=True)


empty()
