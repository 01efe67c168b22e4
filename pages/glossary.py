"""The glossary: every word and symbol of the app, said plainly."""

import streamlit as st

from ui.glossary_view import glossary
from ui.startup import through_app

through_app()
st.title("Glossary")
glossary()
