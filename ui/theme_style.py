"""What the theme's settings cannot say."""

import streamlit as st


def style():
    """Put dark words on the dark theme's primary button: white ones on its blue are too faint.

    Streamlit marks the theme as the page's colour scheme, so the browser follows a change alone.
    """
    st.html(
        "<style>[data-testid=stBaseButton-primary]:not(:disabled) "
        "{color: light-dark(#ffffff, #14171c);}</style>"
    )
