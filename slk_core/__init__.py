"""Scalable Laplacian K-modes (Ziko et al., NeurIPS 2018): mathematics and estimator."""

from slk_core.affinity import (
    affinity_of,
    check_affinity,
    degrees,
    kernel_width,
    knn_affinity,
    knn_graph,
    normalise,
)
from slk_core.estimator import SLK
from slk_core.objective import Terms, coupling, discrete, normalised_cut, relaxed
from slk_core.settings import warm_up
from slk_core.training import Snapshot

__all__ = [
    "SLK",
    "Snapshot",
    "Terms",
    "affinity_of",
    "check_affinity",
    "coupling",
    "degrees",
    "discrete",
    "kernel_width",
    "knn_affinity",
    "knn_graph",
    "normalise",
    "normalised_cut",
    "relaxed",
    "warm_up",
]
