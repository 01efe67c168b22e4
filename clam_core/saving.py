"""A fitted model as one file: tensors as safetensors, settings as JSON in its header, no pickle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from clam_core.estimator import ClAM
from clam_core.space import Space

_FORMAT = "clam-1"
_SCALARS = (
    "beta_", "n_found_", "loss_", "n_iter_", "engine_", "n_features_in_", "history_", "restart_",
)  # fmt: skip


def save(model: ClAM, path: str | Path) -> None:
    """Write a fitted model.

    Parameters
    ----------
    model : ClAM
        Fitted; ``random_state`` should be an int or None.
    path : str or Path
        File to write, conventionally ``*.safetensors``.

    Raises
    ------
    ValueError
        If a setting cannot be written as JSON.
    """
    settings = {key: _plain(key, value) for key, value in model.get_params().items()}
    fitted = {name: _plain(name, getattr(model, name)) for name in _SCALARS}
    tensors = {
        "cluster_centers": model.cluster_centers_,
        "weights": model.weights_,
        "labels": model.labels_,
        "restarts": model.restarts_,
        "restart_losses": model.restart_losses_,
        "restart_weights": model.restart_weights_,
        "centre": model.space_.centre,
        "fill": model.space_.fill,
        "varies": model.space_.varies,
        "scale": np.array([model.space_.scale]),
    }
    header = {"format": _FORMAT, "settings": json.dumps(settings), "fitted": json.dumps(fitted)}
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        header["feature_names"] = json.dumps(list(names))
    save_file({k: np.ascontiguousarray(v) for k, v in tensors.items()}, path, metadata=header)


def load(path: str | Path) -> ClAM:
    """Read a model written by :func:`save`; nothing in the file is executed.

    Raises
    ------
    ValueError
        If the file is not a saved ClAM model.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            header = file.metadata() or {}
            if header.get("format") != _FORMAT:
                raise ValueError(f"{path} is not a saved ClAM model.")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(f"{path} is not a saved ClAM model.") from error
    model = ClAM(**json.loads(header["settings"]))
    for name, value in json.loads(header["fitted"]).items():
        setattr(model, name, value)
    scale = float(tensors.pop("scale")[0])
    model.space_ = Space(tensors.pop("centre"), scale, tensors.pop("fill"), tensors.pop("varies"))
    for name, value in tensors.items():
        setattr(model, f"{name}_", value)
    model._n_features_out = len(model.cluster_centers_)
    if "feature_names" in header:
        names = np.array(json.loads(header["feature_names"]), dtype=object)
        setattr(model, "feature_names_in_", names)  # noqa: B010 - declared by a mixin
    return model


def prediction_state(model: ClAM) -> dict[str, NDArray]:
    """Arrays from which :func:`restore_prediction` makes a model that predicts the same.

    Parameters
    ----------
    model : ClAM
        Fitted.

    Returns
    -------
    dict of str to ndarray
        Without labels, restarts and history, which :func:`save` keeps.
    """
    space = model.space_
    return {
        "cluster_centers": model.cluster_centers_,
        "weights": model.weights_,
        "centre": space.centre,
        "fill": space.fill,
        "scale": np.array(space.scale, dtype=np.float64),
        "beta": np.array(model.beta_, dtype=np.float64),
    }


def restore_prediction(model: ClAM, state: Mapping[str, NDArray]) -> ClAM:
    """Make an unfitted model of the same settings predict as the one that the state is of.

    Parameters
    ----------
    model : ClAM
        With the settings of the other; only :meth:`ClAM.predict` and its kin are restored.
    state : mapping of str to ndarray
        From :func:`prediction_state`.

    Returns
    -------
    ClAM
        The same model.
    """
    model.cluster_centers_, model.weights_ = state["cluster_centers"], state["weights"]
    varies = np.ones(len(state["centre"]), dtype=bool)
    model.space_ = Space(state["centre"], float(state["scale"]), state["fill"], varies)
    model.beta_ = float(state["beta"])
    width = model.cluster_centers_.shape[1]
    setattr(model, "n_features_in_", width)  # noqa: B010 - declared by a mixin
    return model


def _plain(name: str, value: object) -> object:
    """Value as JSON has it."""
    if isinstance(value, np.ndarray | np.generic | list | tuple):
        value = np.asarray(value).tolist()
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}={value!r} cannot be written as JSON.") from error
    return value
