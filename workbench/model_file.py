"""A fitted model with its preparation as one file, and labels of new rows by it.

The file is a zip of two: "model.safetensors" holds the arrays, "model.json" the Recipe, the facts
of the preparation, names and notes of clusters, and versions. Nothing in it is ever executed.
"""

import importlib
import io
import math
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from workbench.columns import PreparedColumn
from workbench.dataset import DataError, apply
from workbench.methods import METHODS
from workbench.metrics import fill_gaps, size_order
from workbench.notes import Notes
from workbench.preparation import Role
from workbench.reading import Reading
from workbench.recipe import Recipe
from workbench.value import Frozen, Name, Value
from workbench.versions import other_versions, versions
from workbench.words import count, listing

FORMAT = "basinscope-model-1"
LARGEST_TENSORS = 128 * 2**20  # bytes; what SLK needs of a million rows would be more
LARGEST_JSON = 4 * 2**20
_PARTS = {"model.json": LARGEST_JSON, "model.safetensors": LARGEST_TENSORS}
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that the same model is the same bytes


class _State(NamedTuple):
    """Where a method's state is made and read, and the shape of each array: n, k and d are free."""

    module: str
    shapes: Mapping[str, tuple[str, ...]]


_STARTS = "workbench.baselines.starts"
_KMEANS = _State(_STARTS, {"cluster_centers": ("k", "d"), "fill": ("d",)})
_DEC = _State(_STARTS, {"cluster_centers": ("k", "d"), "mean": ("d",)})
_SLK = _State(
    "slk_core.saving",
    {"cluster_centers": ("k", "d"), "centre": ("d",), "rows": ("n", "d"), "shares": ("n", "k"),
     "sums": ("k",), "degrees": ("n",), "sigma": (), "lam": (), "entropy_weight": (),
     "pull": (), "mean_degree": ()},
)  # fmt: skip
_NETWORKS = ("dcec", "spectral_net")
_STATES = {
    "clam": _State(
        "clam_core.saving",
        {"cluster_centers": ("k", "d"), "weights": ("k",), "centre": ("d",), "fill": ("d",),
         "scale": (), "beta": ()},
    ),
    "kmeans": _KMEANS,
    "mini_batch": _KMEANS,
    "dec": _DEC,
    "dec_random": _DEC,
    "kernel_kmeans": _State(
        _STARTS,
        {"cluster_centers": ("k", "d"), "rows": ("n", "d"), "shares": ("n", "k"),
         "spread": ("k",), "sigma": ()},
    ),
    "mixture": _State(
        _STARTS, {"cluster_centers": ("k", "d"), "mixing": ("k",), "roots": ("k", "d", "d")}
    ),
    "slk": _SLK,
    "kmodes": _SLK,
    "lk": _State(
        _STARTS,
        {"cluster_centers": ("k", "d"), "rows": ("n", "d"), "shares": ("n", "k"),
         "degrees": ("n",), "sigma": (), "lam": ()},
    ),
    "mean_shift": _State(_STARTS, {"cluster_centers": ("k", "d")}),
}  # fmt: skip
_POSITIVE = ("scale", "beta", "weights", "sigma", "mixing")
_OURS = {"numbers": ("k",), "gap_fill": ("d",)}  # of every method


class Predicted(NamedTuple):
    """Clusters of the rows of a table.

    Attributes
    ----------
    labels : ndarray of int, shape (m,)
    row_ids : ndarray of int, shape (m,)
        Row numbers in the table, counted from 1; the others have no cluster.
    notes : tuple of str
        What to know about it, one sentence each.
    """

    labels: np.ndarray
    row_ids: np.ndarray
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model that labels new rows as it labelled its own.

    Parameters
    ----------
    recipe : Recipe
        What was run.
    columns : tuple of PreparedColumn
        How each column becomes features.
    state : mapping of str to ndarray
        The method's own arrays; "numbers", the number of each of its clusters in the run; and
        "gap_fill", what a gap becomes for a method that needs complete rows.
    notes : Notes
        Names and notes of clusters.
    made_with : mapping of str to str
        Versions.
    """

    recipe: Recipe
    columns: tuple[PreparedColumn, ...]
    state: Mapping[str, np.ndarray]
    notes: Notes
    made_with: Mapping[str, str]

    @property
    def n_clusters(self):
        """How many clusters there are, empty ones included."""
        return len(self.state["numbers"])

    @property
    def reading(self):
        """How a new table is read: as the first, but that an empty column may be one of its."""
        return Reading(**{**self.recipe.reading.model_dump(), "keep_empty": True})

    def predict(self, table):
        """Label the rows of another table, prepared exactly as the first.

        Parameters
        ----------
        table : Table
            With the columns of the first, in any order.

        Returns
        -------
        Predicted

        Raises
        ------
        DataError
            Where columns are missing, or no row can be used.
        """
        applied = apply(self.columns, self.recipe.preparation, table)
        X = applied.X
        if not METHODS[self.recipe.method].gaps:
            X = fill_gaps(X, self.state["gap_fill"])
        labels = self.state["numbers"][self._estimator().predict(X)]
        notes = (*applied.notes, _left_alone(self, table), other_versions(self.made_with))
        return Predicted(labels, applied.row_ids, tuple(filter(None, notes)))

    def _estimator(self):
        recipe = self.recipe
        method = METHODS[recipe.method]
        built = method.build(
            recipe.settings, device="cpu", dtype=recipe.dtype, random_state=recipe.seed
        )
        module = importlib.import_module(_STATES[recipe.method].module)
        return module.restore_prediction(built, self.state)


def model_of(run, notes=None):
    """Return what a run has learned.

    Parameters
    ----------
    run : Run
        With its fitted estimator.
    notes : Notes, optional
        Names and notes of its clusters.

    Returns
    -------
    Model

    Raises
    ------
    DataError
        In one sentence, where the estimator is not there, or labels no new rows.
    """
    fault = unsavable(run.recipe.method)
    if fault:
        raise DataError(fault)
    if run.model is None:
        raise DataError("The model of this run is no longer here: run it again to have it.")
    module = importlib.import_module(_STATES[run.recipe.method].module)
    order = size_order(run.model.labels_, len(run.model.cluster_centers_))
    arrays = module.prediction_state(run.model)
    state = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    state["numbers"] = np.argsort(order)
    state["gap_fill"] = np.nanmean(run.dataset.X, axis=0)
    return Model(run.recipe, run.dataset.columns, state, notes or Notes(), versions())


def unsavable(method):
    """Say why no model of a method can be saved; nothing where one can.

    Parameters
    ----------
    method : str
        Key in `METHODS`.

    Returns
    -------
    str
    """
    if method in _STATES:
        return ""
    name = METHODS[method].name
    if method in _NETWORKS:
        return f"The networks of {name} are not saved; the same recipe trains them again."
    return f"{name} labels no new rows, so it has no model to save."


def too_large(model):
    """Say why a model cannot be written; nothing where it can.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str
    """
    size = sum(array.nbytes for array in model.state.values())
    if size <= LARGEST_TENSORS - 2**16:
        return _too_wordy(model)
    takes = f"{size / 2**20:,.0f} MB, and a model file holds {LARGEST_TENSORS // 2**20} MB."
    if "rows" not in model.state:
        return f"The model takes {takes}"
    return (
        f"{METHODS[model.recipe.method].name} labels a new row by those it knows, so its model "
        f"holds all {len(model.state['rows']):,} rows: {takes}"
    )


def _too_wordy(model):
    size = len(_facts(model))
    if size <= LARGEST_JSON:
        return ""
    largest = max(model.columns, key=lambda column: sum(map(len, column.words)))
    most = f", most of it the {len(largest.words):,} words of {largest.name}"
    return (
        f"What the model knows of its columns takes {size / 2**20:,.1f} MB"
        f"{most if largest.words else ''}, and a model file holds {LARGEST_JSON // 2**20} MB of it."
    )


def _facts(model):
    facts = _Facts(
        format=FORMAT,
        recipe=model.recipe,
        columns=tuple(_Column.of(column) for column in model.columns),
        notes=model.notes,
        made_with=dict(model.made_with),
    )
    return facts.model_dump_json(indent=1).encode()


def model_bytes(model):
    """Write a model as a zip of safetensors and JSON.

    Parameters
    ----------
    model : Model

    Returns
    -------
    bytes

    Raises
    ------
    DataError
        In one sentence, where it is too large.
    """
    fault = too_large(model)
    if fault:
        raise DataError(fault)
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, payload in (
            ("model.json", _facts(model)),
            ("model.safetensors", save_tensors(dict(model.state))),
        ):
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, payload)
    return sink.getvalue()


def read_model(payload, name="The file"):
    """Read a model from bytes that anybody may have made.

    Parameters
    ----------
    payload : bytes
    name : str, default "The file"
        For sentences.

    Returns
    -------
    Model

    Raises
    ------
    DataError
        In one sentence, where it is no model, too large, or does not fit together.
    """
    parts = _unzipped(payload, name)
    try:
        facts = _Facts.model_validate_json(parts["model.json"])
        state = load_tensors(parts["model.safetensors"])
    except (ValidationError, SafetensorError, ValueError, KeyError, TypeError) as error:
        raise DataError(_damaged(name)) from error
    columns = tuple(column.prepared() for column in facts.columns)
    if facts.recipe.method not in _STATES or not _fits(state, facts.recipe, columns):
        raise DataError(_damaged(name))
    return Model(facts.recipe, columns, state, facts.notes, facts.made_with)


def _damaged(name):
    return f"{name} is not a model of this app, or it was changed: choose one saved here."


def _unzipped(payload, name):
    """Read the two parts, never more of them than allowed, whatever the archive says."""
    try:
        with zipfile.ZipFile(io.BytesIO(payload)) as archive:
            if sorted(archive.namelist()) != sorted(_PARTS):
                raise DataError(_damaged(name))
            parts = {}
            for part, most in _PARTS.items():
                with archive.open(part) as file:
                    parts[part] = file.read(most + 1)
                if len(parts[part]) > most:
                    raise DataError(f"{name} unfolds to more than {most // 2**20} MB.")
            return parts
    except DataError:
        raise
    except Exception as error:  # a forged archive fails in many ways: zlib, struct, NotImplemented
        raise DataError(_damaged(name)) from error


def _fits(state, recipe, columns):
    """Whether arrays have the names, shapes and kinds that the method needs, and are finite."""
    shapes = {**_STATES[recipe.method].shapes, **_OURS}
    if set(state) != set(shapes):
        return False
    sizes = {
        "k": len(np.atleast_1d(state["numbers"])),
        "n": len(np.atleast_1d(state.get("rows", 0))),
    }
    sizes["d"] = sum(len(column.features) for column in columns)
    for name, shape in shapes.items():
        array = state[name]
        if array.shape != tuple(sizes[size] for size in shape):
            return False
        if array.dtype.kind not in "fi" or not np.isfinite(array).all():
            return False
    k = recipe.settings.get("n_clusters", sizes["k"])
    whole = state["numbers"].dtype.kind == "i" and sorted(state["numbers"].tolist()) == [*range(k)]
    positive = all(np.all(state[name] > 0) for name in _POSITIVE if name in state)
    return bool(whole and positive and sizes["d"] > 0 and sizes["n"] > 0)


def _left_alone(model, table):
    used = {column.name for column in model.columns}
    label = [name for name, role in model.recipe.preparation.roles.items() if role == "label"]
    extra = [name for name in table.frame.columns if name not in used and name not in label]
    if not extra:
        return ""
    return f"{count(len(extra), 'column')} that the model does not use: {listing(extra)}."


Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Number = tuple[Finite, ...]


class _Column(Value):
    """A PreparedColumn as JSON has it: a fill that is left open is null."""

    name: Name
    role: Role
    features: tuple[str, ...] = Field(min_length=1, max_length=1000)
    centre: _Number
    scale: tuple[Positive, ...]
    fill: tuple[Finite | None, ...]
    log: Finite = 0.0
    words: tuple[str, ...] = ()
    other: bool = False
    form: str = Field(default="", max_length=60)
    decimal: Literal["", ".", ","] = ""
    weight: Positive = 1.0

    @classmethod
    def of(cls, column):
        """Take a column, NaN as None."""
        values: dict[str, Any] = asdict(column)
        values["fill"] = tuple(None if math.isnan(value) else value for value in column.fill)
        return cls(**values)

    def prepared(self):
        """Return the column.

        Raises
        ------
        DataError
            Where its parts do not fit together.
        """
        if not len(self.features) == len(self.centre) == len(self.scale) == len(self.fill):
            raise DataError(f"The model's column {self.name!r} does not fit together.")
        values = {name: getattr(self, name) for name in type(self).model_fields}
        values["fill"] = tuple(math.nan if value is None else value for value in self.fill)
        return PreparedColumn(**values)


class _Facts(Value):
    format: Literal["basinscope-model-1"]
    recipe: Recipe
    columns: tuple[_Column, ...] = Field(min_length=1)
    notes: Notes = Notes()
    made_with: Frozen[str, str]
