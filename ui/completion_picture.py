"""Masked completion in the browser, Python's side of it: what the component is told, and tells.

The component computes recall itself, so that the completion follows the brush; what the hand has
hidden is told on release and becomes the page's Masking.
"""

from collections.abc import Mapping

import numpy as np
import streamlit as st
from streamlit.components.v2 import component

from ui import cached, state
from ui.browser_modules import script, text
from ui.theme_colours import theme_colours
from workbench.completion import dynamics_of, known_values
from workbench.dataset import DataError

_ADDRESS = "completion"
_KEY = "completion.picture"
_DIGITS = 7  # enough for a picture, and a third of the letter

_picture = component(
    "completion",
    html=text("completion/completion.html"),
    css=text("completion/completion.css"),
    js=script("completion/main.js"),
)
_letter = component("completion_letter", js=script("live_basins/letter.js"))


def take_release():
    """Make what the hand has hidden since the last run the page's Masking.

    A page calls it before it reads it.
    """
    released = (st.session_state.get(_KEY) or {}).get("release")
    if released is None or released == state.kept("completion", "released"):
        return
    state.keep("completion", "released", released)
    masking, _ = state.read_masking()
    try:
        if released["row"] != masking.row:
            return  # the page has moved on
        masking = masking.changed(how="hand", cells=tuple(released["cells"]))
    except (DataError, ValueError, KeyError, TypeError):
        return
    state.write_masking(masking)
    state.restart_widgets("completion:how")


def completion_picture():
    """Show the place where a row is completed; :func:`tell` says which."""
    _picture(
        key=_KEY,
        data={"address": _ADDRESS, "colours": theme_colours()},
        on_release_change=lambda: None,
    )


def tell(run, found, hidden, fill):
    """Tell the picture its row, what the memory sees of it, and the memories.

    Letters take a line each on the page, so they stand at its end.

    Parameters
    ----------
    run : workbench.run.Run
    found : workbench.completion.Completion
    hidden : ndarray of bool, shape (c,)
        Columns that are hidden by choice.
    fill : ndarray, shape (d,)
        What hidden values start at.
    """
    released = state.kept("completion", "released")
    serial = released.get("serial") if isinstance(released, Mapping) else None
    row = {
        "model": run.key,
        "locked": "hiding" in state.hidden(),
        "answered": serial or 0,
        "row": int(run.dataset.row_ids[found.position]),
        "own": found.own,
        "truth": [None if np.isnan(x) else x for x in _short(found.truth)],
        "start": _short(fill),
        "hidden": hidden.astype(int).tolist(),
    }
    _send(f"{_ADDRESS}/model", cached.of_run(model_letter, run))
    _send(_ADDRESS, row)


def model_letter(run):
    """Return memories and columns of a run as the component has them.

    Parameters
    ----------
    run : workbench.run.Run

    Returns
    -------
    dict
    """
    dynamics = dynamics_of(run.recipe, run.prototypes, run.weights, run.beta)
    dataset = run.dataset
    features, columns = _features(dataset, dynamics.memories)
    return {
        "key": run.key,
        "keys": _short(dynamics.memories.ravel()),
        "logWeights": _short(dynamics.log_weights),
        "beta": dynamics.beta,
        "steps": dynamics.n_steps,
        "stepSize": dynamics.step_size,
        "features": features,
        "columns": columns,
        "image": _image(dataset),
    }


def _send(address, letter):
    _letter(key=f"letter:{address}", data={"address": address, "letter": letter})


def _features(dataset, memories):
    X = known_values(dataset)
    low = np.minimum(np.nanmin(X, axis=0), memories.min(axis=0))
    high = np.maximum(np.nanmax(X, axis=0), memories.max(axis=0))
    features, columns = [], []
    for number, column in enumerate(dataset.columns):
        first = len(features)
        for at, name in enumerate(column.features):
            features.append(
                {
                    "name": name,
                    "column": number,
                    "centre": column.centre[at],
                    "scale": column.scale[at],
                    "log": column.log,
                    "kind": _kind(column),
                    "words": list(column.order),
                    "low": float(low[first + at]),
                    "high": float(high[first + at]),
                }
            )
        columns.append({"name": column.name, "features": [*range(first, len(features))]})
    return features, columns


def _kind(column):
    if column.role == "category":
        return "share"
    return "date" if column.role == "date" else "order" if column.order else "number"


def _image(dataset):
    """Side of the image, the feature at each of its pixels (-1: none), and the ends of its ink."""
    if dataset.pixels is None:
        return None
    places = np.where(dataset.pixels, np.cumsum(dataset.pixels) - 1, -1)
    own = dataset.restore(known_values(dataset))
    return {
        "side": int(round(len(places) ** 0.5)),
        "places": places.tolist(),
        "low": float(np.nanmin(own)),
        "high": float(np.nanmax(own)),
    }


def _short(values):
    """So many figures of each number."""
    return [float(f"{value:.{_DIGITS}g}") for value in values]
