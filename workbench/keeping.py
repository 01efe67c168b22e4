"""How long and how much the history keeps, and what it lets go by itself."""

from typing import NamedTuple

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
    """Runs that the history let go by itself: when, why and how many; 0 where it was a file."""

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
    """Keep to the limits, one removal at a time and no more than it takes.

    In the workspace that holds most, what was deleted goes first, then files, then the oldest runs
    without a name, at last those with one. A run that has just been added stays.

    Parameters
    ----------
    ask : callable
    limits : Limits
    newest : str
        Id of the run, or fingerprint of the file, that has just been added.
    """
    _shrink_to(ask, limits.workspace, "workspace = :me", "your runs", newest)
    _shrink_to(ask, limits.total, "1", "all runs on this computer", newest)


def _shrink_to(ask, most, which, whose, newest):
    reason = f"to keep {whose} within {most / 1e6:,.0f} MB"
    while True:  # sizes are summed anew each time: with its last run a file goes too
        held = ask(_HELD.format(which)).fetchall()
        if sum(size for _, size in held) <= most:
            return
        if not any(_let_one_go(ask, owner, reason, newest) for owner, _ in held):
            return  # only the newest is left, and it is never refused


_HELD = """SELECT workspace, SUM(bytes) FROM (
  SELECT workspace, bytes FROM runs UNION ALL SELECT workspace, bytes FROM files)
  WHERE {} GROUP BY workspace ORDER BY SUM(bytes) DESC, workspace = :me"""


def _let_one_go(ask, owner, reason, newest):
    """Remove what a workspace misses least; return whether there was anything to remove."""
    for kind, chosen in _LEAST_MISSED:
        found = ask(chosen, owner=owner, newest=newest).fetchone()
        if found is None:
            continue
        if kind == "run":
            _let_go(ask, "id = :id", reason, id=found[0])
        else:
            ask(
                "INSERT INTO removals VALUES (:owner, :now, :reason, 0)",
                owner=owner, reason=reason,
            )  # fmt: skip
            ask("DELETE FROM files WHERE rowid = :id", id=found[0])
        return True
    return False


_LEAST_MISSED = (
    ("run", """SELECT id FROM runs WHERE workspace = :owner AND deleted IS NOT NULL
      AND id <> :newest ORDER BY deleted"""),
    ("file", """SELECT rowid FROM files WHERE workspace = :owner
      ORDER BY fingerprint = :newest, (SELECT MAX(opened) FROM runs
      WHERE runs.workspace = files.workspace AND runs.file = fingerprint), rowid"""),
    ("run", """SELECT id FROM runs WHERE workspace = :owner AND id <> :newest
      ORDER BY name <> '', opened"""),
)  # fmt: skip


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
