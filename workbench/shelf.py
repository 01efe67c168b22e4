"""The runs of one workspace, as the history gives them to whoever knows its id."""

import secrets
import zlib
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.dataset import DataError
from workbench.keeping import Removal, expire, shrink
from workbench.notes import Notes
from workbench.record import Record, from_bytes, from_text, to_bytes, to_text

_LONGEST_NAME = 200


@dataclass(frozen=True, eq=False)
class Entry:
    """A run in the list of its workspace.

    Attributes
    ----------
    id, name : str
        The name is empty until the reader gives one.
    recipe, key : str
        The Recipe as JSON, and its hash.
    file : str
        Fingerprint of the uploaded file, or empty.
    made, opened : float
        Seconds since 1970.
    facts : mapping
        See :class:`workbench.record.Record`.
    notes : Notes
        Of its clusters.
    has_file : bool
        Whether the file is kept too.
    size : int
        Bytes.
    """

    id: str
    name: str
    recipe: str
    key: str
    file: str
    made: float
    opened: float
    facts: Mapping[str, Any]
    notes: Notes
    has_file: bool
    size: int


class Shelf:
    """The runs of one workspace; what it is asked, it answers for this workspace alone.

    Parameters
    ----------
    store : workbench.store.Store
    workspace : str
        Its key, see :func:`workbench.store.workspace_key`.
    """

    def __init__(self, store: Any, workspace: str):
        self._store, self._workspace = store, workspace

    @contextmanager
    def _asking(self):
        """A query function that fills in the workspace wherever the text says `:me`."""
        with self._store.transaction() as database:
            now = self._store.clock()

            def ask(text, **values):
                return database.execute(text, {"me": self._workspace, "now": now, **values})

            expire(ask, self._store.limits, now)
            yield ask

    def add(self, record: Record, *, file="", notes=None):
        """Keep a run; one of the same Recipe takes the place and the name of the last.

        It takes the notes too where both found the same clusters.

        Parameters
        ----------
        record : Record
        file : str, optional
            Fingerprint of the uploaded file that it was made of.
        notes : Notes, optional

        Returns
        -------
        str
            Its id.
        """
        content = to_bytes(record.arrays)
        facts = to_text(record.facts)
        with self._asking() as ask:
            # A run that was cut short never takes the place of a whole one.
            same = ask(
                "SELECT id, name, notes, arrays FROM runs WHERE workspace = :me AND key = :key"
                " AND deleted IS NULL AND cancelled >= :cancelled ORDER BY cancelled",
                key=record.key, cancelled=bool(record.facts["cancelled"]),
            ).fetchone()  # fmt: skip
            identity, name = same[:2] if same else (secrets.token_hex(16), "")
            kept = (notes or Notes()).model_dump_json()
            if same and _found(same[-1], record.arrays["labels"]):
                kept = same[2]
            ask("DELETE FROM runs WHERE workspace = :me AND id = :id", id=identity)
            ask(
                "INSERT INTO runs VALUES (:id, :me, :recipe, :key, :file, :name, :now, :now, NULL,"
                " :cancelled, :facts, :notes, :arrays, :bytes)",
                id=identity, recipe=record.recipe, key=record.key, file=file, name=name,
                cancelled=bool(record.facts["cancelled"]), facts=facts, notes=kept,
                arrays=content, bytes=len(content) + len(facts) + len(record.recipe),
            )  # fmt: skip
            shrink(ask, self._store.limits, identity)
        return identity

    def runs(self) -> tuple[Entry, ...]:
        """Return the runs of this workspace, newest first.

        Returns
        -------
        tuple of Entry
        """
        if not self._store.path.exists():  # nothing is created by looking
            return ()
        with self._asking() as ask:
            found = ask(f"{_ENTRY} WHERE workspace = :me AND deleted IS NULL ORDER BY made DESC")
            return tuple(map(_entry, found))

    def open(self, identity) -> tuple[Entry, Record] | None:
        """Return a run with its arrays, and count it as opened now.

        Parameters
        ----------
        identity : str

        Returns
        -------
        tuple of (Entry, Record) or None
            None where this workspace has no such run.

        Raises
        ------
        DataError
            In one sentence, where the run is damaged.
        """
        with self._asking() as ask:
            found = ask(
                f"{_ENTRY} WHERE workspace = :me AND deleted IS NULL AND id = :id", id=identity
            ).fetchone()
            if found is None:
                return None
            ask("UPDATE runs SET opened = :now WHERE workspace = :me AND id = :id", id=identity)
            (content,) = ask(
                "SELECT arrays FROM runs WHERE workspace = :me AND id = :id", id=identity
            ).fetchone()
        entry = _entry(found)
        return entry, Record(entry.recipe, entry.key, entry.facts, from_bytes(content))

    def rename(self, identity, name):
        """Name a run; an empty name takes the old one away."""
        with self._asking() as ask:
            ask(
                "UPDATE runs SET name = :name WHERE workspace = :me AND id = :id",
                id=identity, name=" ".join(name.split())[:_LONGEST_NAME],
            )  # fmt: skip

    def annotate(self, key, labels, notes):
        """Keep names and notes of the clusters that a run found.

        Parameters
        ----------
        key : str
            Of the Recipe, of which runs may differ: one may have been cut short.
        labels : ndarray of int
            By which the run is known among them.
        notes : Notes
        """
        with self._asking() as ask:
            for identity, _, arrays in ask(_SAME_RECIPE, key=key).fetchall():
                if _found(arrays, labels):
                    ask(
                        "UPDATE runs SET notes = :notes WHERE workspace = :me AND id = :id",
                        id=identity, notes=notes.model_dump_json(),
                    )  # fmt: skip

    def notes(self, key, labels) -> Notes:
        """Return the names and notes of the clusters that a run found.

        Parameters
        ----------
        key, labels
            As for :meth:`annotate`.

        Returns
        -------
        workbench.notes.Notes
        """
        if not self._store.path.exists():
            return Notes()
        with self._asking() as ask:
            for _, kept, arrays in ask(_SAME_RECIPE, key=key).fetchall():
                if _found(arrays, labels):
                    return Notes.model_validate_json(kept)
        return Notes()

    def delete(self, identity):
        """Delete a run; for ten minutes :meth:`undelete` brings it back."""
        with self._asking() as ask:
            ask("UPDATE runs SET deleted = :now WHERE workspace = :me AND id = :id", id=identity)

    def undelete(self, identity):
        """Bring back a run that was deleted in the last ten minutes."""
        with self._asking() as ask:
            ask("UPDATE runs SET deleted = NULL WHERE workspace = :me AND id = :id", id=identity)

    def forget(self):
        """Delete all runs and files of this workspace at once, without return."""
        with self._asking() as ask:
            for table in ("runs", "files", "removals"):
                ask(f"DELETE FROM {table} WHERE workspace = :me")

    def keep_file(self, fingerprint, name, content):
        """Keep an uploaded file for as long as a run of it is kept.

        Parameters
        ----------
        fingerprint, name : str
        content : bytes

        Raises
        ------
        DataError
            In one sentence, where there is no room for it: runs do not make way for a file.
        """
        packed = zlib.compress(content, 1)
        limits = self._store.limits
        most = min(limits.workspace, limits.total)
        size = f"{name} takes {len(packed) / 1e6:,.1f} MB"
        if len(packed) > most:
            raise DataError(f"{size}, and the history holds {most / 1e6:,.1f} MB: it is not kept.")
        with self._asking() as ask:
            ask("INSERT OR REPLACE INTO files VALUES (:me, :file, :name, :content, :bytes)",
                file=fingerprint, name=name, content=packed, bytes=len(packed))  # fmt: skip
            shrink(ask, limits, fingerprint)
            if not ask(
                "SELECT 1 FROM files WHERE workspace = :me AND fingerprint = :file",
                file=fingerprint,
            ).fetchone():  # what was let go for it comes back, as the transaction ends in a fault
                raise DataError(f"{size}, for which the history has no room: it is not kept.")

    def file(self, fingerprint):
        """Return a kept file.

        Parameters
        ----------
        fingerprint : str

        Returns
        -------
        tuple of (str, bytes) or None
            Name and content.

        Raises
        ------
        DataError
            In one sentence, where it is damaged.
        """
        if not self._store.path.exists():
            return None
        with self._asking() as ask:
            found = ask(
                "SELECT name, content FROM files WHERE workspace = :me AND fingerprint = :file",
                file=fingerprint,
            ).fetchone()
        if found is None:
            return None
        name, content = found
        try:
            return name, zlib.decompress(content)
        except zlib.error as error:
            raise DataError(f"{name} is damaged in the history: choose the file again.") from error

    def forget_file(self, fingerprint):
        """Delete a kept file; its runs stay."""
        with self._asking() as ask:
            ask("DELETE FROM files WHERE workspace = :me AND fingerprint = :file", file=fingerprint)

    def removals(self) -> tuple[Removal, ...]:
        """Return what the history let go by itself, newest first.

        Returns
        -------
        tuple of Removal
        """
        if not self._store.path.exists():
            return ()
        with self._asking() as ask:
            found = ask(
                "SELECT at, reason, runs FROM removals WHERE workspace = :me ORDER BY at DESC"
            )
            return tuple(Removal(*each) for each in found)


_SAME_RECIPE = """SELECT id, notes, arrays FROM runs
  WHERE workspace = :me AND key = :key ORDER BY deleted IS NOT NULL, made DESC"""


def _found(arrays, labels):
    """Whether a kept run found these clusters; of a damaged one nobody knows."""
    try:
        kept = from_bytes(arrays, ("labels",))
    except DataError:
        return False
    return np.array_equal(kept.get("labels", ()), labels)


_ENTRY = """SELECT id, runs.name, recipe, key, file, made, opened, facts, notes, bytes,
  EXISTS (SELECT 1 FROM files WHERE files.workspace = runs.workspace AND fingerprint = file)
  FROM runs"""


def _entry(row):
    identity, name, recipe, key, file, made, opened, facts, notes, size, has_file = row
    return Entry(
        identity, name, recipe, key, file, made, opened, from_text(facts),
        Notes.model_validate_json(notes), bool(has_file), size,
    )  # fmt: skip
