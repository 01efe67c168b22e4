"""How columns become features: one table to look at and to change before anything runs."""

from typing import get_args

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, state
from ui.controls import limits
from workbench.preparation import USABLE, Role
from workbench.roles import roles_of
from workbench.table import DataError

_SCALINGS = {
    "standard": "Standard: mean 0, deviation 1",
    "robust": "Robust: median 0, quartiles 1 apart",
    "min-max": "From 0 to 1",
    "none": "None: the columns' own units",
}
_IMPUTATIONS = {
    "leave": "Left to the method (ClAM recalls them)",
    "mean": "Filled with the column's mean",
    "median": "Filled with the median, or most frequent category",
    "drop": "Their rows are not clustered",
}
_ROLES = list(get_args(Role))
_EXAMPLES = 3


def preparation_controls(recipe, table, page):
    """Show every column with its role, and how columns are scaled and filled.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    table : workbench.dataset.Table
    page : str

    Returns
    -------
    Recipe

    Raises
    ------
    DataError
        If no column is chosen, or two are labels.
    """
    prefix = f"{page}:columns"
    shown = _overview(recipe, table, page)
    edited = st.data_editor(
        shown,
        key=f"{prefix}:table:{table.key}",
        hide_index=True,
        height=min(38 + 35 * len(shown), 318),
        disabled=["Column", "Missing", "Looks like", "Examples"],
        column_config=_CONFIG,
    )
    left, middle, right = st.columns([2, 2, 1])
    now = recipe.preparation
    scaling = left.selectbox(
        "Scale",
        list(_SCALINGS),
        format_func=_SCALINGS.__getitem__,
        key=state.seed(f"{prefix}:scaling", now.scaling),
        help="So that no unit outweighs another.",
    )
    impute = middle.selectbox(
        "Missing values",
        list(_IMPUTATIONS),
        format_func=_IMPUTATIONS.__getitem__,
        key=state.seed(f"{prefix}:impute", now.impute),
        help="Rows that are not clustered stay in the table and say so.",
    )
    most = right.number_input(
        "Most categories",
        2,
        200,
        key=state.seed(f"{prefix}:most", now.most_categories),
        help=f"Of a column; the rarest beyond share one feature. {limits(2, 200)}",
    )
    chosen = _chosen(edited, table, scaling=scaling, impute=impute, most_categories=most)
    return recipe.changed(preparation=chosen | {"rows": now.rows})


_CONFIG = {
    "Use": st.column_config.CheckboxColumn(width=50, help="Whether rows are clustered by it."),
    "Column": st.column_config.TextColumn(width="medium"),
    "Role": st.column_config.SelectboxColumn(
        options=_ROLES,
        required=True,
        width=100,
        help="numeric; category: one feature for each value; ordinal: words in an order; date; "
        "label: reference labels, never used to cluster; id and ignore are left out.",
    ),
    "Log": st.column_config.CheckboxColumn(width=50, help="Take the logarithm: for skewed sums."),
    "Weight": st.column_config.NumberColumn(
        width=70, min_value=1e-3, max_value=1e3, required=True, help="Of its squared differences."
    ),
    "Missing": st.column_config.NumberColumn(format="percent", width=75),
    "Looks like": st.column_config.TextColumn(help="Why the role was guessed, and what to mind."),
    "Examples": st.column_config.TextColumn(),
}


def _overview(recipe, table, page):
    """Build the table once for each file: edits count from there."""
    name = f"columns:{table.key}"
    kept = state.kept(page, name)
    if kept is not None and f"{page}:columns:table:{table.key}" in st.session_state:
        return kept
    guesses = cached.guesses(table)
    roles = roles_of(table, recipe.preparation, guesses)
    used = _used(recipe.preparation, roles)
    facts = cached.column_facts(table)
    shown = pd.DataFrame(
        {
            "Use": [column in used for column in roles],
            "Column": list(roles),
            "Role": list(roles.values()),
            "Log": [column in recipe.preparation.log for column in roles],
            "Weight": [float(recipe.preparation.weights.get(column, 1.0)) for column in roles],
            "Missing": [facts[column].missing for column in roles],
            "Looks like": [
                "; ".join(filter(None, [guesses[column].why, *facts[column].flags]))
                for column in roles
            ],
            "Examples": [facts[column].examples for column in roles],
        }
    )
    state.keep(page, name, shown)
    return shown


def _used(preparation, roles):
    if preparation.features is not None:
        return {name for name in preparation.features if roles.get(name) in USABLE}
    return {name for name, role in roles.items() if role == "numeric"}


def _chosen(edited, table, **others):
    """Write down only what differs from the guess, so that links stay short."""
    guesses = cached.guesses(table)
    roles = dict(zip(edited["Column"], edited["Role"], strict=True))
    labels = [name for name, role in roles.items() if role == "label"]
    if len(labels) > 1:
        raise DataError(
            f"{labels[0]} and {labels[1]} are both labels: give one of them another role."
        )
    decided = {name: role for name, role in roles.items() if role != guesses[name].role}
    ticked = edited["Column"][edited["Use"]]
    usable = tuple(name for name in ticked if roles[name] in USABLE)
    usual = tuple(name for name, role in roles.items() if role == "numeric")
    if not usable:
        if not any(role in USABLE for role in roles.values()):
            raise DataError(f"{table.name} has no column of numbers to cluster.")
        raise DataError("Choose at least one column to cluster by: tick Use.")
    weighted = edited[np.abs(edited["Weight"] - 1) > 1e-9]
    return others | {
        "features": None if usable == usual else usable,
        "roles": decided,
        "log": tuple(name for name in edited["Column"][edited["Log"]] if name in usable),
        "weights": {
            name: float(weight)
            for name, weight in zip(weighted["Column"], weighted["Weight"], strict=True)
            if name in usable
        },
    }


def told(dataset):
    """Say what was done with the columns, and what to mind."""
    for sentence in dataset.steps:
        st.caption(sentence)
    for sentence in dataset.warnings:
        st.caption(f":material/info: {sentence}")
