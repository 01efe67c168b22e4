"""The history as pages use it: runs are kept where they end, and found again."""

import warnings

import streamlit as st

from ui import state
from ui.jobs import jobs
from ui.workspace import owner, workspace
from workbench import painting
from workbench.dataset import DataError
from workbench.intake import read_table
from workbench.notes import Notes
from workbench.recipe import Recipe
from workbench.record import record_of, run_of
from workbench.store import Store

ANY = "any"
"""Stands for the run of a Recipe, whichever it is."""


def shelf():
    """Return the shelf of this browser's workspace."""
    return Store().of(workspace())


def keep_run(shelf, run, upload=None):
    """Keep a finished run; a fault is a warning, since the run itself is sound.

    Parameters
    ----------
    shelf : workbench.shelf.Shelf
    run : workbench.run.Run
    upload : tuple of (str, bytes), optional
        Name and content of the file, where the reader wants it kept too.
    """
    fingerprint = getattr(run.recipe.data, "fingerprint", "")
    try:
        shelf.add(record_of(run), file=fingerprint)
    except DataError as error:
        warnings.warn(f"This run is not in the history. {error}", UserWarning, stacklevel=2)
        return
    try:
        if upload is not None and fingerprint:
            shelf.keep_file(fingerprint, *upload)
    except DataError as error:
        warnings.warn(str(error), UserWarning, stacklevel=2)


def notes_of(run):
    """Return the names and notes that the reader gave to the clusters of a run.

    Parameters
    ----------
    run : workbench.run.Run

    Returns
    -------
    workbench.notes.Notes
        Those of this session, else of the history.
    """
    kept = state.kept("cluster", "notes", {})
    if run.key not in kept:
        kept = {**kept, run.key: _kept_notes(run)}
        state.keep("cluster", "notes", kept)
    return kept[run.key]


def _kept_notes(run):
    try:
        return shelf().notes(run.recipe.key(), run.labels)
    except DataError:
        return Notes()


def annotate(run, notes):
    """Keep names and notes of a run's clusters, in this session and in the history.

    Parameters
    ----------
    run : workbench.run.Run
    notes : workbench.notes.Notes
    """
    if notes == notes_of(run):
        return
    state.keep("cluster", "notes", {**state.kept("cluster", "notes", {}), run.key: notes})
    try:
        shelf().annotate(run.recipe.key(), run.labels, notes)
    except DataError as error:
        st.warning(f"These names last for this visit only. {error}")


def find_again(recipe):
    """Give a new session back what its workspace was at: a job, its outcome, its file.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of the Cluster page.
    """
    job = job_again("cluster", recipe)
    if job is not None:
        _put_back(job.about.dataset.source, job.about.payload, recipe)
    if is_missing(recipe):
        _put_back(*kept_table(recipe), recipe)


def file_again(recipe):
    """Give a new session back the file of a Recipe: of a job at hand, else of the history.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of any page that clusters rows.
    """
    if is_missing(recipe):
        _put_back(*at_hand(recipe.data.fingerprint), recipe)
    if is_missing(recipe):
        _put_back(*kept_table(recipe), recipe)


def at_hand(fingerprint):
    """Return a file that this session holds, or a run that it lately made of it.

    Parameters
    ----------
    fingerprint : str
        Of the file.

    Returns
    -------
    table : workbench.table.Table or None
    payload : bytes or None
    """
    held = [
        (state.kept(slot, "table"), state.kept(slot, "payload"))
        for slot in (state.UPLOAD, state.PAINTED)
    ]
    runs = [job.about for job in jobs().of(owner()) if hasattr(job.about, "payload")]
    every = [*held, *((about.dataset.source, about.payload) for about in runs)]
    fits = (each for each in every if each[0] is not None and each[0].fingerprint == fingerprint)
    return next(fits, (None, None)) if fingerprint else (None, None)


def job_again(page, recipe, same=lambda about: True):
    """Give a new session back the job that its workspace was at on a page, once a session.

    That of the same Recipe, else one at work, else, on a reload, one of the same data.

    Parameters
    ----------
    page : str
    recipe : workbench.recipe.Recipe
        Of that page.
    same : callable, optional
        Whether what a job is about is the same in all but the Recipe, too.

    Returns
    -------
    ui.jobs.Job or None
    """
    if state.kept(page, "job") is not None or state.kept(page, "looked"):
        return None
    state.keep(page, "looked", True)
    own = [job for job in jobs().of(owner()) if getattr(job.about, "page", "") == page]
    own = [job for job in own if job.snapshot.active or job.snapshot.state == "done"]
    wanted = (
        lambda job: job.about.recipe == recipe and same(job.about),
        lambda job: job.snapshot.active,
        lambda job: state.LINK in st.query_params and job.about.recipe.data == recipe.data,
    )
    job = next((job for fits in wanted for job in own if fits(job)), None)
    if job is not None:
        state.keep(page, "job", job)
    return job


def payload_of(recipe):
    """Return the bytes of the file that a Recipe is of; None where it is of none."""
    return state.own_table(recipe.data)[1]


def is_missing(recipe):
    """Whether a Recipe is of a file that this session does not have."""
    return recipe.data.kind == "upload" and state.own_table(recipe.data)[0] is None


def kept_table(recipe):
    """Return the table of a file that the history keeps, read as the Recipe says, and its bytes.

    Both None where it keeps none.
    """
    try:
        found = shelf().file(recipe.data.fingerprint)
        if found is None:
            return None, None
        name, content = found
        with st.spinner(f"Reading {name} …"):
            table = read_table(content, name, recipe.reading)
    except DataError:
        return None, None  # the page then asks for the file
    return table, content


def _put_back(table, payload, recipe):
    """Make a file or painted points the session's again, if the Recipe is of them."""
    if table is not None and table.fingerprint == getattr(recipe.data, "fingerprint", ""):
        slot = state.PAINTED if painting.is_drawing(table) else state.UPLOAD
        state.keep(slot, "table", table)
        state.keep(slot, "payload", payload)


def to_open(entry):
    """Make a run of the history the Cluster page's: it shows it when it runs next.

    Parameters
    ----------
    entry : workbench.shelf.Entry
    """
    recipe = Recipe.from_json(entry.recipe)
    _put_back(*at_hand(entry.file), recipe)
    to_cluster(recipe, entry.id)


def to_cluster(recipe, run=ANY):
    """Make a Recipe the Cluster page's, for when that page runs next.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of one of its methods.
    run : str, default ANY
        Of the history, to be shown with it.
    """
    _, view, _ = state.read("cluster")
    state.restart_widgets("cluster:")
    state.keep("cluster", "job", None)
    state.keep("cluster", "run", None)
    state.keep("cluster", "open", run)
    state.write("cluster", recipe, view)


def recall(recipe, dataset):
    """Show what the history has of a Recipe: the run that was opened, or that of a new session.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    dataset : workbench.dataset.Dataset or None
        Where its data are at hand; until then nothing is recalled.
    """
    asked = state.kept("cluster", "open", ANY)
    if asked is None or dataset is None:
        return
    state.keep("cluster", "open", None)
    try:
        runs = shelf().runs()
        wanted = [run for run in runs if asked in (ANY, run.id) and run.key == recipe.key()]
        found = shelf().open(wanted[0].id) if wanted else None
        if found is not None and state.kept("cluster", "run") is None:
            entry, record = found
            state.keep("cluster", "run", run_of(record, dataset))
    except DataError as error:
        if asked != ANY:
            st.warning(str(error))
