"""A teacher's link: a page without the controls that a lecture does not need.

Each page names its groups of controls here. A link with ``?hide=`` and some of these names opens
the page without them; what they set holds nevertheless, for the whole session, on every page that
has a group of that name, until whoever looks asks for all of them.
"""

from contextlib import contextmanager

import streamlit as st

from ui import state

_TABLE = {"data": "Data", "columns": "Columns and preparation"}
_PLANE = {
    "memories": "Memories",
    "beta": "β and how it is written",
    "steps": "T and where recall ends",
    "energy": "Energy and weights",
    "layers": "Layers",
}
GROUPS = {
    "basins": {**_PLANE, "particle": "Particle", "points": "Data points"},
    "figure": {**_PLANE, "points": "Data points"},
    "cluster": {**_TABLE, "method": "Method and its settings"},
    "laplacian": {**_TABLE, "graph": "λ, graph and settings"},
    "compare": {**_TABLE, "methods": "Methods", "terms": "k, seeds, rule and settings"},
    "tune": {**_TABLE, "plan": "What is varied, and settings"},
    "papers": {"item": "Paper and item", "data": "Data"},
    "evolution": {"data": "Data", "training": "Training"},
    "energy": {
        "dynamics": "β and T",
        "particle": "Particle",
        "kind": "Energy",
        "memories": "Memories",
        "equation": "Equation",
    },
    "completion": {
        "data": "Data and memories",
        "hiding": "What is hidden",
        "imputation": "Gaps of the table",
    },
    "lessons": {"data": "Your own points"},
}
"""Page -> name of a group of controls -> what it is called on the screen."""


@contextmanager
def group(page, name, part=""):
    """Lay out a group of a page's controls, unseen where the link asks for a page without it.

    Parameters
    ----------
    page : str
    name : str
        As in `GROUPS`.
    part : str, default ""
        Tells parts of a group apart that stand in several places.
    """
    key = "-".join(filter(None, ("group", page, name, part)))
    if name in state.hidden():
        # Out of sight and out of the keyboard's reach, yet alive: widgets keep their values.
        st.html(f"<style>div:has(> .st-key-{key}) {{display: none;}}</style>")
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


def notice(page):
    """Say that controls of a page are hidden, and let whoever looks have them back.

    Parameters
    ----------
    page : str
    """
    said = told(page, state.hidden())
    if not said:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"hidden-{page}"):
        st.caption(said, width="content")
        st.button("Show all", type="tertiary", key=f"{page}:show", on_click=state.hide_nothing)


def told(page, hidden):
    """Return what is to be said of hidden groups: empty where all of a page is to be seen.

    Parameters
    ----------
    page : str
    hidden : collection of str
        Names, as the link gives them.

    Returns
    -------
    str
    """
    known = set().union(*GROUPS.values())
    unknown = ", ".join(sorted(set(hidden) - known))
    said = []
    if set(GROUPS.get(page, ())) & set(hidden):
        said.append("Some controls are hidden by the link.")
    if unknown:
        said.append(f"hide={unknown} names no group of controls; it is ignored.")
    return " ".join(said)
