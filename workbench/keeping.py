"""How long and how much the history keeps, and what it lets go by itself."""

from typing import NamedTuple

import numpy as np

UNDO = 10 * 60
"""Seconds for which a deletion can be taken back."""


class Limits(NamedTuple):
    """How much is kept, and for how long.

    Attributes
    ----------
    workspace, total : int
        Bytes of one workspace, and of all.
    days : float
        A run that nobody opened for so long is removed.
    """

    workspace: int = 500_000_000
    total: int = 5_000_000_000
    days: float = 90


class Removal(NamedTuple):
    """Runs that the history let go by itself: when, why and how many."""

    at: float
    reason: str
    runs: int


def expire(ask, limits, now):
    """Let go of what was deleted long enough ago, or not opened for long, whoever's it is.

    Parameters
    ----------
    ask : callable
        Runs a query in a transaction, see :class:`workbench.shelf.Shelf`.
    limits : Limits
    now : float
        Seconds since 1970.
    """
    ask("DELETE FROM runs WHERE deleted < :then", then=now - UNDO)
    then = now - 86400 * limits.days
    _let_go(ask, "opened < :then", f"not opened for {limits.days:g} days", then=then)
    ask("DELETE FROM removals WHERE at < :then", then=then)


def shrink(ask, limits, newest):
    """Keep to the limits: the oldest runs without a name go first, the newest stays.

    Parameters
    ----------
    ask : callable
    limits : Limits
    newest : str
        Id of the run that has just been added; empty where none was.
    """
    _shrink_to(ask, limits.workspace, "workspace = :me", "your runs", newest)
    _shrink_to(ask, limits.total, "1", "all runs on this computer", newest)


def _shrink_to(ask, most, which, whose, newest):
    def sizes(table):
        return ask(f"SELECT COALESCE(SUM(bytes), 0) FROM {table} WHERE {which}").fetchone()[0]

    over = sizes("runs") + sizes("files") - most
    if over <= 0:
        return
    found = ask(
        f"SELECT id, bytes FROM runs WHERE {which} AND id <> :newest"
        " ORDER BY deleted IS NULL, name <> '', opened",
        newest=newest,
    ).fetchall()
    freed = np.cumsum([size for _, size in found])
    gone = found[: int(np.searchsorted(freed, over)) + 1]
    reason = f"to keep {whose} within {most / 1e6:,.0f} MB"
    for identity, _ in gone:
        _let_go(ask, "id = :id", reason, id=identity)


def _let_go(ask, condition, reason, **values):
    ask(
        "INSERT INTO removals SELECT workspace, :now, :reason, COUNT(*) FROM runs"
        f" WHERE {condition} AND deleted IS NULL GROUP BY workspace",
        reason=reason, **values,
    )  # fmt: skip
    ask(f"DELETE FROM runs WHERE {condition}", **values)
    ask(
        "DELETE FROM files WHERE NOT EXISTS (SELECT 1 FROM runs WHERE"
        " runs.workspace = files.workspace AND runs.file = files.fingerprint)"
    )
