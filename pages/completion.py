"""completion: being built."""

import streamlit as st

from ui.startup import through_app

through_app()
st.title("completion")
