"""Small datasets and runs that the tests of exploring share."""

import numpy as np
import pandas as pd

from workbench.dataset import prepare
from workbench.preparation import Preparation
from workbench.recipe import Recipe, Upload
from workbench.run import run
from workbench.table import Table, fingerprint


def table(columns):
    """Make a table of text cells; None and NaN are blank."""
    frame = pd.DataFrame(
        {
            name: ["" if cell is None or cell != cell else str(cell) for cell in cells]
            for name, cells in columns.items()
        },
        dtype=str,
    )
    return Table(frame, "small.csv", (), ",", fingerprint(frame.to_csv()))


def blobs(n=90, d=3, k=3, seed=0, apart=4.0):
    """Return groups of normal points, and which group each is of."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    return rng.normal(size=(n, d)) + apart * rng.normal(size=(k, d))[y], y


def dataset_of(X, y=None, roles=None, features=(), **extra):
    """Prepare points as columns a, b, c, ..., standardised, beside columns that are not used."""
    columns = {"abcdefghijklmnopqrstuvwxyz"[at]: X[:, at] for at in range(X.shape[1])}
    names, roles = (*columns, *features), dict(roles or {})
    if y is not None:
        columns["class"] = [f"group {value}" for value in y]
        roles["class"] = "label"
    return prepare(table(columns | extra), Preparation(features=names, roles=roles))


def run_of(dataset, method="clam", seed=0, **settings):
    """Fit a method to a dataset, quickly."""
    quick = {"n_init": 2, "n_epochs": 15} if method == "clam" else {}
    recipe = Recipe(
        data=Upload(fingerprint="0" * 32),
        method=method,
        settings={"n_clusters": 3} | quick | settings,
        seed=seed,
        dtype="float64",
    )
    return run(recipe, dataset, compared=False)
