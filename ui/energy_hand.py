"""A click in the Energy page's pictures, and a camera that stays as the reader has turned it."""

import numpy as np
import streamlit as st
from streamlit.components.v2 import component

from ui import state
from ui.browser_modules import script, text
from ui.spaces import GLOBE, space_of
from workbench.dataset import DataError
from workbench.ground import directions

FLAT, SPACE = "energy-flat", "energy-space"
"""Keys of the two pictures' containers."""
_KEY = "energy.hand"
_hand = component(
    "energy_hand",
    html=text("energy/hand.html"),
    css=text("energy/hand.css"),
    js=script("energy/hand.js"),
)


def take_drop():
    """Put the particle where the reader has clicked since the last run, if anywhere.

    A page calls it before it reads its Recipe and View.
    """
    drop = (st.session_state.get(_KEY) or {}).get("drop")
    if drop is None or drop == state.kept("energy", "drop"):
        return
    state.keep("energy", "drop", drop)
    recipe, view, _ = state.read("energy")
    try:
        view = view.changed(particle=_place(recipe, drop["at"]))
    except (DataError, KeyError, TypeError, ValueError):
        return
    state.write("energy", recipe, view)
    state.restart_widgets("energy:particle")


def energy_hand(recipe):
    """Mount what listens to both pictures.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    """
    camera = "globe" if space_of(recipe) is GLOBE else "plane"
    _hand(
        key=_KEY,
        data={"flat": FLAT, "space": SPACE, "camera": camera},
        on_drop_change=lambda: None,
    )


def _place(recipe, at):
    """Read a clicked place: of the flat picture (2), or on what stands in space (3)."""
    place = np.array(at, float)
    if place.shape not in ((2,), (3,)) or not np.isfinite(place).all():
        raise DataError(f"place={at} should be two or three finite numbers.")
    if space_of(recipe) is not GLOBE:
        return tuple(float(f"{value:.4g}") for value in place[:2])
    vector = directions(place) if len(place) == 2 else place / np.linalg.norm(place)
    return tuple(map(float, vector.round(5)))
