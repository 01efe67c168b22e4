"""A teacher's link: a page without the controls that a lecture does not need.

Each page names its groups of controls here. A link with ``?hide=`` and some of these names opens
the page without them; what they set holds nevertheless.
"""

from contextlib import contextmanager

import streamlit as st

from ui import state

GROUPS = {
    "evolution": {"data": "Data", "training": "Training"},
    "energy": {"memories": "Memories", "dynamics": "β and T"},
    "completion": {
        "data": "Data and memories",
        "hiding": "What is hidden",
        "imputation": "Gaps of the table",
    },
    "lessons": {"data": "Your own points"},
}
"""Page -> name of a group of controls -> what it is called on the screen."""


@contextmanager
def group(page, name):
    """Lay out a group of a page's controls, unseen where the link asks for a page without it.

    Parameters
    ----------
    page : str
    name : str
        As in `GROUPS`.
    """
    key = f"group-{page}-{name}"
    if name in state.hidden():
        # Out of sight and out of the keyboard's reach, yet alive: widgets keep their values.
        st.html(f"<style>.st-key-{key} {{display: none;}}</style>")
    with st.container(key=key):
        yield


def choose_hidden(page):
    """Let a teacher choose what a link hides.

    Parameters
    ----------
    page : str

    Returns
    -------
    tuple of str
        Names of groups.
    """
    known = GROUPS.get(page)
    if not known:
        return ()
    chosen = st.multiselect(
        "Hide from whoever opens it",
        list(known),
        format_func=known.__getitem__,
        key=f"{page}:hide",
        help="For a lecture: the page opens without these controls.",
    )
    return tuple(chosen)
