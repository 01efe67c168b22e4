"""Labels of one more fit of a Recipe, where nothing but labels is wanted."""

import numpy as np

from workbench.methods import METHODS
from workbench.metrics import order_by_size


def unfitted(method, recipe, *, device, pixels=None):
    """Build the estimator of a Recipe.

    Parameters
    ----------
    method : Method
        That the Recipe names.
    recipe : Recipe
    device : str
        Where it computes.
    pixels : ndarray of bool, optional
        Of `Dataset.pixels`, for methods of images.

    Returns
    -------
    estimator
    """
    model = method.build(
        recipe.settings, device=device, dtype=recipe.dtype, random_state=recipe.seed
    )
    return model.set_params(pixels=pixels) if method.images else model


def fitted_labels(recipe, X, *, pixels=None, stop=lambda: False):
    """Fit the method of a Recipe to some rows and return their clusters, numbered by size.

    Parameters
    ----------
    recipe : Recipe
    X : ndarray of shape (n, d)
        Prepared rows, NaN where a value is missing.
    pixels : ndarray of bool, optional
        Of `Dataset.pixels`, for methods of images.
    stop : callable, default never
        Polled while the method trains.

    Returns
    -------
    labels : ndarray of int, shape (n,), or None
        None where it was stopped.
    prototypes : ndarray of shape (k, d) or None
    """
    model = fitted_model(recipe, X, pixels=pixels, stop=stop)
    return (None, None) if model is None else order_by_size(model.labels_, model.cluster_centers_)


def fitted_model(recipe, X, *, pixels=None, stop=lambda: False):
    """Fit the method of a Recipe to some rows.

    Parameters
    ----------
    recipe, X, pixels, stop
        As for `fitted_labels`.

    Returns
    -------
    estimator or None
        None where it was stopped.
    """
    from workbench.device import settle

    method = METHODS[recipe.method]
    device, _ = settle(recipe.device)
    model = unfitted(method, recipe, device=device, pixels=pixels)
    rows = method.rows(np.asarray(X))
    if not hasattr(model, "fit_iter"):
        model.fit(rows)
    else:
        for _ in model.fit_iter(rows, stop=stop):
            pass
    return None if stop() else model
