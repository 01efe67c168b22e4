"""E of equation 1 of SLK's paper, of SLK and of LK at equal lambda; no benchmark.

All get the same graph W and the same kernel width, ten starts each of which the one with the
lowest E is kept, and all labelings are judged by one function, each cluster with its best row as
its mode, as equation 1 says.
"""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slk_core import SLK
from slk_core.affinity import affinity_of, kernel_width, knn_graph
from slk_core.objective import discrete

NEIGHBOURS = 10
STARTS = 10
COOLED = (10, 5, 2, 1)  # in units of an entropy weight t of 0.1: from t = 1 down to it


def energies(X: NDArray, y: NDArray, settings: dict[str, Any], seed: int) -> dict:
    """Return E per row, NMI and the processor's seconds of each, at one lambda."""
    from workbench.baselines.laplacian_kmodes import LaplacianKModes
    from workbench.metrics import accuracy, nmi

    lam, k = float(settings["lam"]), len(set(y))
    indices, lengths = knn_graph(X, NEIGHBOURS, method="exact", random_state=0)
    W, sigma = affinity_of(indices, lengths), kernel_width(lengths)
    shared: dict[str, Any] = {"lam": lam, "n_init": STARTS, "random_state": seed}
    models: dict[str, Any] = {
        "SLK": SLK(k, affinity=W, sigma=sigma, selection="objective", **shared),
        "SLK, cooled": SLK(
            k,
            affinity=W,
            sigma=sigma,
            selection="objective",
            entropy_weight=0.1,
            anneal=COOLED,
            **shared,
        ),
        "LK": LaplacianKModes(k, n_neighbors=NEIGHBOURS, **shared),
    }
    told = {}
    for name, model in models.items():
        begun = time.process_time()
        labels = np.asarray(model.fit(X).labels_)
        told[name] = {
            "E": energy(X, labels, W, sigma, lam, k) / len(X),
            "NMI": nmi(labels, y),
            "ACC": accuracy(labels, y),
            "found": len(np.unique(labels)),
            "seconds": time.process_time() - begun,
        }
    return told


def energy(X: NDArray, labels: NDArray, W: Any, sigma: float, lam: float, k: int) -> float:
    """E with the best row of each cluster as its mode (n^2 kernel values, a block at a time)."""
    rows = (X - X.mean(axis=0)) / sigma
    squares = np.square(rows).sum(axis=1)
    Z = np.eye(k)[labels]
    worth = np.zeros((len(X), k))
    for first in range(0, len(X), 1000):
        part = slice(first, first + 1000)
        gaps = squares[part, None] + squares - 2 * rows[part] @ rows.T
        worth[part] = np.exp(-0.5 * np.maximum(gaps, 0)) @ Z
    modes = rows[worth.argmax(axis=0)]
    gaps = squares[:, None] + np.square(modes).sum(axis=1) - 2 * rows @ modes.T
    return discrete(labels, np.exp(-0.5 * np.maximum(gaps, 0)), W, lam=lam).total
