"""The player alone on a page, with the bytes of the file that PACKED names."""

import os
from pathlib import Path

import streamlit as st

from ui.evolution_player import shown

st.set_page_config(layout="wide")
shown(Path(os.environ["PACKED"]).read_bytes())
