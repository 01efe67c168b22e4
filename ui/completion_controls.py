"""Controls of the completion page: memories, the row, what is hidden of it."""

import numpy as np
import streamlit as st

from ui import lecture, state
from ui.controls import LABELS, limits, setting
from workbench.dataset import DataError
from workbench.masking import Masking, another_row
from workbench.methods import METHODS

_PREFIX = "completion:"
_SETTINGS = "completion:setting:"
_FOLDED = ("n_steps", "beta", "mask_rate", "mask_value", "n_epochs", "n_init")
_LARGEST_SEED = 2**32 - 1
_HOW = {
    "share": "A share at random",
    "top": "Top half",
    "bottom": "Bottom half",
    "left": "Left half",
    "right": "Right half",
    "centre": "Centre",
    "hand": "By hand",
}
_STARTS = {"mean": "the mean", "min": "the minimum", "max": "the maximum"}


def memory_controls(recipe):
    """Show k, the seed and, folded away, what shapes memories most.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of ClAM.

    Returns
    -------
    Recipe
    """
    method = METHODS["clam"]
    left, right = st.columns(2)
    with left:
        k = setting(method.parameter("n_clusters"), recipe.settings["n_clusters"], _PREFIX + "k:")
    state.seed(_PREFIX + "seed", recipe.seed)
    seed = right.number_input(
        "Seed", 0, _LARGEST_SEED, key=_PREFIX + "seed", value="min",
        help=f"Of the training. {limits(0, _LARGEST_SEED)}",
    )  # fmt: skip
    with st.expander("Settings of ClAM"):
        folded = {
            name: setting(method.parameter(name), recipe.settings[name], _SETTINGS)
            for name in _FOLDED
        }
    _take_cluster_run(recipe)
    if recipe.settings["energy"] == "spherical":
        folded["energy"] = "euclidean"
        st.info("The spherical energy completes directions, not values: the Euclidean one is used.")
    return recipe.changed(settings={"n_clusters": k, **folded}, seed=seed)


def cluster_run():
    """Return the last run of the Cluster page where its memories can complete rows, else None."""
    run = state.kept("cluster", "run")
    fits = run is not None and run.recipe.method == "clam" and run.beta is not None
    return run if fits and run.recipe.settings["energy"] != "spherical" else None


def _take_cluster_run(recipe):
    run = cluster_run()
    if run is None or run.recipe == recipe:
        return
    st.button(
        "Use the memories of the Cluster page",
        icon=":material/input:",
        width="stretch",
        on_click=_take,
        args=(run.recipe,),
        help=f"Its last run: ClAM on {run.dataset.name}, k = {run.recipe.settings['n_clusters']}.",
    )


def _take(recipe):
    _, view, _ = state.read("completion")
    state.restart_widgets(_PREFIX)
    state.write("completion", recipe, view)


def hiding_controls(dataset):
    """Show which row, and what of it is hidden.

    Parameters
    ----------
    dataset : workbench.dataset.Dataset

    Returns
    -------
    Masking
        A row of the dataset, and a choice that fits it.
    """
    masking, note = state.read_masking()
    if note:
        st.warning(note)
    masking = _fitting(masking, dataset)
    state.write_masking(masking)  # so that a step of the row counts from here
    is_image = dataset.pixels is not None
    names = [name for name in _HOW if is_image or name in ("share", "hand")]
    with lecture.group("completion", "hiding"):
        row, other, how = st.columns([2, 2, 5], vertical_alignment="bottom")
        last = len(dataset.source.frame)
        number = row.number_input(
            "Row", 1, last, key=state.seed_within(_PREFIX + "row", masking.row, 1, last),
            value="min", help=f"Of the table. {limits(1, last)}",
        )  # fmt: skip
        other.button(
            "Another row", icon=":material/shuffle:", width="stretch",
            on_click=_draw_another, args=(dataset,),
            help="Drawn by the seed of the mask and the present row.",
        )  # fmt: skip
        chosen = how.selectbox(
            "Hidden", names, format_func=_HOW.__getitem__,
            key=state.seed(_PREFIX + "how", masking.how),
            help="By hand: paint on the second picture." if is_image
            else "By hand: tick columns below. A category is hidden whole.",
        )  # fmt: skip
        masking = masking.changed(row=number, how=chosen)
        masking = _details(masking)
    if masking.row not in dataset.row_ids:
        nearest = dataset.row_ids[np.abs(dataset.row_ids - masking.row).argmin()]
        raise DataError(f"row={masking.row} has no value here: row {nearest} is the nearest.")
    state.write_masking(masking)
    return masking


def _details(masking):
    start, share, seed = st.columns([3, 3, 3])
    begin = start.selectbox(
        LABELS["mask_value"], list(_STARTS), format_func=_STARTS.__getitem__,
        key=state.seed(_PREFIX + "start", masking.start), help="Of the column, over all rows.",
    )  # fmt: skip
    masking = masking.changed(start=begin)
    if masking.how != "share":
        return masking
    part = share.slider(
        "Share hidden", 0.05, 0.95, step=0.05, format="percent",
        key=state.seed_within(_PREFIX + "share", round(masking.share, 2), 0.05, 0.95),
        help="One value at least is hidden, and one stays visible.",
    )  # fmt: skip
    drawn = seed.number_input(
        "Seed of the mask", 0, _LARGEST_SEED, value="min",
        key=state.seed(_PREFIX + "mask-seed", masking.seed),
        help=f"Another number hides others. {limits(0, _LARGEST_SEED)}",
    )  # fmt: skip
    return masking.changed(share=part, seed=drawn)


def _draw_another(dataset):
    masking, _ = state.read_masking()
    masking = masking.changed(row=another_row(masking, dataset))
    state.write_masking(masking)
    state.restart_widgets(_PREFIX + "row")


def _fitting(masking, dataset):
    """Leave a row and a part of an image that this table does not have."""
    masking = masking.changed(row=min(masking.row, len(dataset.source.frame)))
    if dataset.pixels is None and masking.how not in ("share", "hand"):
        state.restart_widgets(_PREFIX + "how")
        return masking.changed(how="share")
    return masking


def started_on(dataset):
    """Forget cells hidden by hand when the columns become others.

    Parameters
    ----------
    dataset : workbench.dataset.Dataset
    """
    columns = tuple(column.name for column in dataset.columns)
    before = state.kept("completion", "columns of the mask")
    state.keep("completion", "columns of the mask", columns)
    if before in (None, columns):
        return
    masking, _ = state.read_masking()
    state.write_masking(Masking(share=masking.share, seed=masking.seed, start=masking.start))
    for name in ("how", "row"):
        state.restart_widgets(_PREFIX + name)
