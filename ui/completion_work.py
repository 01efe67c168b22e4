"""Training and measuring of the completion page: at once where it is quick, else as a job."""

import streamlit as st

from ui import cached, state
from ui.completion_controls import cluster_run
from ui.jobs import jobs, size_of
from ui.page_jobs import begin
from ui.training_panel import numbers_read, told
from workbench.imputation import imputation_errors
from workbench.run import run, too_many_clusters

_TICK = 0.4  # seconds between looks at a running job
_QUICK = 4e7  # numbers that training reads within a second or two


def trained(recipe, dataset):
    """Return a Run of the Recipe, or offer to train it and return None until it is there.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of ClAM.
    dataset : workbench.dataset.Dataset

    Returns
    -------
    workbench.run.Run or None
    """
    fault = too_many_clusters(dataset, recipe.settings["n_clusters"])
    if fault:
        st.error(fault)
        return None
    own = cluster_run()
    if own is not None and (own.recipe, own.dataset.fingerprint) == (recipe, dataset.fingerprint):
        return own
    if numbers_read(recipe, dataset) <= _QUICK:
        return cached.quick_run(recipe, dataset)
    return work(
        "training", "Train the memories", (recipe, dataset.fingerprint),
        lambda report, stop: run(recipe, dataset, report=report, stop=stop, compared=False),
        size=size_of(dataset),
    )  # fmt: skip


def measured(recipe, dataset, share):
    """Offer to measure how far off fills are, and return the Errors once they are there."""
    return work(
        "errors", "Measure the error", (recipe, dataset.fingerprint, share),
        lambda report, stop: imputation_errors(
            recipe, dataset, share=share, report=report, stop=stop
        ),
    )  # fmt: skip


def work(name, label, about, found_by, size=0):
    """Offer long work, watch it, and return what it found if it is about what is asked now.

    Parameters
    ----------
    name : str
        Under which the session keeps it.
    label : str
        Of the button.
    about : object
        What it is about; an outcome about something else is not shown.
    found_by : callable
        ``found_by(report, stop)``.
    size : int, default 0
        Bytes that its outcome holds, about.

    Returns
    -------
    object or None
    """
    made_for, job = state.kept("completion", name, (None, None))
    if job is not None and made_for == about:
        if job.snapshot.active:
            _watch(name)
            return None
        if job.snapshot.state == "done":
            return job.snapshot.outcome
        if job.snapshot.state == "failed":
            st.error(job.snapshot.error)
    pressed = st.button(
        label, icon=":material/play_arrow:", type="primary", key=f"completion:go:{name}"
    )
    if pressed:
        job = begin(found_by, instead_of=job, size=size)
        if job is not None:
            state.keep("completion", name, (about, job))
            st.rerun()
    return None


@st.fragment(run_every=_TICK)
def _watch(name):
    _, job = state.kept("completion", name)
    if not job.snapshot.active:
        st.rerun()
    share, text = told(job.snapshot, jobs().before(job), stopping=job.cancelled)
    st.progress(share, text=text)
    if st.button("Cancel", icon=":material/stop:", key=f"completion:stop:{name}"):
        job.drop()
        st.rerun()
