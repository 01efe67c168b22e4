"""What happens once per process: the frame around pages, and imports after the first page.

Streamlit collects all garbage after every run of a script. With the numerical packages loaded
that walk takes 150 to 220 ms, nearly all of it over objects that live as long as the process.
They are imported once and then frozen: the collector stays on for what sessions leave behind,
and no longer visits the rest.
"""

import gc
import importlib
import logging
import runpy
import threading
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

_HEAVY = ("sklearn.cluster", "sklearn.metrics", "umap")
_COMPILED = ("clam_core", "slk_core", "workbench.silhouettes", "workbench.lessons.frames")


@st.cache_resource(show_spinner=False)
def warm_up():
    """Import, compile and freeze in the background; every later call returns at once.

    Returns
    -------
    threading.Thread
        The thread that does it, for tests to join.
    """
    thread = threading.Thread(target=_warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm_up():
    try:
        for name in _HEAVY:
            importlib.import_module(name)
        for name in _COMPILED:
            importlib.import_module(name).warm_up()
    except Exception:  # the pages import what they need themselves and show the fault there
        logging.getLogger(__name__).exception("warm-up stopped early")
    gc.collect()
    gc.freeze()


def through_app():
    """Start a page through app.py if Streamlit found it by its folder alone.

    Until app.py has run once in a process, a request for a page skips it, and with it the
    navigation and the page's width. app.py runs the page itself, so the first try ends here.
    """
    if PagesManager.uses_pages_directory:
        runpy.run_path(str(Path(__file__).parents[1] / "app.py"))
        st.stop()


def one_thread():
    """Keep PyTorch to one thread: pictures are small, and sessions share the cores.

    Returns
    -------
    module
        ``torch``, so that no caller computes before the limit stands.
    """
    import torch

    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)
    return torch
