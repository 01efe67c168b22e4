"""Start, watch, cancel: the part of the cluster page that moves by itself."""

import streamlit as st

from ui import cluster_words, state
from ui.jobs import Progress, jobs
from workbench.run import run, too_many_clusters

_TICK = 0.4  # seconds between looks at a running job
# Once, at the start of a job: Run may be pressed at the lower edge of a small screen.
_REVEAL = """setTimeout(
  () => document.querySelector(".st-key-progress")?.scrollIntoView({block: "nearest"}), 200)"""


def run_button(recipe, dataset):
    """Offer to run the Recipe, or say why it cannot be, and start the job when asked."""
    fault = too_many_clusters(dataset, recipe.settings["n_clusters"])
    if fault:
        st.error(fault)
    icon = ":material/play_arrow:"
    if st.button("Run", type="primary", icon=icon, width="stretch", disabled=bool(fault)):
        earlier = state.kept("cluster", "job")
        if earlier is not None:
            earlier.cancel()
        try:
            job = jobs().start(
                lambda report, stop: run(
                    recipe, dataset, report=lambda *told: report(Progress(*told)), stop=stop
                )
            )
        except ValueError as error:
            st.error(str(error))
            return
        state.keep("cluster", "job", job)


def watch(recipe):
    """Show the job of this session while it is active, and keep what it leaves.

    Its outcome is said in a line beside Run: on a telephone the results start a screen lower.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        The settings of now; of earlier ones nothing is said here.

    Returns
    -------
    workbench.run.Run or None
        The latest outcome.
    """
    job = state.kept("cluster", "job")
    if job is not None:
        snapshot = job.snapshot
        if snapshot.active:
            with st.container(key="progress"):
                _progress()
            st.html(f"<script>{_REVEAL}</script>", unsafe_allow_javascript=True)
        elif snapshot.state == "failed":
            st.error(snapshot.error)
        else:
            state.keep("cluster", "run", snapshot.outcome)
            for warning in snapshot.warnings:
                st.warning(warning)
    found = state.kept("cluster", "run")
    if job is not None and job.snapshot.state == "done" and found.recipe == recipe:
        st.success(cluster_words.outcome(found), icon=":material/check:")
    return found


@st.fragment(run_every=_TICK)
def _progress():
    job = state.kept("cluster", "job")
    snapshot = job.snapshot
    if not snapshot.active:
        st.rerun()
    share, text = _told(snapshot)
    st.progress(share, text=text)
    if st.button("Cancel", icon=":material/stop:", disabled=job.cancelled, width="stretch"):
        job.cancel()


def _told(snapshot):
    progress = snapshot.progress
    if snapshot.state == "waiting":
        return 0.0, "Waiting for a free place …"
    if progress is None:
        return 0.0, "Preparing: seeding the memories …"
    share = progress.step / max(progress.n_steps, 1)
    text = f"Epoch {progress.step} of {progress.n_steps}, loss {progress.loss:.4g}"
    if progress.step == progress.n_steps:
        return 1.0, f"{text}; now labelling and scoring …"
    if snapshot.seconds_left is not None:
        text += f", {_duration(snapshot.seconds_left)} left"
    return share, text


def _duration(seconds):
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min"
