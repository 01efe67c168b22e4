"""What is kept of a run: numbers and labels, never the table; written as JSON and bytes."""

import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.dataset import DataError
from workbench.projection import pca_plane, strip
from workbench.recipe import Recipe
from workbench.restarts import Restarts
from workbench.run import Run

DRAWN = 5000  # most points of the picture that are kept
_ARRAYS = ("prototypes", "weights", "means", "sizes", "silhouettes")


@dataclass(frozen=True, eq=False)
class Record:
    """A run as the history keeps it.

    Attributes
    ----------
    recipe : str
        The Recipe as JSON.
    key : str
        Its hash.
    facts : mapping
        What is told in words and numbers: "table", "features", "rows", "k", "found", "method",
        "scores", "rival", "seconds", "epochs", "beta", "cancelled", "notes", "shares", "rule",
        "kept".
    arrays : mapping of str to ndarray
        "labels" and "row_ids" (n,), the `Run`'s own arrays, "history", those of its restarts, and
        the picture: "positions" (p, 2) of the rows "shown" (p,).
    """

    recipe: str
    key: str
    facts: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]


def record_of(run, seed=0):
    """Return what is kept of a run.

    Parameters
    ----------
    run : Run
    seed : int, default 0
        Of the rows that are drawn where there are more than 5000.

    Returns
    -------
    Record
    """
    data = run.dataset
    shown = np.arange(len(data.X))
    if len(shown) > DRAWN:
        shown = np.sort(np.random.default_rng(seed).choice(shown, DRAWN, replace=False))
    plane = pca_plane(data.X)
    positions = plane.flatten(data.X[shown])
    if len(data.features) == 1:
        positions = strip(data.restore(data.X[shown])[:, 0])
    arrays = {name: getattr(run, name) for name in _ARRAYS}
    arrays |= {
        "labels": run.labels, "row_ids": data.row_ids, "scored": run.scored,
        "history": np.asarray(run.history, float), "positions": positions, "shown": shown,
    }  # fmt: skip
    if run.restarts is not None:
        every = run.restarts
        arrays |= {f"restarts {rule}": values for rule, values in every.scores.items()}
        arrays["restarts found"] = every.found
        if every.ari is not None:
            arrays["restarts ari"] = every.ari
    facts = {
        "table": data.name,
        "features": list(data.features),
        "rows": len(data.X),
        "k": len(run.sizes),
        "found": run.n_found,
        "method": run.recipe.method,
        "scores": run.scores,
        "rival": run.rival,
        "seconds": run.seconds,
        "epochs": run.n_epochs,
        "beta": run.beta,
        "cancelled": run.cancelled,
        "notes": list(run.notes),
        "shares": list(plane.shares),
        "rule": run.restarts.rule if run.restarts else None,
        "kept": run.restarts.kept if run.restarts else None,
    }
    return Record(run.recipe.to_json(), run.recipe.key(), facts, arrays)


def run_of(record, dataset):
    """Make a run again of what was kept of it and of its data.

    Parameters
    ----------
    record : Record
    dataset : Dataset
        Prepared from the same table as its Recipe says.

    Returns
    -------
    Run

    Raises
    ------
    DataError
        If rows or features are not those of the run.
    """
    facts, arrays = record.facts, record.arrays
    same_rows = np.array_equal(arrays["row_ids"], dataset.row_ids)
    if not same_rows or tuple(facts["features"]) != tuple(dataset.features):
        raise DataError(
            f"{dataset.name} is prepared another way now than when this run was made: run again "
            "to see all of it."
        )
    given: dict[str, Any] = {name: arrays[name] for name in (*_ARRAYS, "labels", "scored")}
    given |= {name: facts[name] for name in ("scores", "rival", "seconds", "beta", "cancelled")}
    given |= {
        "recipe": Recipe.from_json(record.recipe), "dataset": dataset,
        "restarts": _restarts(record),
        "history": tuple(arrays["history"].tolist()), "n_epochs": facts["epochs"],
        "notes": tuple(facts["notes"]),
    }  # fmt: skip
    return Run(**given)  # without the fitted model, which is not kept


def _restarts(record):
    facts, arrays = record.facts, record.arrays
    if facts["rule"] is None:
        return None
    prefix = "restarts "
    every = {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}
    found, ari = every.pop("found"), every.pop("ari", None)
    return Restarts(every, ari, found, facts["kept"], facts["rule"])


def to_text(values):
    """Write what JSON can hold; a number that is not finite becomes a word.

    Parameters
    ----------
    values : object

    Returns
    -------
    str
    """
    return json.dumps(_worded(values), ensure_ascii=False, allow_nan=False)


def from_text(text) -> Any:
    """Read what `to_text` wrote.

    Returns
    -------
    object
    """
    return _numbered(json.loads(text))


_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def _worded(value):
    if isinstance(value, Mapping):
        return {str(name): _worded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_worded(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": str(value).replace("inf", "Infinity").replace("nan", "NaN")}
    return value


def _numbered(value) -> Any:
    if isinstance(value, dict):
        if set(value) == {"number"}:
            return _WORDS[value["number"]]
        return {name: _numbered(each) for name, each in value.items()}
    return [_numbered(each) for each in value] if isinstance(value, list) else value


_STEPS = "steps of "  # begins the name of an array that is kept as differences


def to_bytes(arrays):
    """Compress arrays; whole numbers are kept as differences in as few bytes as they need.

    Parameters
    ----------
    arrays : mapping of str to ndarray

    Returns
    -------
    bytes
        An .npz file, without pickled objects.
    """
    packed = {}
    for name, array in arrays.items():
        array = np.asarray(array)
        if array.dtype.kind in "iu" and array.ndim == 1 and len(array):
            steps = np.diff(array.astype(np.int64), prepend=0)
            packed[f"{_STEPS}{name}"] = steps.astype(_narrow(steps))
        elif name == "positions":
            packed[name] = array.astype(np.float32)  # a picture's places
        else:
            packed[name] = array
    written = io.BytesIO()
    np.savez_compressed(written, allow_pickle=False, **packed)
    return written.getvalue()


def _narrow(steps):
    ends = (int(steps.min()), int(steps.max()))
    return next(
        kind
        for kind in (np.int8, np.int16, np.int32, np.int64)
        if np.iinfo(kind).min <= ends[0] and ends[1] <= np.iinfo(kind).max
    )


def from_bytes(content, names=None):
    """Read what `to_bytes` wrote.

    Parameters
    ----------
    content : bytes
    names : collection of str, optional
        Which arrays; all by default.

    Returns
    -------
    dict of str to ndarray

    Raises
    ------
    DataError
        In one sentence, where the bytes are damaged.
    """
    found = {}
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as packed:
            for stored in packed.files:
                name = stored.removeprefix(_STEPS)
                if names is None or name in names:
                    array = packed[stored]
                    whole = stored.startswith(_STEPS)
                    found[name] = np.cumsum(array, dtype=np.int64) if whole else array
    except Exception as error:  # damage shows in many ways: zlib, tokenize, struct, EOFError
        raise DataError("This run is damaged in the history: run its Recipe again.") from error
    return found
