"""Controls of the basins page: which memories, which dynamics, which layers."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, state
from ui.own_points import own_points
from workbench.builtin import BUILTIN
from workbench.dataset import DataError
from workbench.methods import METHODS
from workbench.own_points import in_square
from workbench.recipe import LAYERS, Memories
from workbench.toys import PRESETS, random_memories

_PREFIX = "basins:"
_CANVAS = "canvas:"  # a widget's value is lost where two pages share its key
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
    # A container of its own: what it holds varies, and a shift would fold the table below.
    with st.container():
        _start(recipe, view)
    beta_place = st.container()
    view = _convention(view)
    with beta_place:
        beta = _beta(recipe, view)
    mode, n_steps = _mode(recipe)
    energy = _energy(recipe)
    view = _points(_layers(view))
    with st.expander("Memories, one by one"):
        data = _table(recipe, energy)
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
    with left:
        view = _points(view, _CANVAS)
    with right:
        view = _convention(view, _CANVAS)
    _own_points()
    with st.expander("Memories, one by one"):
        data = _table(recipe, recipe.settings["energy"], _CANVAS)
    return recipe.changed(data=data), view


def _start(recipe, view):
    state.seed(_PREFIX + "start", _origin(recipe))
    titles = {key: preset.title for key, preset in PRESETS.items()}
    titles |= {_RANDOM: "Random memories", _OWN: "My own memories"}
    chosen = st.selectbox(
        "Start from",
        list(titles),
        format_func=titles.__getitem__,
        key=_PREFIX + "start",
        on_change=_restart,
        help="Figures of the paper, or memories of your own.",
    )
    if chosen == _RANDOM:
        count, seed = st.columns(2)
        state.seed(_PREFIX + "count", min(len(recipe.data.positions), _MOST))
        state.seed(_PREFIX + "seed", recipe.seed)
        count.number_input(
            "How many", 1, _MOST, key=_PREFIX + "count", on_change=_restart, value="min"
        )
        seed.number_input(
            "Seed", 0, 2**32 - 1, key=_PREFIX + "seed", on_change=_restart, value="min"
        )
    elif chosen in PRESETS:
        st.caption(PRESETS[chosen].note.replace("beta", "β"))
        _panels(PRESETS[chosen].betas, recipe, view)


def _panels(betas, recipe, view):
    """Offer the temperatures of a figure's panels; they are the published program's halved."""
    if len(betas) < 2:
        return
    key = _PREFIX + "panel"
    # The slider stands below and runs later, but its widget knows already.
    automatic = st.session_state.get(_PREFIX + "auto", recipe.settings["beta"] == "auto")
    now = st.session_state.get(_PREFIX + "beta", recipe.settings["beta"])
    st.session_state[key] = now if now in betas and not automatic else None
    st.pills(
        "β of the figure's panels",
        betas,
        format_func=lambda beta: f"{view.shown_beta(beta):.4g}",
        key=key,
        on_change=_take_panel,
        required=True,
        wrap=True,
    )


def _take_panel():
    beta = st.session_state[_PREFIX + "panel"]
    recipe, view, _ = state.read("basins")
    state.write("basins", recipe.changed(settings={"beta": beta}), view)
    for name in ("beta", "auto"):
        state.restart_widgets(_PREFIX + name)


def _origin(recipe):
    """Name the preset that the memories are, or where else they come from."""
    same = [key for key, p in PRESETS.items() if p.memories == recipe.data.positions]
    exact = [key for key in same if PRESETS[key].beta == recipe.settings["beta"]]
    if same:
        return (exact or same)[0]
    drawn = random_memories(len(recipe.data.positions), recipe.seed)
    return _RANDOM if drawn == recipe.data.positions else _OWN


def _restart():
    """Put a preset's or a random draw's memories into the Recipe, before the page runs."""
    recipe, view, _ = state.read("basins")
    chosen = st.session_state[_PREFIX + "start"]
    if chosen == _RANDOM:
        count = st.session_state.get(_PREFIX + "count", len(recipe.data.positions))
        seed = st.session_state.get(_PREFIX + "seed", recipe.seed)
        positions = random_memories(min(count, _MOST), seed)
        recipe = recipe.changed(data=Memories(positions=positions), seed=seed)
    elif chosen in PRESETS:
        preset = PRESETS[chosen]
        recipe = recipe.changed(
            data=Memories(positions=preset.memories),
            settings={
                "beta": preset.beta,
                "n_steps": preset.n_steps,
                "mode": "steps",
                "energy": "euclidean",
            },
        )
    state.write("basins", recipe, view)
    state.restart_widgets(_PREFIX)
    st.session_state[_PREFIX + "start"] = chosen
    renew_table()


def _convention(view, prefix=_PREFIX):
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


def _beta(recipe, view):
    asked, high = recipe.settings["beta"], METHODS["recall"].parameter("beta").high
    slider = st.container()
    automatic = st.toggle(
        "β chosen automatically",
        key=state.seed(_PREFIX + "auto", asked == "auto"),
        help="So that the softmax at the memories has a fifth of its largest entropy.",
    )
    if asked != "auto":
        state.keep("basins", "own beta", asked)  # to come back to from the automatic one
    start = state.kept("basins", "own beta", METHODS["recall"].parameter("beta").default)
    exact = state.kept("basins", "betas", frozenset()) | {start}
    state.keep("basins", "betas", exact)  # so that the options stay put while a key is held
    beta = slider.select_slider(
        "β, inverse temperature (1/length²)",
        _betas(exact, high),
        format_func=lambda value: f"{view.shown_beta(value):.4g}",
        key=state.seed(_PREFIX + "beta", start),
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


def _mode(recipe):
    mode = st.segmented_control(
        "A point belongs to the memory nearest to where it is",
        list(_MODES),
        format_func=_MODES.__getitem__,
        key=state.seed(_PREFIX + "mode", recipe.settings["mode"]),
        required=True,
        help="Steps of 1/T, as in the paper, stop part of the way; full steps go on until "
        "nothing moves.",
    )
    n_steps = st.slider(
        "T, steps of recall",
        1,
        100,
        key=state.seed(_PREFIX + "n_steps", recipe.settings["n_steps"]),
        disabled=mode == "attractor",
        help="How often a point is moved towards what it recalls, by 1/T of the way each time.",
    )
    return mode, n_steps


def _energy(recipe):
    return st.segmented_control(
        "Energy",
        ["euclidean", "weighted", "spherical"],
        format_func=str.capitalize,
        key=state.seed(_PREFIX + "energy", recipe.settings["energy"]),
        on_change=renew_table,
        required=True,
        wrap=True,
        help="By distance; by distance with a weight for each memory (in the table below); by "
        "angle, on the unit circle.",
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


def _table(recipe, energy, prefix=_PREFIX):
    """Edit the memories; the table starts from the Recipe and then has its own memory."""
    revision = state.kept("basins", "revision", 0)
    key = f"{prefix}table:{revision}"
    if key not in st.session_state:
        state.keep("basins", "base", recipe.data)
    base = state.kept("basins", "base")
    frame = pd.DataFrame(list(base.positions), columns=["x", "y"], dtype=float)
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
    )
    gaps = edited.isna().any(axis=1)
    if gaps.any():
        rows = ", ".join(str(1 + row) for row in np.flatnonzero(gaps))
        st.warning(
            f"Row {rows} of the table is incomplete and left out: fill every cell, or delete it."
        )
    edited = edited.loc[~gaps]
    positions = tuple(edited[["x", "y"]].itertuples(index=False, name=None))
    if not positions:
        raise DataError("No memory is left: give at least one a row with its x and y.")
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


def _own_memories():
    st.session_state[_PREFIX + "start"] = _OWN


def renew_table():
    """Let the table of memories start from the Recipe again."""
    state.keep("basins", "revision", state.kept("basins", "revision", 0) + 1)
