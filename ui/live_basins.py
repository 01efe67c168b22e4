"""The live canvas, Python's side of it: basins under the hand, computed in the reader's browser.

The canvas is told what Python knows by letters and tells what the reader has made of it on
release; between the two nothing travels. A letter bears a revision: the canvas takes over a
letter's model only if the revision is new to it, so an answer never undoes what a hand has done
meanwhile, and a release that answers an older revision is put aside.
"""

from functools import cache

import numpy as np
import streamlit as st
from streamlit.components.v2 import component

from ui import cached, fields, state
from ui.basin_controls import renew_table
from ui.browser_modules import script, text
from ui.theme_colours import theme_colours
from workbench.dataset import DataError
from workbench.figures.captions import comparison_sentence
from workbench.recipe import View
from workbench.toys import PRESETS

_ADDRESS = "basins"
_KEY = "basins.canvas"
_VERIFIED = fields.SIZE

_canvas = component(
    "live_basins",
    html=text("live_basins/canvas.html"),
    css=text("live_basins/canvas.css"),
    js=script("live_basins/main.js", "live_basins/worker.js"),
)
_letter = component("live_letter", js=script("live_basins/letter.js"))


def take_release():
    """Make what the reader has released since the last run the page's Recipe and View.

    A page calls it before it reads them.
    """
    released = (st.session_state.get(_KEY) or {}).get("release")
    if released is None or released == state.kept("basins", "released"):
        return
    state.keep("basins", "released", released)
    before, view, _ = state.read("basins")
    try:
        if released["revision"] != state.kept("basins", "canvas revision"):
            return  # the page has moved on, and the canvas is about to learn of it
        recipe, view = _of_model(released, before, view)
    except (DataError, KeyError, TypeError):
        state.keep("basins", "canvas", None)  # so that the canvas is told what holds
        return
    state.write("basins", recipe, view)
    if recipe.data != before.data or recipe.settings["energy"] != before.settings["energy"]:
        renew_table()
    state.keep("basins", "canvas", _model(recipe, view))
    state.keep("basins", "verified", None)


def live_basins(recipe, view):
    """Show the canvas with a recall Recipe on it.

    What the reader releases is there for :func:`take_release` when the page runs again.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of the Euclidean or the weighted energy.
    view : workbench.recipe.View
    """
    _send(_ADDRESS + "/points", {"points": _points(view)})
    place = st.container()
    told = _canvas(
        key=_KEY,
        data={
            "address": _ADDRESS,
            "presets": _presets(),
            "colours": theme_colours(),
            "hidden": sorted(state.hidden()),
        },
        on_release_change=lambda: None,
        on_verify_change=lambda: None,
    )
    if told.verify:
        state.keep("basins", "verified", _verified(told.verify, recipe))
    with place:
        _send(_ADDRESS, _model_letter(recipe, view))


def live_slice(key, model, cut, log_weights, points, labels, note):
    """Show the canvas with a slice of a model in many dimensions on it.

    beta, T and layers move under the hand; memories stay, and nothing is remembered.

    Parameters
    ----------
    key : str
        Of the model and the plane: another key is another picture.
    model : dict
        As the canvas has it: beta, steps, mode, layers.
    cut : workbench.slices.Slice
    log_weights : ndarray, shape (k,)
    points : ndarray, shape (m, 2)
        Of the data, in the plane.
    labels : ndarray of int, shape (m,)
        Their clusters.
    note : str
        What the plane is.
    """
    shown = cut.keys[:, :2].round(6).tolist()
    k, d = cut.keys.shape
    everything = {
        "memories": shown, "weights": [1.0] * k, "energy": "euclidean", "stepSize": None,
        "particle": None, **model,
    }  # fmt: skip
    plane = {
        "keys": cut.keys.ravel().tolist(), "logWeights": list(map(float, log_weights)), "d": d,
        "origin": [0.0] * d, "across": [1.0, 0.0] + [0.0] * (d - 2),
        "up": [0.0, 1.0] + [0.0] * (d - 2), "shown": shown,
        "held": cut.held.tolist(), "note": note,
    }  # fmt: skip
    address = "cluster"
    _send(f"{address}/points", {"points": points.round(5).tolist(), "labels": labels.tolist()})
    _send(
        address, {"revision": key, "model": everything, "factor": 1, "tree": None, "slice": plane}
    )
    _canvas(
        key="cluster.canvas",
        data={"address": address, "presets": [], "colours": theme_colours(), "hidden": []},
        on_release_change=lambda: None,
        on_verify_change=lambda: None,
    )


def _send(address, letter):
    _letter(key=f"letter:{address}", data={"address": address, "letter": letter})


def _model_letter(recipe, view):
    """Return the model as the canvas has it, and what only Python can add."""
    model = _model(recipe, view)
    if model != state.kept("basins", "canvas"):  # not the canvas's own doing: it is to follow
        state.keep("basins", "canvas revision", state.kept("basins", "canvas revision", 0) + 1)
        state.keep("basins", "canvas", model)
        state.keep("basins", "verified", None)
    tree = cached.attractor_tree(recipe) if "tree" in view.layers else None
    revision = state.kept("basins", "canvas revision")
    return {
        "revision": revision,
        "model": model,
        "factor": view.shown_beta(1),
        "tree": tree,
        "verified": state.kept("basins", "verified"),
    }


def _model(recipe, view):
    """Say in the canvas's words what a Recipe and a View say."""
    _, _, beta, _, step_size = cached.dynamics(recipe)
    count = len(recipe.data.positions)
    return {
        "memories": [list(position) for position in recipe.data.positions],
        "weights": list(recipe.data.weights or (1.0,) * count),
        "energy": recipe.settings["energy"],
        "beta": beta,
        "steps": recipe.settings["n_steps"],
        "stepSize": step_size,
        "mode": recipe.settings["mode"],
        "layers": list(view.layers),
        "particle": None if view.particle is None else list(view.particle),
    }


def _of_model(model, recipe, view):
    """Read a model of the canvas, checked as a link would be."""
    # Kept for the weighted energy's return, unless they are what it would begin with.
    plain = model["energy"] != "weighted" and set(model["weights"]) == {1}
    weights = () if plain else model["weights"]
    data = {"kind": "memories", "positions": model["memories"], "weights": weights}
    settings = {name: model[name] for name in ("energy", "beta", "mode")}
    settings["n_steps"] = model["steps"]
    looks = {"layers": model["layers"], "particle": model["particle"]}
    return recipe.changed(data=data, settings=settings), view.changed(**looks)


def _verified(shown, recipe):
    """One sentence: the canvas's labels beside the engine's, pixel by pixel."""
    try:
        recipe, _ = _of_model(shown["model"], recipe, View())
        box = tuple(float(shown["box"][side]) for side in ("left", "right", "bottom", "top"))
        labels = np.repeat(*np.asarray(shown["runs"], int).reshape(-1, 2).T)
        labels = labels.reshape(_VERIFIED, _VERIFIED)
    except (DataError, KeyError, TypeError, ValueError):
        return "The picture could not be compared: it came in an unknown form. Reload the page."
    found = cached.partition(recipe.to_json(), box).labels
    return comparison_sentence(*fields.differing(labels, found))


def _points(view):
    own = state.kept("basins", "own points")
    if own is not None:
        return own.round(6).tolist()
    return None if view.points is None else cached.plane_points(view.points).round(6).tolist()


@cache
def _presets():
    return [
        {
            "key": preset.key,
            "title": preset.title,
            "note": preset.note.replace("beta", "β"),
            "memories": [list(position) for position in preset.memories],
            "beta": preset.beta,
            "steps": preset.n_steps,
            "particle": None if preset.particle is None else list(preset.particle),
        }
        for preset in PRESETS.values()
    ]
