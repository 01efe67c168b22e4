"""Start a training, watch it, keep its frames: the part of the evolution page that waits."""

from typing import NamedTuple

import streamlit as st

from ui import history, state
from ui.jobs import jobs, size_of
from ui.page_jobs import begin, taken
from ui.training_panel import told
from workbench.dataset import Dataset
from workbench.evolution import evolve
from workbench.recipe import Recipe
from workbench.run import too_many_clusters

_TICK = 0.4  # seconds between looks at a training
_SHORT = 1.5  # seconds for which a page waits with its training, and so need not run again
_HEAVY = 2e8  # numbers that training reads, from which it takes a place for long work


class Asked(NamedTuple):
    """What a job of this page is about; `page` tells it from those of other pages."""

    recipe: Recipe
    recipes: tuple[Recipe, ...]
    dataset: Dataset
    payload: bytes | None
    page: str = "evolution"


def find_again(recipe, recipes):
    """Give a new session back the training that its workspace was at, and its file.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    recipes : tuple of Recipe
        All that are trained.
    """
    history.job_again("evolution", recipe, lambda about: about.recipes == recipes)
    history.file_again(recipe)


def train_button(recipes, dataset):
    """Offer to train, or say why it cannot be; a built-in table is trained at once, once.

    Parameters
    ----------
    recipes : tuple of Recipe
    dataset : workbench.dataset.Dataset
    """
    fault = too_many_clusters(dataset, recipes[0].settings["n_clusters"])
    if fault:
        st.error(fault)
    pressed = st.button(
        "Train", type="primary", icon=":material/model_training:", width="stretch",
        disabled=bool(fault),
    )  # fmt: skip
    first = state.kept("evolution", "job") is None and recipes[0].data.kind == "builtin"
    if fault or not (pressed or first):
        return
    if pressed:  # a link opens at its step, another training at its start
        recipe, view, _ = state.read("evolution")
        state.write("evolution", recipe, view.changed(epoch=None))
    _start(recipes, dataset)


def _start(recipes, dataset):
    epochs = sum(_epochs(recipe) for recipe in recipes)
    job = begin(
        lambda report, stop: evolve(recipes, dataset, report=report, stop=stop),
        instead_of=state.kept("evolution", "job"),
        about=Asked(recipes[0], recipes, dataset, history.payload_of(recipes[0])),
        heavy=dataset.X.size * epochs >= _HEAVY,
        size=size_of(dataset),
    )
    if job is None:
        return
    state.keep("evolution", "job", job)
    # Most trainings are this short. A page that runs again before the browser has drawn it loses
    # the first values of its widgets, so a first visit should not.
    job.finished.wait(_SHORT)


def _epochs(recipe):
    epochs = recipe.settings.get("n_epochs", 100)
    return 100 if epochs == "auto" else epochs


def watch(recipes, dataset):
    """Show the training while it goes on, and keep what it leaves.

    Parameters
    ----------
    recipes : tuple of Recipe
    dataset : workbench.dataset.Dataset or None
        Of now.

    Returns
    -------
    workbench.evolution.Evolution or None
        The latest outcome.
    """
    job = state.kept("evolution", "job")
    if job is not None:
        snapshot = job.snapshot
        if snapshot.active:
            _progress()
        else:
            outcome = taken("evolution", job, "Cancelled; nothing of that training was kept.")
            if outcome is not None:
                state.keep("evolution", "outcome", (job.about, outcome))
        for warning in snapshot.warnings:
            st.warning(warning)
    about, found = state.kept("evolution", "outcome", (None, None))
    if found is None or (job is not None and job.snapshot.active):
        return found
    same = dataset is not None and about.dataset.fingerprint == dataset.fingerprint
    if not same or about.recipes != recipes:
        other = dataset is not None and about.dataset.name != dataset.name
        of = about.dataset.name if other else "earlier settings"
        st.warning(f"Out of date: the picture is of {of}. Press Train to renew it.")
    return found


@st.fragment(run_every=_TICK)
def _progress():
    job = state.kept("evolution", "job")
    snapshot = job.snapshot
    if not snapshot.active:
        st.rerun()
    share, text = told(snapshot, jobs().before(job), stopping=job.cancelled, unit="Step")
    st.progress(share, text=text)
    if not job.cancelled:
        st.button(
            "Cancel", icon=":material/stop:", width="stretch", on_click=job.cancel,
            key="evolution:stop",
        )  # fmt: skip
