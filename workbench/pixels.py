"""Which columns of a table are the pixels of square images."""

import math

import numpy as np

from workbench.roles import CONSTANT, EMPTY, guess_roles, roles_of

_LEAST_SIDE = 4  # four or nine columns are a table and no image


def image_side(n_columns):
    """Return the side of square images with so many pixels; 0 where there is none.

    Parameters
    ----------
    n_columns : int

    Returns
    -------
    int
    """
    side = math.isqrt(n_columns)
    return side if side >= _LEAST_SIDE and side * side == n_columns else 0


def pixels_of(dataset):
    """Find the place that each feature has in square images.

    Constant columns are no features, but they are pixels: with them the square is complete.

    Parameters
    ----------
    dataset : workbench.dataset.Dataset

    Returns
    -------
    ndarray of bool, shape (side * side,), or None
        Which pixels the features are, row by row; None where the rows are no square images.
    """
    if any(len(column.features) > 1 for column in dataset.columns):
        return None
    table, preparation = dataset.source, dataset.preparation
    used = {column.name for column in dataset.columns}
    guesses = guess_roles(table)
    chosen = preparation.features
    if chosen is None:
        roles = roles_of(table, preparation, guesses)
        chosen = [name for name, role in roles.items() if role == "numeric"]
    flat = {name for name, guess in guesses.items() if guess.why in (CONSTANT, EMPTY)}
    for names in (used.union(chosen, flat), used.union(chosen), used):
        if image_side(len(names)):
            return np.array([name in used for name in guesses if name in names])
    return None
