"""Whose runs these are: an id that nobody can guess, kept in a cookie of one browser.

It is in no link, no address and no page's text; the server's disk knows only its hash. Where a
browser refuses cookies, a workspace lives as long as its session.
"""

import re
import secrets
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from ui import state
from workbench.store import workspace_key

COOKIE = "basinscope_workspace"
_KEY = "workspace.cookie"
_LEGAL = re.compile(r"[A-Za-z0-9_-]{40,80}")

_cookie = component(
    "workspace",
    js=(Path(__file__).parents[1] / "assets" / "workspace.js").read_text(encoding="utf-8"),
)


def workspace():
    """Return the id of this browser's workspace; a new one where the browser has none yet.

    Returns
    -------
    str
        Secret: it opens the workspace.
    """
    told = (st.session_state.get(_KEY) or {}).get("browser")
    if told and _legal(told.get("id")):  # another tab was quicker, or no cookie is allowed
        state.keep("workspace", "lasting", bool(told.get("lasting")))
        state.keep("workspace", "id", told["id"])
    known = state.kept("workspace", "id")
    if known is None:
        found = st.context.cookies.get(COOKIE)
        known = found if _legal(found) else secrets.token_urlsafe(32)
        state.keep("workspace", "id", known)
    return known


def owner():
    """Return the name under which the server knows this workspace: a hash of its id."""
    return workspace_key(workspace())


def is_lasting():
    """Whether the browser keeps the id beyond this session, as far as it has told."""
    return state.kept("workspace", "lasting", True)


def keep_in_browser():
    """Let the browser keep the id; shows nothing, and belongs at the end of a page."""
    with st.container(key="workspace"):
        _cookie(key=_KEY, data={"id": workspace()}, on_browser_change=lambda: None)


def _legal(text):
    return isinstance(text, str) and _LEGAL.fullmatch(text) is not None
