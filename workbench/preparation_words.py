"""What was done to prepare a table, and what to know about it, in sentences."""

import numpy as np

from workbench.preparation import USABLE
from workbench.roles import CONSTANT, EMPTY, form_in_words, other_order
from workbench.words import count, listing, numbered

_SCALED = {
    "standard": "Each column is standardised: mean 0 and deviation 1 over its known cells.",
    "robust": "Each column is scaled to median 0 and quartiles 1 apart over its known cells.",
    "min-max": "Each column is scaled from 0 to 1 over its known cells.",
    "none": "Values are used in their own units.",
}
_IMPUTED = {
    "mean": "Missing cells are filled with the column's mean.",
    "median": "Missing cells are filled with the column's median, or its most frequent category.",
    "drop": "Rows with a missing cell are not clustered.",
}


def steps(columns, preparation, roles, kept):
    """Say what was done with the columns, one sentence each."""
    by_role = {role: [column.name for column in columns if column.role == role] for role in USABLE}
    done = [f"{count(len(by_role['numeric']), 'column')} of numbers chosen."]
    if by_role["category"]:
        features = sum(len(c.features) for c in columns if c.role == "category")
        done.append(
            f"{listing(by_role['category'])} as {count(features, 'feature')}, one for each value, "
            "scaled so that a category counts like a number."
        )
    for column in columns:
        if column.order:
            done.append(f"{column.name} in the order {listing(column.order)}.")
    for form, dates in _by_form(columns).items():
        done.append(f"{listing(dates)} as days since 1970, read as {form_in_words(form)}.")
    ids = [name for name, role in roles.items() if role == "id"]
    if ids:
        named = "identifiers, so left out" if len(ids) > 1 else "an identifier, so left out"
        done.append(f"{listing(ids)} {'look' if len(ids) > 1 else 'looks'} like {named}.")
    logged = [column.name for column in columns if column.log]
    if logged:
        done.append(f"{listing(logged)} on a log scale.")
    done.append(_SCALED[preparation.scaling])
    if preparation.impute in _IMPUTED:
        done.append(_IMPUTED[preparation.impute])
    weighted = [f"{c.name} by {c.weight:g}" for c in columns if c.weight != 1]
    if weighted:
        done.append(f"Squared differences are weighted: {listing(weighted)}.")
    if preparation.rows:
        done.append(f"Only {count(kept.sum(), 'chosen row')} clustered.")
    return tuple(done)


def _by_form(columns):
    found = {}
    for column in columns:
        if column.role == "date":
            found.setdefault(column.form, []).append(column.name)
    return found


def either_order(table, columns):
    """Name the columns whose dates could as well be read with day and month exchanged."""
    for column in columns:
        other = column.role == "date" and other_order(
            table.frame[column.name], column.form, table.missing
        )
        if other:
            yield (
                f"{column.name}: its dates fit {form_in_words(other)} as well as "
                f"{form_in_words(column.form)}, by which they are read."
            )


def without_reference(label, y, kept):
    """Name the rows that have no reference label."""
    if y is None or np.all(y != ""):
        return
    rows = np.flatnonzero(kept)[y == ""] + 1
    yield (
        f"{label}: {count(len(rows), 'row')} without a reference label left out of the scores "
        f"against it, {numbered('row', rows)}."
    )


def left_out(guesses, roles, names, varied, preparation):
    """Name the columns that nobody decided to leave out, and that cannot tell rows apart."""

    def guessed(why):
        if preparation.features is not None:
            return []
        return [n for n, guess in guesses.items() if guess.why == why and roles[n] == "ignore"]

    dropped = [name for name in names if name not in varied]
    empty = {*guessed(EMPTY), *(name for name in dropped if guesses[name].why == EMPTY)}
    flat = {*guessed(CONSTANT), *dropped} - empty
    for word, left in (("Constant", flat), ("Empty", empty)):
        if left:
            yield f"{word}, so left out: {listing([name for name in roles if name in left])}."


def warnings(blocks, chosen, kept, gaps, X, preparation):
    """Say what to know about cells and rows, one sentence each."""
    found = [sentence for cells in blocks.values() for sentence in cells.lost()]
    missing = gaps[kept]
    if missing.any():
        left = preparation.impute == "leave"
        found.append(
            f"{count(missing.sum(), 'cell')} in {count(missing.any(axis=1).sum(), 'row')} missing"
            + (": ClAM recalls them, other methods use the column's mean." if left else ".")
        )
    lost = chosen & ~kept
    if lost.any():
        rows = np.flatnonzero(lost) + 1
        why = "with a missing cell" if preparation.impute == "drop" else "without any number"
        found.append(f"{count(len(rows), 'row')} {why} left unclustered: {numbered('row', rows)}.")
    distinct = _few_distinct(X)
    if distinct:
        found.append(f"Only {distinct} distinct rows: they fill at most {distinct} clusters.")
    return tuple(found)


def _few_distinct(X, most=20):
    """Count distinct rows where they are few; the first rows settle it for nearly all tables."""
    if len(X) <= most or len(np.unique(X[:1000], axis=0)) > most:
        return 0
    distinct = len(np.unique(X, axis=0))
    return distinct if distinct <= most else 0
