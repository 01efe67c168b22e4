"""Tables that figures and tables of the papers are run on: built in, in a folder, or uploaded.

The folder is named by the environment variable BASINSCOPE_DATA and by nothing else: whoever starts
the app says what it may read, and no reader of a page can name a path of the computer it runs on.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from workbench.builtin import BUILTIN, builtin
from workbench.dataset import prepare
from workbench.figures.images import side_of
from workbench.metrics import fill_gaps
from workbench.published import SETS
from workbench.table import DataError

_SMALLEST = 8  # pixels along the side of an image

FOLDER = "BASINSCOPE_DATA"
MEASURED = ("iris", "wine", "breast_cancer", "digits")
"""Built-in tables that were measured and not drawn."""
STAND_INS: Mapping[str, str] = MappingProxyType({"JV": "japanese_vowels"})
"""Sets of the paper of which a smaller relative is among the reference sets."""


class Rows(NamedTuple):
    """Rows as the papers cluster them.

    Attributes
    ----------
    name : str
        Key of `workbench.published.SETS` where it is a set of the paper.
    X : ndarray of shape (n, d)
        Standardised and complete.
    y : ndarray of shape (n,)
        Class of each row.
    centre, spread : ndarray of shape (d,) or float, default 0 and 1
        Of the columns before they were standardised.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    centre: Any = 0.0
    spread: Any = 1.0

    @property
    def k(self):
        """Number of classes, which the papers ask for as number of clusters."""
        return len(np.unique(self.y))

    def restored(self, points):
        """Return points of the space of `X` in the columns' own units, such as pixels."""
        return np.asarray(points) * self.spread + self.centre

    @property
    def side(self):
        """Side of the square images that the rows are; 0 where they are none."""
        side = round(self.X.shape[1] ** 0.5)
        return side if side >= _SMALLEST and side * side == self.X.shape[1] else 0


class Source(NamedTuple):
    """Where rows come from, before they are read.

    Attributes
    ----------
    name : str
        As in `Rows`, or of the file.
    title : str
        On the screen.
    load : callable returning Rows
    """

    name: str
    title: str
    load: Callable[[], Rows]


def folder():
    """Return the folder of the reference sets, or None where none is named or it is not there."""
    named = os.environ.get(FOLDER)
    if not named:
        return None
    found = next((at for at in (Path(named, "sets"), Path(named)) if at.is_dir()), None)
    return found if found is not None and any(found.glob("*.csv*")) else None


def built_in(names=MEASURED):
    """Return sources for built-in tables.

    Parameters
    ----------
    names : sequence of str, optional

    Returns
    -------
    tuple of Source
    """
    return tuple(
        Source(name, BUILTIN[name], lambda name=name: _of_dataset(name, prepare(builtin(name))))
        for name in names
    )


def in_folder(where=None):
    """Return sources for the sets of the papers that lie in the folder.

    Parameters
    ----------
    where : Path, optional
        By default :func:`folder`.

    Returns
    -------
    tuple of Source
        In the order of `workbench.published.SETS`; empty without a folder.
    """
    where = folder() if where is None else where
    if where is None:
        return ()
    stems = {name: described.file for name, described in SETS.items()} | dict(STAND_INS)
    found = []
    for name, stem in stems.items():
        paths = [path for end in (".csv", ".csv.gz") if (path := where / f"{stem}{end}").is_file()]
        if stem and paths:
            found.append(Source(name, _title(name), lambda name=name, at=paths[0]: _read(name, at)))
    return tuple(found)


def uploaded(dataset):
    """Return the source for an uploaded table, named as the set of the paper that it seems to be.

    Parameters
    ----------
    dataset : workbench.dataset.Dataset
        With reference labels.

    Returns
    -------
    Source

    Raises
    ------
    DataError
        Where it has no reference labels.
    """
    if dataset.y is None:
        raise DataError(
            f"{dataset.name} has no column of classes, and these tables compare with classes: "
            'name it "label" or "class".'
        )
    name = paper_name(dataset) or dataset.name
    return Source(name, _title(name), lambda: _of_dataset(name, dataset))


def paper_name(dataset):
    """Name the set of ClAM's Table 4 that has as many rows, features and classes, or "".

    Parameters
    ----------
    dataset : workbench.dataset.Dataset

    Returns
    -------
    str
    """
    columns = dataset.source.frame.shape[1] - 1
    size = (len(dataset.X), columns, len(np.unique(dataset.y)))
    return next((name for name, told in SETS.items() if tuple(told[1:4]) == size), "")


def _title(name):
    described = SETS.get(name)
    if described is None:
        return "Japanese Vowels" if name == "JV" else name
    return described.name if described.name == name else f"{described.name} ({name})"


def _of_dataset(name, dataset):
    known = dataset.y != ""
    names = [name for name in dataset.source.frame.columns if name != dataset.label]
    if side_of(len(names), names) and set(dataset.features) <= set(names):
        # All pixels, those that never vary too.
        pixels = [dataset.source.numbers[name].values for name in names]
        return _standardised(name, np.column_stack(pixels)[dataset.row_ids - 1][known],
                             dataset.y[known])  # fmt: skip
    return Rows(name, fill_gaps(dataset.X)[known], dataset.y[known])


def _standardised(name, X, y):
    X = fill_gaps(X)
    centre, spread = X.mean(axis=0), X.std(axis=0)
    spread = np.where(spread > 0, spread, 1)
    return Rows(name, (X - centre) / spread, y, centre, spread)


def _read(name, path):
    """Read numbers at once: the largest set has 47 million cells."""
    import pandas as pd

    frame = pd.read_csv(path)
    X = frame.drop(columns="label").to_numpy(np.float64)
    return _standardised(name, X, frame["label"].astype(str).to_numpy(dtype="U"))
