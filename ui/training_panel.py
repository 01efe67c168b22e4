"""Start, watch, cancel: the part of the cluster page that moves by itself."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from ui import cluster_words, history, state
from ui.jobs import jobs, size_of
from ui.page_jobs import begin, taken
from workbench.dataset import Dataset
from workbench.recipe import Recipe
from workbench.run import run, too_many_clusters
from workbench.scoring import is_partly_scored, score_all
from workbench.silhouettes import silhouette_seconds
from workbench.words import count

_LONG = 10  # seconds of scoring, from which it takes a place for long work
_TICK = 0.4  # seconds between looks at a running job
_HEAVY = 2e8  # numbers that training reads, from which a run takes a place for long work
# Once, at the start of a job: Run may be pressed at the lower edge of a small screen.
_REVEAL = """setTimeout(
  () => document.querySelector(".st-key-progress")?.scrollIntoView({block: "nearest"}), 200)"""


class Asked(NamedTuple):
    """What a job of this page is about; `page` tells it from those of other pages."""

    recipe: Recipe
    dataset: Dataset
    payload: bytes | None
    page: str = "cluster"


def run_button(recipe, dataset):
    """Offer to run the Recipe, or say why it cannot be, and start the job when asked."""
    fault = too_many_clusters(dataset, recipe.settings["n_clusters"])
    if fault:
        st.error(fault)
    upload = _upload_to_keep(recipe)
    icon = ":material/play_arrow:"
    if st.button("Run", type="primary", icon=icon, width="stretch", disabled=bool(fault)):
        job = begin(
            lambda report, stop: run(recipe, dataset, report=report, stop=stop),
            instead_of=state.kept("cluster", "job"),
            keep=partial(history.keep_run, history.shelf(), upload=upload),
            about=Asked(recipe, dataset, history.payload_of(recipe)),
            heavy=numbers_read(recipe, dataset) >= _HEAVY,
            size=size_of(dataset),
        )
        if job is not None:
            state.keep("cluster", "job", job)


def numbers_read(recipe, dataset):
    """About how many numbers training reads: the table, by every start and epoch."""
    settings = recipe.settings
    epochs = settings.get("n_epochs", "auto")
    return dataset.X.size * settings.get("n_init", 1) * (50 if epochs == "auto" else epochs)


def score_button(found):
    """Offer the silhouette of all rows where a run has that of a sample.

    Parameters
    ----------
    found : workbench.run.Run
    """
    if not is_partly_scored(found):
        return
    job = state.kept("cluster", "job")
    seconds = silhouette_seconds(*found.dataset.X.shape)
    if st.button(
        f"Score all {count(len(found.labels), 'row')} (about {duration(seconds)})",
        icon=":material/done_all:",
        disabled=job is not None and job.snapshot.active,
        key="cluster:score",
    ):
        _, payload = history.at_hand(getattr(found.recipe.data, "fingerprint", ""))
        job = begin(
            lambda report, stop: score_all(found, report, stop),
            keep=partial(history.keep_run, history.shelf()),
            about=Asked(found.recipe, found.dataset, payload),
            heavy=seconds > _LONG,
            size=size_of(found.dataset),
        )
        if job is not None:
            state.keep("cluster", "job", job)
            st.rerun()


def _upload_to_keep(recipe):
    """Let the reader choose whether the file is kept with the run; name and bytes if so."""
    table, payload = state.own_table(recipe.data)
    if table is None:
        return None
    keep = st.toggle(
        "Keep this file in the history",
        key="cluster:keep",
        help="The history on the Runs page keeps labels and numbers of each run. With this it "
        "keeps the file too, on the computer that runs Basinscope, until its last run is deleted.",
    )
    return (table.name, payload) if keep else None


def watch(recipe, dataset):
    """Show the job of this session while it is active, and keep what it leaves.

    Its outcome is said in a line beside Run: on a telephone the results start a screen lower.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        The settings of now; of earlier ones nothing is said here.
    dataset : workbench.dataset.Dataset or None
        For a run of the history.

    Returns
    -------
    workbench.run.Run or None
        The latest outcome.
    """
    job = state.kept("cluster", "job")
    if job is None or not job.snapshot.active:
        history.recall(recipe, dataset)
    if job is not None:
        snapshot = job.snapshot
        if snapshot.active:
            with st.container(key="progress"):
                _progress()
            st.html(f"<script>{_REVEAL}</script>", unsafe_allow_javascript=True)
        else:
            outcome = taken("cluster", job, "Cancelled; nothing of that run was kept.")
            if outcome is not None:
                state.keep("cluster", "run", outcome)
        for warning in snapshot.warnings:
            st.warning(warning)
    found = state.kept("cluster", "run")
    ended = job is None or not job.snapshot.active
    if found is not None and ended and found.recipe == recipe:
        say, icon = (st.info, "stop") if found.cancelled else (st.success, "check")
        say(cluster_words.outcome(found), icon=f":material/{icon}:")
    return found


@st.fragment(run_every=_TICK)
def _progress():
    job = state.kept("cluster", "job")
    snapshot = job.snapshot
    if not snapshot.active:
        st.rerun()
    unit = "Epoch" if job.about.recipe.method == "clam" else "Start"
    before = jobs().before(job)
    share, text = told(snapshot, before, stopping=job.cancelled, unit=unit)
    st.progress(share, text=text)
    if not job.cancelled:
        st.button("Cancel", icon=":material/stop:", width="stretch", on_click=job.cancel)
    else:
        st.button(
            "Drop it",
            icon=":material/close:",
            width="stretch",
            on_click=job.drop,
            help="Ends it here and now; nothing of the run is kept.",
        )


def told(snapshot, before, *, stopping=False, unit="Epoch"):
    """Say how far a job is.

    Parameters
    ----------
    snapshot : ui.jobs.Snapshot
        Of an active job.
    before : int
        Jobs that come before it.
    stopping : bool, default False
        Whether it was cancelled and keeps what it has.
    unit : str, default "Epoch"
        What training counts.

    Returns
    -------
    share : float
        Of its phase, from 0 to 1.
    text : str
    """
    progress = snapshot.progress
    if snapshot.state == "waiting":
        return 0.0, cluster_words.waiting(before)
    if progress is None:
        return 0.0, "Starting …"
    share = progress.done / progress.planned if progress.planned else 0.0
    text = _PHASES[progress.phase]
    if stopping:
        return share, f"Cancelled. {text[0].upper()}{text[1:]} what was reached …"
    if progress.phase == "training":
        text = f"{unit} {progress.done:,} of {progress.planned:,}, loss {progress.loss:.4g}"
    elif progress.planned:
        text = f"{text.capitalize()}: {share:.0%}"
    else:
        text = f"{text.capitalize()} …"
    if snapshot.seconds_left is not None and share < 1:
        text += f", {duration(snapshot.seconds_left)} left"
    return min(share, 1.0), text


_PHASES = {
    "preparing": "preparing",
    "training": "training",
    "labelling": "labelling",
    "scoring": "scoring",
    "comparing": "comparing with k-means",
    "measuring": "hiding, training, filling",
}


def duration(seconds):
    """Write a number of seconds in the unit that fits it."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
