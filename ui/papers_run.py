"""Our run of a figure or a table: at once where it is quick, else as a job with progress."""

from typing import NamedTuple

import streamlit as st

from ui import cached, state
from ui.jobs import jobs
from ui.page_jobs import begin
from ui.workspace import owner
from workbench.method import RULES
from workbench.reproduction.items import ITEMS
from workbench.words import listing

_TICK = 0.4  # seconds between looks at a running job
_STOPPING = "Stopping at the end of this step …"
_WARNINGS = 3  # shown: a sweep may raise one for each of its fits


class Made(NamedTuple):
    """What a job was asked for: which run, on which data, by which rule."""

    run: str
    names: tuple[str, ...]
    rule: str


def outcome(item, asked):
    """Offer to run an item, watch the run, and return what it found.

    Parameters
    ----------
    item : workbench.reproduction.item.Item
    asked : workbench.reproduction.item.Asked

    Returns
    -------
    workbench.reproduction.item.Outcome or None
        None before the first run.
    """
    if item.quick:
        return cached.quick_item(item.key)
    made = Made(_run_key(item), tuple(source.name for source in asked.sources), asked.rule)
    job = _job(made.run)
    if st.button(
        "Run ours", type="primary", icon=":material/play_arrow:", width="stretch",
        disabled=bool(item.own and not asked.sources), key="papers:run",
    ):  # fmt: skip
        job = _started(item, asked, made, job) or job
    if job is None:
        return None
    if job.snapshot.active:
        _watch(made.run)
        return None
    return _ended(item, made, job)


def at_work(item):
    """Whether an item is being run, or waits to be, for this session."""
    job = state.kept("papers", _run_key(item))
    return job is not None and job.snapshot.active


def _run_key(item):
    """Name the first item of the same run: tables that share their work share its outcome."""
    return next(key for key, other in ITEMS.items() if other.run == item.run)


def _owner():
    """The workspace, told apart from the jobs of its other pages."""
    return f"{owner()}:papers"


def _job(run):
    """The latest job of a run: of this session, else of an earlier one of the workspace."""
    kept = state.kept("papers", run)
    if kept is None:
        kept = next((job for job in jobs().of(_owner()) if job.about.run == run), None)
        state.keep("papers", run, kept)
    return kept


def _started(item, asked, made, earlier):
    job = begin(
        lambda report, stop: item.run(asked, report, stop),
        instead_of=earlier,
        owner=_owner(),
        about=made,
    )
    if job is not None:
        state.keep("papers", made.run, job)
    return job


def _ended(item, made, job):
    snapshot = job.snapshot
    if snapshot.state == "failed":
        st.error(snapshot.error)
        return None
    if snapshot.state == "cancelled":
        st.info("Cancelled; nothing of that run was kept.")
        return None
    if job.about != made:
        told = listing(job.about.names) if job.about.names else "the same data"
        st.warning(
            f"What is shown is of {told}, kept by {RULES[job.about.rule]}. Run ours again for "
            "what is chosen now."
        )
    for warning in snapshot.warnings[:_WARNINGS]:
        st.caption(f":material/warning: {warning}")
    if job.cancelled:
        st.info("Cancelled: what was reached until then is shown.")
    return item.view(snapshot.outcome)


@st.fragment(run_every=_TICK)
def _watch(run):
    job = state.kept("papers", run)
    snapshot = job.snapshot
    if not snapshot.active:
        st.rerun()
    share, text = told(snapshot, jobs().before(job))
    st.progress(share, _STOPPING if job.cancelled else text)
    if not job.cancelled:
        st.button("Cancel", icon=":material/stop:", width="stretch", on_click=job.cancel,
                  key="papers:cancel")  # fmt: skip
    else:
        st.button("Drop it", icon=":material/close:", width="stretch", on_click=job.drop,
                  key="papers:drop", help="Ends it here and now; nothing is kept.")  # fmt: skip


def told(snapshot, before):
    """Say how far a job is.

    Parameters
    ----------
    snapshot : ui.jobs.Snapshot
    before : int
        Jobs that come before it.

    Returns
    -------
    share : float
    text : str
    """
    progress = snapshot.progress
    if snapshot.state == "waiting":
        return 0.0, f"Waiting for {before} before it …" if before else "Waiting …"
    if progress is None or not progress.planned:
        return 0.0, "Starting …"
    share = min(progress.done / progress.planned, 1.0)
    part = min(int(progress.done) + 1, int(progress.planned))
    text = f"Part {part} of {progress.planned:,}"
    if snapshot.seconds_left is not None and share < 1:
        text += f", {max(1, round(snapshot.seconds_left))} s left"
    return share, text
