"""Controls of memories and their recall: which memories, which dynamics, which layers.

Each page that shows them has a prefix of its own for its widgets, and its own Recipe behind them.
"""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, lecture, state
from ui.own_points import own_points
from ui.spaces import GLOBE, space_of
from workbench.builtin import BUILTIN
from workbench.dataset import DataError
from workbench.methods import METHODS
from workbench.own_points import in_square
from workbench.recipe import LAYERS, Memories
from workbench.toys import PRESETS

_PREFIX = "basins:"
_CANVAS = "canvas:"  # a widget's value is lost where two pages share its key
_PAGES = {_PREFIX: "basins", _CANVAS: "basins", "energy:": "energy"}
_RANDOM, _OWN, _NONE = "random", "own", "none"
_MOST = 20  # memories that the palette tells apart
_STEPS_OF_A_DECADE = (
    1.0, 1.12, 1.25, 1.4, 1.6, 1.8, 2.0, 2.24, 2.5, 2.8,
    3.15, 3.55, 4.0, 4.5, 5.0, 5.6, 6.3, 7.1, 8.0, 9.0,
)  # fmt: skip
_LAYER_NAMES = {
    "voronoi": "Voronoi edges",
    "attractors": "Attractors",
    "disagreement": "Where they differ",
    "entropy": "Entropy",
    "energy": "Energy",
    "memories": "Memories",
}
_CONVENTIONS = {"paper": "the paper", "published": "its program (2 β)"}
_MODES = {"steps": "after T steps", "attractor": "at its attractor"}
_POINTS = ("moons", "circles", "blobs", "elongated2", "elongated3")


def basin_controls(recipe, view):
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
    # A group is a container: what this one holds varies, and a shift would fold the table below.
    with lecture.group("figure", "memories"):
        start_control(recipe, view)
    with lecture.group("figure", "beta"):
        beta_place = st.container()
        view = convention_control(view)
        with beta_place:
            beta = beta_control(recipe, view)
    with lecture.group("figure", "steps"):
        mode, n_steps = mode_controls(recipe)
    with lecture.group("figure", "energy"):
        energy = energy_control(recipe)
    with lecture.group("figure", "layers"):
        view = _layers(view)
    with lecture.group("figure", "points"):
        view = _points(view)
    with lecture.group("figure", "memories", "table"), st.expander("Memories, one by one"):
        data = memory_table(recipe, energy)
    settings = {"beta": beta, "n_steps": n_steps, "mode": mode, "energy": energy}
    return recipe.changed(data=data, settings=settings), view


def canvas_controls(recipe, view):
    """Show what the live canvas leaves to the page and return the Recipe and View that they say.

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
    left, right = st.columns(2, gap="large")
    with left, lecture.group("basins", "points"):
        view = _points(view, _CANVAS)
    with right, lecture.group("basins", "beta"):
        view = convention_control(view, _CANVAS)
    with lecture.group("basins", "points", "own"):
        _own_points()
    with lecture.group("basins", "memories"), st.expander("Memories, one by one"):
        data = memory_table(recipe, recipe.settings["energy"], _CANVAS)
    return recipe.changed(data=data), view


def start_control(recipe, view, prefix=_PREFIX):
    """Offer what to start from: presets of the memories' space, chance, one's own memories.

    A choice is in the Recipe before the page runs.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    view : workbench.recipe.View
    prefix : str, default that of the Figure page
        Beginning of the widgets' keys.
    """
    presets = space_of(recipe).presets
    state.seed(prefix + "start", _origin(recipe))
    titles = {key: preset.title for key, preset in presets.items()}
    titles |= {_RANDOM: "Random memories", _OWN: "My own memories"}
    chosen = st.selectbox(
        "Start from",
        list(titles),
        format_func=titles.__getitem__,
        key=prefix + "start",
        on_change=_restart,
        args=(prefix,),
        help="Examples, such as figures of the paper, or memories of your own.",
    )
    if chosen == _RANDOM:
        count, seed = st.columns(2)
        again = {"on_change": _restart, "args": (prefix,), "value": "min"}
        state.seed(prefix + "count", min(len(recipe.data.positions), _MOST))
        state.seed(prefix + "seed", recipe.seed)
        count.number_input("How many", 1, _MOST, key=prefix + "count", **again)
        seed.number_input("Seed", 0, 2**32 - 1, key=prefix + "seed", **again)
    elif chosen in presets:
        st.caption(presets[chosen].note.replace("beta", "β"))
        _panels(presets[chosen].betas, recipe, view, prefix)


def _panels(betas, recipe, view, prefix):
    """Offer the temperatures of a figure's panels; they are the published program's halved."""
    if len(betas) < 2:
        return
    key = prefix + "panel"
    # The slider stands below and runs later, but its widget knows already.
    automatic = st.session_state.get(prefix + "auto", recipe.settings["beta"] == "auto")
    now = st.session_state.get(prefix + "beta", recipe.settings["beta"])
    st.session_state[key] = now if now in betas and not automatic else None
    st.pills(
        "β of the figure's panels",
        betas,
        format_func=lambda beta: f"{view.shown_beta(beta):.4g}",
        key=key,
        on_change=_take_panel,
        args=(prefix,),
        required=True,
        wrap=True,
    )


def _take_panel(prefix):
    beta, page = st.session_state[prefix + "panel"], _PAGES[prefix]
    recipe, view, _ = state.read(page)
    state.write(page, recipe.changed(settings={"beta": beta}), view)
    for name in ("beta", "auto"):
        state.restart_widgets(prefix + name)


def _origin(recipe):
    """Name the preset that the memories are, or where else they come from."""
    space = space_of(recipe)
    same = [key for key, p in space.presets.items() if p.memories == recipe.data.positions]
    exact = [key for key in same if space.presets[key].beta == recipe.settings["beta"]]
    if same:
        return (exact or same)[0]
    drawn = space.draw(len(recipe.data.positions), recipe.seed)
    return _RANDOM if drawn == recipe.data.positions else _OWN


def _restart(prefix):
    """Put a preset's or a random draw's memories into the Recipe, before the page runs."""
    recipe, view, _ = state.read(_PAGES[prefix])
    space, chosen = space_of(recipe), st.session_state[prefix + "start"]
    if chosen == _RANDOM:
        count = st.session_state.get(prefix + "count", len(recipe.data.positions))
        seed = st.session_state.get(prefix + "seed", recipe.seed)
        positions = space.draw(min(count, _MOST), seed)
        recipe = recipe.changed(data=Memories(positions=positions), seed=seed)
    elif chosen in space.presets:
        preset = space.presets[chosen]
        recipe = recipe.changed(
            data=Memories(positions=preset.memories),
            settings={
                "beta": preset.beta,
                "n_steps": preset.n_steps,
                "mode": "steps",
                "energy": space.energy,
            },
        )
        if preset.particle is not None:
            view = view.changed(particle=None)  # so that the preset's own is followed
    start_again(prefix, recipe, view)
    st.session_state[prefix + "start"] = chosen


def start_again(prefix, recipe, view):
    """Let a page's controls start from another Recipe and View, before the page runs.

    Parameters
    ----------
    prefix : str
    recipe : workbench.recipe.Recipe
    view : workbench.recipe.View
    """
    state.write(_PAGES[prefix], recipe, view)
    state.restart_widgets(prefix)
    renew_table(prefix)


def convention_control(view, prefix=_PREFIX):
    """Offer the paper's way of writing beta, or its program's, and return the View."""
    convention = st.segmented_control(
        "β is written as in",
        list(_CONVENTIONS),
        format_func=_CONVENTIONS.__getitem__,
        key=state.seed(prefix + "convention", view.convention),
        on_change=state.restart_widgets,
        args=(prefix + "beta",),
        required=True,
        help="The paper writes exp(−β d²). Its published program computes exp(−(β/2) d²), and "
        "the β printed on the figures are that program's: twice the paper's.",
    )
    return view.changed(convention=convention)


def beta_control(recipe, view, prefix=_PREFIX):
    """Show the slider of beta, and return it or "auto"."""
    page = _PAGES[prefix]
    asked, high = recipe.settings["beta"], METHODS["recall"].parameter("beta").high
    slider = st.container()
    automatic = st.toggle(
        "β chosen automatically",
        key=state.seed(prefix + "auto", asked == "auto"),
        help="So that the softmax at the memories has a fifth of its largest entropy.",
    )
    if asked != "auto":
        state.keep(page, "own beta", asked)  # to come back to from the automatic one
    start = state.kept(page, "own beta", METHODS["recall"].parameter("beta").default)
    exact = state.kept(page, "betas", frozenset()) | {start}
    state.keep(page, "betas", exact)  # so that the options stay put while a key is held
    unit = "" if space_of(recipe) is GLOBE else " (1/length²)"
    beta = slider.select_slider(
        f"β, inverse temperature{unit}",
        _betas(exact, high),
        format_func=lambda value: f"{view.shown_beta(value):.4g}",
        key=state.seed(prefix + "beta", start),
        disabled=automatic,
        help="Small: every memory pulls everywhere, and basins merge. Large: the nearest memory "
        "alone decides, and basins become Voronoi cells.",
    )
    if automatic:
        found = cached.dynamics(recipe.changed(settings={"beta": "auto"}))[2]
        slider.caption(f"β = {view.shown_beta(found):.4g}, chosen automatically")
    return "auto" if automatic else beta


def _betas(exact, high):
    scale = [10.0**decade * step for decade in range(-3, 3) for step in _STEPS_OF_A_DECADE]
    presets = [preset.beta for preset in PRESETS.values()]
    return sorted({float(f"{beta:.6g}") for beta in (*scale, *presets, high)} | exact)


def mode_controls(recipe, prefix=_PREFIX):
    """Ask where a point is looked at, and after how many steps; return both."""
    mode = st.segmented_control(
        "A point belongs to the memory nearest to where it is",
        list(_MODES),
        format_func=_MODES.__getitem__,
        key=state.seed(prefix + "mode", recipe.settings["mode"]),
        required=True,
        help="Steps of 1/T, as in the paper, stop part of the way; full steps go on until "
        "nothing moves.",
    )
    n_steps = st.slider(
        "T, steps of recall",
        1,
        100,
        key=state.seed(prefix + "n_steps", recipe.settings["n_steps"]),
        disabled=mode == "attractor",
        help="How often a point is moved towards what it recalls, by 1/T of the way each time.",
    )
    return mode, n_steps


def energy_control(recipe, prefix=_PREFIX, on_change=None):
    """Offer the three energies, and return the one chosen.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    prefix : str
    on_change : callable, optional
        Instead of letting the table start again.
    """
    return st.segmented_control(
        "Energy",
        ["euclidean", "weighted", "spherical"],
        format_func=str.capitalize,
        key=state.seed(prefix + "energy", recipe.settings["energy"]),
        on_change=on_change or renew_table,
        args=() if on_change else (prefix,),
        required=True,
        wrap=True,
        help="By distance; by distance with a weight for each memory (in the table of memories); "
        "by angle, on the unit " + ("sphere, the globe." if prefix == "energy:" else "circle."),
    )


def _layers(view):
    layers = st.pills(
        "Layers",
        [name for name in _LAYER_NAMES if name in LAYERS],
        selection_mode="multi",
        format_func=_LAYER_NAMES.__getitem__,
        key=state.seed(_PREFIX + "layers", [name for name in view.layers if name in _LAYER_NAMES]),
        help="Entropy or energy replaces the basins' colours, one at a time; borders and "
        "numbers stay.",
        wrap=True,
    )
    if {"entropy", "energy"} <= set(layers):  # the one that was there gives way
        layers = [
            name for name in layers if name not in ("entropy", "energy") or name not in view.layers
        ]
    # What only the canvas draws stays as it is.
    others = [name for name in view.layers if name not in _LAYER_NAMES]
    return view.changed(layers=[name for name in LAYERS if name in (*layers, *others)])


def _points(view, prefix=_PREFIX):
    points = st.selectbox(
        "Data points",
        [_NONE, *_POINTS],
        format_func=lambda name: BUILTIN.get(name, "No points"),
        key=state.seed(prefix + "points", view.points or _NONE),
        help="To tell how many of them leave their Voronoi cell.",
    )
    return view.changed(points=None if points == _NONE else points)


def memory_table(recipe, energy, prefix=_PREFIX):
    """Edit the memories; the table starts from the Recipe and then has its own memory.

    Returns
    -------
    workbench.recipe.Memories

    Raises
    ------
    DataError
        If the memories are not legal; its text names the cell.
    """
    space, page = space_of(recipe), _PAGES[prefix]
    revision = state.kept(page, "revision", 0)
    key = f"{prefix}table:{revision}"
    if key not in st.session_state:
        state.keep(page, "base", recipe.data)
    base = state.kept(page, "base")
    columns = list(space.columns)
    frame = pd.DataFrame(space.shown(base.positions), columns=columns, dtype=float)
    if energy == "weighted":
        frame["weight"] = list(base.weights or (1.0,) * len(frame))
    frame.index = pd.RangeIndex(1, len(frame) + 1)
    edited = st.data_editor(
        frame,
        key=key,
        num_rows="dynamic",
        width="stretch",
        height=min(38 * (len(frame) + 2), 400),
        hide_index=False,
        column_config={"weight": st.column_config.NumberColumn(min_value=1e-6)},
        on_change=_own_memories,
        args=(prefix,),
    )
    gaps = edited.isna().any(axis=1)
    if gaps.any():
        rows = ", ".join(str(1 + row) for row in np.flatnonzero(gaps))
        st.warning(
            f"Row {rows} of the table is incomplete and left out: fill every cell, or delete it."
        )
    edited = edited.loc[~gaps]
    cells = tuple(edited[columns].itertuples(index=False, name=None))
    if not cells:
        raise DataError(f"No memory is left: give one a row with its {' and '.join(columns)}.")
    positions = space.stored(cells)
    if energy == "weighted":
        weights = tuple(edited["weight"])
    else:  # kept for the weighted energy, as long as they still belong to these memories
        weights = base.weights if len(base.weights) == len(positions) else ()
    data = {"kind": "memories", "positions": positions, "weights": weights}
    return recipe.changed(data=data).data


def _own_points():
    """Let a file's or painted points take the place of a toy's, in this session only."""
    with st.expander("Points of your own"):
        own = own_points("basins")
        if own is not None:
            st.caption("They stand for the data points above; the address does not hold them.")
    state.keep("basins", "own points", None if own is None else in_square(own.points))


def _own_memories(prefix):
    st.session_state[prefix + "start"] = _OWN


def renew_table(prefix=_PREFIX):
    """Let the table of memories start from the Recipe again."""
    page = _PAGES[prefix]
    state.keep(page, "revision", state.kept(page, "revision", 0) + 1)
