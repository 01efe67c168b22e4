"""Labels of one more fit of a Recipe, where nothing but labels is wanted."""

import numpy as np

from workbench.methods import METHODS
from workbench.metrics import order_by_size


def fitted_labels(recipe, X, *, stop=lambda: False):
    """Fit the method of a Recipe to some rows and return their clusters, numbered by size.

    Parameters
    ----------
    recipe : Recipe
    X : ndarray of shape (n, d)
        Prepared rows, NaN where a value is missing.
    stop : callable, default never
        Polled while the method trains.

    Returns
    -------
    labels : ndarray of int, shape (n,), or None
        None where it was stopped.
    prototypes : ndarray of shape (k, d) or None
    """
    model = fitted_model(recipe, X, stop=stop)
    return (None, None) if model is None else order_by_size(model.labels_, model.cluster_centers_)


def fitted_model(recipe, X, *, stop=lambda: False):
    """Fit the method of a Recipe to some rows.

    Parameters
    ----------
    recipe, X, stop
        As for `fitted_labels`.

    Returns
    -------
    estimator or None
        None where it was stopped.
    """
    from workbench.device import settle

    method = METHODS[recipe.method]
    device, _ = settle(recipe.device)
    model = method.build(
        recipe.settings, device=device, dtype=recipe.dtype, random_state=recipe.seed
    )
    rows = method.rows(np.asarray(X))
    if not hasattr(model, "fit_iter"):
        model.fit(rows)
    else:
        for _ in model.fit_iter(rows, stop=stop):
            pass
    return None if stop() else model
