"""Seconds and bytes of one fit by method, as formulas in the size of the data.

The constants are nanoseconds of one thread of a 2024 server core and bytes, fitted to fits of
Gaussian groups with 200 to 16,000 rows and 4 to 200 features. How many steps a method takes lies in
the data, so seconds are right within a factor of three, and for those that stop early where they
can (DEC, mixtures, Laplacian K-modes) within ten.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

_SCORED = 2000  # rows on which starts are compared by silhouette
_EXACT = 20_000  # rows from which a graph's neighbours are sought approximately
_HELD = 20_000  # rows up to which kernel k-means holds its kernel
_FLOOR = 2 << 20  # bytes
_CLAM_ROWS, _CLAM_EPOCHS = 1000, (100, 50)  # "auto" epochs below and above so many rows
_DEC_SHARE, _DEC_RANDOM_SHARE = 0.1, 0.3  # of the most steps, until few rows change


class Size(NamedTuple):
    """Rows, features and clusters."""

    n: int
    d: int
    k: int


def _kmeans(size, told):
    n, d, k = size
    start = 2.0e6 + n**1.25 * k * (10.8 + 0.5 * d)
    return told["n_init"] * start, 10 * n * d


def _mini_batch(size, told):
    n, d, k = size
    return told["n_init"] * (6.2e6 + n * (270 * k + 95 * d)), 10 * n * d


def _kernel_kmeans(size, told):
    n, d, k = size
    steps = told["n_init"] * min(told["max_iter"], 5 * n**0.25)
    kernel = n * n * (20 + 0.1 * d)
    if n > _HELD:  # computed anew for every step
        return 1e7 + steps * kernel, 3e8 + 30 * n * (d + k)
    return 1e7 + kernel + steps * n * (5 * k + n / 2), 4 * n * n + 2e8 * min(1, n / 3000)


def _mixture(size, told):
    n, d, k = size
    start = 5e6 + n * k * (1.3e3 + 0.35 * d * d) + k * d**3
    return told["n_init"] * start, 24 * n * k + 10 * n * d + 64 * k * d * d


def _clam(size, told):
    n, d, k = size
    few, many = _CLAM_EPOCHS
    epochs = told["n_epochs"]
    if epochs == "auto":
        epochs = few if n < _CLAM_ROWS else many
    steps = 0.5 + told["n_steps"] / 20  # half of the work grows with the steps of recall
    per_row = k * (21 * steps + 0.27 * d)
    scored = 32 * min(n, _SCORED) ** 2 if told["selection"] != "loss" else 0
    return (
        6e7 + told["n_init"] * epochs * n * per_row,
        20 * told["n_init"] * n * k + 16 * n * d + scored,
    )


def _slk(size, told):
    n, d, k = size
    start = n * (5.1e3 + k * (700 + 2.7 * d))
    return 5e7 + told["n_init"] * start + _graph(n, d), _graph_bytes(size, told)


def _kmodes(size, told):
    n, d, k = size
    start = n * (400 + k * (760 + 2 * d))
    return 4e7 + told["n_init"] * start + _graph(n, d), _graph_bytes(size, told)


def _lk(size, told):
    n, d, k = size
    return 6e7 + told["n_init"] * n * k * (7e3 + 5 * d) + _graph(n, d), _graph_bytes(size, told)


def _graph(n, d):
    return 0.2 * n * min(n, _EXACT) * d


def _graph_bytes(size, told):
    n, d, k = size
    return n * (60 * told["n_neighbors"] + 48 * k + 24 * d)


def _spectral(size, told):
    n, d, k = size
    starts = 2e7 + told["n_init"] * n * k * 100
    if told["affinity"] == "rbf":  # all pairs
        return starts + n * n * (50 + k + 0.2 * d), 24 * n * n
    return starts + n**1.25 * (1e4 + 1e3 * k) + _graph(n, d), n * (8000 + 100 * k + 24 * d)


def _agglomerative(size, told):
    n, d, _ = size
    if told["connectivity"] != "all":
        return n * 3e5 + _graph(n, d), n * (2000 + 24 * d)
    crowded = max(1.0, n / 4000) ** 0.5  # distances no longer fit the cache
    return 1.5e6 + n * n * crowded * (25 + 0.4 * d), 9 * n * n


def _dbscan(size, told):
    n, d, _ = size
    searched = 8 * n * n if told["selection"] == "silhouette" else 0  # wide eps join nearly all
    return 3e6 + n * (8.4e3 + n * (1.8 + 0.12 * d)), 40 * n * d + 500 * n + searched


def _hdbscan(size, told):
    n, d, _ = size
    return 4e6 + n * n * (1 + 1.6 * d), n * (300 + 24 * d)


def _mean_shift(size, told):
    n, d, _ = size
    some = min(n, 4000)
    return n * (6.6e4 + some * (30 + 0.3 * d)), 3 * some * some + 100 * n * d


def _dec(size, told, share=_DEC_SHARE):
    n, d, k = size
    steps = share * told["max_iter"]
    step = 8e4 + 0.3 * told["batch_size"] * k * d
    target = 3 * n * k * d / told["update_interval"]
    return told["n_init"] * steps * (step + target), 24 * n * d + 24 * n * k


def _dcec(size, told):
    n, d, _ = size
    epochs = told["n_epochs"]
    if epochs == "auto":
        epochs = min(max(400_000 // n, 5), 60)
    shown = n * epochs + told["max_iter"] * min(n, told["batch_size"])  # it rarely ends before
    return told["n_init"] * shown * (3e4 + 1e3 * d), 100 * n * d + 4e4 * told["batch_size"]


def _spectral_net(size, told):
    n, d, _ = size
    batch = min(n, told["batch_size"])
    epoch = -(-n // batch)
    steps = max(600, 5 * epoch) if told["n_epochs"] == "auto" else epoch * told["n_epochs"]
    pairs = 1.5e4 * batch * told["siamese"]
    each = 5e5 + batch * (33 * batch + 0.5 * told["n_hidden"] ** 2)
    return steps * (pairs + told["n_init"] * each), 48 * batch * batch + 24 * n * d


_TRIALS = {"agglomerative": 4, "dbscan": 5, "hdbscan": 5, "mean_shift": 5}
"""Settings that methods without starts try under the silhouette's rule."""

_FORMULAS = {
    "kmeans": _kmeans, "mini_batch": _mini_batch, "kernel_kmeans": _kernel_kmeans,
    "mixture": _mixture, "clam": _clam, "slk": _slk, "kmodes": _kmodes, "lk": _lk,
    "spectral": _spectral, "agglomerative": _agglomerative, "dbscan": _dbscan,
    "hdbscan": _hdbscan, "mean_shift": _mean_shift, "dec": _dec,
    "dcec": _dcec, "spectral_net": _spectral_net,
    "dec_random": lambda size, told: _dec(size, told, _DEC_RANDOM_SHARE),
}  # fmt: skip


def _costs(key):
    def cost(size, told):
        nanoseconds, held = _FORMULAS[key](size, told)
        if told.get("selection") in ("silhouette", "mahalanobis"):
            m = min(size.n, _SCORED)
            each = m * m * (6.5 + 0.05 * size.d)
            trials = _TRIALS.get(key, 1)
            nanoseconds = trials * nanoseconds + told.get("n_init", trials) * each
            held += 16 << 20 if size.n >= _SCORED // 2 else 0
        return 1e-9 * nanoseconds, float(held + _FLOOR)

    return cost


COSTS: Mapping[str, Callable[[Size, Mapping[str, Any]], tuple[float, float]]] = MappingProxyType(
    {key: _costs(key) for key in _FORMULAS}
)
"""By method's key: seconds and bytes for a Size and complete settings."""
