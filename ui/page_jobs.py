"""Jobs as a page has them: begun in place of an earlier one, and what is said when they end."""

import streamlit as st

from ui import state
from ui.jobs import jobs
from ui.workspace import owner


def begin(work, *, instead_of=None, **given):
    """Queue work for this workspace; where no place is free the page says so.

    Parameters
    ----------
    work : callable
        See :class:`ui.jobs.Job`.
    instead_of : ui.jobs.Job, optional
        An earlier one, which is dropped.
    **given
        Of the Job; ``owner`` is the workspace unless given.

    Returns
    -------
    ui.jobs.Job or None
        None where all places are taken.
    """
    if instead_of is not None:
        instead_of.drop()
    try:
        return jobs().start(work, **{"owner": owner(), **given})
    except ValueError as error:
        st.error(str(error))
        return None


def taken(page, job, cancelled):
    """Say how a page's job ended if it found nothing; return what it found, once.

    Parameters
    ----------
    page : str
    job : ui.jobs.Job
        No longer active.
    cancelled : str
        What to say where it was cancelled.

    Returns
    -------
    object or None
        None also where the page has it already.
    """
    snapshot = job.snapshot
    if snapshot.state == "failed":
        st.error(snapshot.error)
    elif snapshot.state == "cancelled":
        st.info(cancelled)
    elif state.kept(page, "taken") is not job:
        state.keep(page, "taken", job)
        return snapshot.outcome
    return None
