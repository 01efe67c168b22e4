"""What the theme's settings cannot say."""

import streamlit as st


def style():
    """Put dark words on the dark theme's primary button: white ones on its blue are too faint.

    Streamlit marks the theme as the page's colour scheme, so the browser follows a change alone.
    """
    button = "[data-testid=stBaseButton-primary]:not(:disabled)"
    st.html(
        f"<style>{button} {{color: light-dark(#ffffff, #14171c);}} "
        f"{button}:is(:hover, :active) {{background: light-dark(#094a9d, #7cb0f7);}}</style>"
    )
