"""Eight short lessons, played in the browser."""

import streamlit as st

from ui import lecture
from ui.lessons_player import guide, play, take_opened
from ui.navigation import title_of
from ui.startup import through_app


@st.fragment
def lessons():
    """Show the lessons; only this runs again when one is opened or points change."""
    lesson = take_opened()
    play(lesson)
    if lesson:
        lecture.notice("lessons")
        label = f"Play on freely: {title_of(lesson.page)}"
        st.page_link(f"pages/{lesson.page}.py", label=label, icon=":material/arrow_forward:")
    else:
        with st.popover("For teachers", icon=":material/school:"):
            st.markdown(guide())


through_app()
lessons()
