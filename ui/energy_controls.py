"""Controls of the energy page: memories, dynamics, the particle, and what colours the surface."""

from typing import cast

import numpy as np
import streamlit as st

from ui import lecture, state
from ui.basin_controls import (
    beta_control,
    convention_control,
    energy_control,
    memory_table,
    mode_controls,
    start_again,
    start_control,
)
from ui.energy_picture import particle
from ui.spaces import GLOBE, PLANE, space_of
from workbench.globe import GLOBES, wrapped
from workbench.ground import angles, directions
from workbench.recipe import Memories

_PREFIX = "energy:"
_NUMBERS = (("x of the particle", 1e6, 0.01), ("y of the particle", 1e6, 0.01))
_ANGLES = (("Longitude (°)", 180.0, 1.0), ("Latitude (°)", 90.0, 1.0))
"""Label, limit and step of the particle's two fields."""
_COLOURS = {"basins": "Basin", "height": "Height"}


def energy_controls(recipe, view):
    """Show all controls and return the Recipe and View that they say.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    view : workbench.recipe.View

    Returns
    -------
    tuple of (Recipe, View)

    Raises
    ------
    DataError
        If the memories in the table are not legal; its text names the cell.
    """
    left, middle, right = st.columns(3, gap="large")
    with left, lecture.group("energy", "dynamics"):
        beta = beta_control(recipe, view, _PREFIX)
        mode, n_steps = mode_controls(recipe, _PREFIX)
    with middle:
        with lecture.group("energy", "particle"):
            view = _particle(recipe, view)
        view = _colours(view)
        with lecture.group("energy", "kind"):
            energy = energy_control(recipe, _PREFIX, _other_energy)
    with right, lecture.group("energy", "memories"):
        with st.container():
            start_control(recipe, view, _PREFIX)
        st.button(
            "Take the memories of Basins",
            icon=":material/landscape:",
            on_click=_take_basins,
            key=_PREFIX + "take",
            help="Those on the Basins page, as they are now; on the globe they are wrapped around "
            "it.",
        )
        with st.expander("Memories, one by one"):
            data = memory_table(recipe, energy, _PREFIX)
            view = convention_control(view, _PREFIX)
    settings = {"beta": beta, "n_steps": n_steps, "mode": mode, "energy": energy}
    return recipe.changed(data=data, settings=settings), view


def by_height(view):
    """Whether the surface is coloured by its height."""
    return "energy" in view.layers


def _colours(view):
    chosen = st.segmented_control(
        "Colours",
        list(_COLOURS),
        format_func=_COLOURS.__getitem__,
        key=state.seed(_PREFIX + "colours", "height" if by_height(view) else "basins"),
        required=True,
        help="Of the surface and of the flat picture: which memory a point is recalled to, or how "
        "high its energy is.",
    )
    others = [name for name in view.layers if name != "energy"]
    return view.changed(layers=[*others, *(["energy"] if chosen == "height" else [])])


def _particle(recipe, view):
    """Two numbers that say where the particle is dropped; a click in a picture says the same."""
    globed, start = space_of(recipe) is GLOBE, particle(recipe, view)
    if globed:
        start = angles(start).round(2) + 0.0
    st.markdown("**Particle**: click in a picture, or")
    cells = [
        place.number_input(
            label,
            -limit,
            limit,
            step=step,
            format="%.4g",
            key=state.seed(f"{_PREFIX}particle:{label.split()[0]}", float(value)),
            value="min",
            help="Where it is dropped. The arrow keys move it.",
        )
        for place, value, (label, limit, step) in zip(
            st.columns(2), start, _ANGLES if globed else _NUMBERS, strict=True
        )
    ]
    if np.allclose(cells, start, rtol=0, atol=1e-9):
        return view
    return view.changed(particle=directions(cells).round(5) if globed else cells)


def _other_energy():
    """Go from the plane to the globe or back before the page runs; each keeps its own memories."""
    recipe, view, _ = state.read("energy")
    kind = st.session_state[_PREFIX + "energy"]
    here, there = space_of(recipe), GLOBE if kind == "spherical" else PLANE
    if here is not there:
        state.keep("energy", f"left {here.energy}", (recipe, view))
        recipe, view = state.kept("energy", f"left {there.energy}") or _first(there, recipe, view)
    start_again(_PREFIX, recipe.changed(settings={"energy": kind}), view)


def _first(space, recipe, view):
    """What a space shows when it is first entered."""
    if space is PLANE:
        default, _ = state.defaults("energy")
        return default, view.changed(particle=None)
    globe = next(iter(GLOBES.values()))
    settings = {"beta": globe.beta, "energy": "spherical"}
    data = Memories(positions=globe.memories)
    return recipe.changed(data=data, settings=settings), view.changed(particle=None)


def _take_basins():
    """Put the memories of the Basins page in the place of these, before the page runs."""
    recipe, view, _ = state.read("energy")
    data, settings = _of_basins(recipe)
    start_again(_PREFIX, recipe.changed(data=data, settings=settings), view.changed(particle=None))


def _of_basins(recipe):
    there = state.elsewhere("basins").recipe
    if space_of(recipe) is GLOBE:
        return Memories(positions=wrapped(cast(Memories, there.data).positions)), {}
    kind = there.settings["energy"]
    shared = {"beta": there.settings["beta"], "n_steps": there.settings["n_steps"]}
    return there.data, shared | ({"energy": kind} if kind != "spherical" else {})
