"""Start a tuning, watch it, cancel it; find it again after a reload."""

import time
from typing import NamedTuple

import streamlit as st

from ui import history, state, tune_words
from ui.jobs import jobs, size_of
from ui.page_jobs import begin
from workbench.dataset import Dataset
from workbench.recipe import Recipe
from workbench.run import too_many_clusters
from workbench.sweeps import Plan
from workbench.tuning import Tuning, tune

_TICK = 0.5  # seconds between looks at a tuning,
_REDRAW = 2.0  # and between two pictures of it


class Latest:
    """Where a tuning leaves what it has found so far, for the page to read at any time."""

    tuning: Tuning | None = None


class Asked(NamedTuple):
    """What a job of this page is about; `page` tells it from those of other pages."""

    recipe: Recipe
    plan: Plan
    dataset: Dataset
    payload: bytes | None
    latest: Latest
    page: str = "tune"


def start_button(recipe, plan, dataset):
    """Offer to start, or say why it cannot be."""
    fault = too_many_clusters(dataset, recipe.settings["n_clusters"])
    if fault:
        st.error(fault)
    pressed = st.button(
        "Start", type="primary", icon=":material/play_arrow:", width="stretch",
        disabled=bool(fault),
    )  # fmt: skip
    if not pressed:
        return
    asked = Asked(recipe, plan, dataset, history.payload_of(recipe), Latest())
    job = begin(
        lambda report, stop: _work(asked, report, stop),
        instead_of=state.kept("tune", "job"),
        about=asked,
        size=size_of(dataset),
    )
    if job is None:
        return
    state.keep("tune", "job", job)
    state.keep("tune", "shown", (0, time.monotonic()))


def _work(asked, report, stop):
    for found in tune(asked.recipe, asked.dataset, asked.plan, report=report, stop=stop):
        asked.latest.tuning = found
    return asked.latest.tuning


def find_again(recipe):
    """Give a new session back the tuning that its workspace was at, and its file.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of the Tune page.
    """
    job = history.job_again("tune", recipe)
    if job is not None:
        state.keep("tune", "plan", job.about.plan)
    history.file_again(recipe)


def to_tune(recipe, plan):
    """Make a Recipe and a Plan the Tune page's, for when that page runs next.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of ClAM.
    plan : workbench.sweeps.Plan
    """
    _, view, _ = state.read("tune")
    state.restart_widgets("tune:")
    state.keep("tune", "plan", plan)
    state.keep("tune", "looked", True)  # or an earlier tuning's plan would take its place
    state.write("tune", recipe, view)


def watch():
    """Show how far this session's tuning is, and how it ended.

    Returns
    -------
    Asked or None
        What the latest one is about, once there is something to show of it.
    """
    job = state.kept("tune", "job")
    if job is None:
        return None
    snapshot = job.snapshot
    if snapshot.active:
        _progress()
    elif snapshot.state == "failed":
        st.error(snapshot.error)
    elif snapshot.state == "cancelled":
        st.info("Cancelled before there was anything to keep.")
    elif snapshot.outcome is not None:
        whole = snapshot.outcome.ended == "whole"
        say, icon = (st.success, "check") if whole else (st.info, "stop")
        say(tune_words.outcome(snapshot.outcome), icon=f":material/{icon}:")
    return job.about if job.about.latest.tuning is not None else None


@st.fragment(run_every=_TICK)
def _progress():
    job = state.kept("tune", "job")
    snapshot, tuning = job.snapshot, job.about.latest.tuning
    done = 0 if tuning is None else 1 + len(tuning.trials)
    drawn, when = state.kept("tune", "shown", (0, 0.0))
    fresh = done != drawn and time.monotonic() - when > _REDRAW
    if not snapshot.active or fresh:
        state.keep("tune", "shown", (done, time.monotonic()))
        st.rerun()  # the picture grows
    share, text = tune_words.going(snapshot, jobs().before(job), stopping=job.cancelled)
    st.progress(share, text=text)
    st.button(
        "Cancel", icon=":material/stop:", width="stretch", key="tune:stop", on_click=job.cancel,
        disabled=job.cancelled, help="What is trained by now is kept.",
    )  # fmt: skip
