"""Caches of tables: read, prepared, laid out, and labelled by a model."""

import numpy as np
import streamlit as st

from ui.startup import one_thread
from workbench import facts, model_file, typed_export
from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.projection import enough_for_umap, pca_plane, umap_embedding
from workbench.reading import Reading
from workbench.roles import guess_roles


@st.cache_resource(max_entries=16, show_spinner=False)
def builtin_table(name, seed):
    """Return a built-in table; nobody changes it."""
    return builtin(name, seed=seed)


def file_table(name, payload, mark, reading):
    """Return the table of a file, see :func:`workbench.intake.read_table`.

    Parameters
    ----------
    name : str
    payload : bytes
    mark : str
        Fingerprint of the payload.
    reading : workbench.reading.Reading
    """
    return _file_table(name, mark, reading.model_dump_json(), payload)


@st.cache_resource(max_entries=3, show_spinner="Reading the file …", scope="session")
def _file_table(name, mark, reading_json, _payload):
    return read_table(_payload, name, Reading.model_validate_json(reading_json))


def guesses(table):
    """Return what each column seems to be, see :func:`workbench.roles.guess_roles`."""
    return _guesses(table.key, table)


@st.cache_data(max_entries=4, show_spinner="Looking at the columns …", scope="session")
def _guesses(key, _table):
    return guess_roles(_table)


def column_facts(table):
    """Return what to know about each column, see :func:`workbench.facts.column_facts`."""
    return _column_facts(table.key, table)


@st.cache_data(max_entries=4, show_spinner=False, scope="session")
def _column_facts(key, _table):
    return facts.column_facts(_table, guesses(_table))


def prepared(table, preparation):
    """Return the Dataset of a table, see :func:`workbench.dataset.prepare`."""
    return _prepared(table.key, preparation.model_dump_json(), table, preparation)


@st.cache_resource(max_entries=4, show_spinner="Preparing the table …", scope="session")
def _prepared(key, preparation_json, _table, _preparation):
    return prepare(_table, _preparation)


@st.cache_data(max_entries=4, show_spinner="Laying out the points …", scope="session")
def flat(plane, fingerprint, _X, rows, seed):
    """Positions of the rows of a dataset in two dimensions.

    Parameters
    ----------
    plane : {"pca", "umap"}
    fingerprint : str
        Of the dataset.
    _X : ndarray, shape (n, d)
    rows : int
        How many of them, drawn evenly by the seed; the key, unlike their values.
    seed : int

    Returns
    -------
    positions : ndarray, shape (rows, 2)
    shown : ndarray of int, shape (rows,)
        Positions of the rows in the dataset, rising.
    shares : tuple of float or None
        Of the variance along the two axes of PCA; None of UMAP, which gives way to PCA where there
        are too few rows for it.
    """
    shown = np.arange(len(_X))
    if rows < len(_X):
        shown = np.sort(np.random.default_rng(seed).choice(len(_X), rows, replace=False))
    if plane == "umap" and enough_for_umap(_X[shown]):
        return umap_embedding(_X[shown], seed=seed), shown, None
    found = pca_plane(_X)
    return found.flatten(_X[shown]), shown, found.shares


def format_note(ending, table, notes, as_written):
    """Say what a format does to cells, see :func:`workbench.typed_export.format_note`."""
    return _format_note(ending, table.key, notes.model_dump_json(), as_written, table, notes)


@st.cache_data(max_entries=12, show_spinner=False, scope="session")
def _format_note(ending, table_key, notes_json, as_written, _table, _notes):
    return typed_export.format_note(ending, _table, _notes, as_written=as_written)


def model_of(run):
    """Return what a run has learned, see :func:`workbench.model_file.model_of`."""
    return _model_of(run.key, run)


@st.cache_resource(max_entries=2, show_spinner=False, scope="session")
def _model_of(key, _run):
    return model_file.model_of(_run)


@st.cache_resource(max_entries=2, show_spinner="Reading the model …", scope="session")
def saved_model(file_id, _payload, name):
    """Return the model of an uploaded file, see :func:`workbench.model_file.read_model`."""
    return model_file.read_model(_payload.getvalue(), name)


@st.cache_resource(max_entries=2, show_spinner="Reading the table …", scope="session")
def new_table(file_id, _payload, name, reading_json):
    """Return an uploaded table that new labels are for, read like the model's own."""
    reading = Reading.model_validate_json(reading_json)
    return read_table(_payload.getvalue(), name, reading)


@st.cache_resource(max_entries=2, show_spinner="Labelling the rows …", scope="session")
def new_labels(model_key, table_key, _model, _table):
    """Return clusters of a table's rows, see :meth:`workbench.model_file.Model.predict`."""
    one_thread()
    return _model.predict(_table)
