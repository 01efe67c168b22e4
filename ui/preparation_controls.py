"""How columns become features: one table to look at and to change before anything runs."""

from typing import get_args

import pandas as pd
import streamlit as st

from ui import cached, state
from ui.controls import limits
from workbench.preparation import USABLE, Role
from workbench.roles import no_features, roles_of
from workbench.table import DataError
from workbench.words import listing

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
    shown = _kept_overview(recipe, table, page)
    edited = st.data_editor(
        shown,
        key=f"{prefix}:table:{table.key}",
        hide_index=True,
        height=min(42 + 38 * len(shown), 346),
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
    chosen = chosen_columns(edited, table, cached.guesses(table))
    return recipe.changed(
        preparation=chosen | {"scaling": scaling, "impute": impute, "most_categories": most}
    )


_CONFIG = {
    "Use": st.column_config.CheckboxColumn(width=70, help="Whether rows are clustered by it."),
    "Column": st.column_config.TextColumn(width="medium"),
    "Role": st.column_config.SelectboxColumn(
        options=_ROLES,
        required=True,
        width=100,
        help="numeric; category: one feature for each value; ordinal: words in an order; date; "
        "label: reference labels, never used to cluster; id and ignore are left out.",
    ),
    "Log": st.column_config.CheckboxColumn(width=70, help="Take the logarithm: for skewed sums."),
    "Weight": st.column_config.NumberColumn(
        width=90, min_value=1e-3, max_value=1e3, required=True, help="Of its squared differences."
    ),
    "Missing": st.column_config.NumberColumn(format="percent", width=75),
    "Looks like": st.column_config.TextColumn(help="Why the role was guessed, and what to mind."),
    "Examples": st.column_config.TextColumn(),
}


def _kept_overview(recipe, table, page):
    """Build the table once for each file: edits count from there."""
    name = f"columns:{table.key}"
    shown = state.kept(page, name)
    if shown is None or f"{page}:columns:table:{table.key}" not in st.session_state:
        guesses, facts = cached.guesses(table), cached.column_facts(table)
        shown = overview(table, recipe.preparation, guesses, facts)
        state.keep(page, name, shown)
    return shown


def overview(table, preparation, guesses, facts):
    """Build the table of columns.

    Parameters
    ----------
    table : workbench.dataset.Table
    preparation : workbench.preparation.Preparation
    guesses : dict of str to workbench.roles.Guess
    facts : dict of str to workbench.facts.Facts

    Returns
    -------
    pandas.DataFrame
        A row for each column.
    """
    roles = roles_of(table, preparation, guesses)
    used = _used(preparation, roles)
    seems = {name: [guesses[name].why, *facts[name].flags] for name in roles}
    return pd.DataFrame(
        {
            "Use": [name in used for name in roles],
            "Column": list(roles),
            "Role": list(roles.values()),
            "Log": [name in preparation.log for name in roles],
            "Weight": [float(preparation.weights.get(name, 1.0)) for name in roles],
            "Missing": [facts[name].missing for name in roles],
            "Looks like": ["; ".join(filter(None, words)) for words in seems.values()],
            "Examples": [facts[name].examples for name in roles],
        }
    )


def _used(preparation, roles):
    if preparation.features is not None:
        return {name for name in preparation.features if roles.get(name) in USABLE}
    return {name for name, role in roles.items() if role == "numeric"}


def chosen_columns(edited, table, guesses):
    """Write down only what differs from the guess, so that links stay short.

    Parameters
    ----------
    edited : pandas.DataFrame
        As it is shown.
    table : workbench.dataset.Table
    guesses : dict of str to workbench.roles.Guess

    Returns
    -------
    dict
        Fields of Preparation.

    Raises
    ------
    DataError
        If no column is chosen, or two are labels.
    """
    roles = dict(zip(edited["Column"], edited["Role"], strict=True))
    labels = [name for name, role in roles.items() if role == "label"]
    if len(labels) > 1:
        raise DataError(f"{listing(labels)} are all labels: give all but one another role.")
    usable = tuple(name for name in edited["Column"][edited["Use"]] if roles[name] in USABLE)
    usual = tuple(name for name, role in roles.items() if role == "numeric")
    if not usable:
        raise DataError(
            "Choose at least one column to cluster by: tick Use."
            if usual
            else no_features(table, guesses)
        )
    weights = dict(zip(edited["Column"], edited["Weight"], strict=True))
    return {
        "features": None if usable == usual else usable,
        "roles": {name: role for name, role in roles.items() if role != guesses[name].role},
        "log": tuple(name for name in edited["Column"][edited["Log"]] if name in usable),
        "weights": {name: float(weights[name]) for name in usable if weights[name] != 1},
    }


def told(dataset):
    """Say what was done with the columns, and what to mind."""
    st.caption(" ".join(dataset.steps))
    for sentence in dataset.warnings:
        st.caption(f":material/info: {sentence}")
