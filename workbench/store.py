"""The history: finished runs in an SQLite database on the computer that runs the app.

Every query names the workspace that asks, so that one browser's runs are nobody else's.
"""

import hashlib
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.dataset import DataError
from workbench.keeping import Limits
from workbench.shelf import Shelf

HOME = "BASINSCOPE_HOME"
VERSION = 1
_MARK = 0x42617369  # "Basi": SQLite's application id
_BUSY = 5.0  # seconds that one session waits for another's short transaction

_SCHEMA = f"""
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS runs (
  id TEXT PRIMARY KEY, workspace TEXT NOT NULL, recipe TEXT NOT NULL, key TEXT NOT NULL,
  file TEXT NOT NULL, name TEXT NOT NULL, made REAL NOT NULL, opened REAL NOT NULL,
  deleted REAL, cancelled INTEGER NOT NULL, facts TEXT NOT NULL, notes TEXT NOT NULL,
  arrays BLOB NOT NULL, bytes INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS runs_of ON runs (workspace, made);
CREATE TABLE IF NOT EXISTS files (
  workspace TEXT NOT NULL, fingerprint TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL,
  bytes INTEGER NOT NULL, PRIMARY KEY (workspace, fingerprint));
CREATE TABLE IF NOT EXISTS removals (
  workspace TEXT NOT NULL, at REAL NOT NULL, reason TEXT NOT NULL, runs INTEGER NOT NULL);
PRAGMA application_id = {_MARK};
PRAGMA user_version = {VERSION};
COMMIT;
"""


_creating = threading.Lock()


def default_folder():
    """Return where the history lies: `$BASINSCOPE_HOME`, or the platform's place for such data.

    Returns
    -------
    Path
    """
    if named := os.environ.get(HOME):
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Basinscope"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "Basinscope"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "basinscope"


def workspace_key(secret):
    """Return what stands in the database for a workspace: a hash that does not lead back.

    Parameters
    ----------
    secret : str
        The workspace's id, which only its browser knows.

    Returns
    -------
    str
    """
    return hashlib.sha256(b"basinscope workspace " + secret.encode()).hexdigest()


class Store:
    """The database, opened for each short transaction and created by the first one that writes.

    Parameters
    ----------
    folder : Path, optional
        By default :func:`default_folder`.
    limits : Limits, optional
    clock : callable, default time.time
    """

    def __init__(self, folder=None, *, limits=Limits(), clock=time.time):  # noqa: B008 - a value
        self.folder = Path(folder or default_folder())
        self.limits, self.clock = limits, clock

    @property
    def path(self):
        """The database's file."""
        return self.folder / "history.sqlite3"

    def of(self, secret):
        """Return the shelf of one workspace.

        Parameters
        ----------
        secret : str

        Returns
        -------
        Shelf
        """
        return Shelf(self, workspace_key(secret))

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction.

        Raises
        ------
        DataError
            In one sentence, where it cannot be read or written.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=_BUSY, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise DataError(f"The history in {self.folder} cannot be opened ({error}).") from error
        try:
            self._check(database)
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")
            with suppress(sqlite3.Error):  # what was deleted gives its place back to the disk
                database.execute("PRAGMA incremental_vacuum").fetchall()
        except sqlite3.Error as error:
            raise DataError(self._fault(error)) from error
        finally:
            database.close()

    def _check(self, database):
        database.execute("PRAGMA secure_delete = ON")
        database.execute("PRAGMA synchronous = NORMAL")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (mark,) = database.execute("PRAGMA application_id").fetchone()
        if version > VERSION or (version and mark != _MARK):
            raise DataError(
                f"The history in {self.folder} was written by a newer Basinscope: this one leaves "
                "it alone."
            )
        if not version:
            with _creating:  # sessions of one process do not switch its journal at once
                database.executescript(_SCHEMA)
            self.path.chmod(0o600)

    def _fault(self, error):
        if isinstance(error, sqlite3.OperationalError):  # busy, full, read-only
            return f"The history in {self.folder} cannot be used now ({error})."
        return (
            f"The history in {self.folder} is damaged ({error}). Move {self.path.name} away to "
            "begin a new one."
        )
