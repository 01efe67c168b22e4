"""What a fitted model needs to label new rows, as arrays: no object is ever pickled."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from slk_core.estimator import SLK
from slk_core.prediction import Neighbourhood


def prediction_state(model: SLK) -> dict[str, NDArray]:
    """Arrays from which :func:`restore_prediction` makes a model that predicts the same.

    The training rows are among them, in the units of the model: a new row is decided by its
    neighbours.

    Parameters
    ----------
    model : SLK
        Fitted on a neighbour graph.

    Returns
    -------
    dict of str to ndarray
    """
    ties = model._neighbourhood
    scalars = {
        "sigma": model.sigma_,
        "lam": model.lam_,
        "entropy_weight": model.entropy_weight_,
        "pull": model._pull,
        "mean_degree": ties.mean_degree,
    }
    return {
        "cluster_centers": model.cluster_centers_,
        "centre": model._center,
        "rows": ties.rows,
        "shares": model.soft_assignment_,
        "sums": model._sums,
        "degrees": np.ones(len(ties.rows)) if ties.degrees is None else ties.degrees,
    } | {name: np.array(value, dtype=np.float64) for name, value in scalars.items()}


def restore_prediction(model: SLK, state: Mapping[str, NDArray]) -> SLK:
    """Make an unfitted model of the same settings predict as the one that the state is of.

    Parameters
    ----------
    model : SLK
        With the settings of the other; only :meth:`SLK.predict` and its kin are restored.
    state : mapping of str to ndarray
        From :func:`prediction_state`.

    Returns
    -------
    SLK
        The same model.
    """
    model.cluster_centers_, model._center = state["cluster_centers"], state["centre"]
    model.sigma_, model.lam_ = float(state["sigma"]), float(state["lam"])
    model.entropy_weight_, model._pull = float(state["entropy_weight"]), float(state["pull"])
    model.soft_assignment_, model._sums = state["shares"], state["sums"]
    model.labels_ = state["shares"].argmax(axis=1)
    model._neighbourhood = Neighbourhood(
        rows=np.ascontiguousarray(state["rows"], dtype=model.dtype),
        n_neighbors=model.n_neighbors,
        kind=model.affinity_kind,
        degrees=state["degrees"] if model.normalised else None,
        mean_degree=float(state["mean_degree"]),
    )
    width = model.cluster_centers_.shape[1]
    setattr(model, "n_features_in_", width)  # noqa: B010 - declared by a mixin
    return model
