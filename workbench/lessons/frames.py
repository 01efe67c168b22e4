"""What Python computes for a lesson's picture before it is played: small, plain values."""

import base64
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from workbench.dataset import DataError
from workbench.lessons.own import centres

MOST_POINTS = 2000
LAMBDAS = (0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
"""Values of lambda in the lesson on graphs, in units of c(k)."""

_N_EPOCHS = 60
_N_STEPS = 10
_BETA = 1.0  # of standardised points: soft enough for all memories to find their places
_START = 0.3  # distance from the middle at which memories begin
_KERNEL_WIDTH = 0.3  # of standardised points: as wide as a cluster is thick
_FEWEST = 12


def frames(picture, points, **settings):
    """Compute what a lesson's picture needs.

    Parameters
    ----------
    picture : {"training", "graph"}
        Others need nothing.
    points : array-like of shape (n, 2)
        Standardised; 12 to 2,000 of them.
    **settings
        ``n_clusters``, by default 3 memories and 2 modes.

    Returns
    -------
    dict
        JSON-able. For "training": ``beta``, ``steps``, ``fill`` (2), ``memories`` (epoch, k, 2)
        and ``losses`` (epoch). For "graph": ``units`` (s), ``sigma``, ``labels`` (s texts of n
        digits), ``modes`` (s, k), which are points by their numbers, and ``edges``, pairs of
        little-endian 16-bit numbers in base64.

    Raises
    ------
    workbench.dataset.DataError
        In one sentence, where the points are too few, too many or all alike.
    """
    rows = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    _check(rows)
    return {"training": _training, "graph": _graph}.get(picture, _nothing)(rows, **settings)


def warm_up():
    """Compile what the frames need, double precision included, or load it from Numba's cache."""
    rows = np.random.default_rng(0).normal(size=(_FEWEST, 2))
    for picture in ("training", "graph"):
        frames(picture, rows)


def _check(rows):
    if not _FEWEST <= len(rows) <= MOST_POINTS:
        raise DataError(
            f"The lesson has {len(rows)} points: there should be {_FEWEST} to {MOST_POINTS:,}."
        )
    if not np.isfinite(rows).all():
        raise DataError("The lesson's points should all be finite numbers.")
    if len(np.unique(rows, axis=0)) < _FEWEST:
        raise DataError(f"The lesson's points should lie at {_FEWEST} different places or more.")


def _nothing(rows):
    return {}


# --- completion ---------------------------------------------------------------------------------


def _training(rows, n_clusters=3):
    """Train ClAM with one of two coordinates hidden, memories starting around the middle."""
    from clam_core import ClAM  # brings torch: only here

    middle = rows.mean(axis=0)
    angle = np.pi / 2 + 2 * np.pi * np.arange(n_clusters) / n_clusters
    start = middle + _START * np.column_stack([np.cos(angle), np.sin(angle)])
    model = ClAM(
        n_clusters, beta=_BETA, n_steps=_N_STEPS, corruption="mask", mask_rate=0.5,
        init=start, n_init=1, n_epochs=_N_EPOCHS, batch_size=max(16, len(rows) // 10),
        learning_rate=0.02, selection="loss", random_state=0,
    )  # fmt: skip
    seen = [snapshot.prototypes for snapshot in model.fit_iter(rows)]
    memories = np.stack(seen).astype(np.float64).round(4)
    return {
        "beta": _BETA,
        "steps": _N_STEPS,
        "fill": middle.tolist(),
        "memories": memories.tolist(),
        "losses": [round(completion_loss(rows, each, middle), 5) for each in memories],
    }


def completion_loss(rows, memories, fill, beta=_BETA, n_steps=_N_STEPS):
    """Mean squared miss of equation 9 over all rows, each coordinate hidden in turn.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    memories : ndarray of shape (k, d)
    fill : ndarray of shape (d,)
    beta : float
    n_steps : int

    Returns
    -------
    float
    """
    import torch

    from clam_core import make_energy, recall

    energy, total = make_energy("euclidean"), 0.0
    for axis in range(rows.shape[1]):
        hidden = np.zeros(rows.shape, dtype=bool)
        hidden[:, axis] = True
        ends = recall(
            torch.from_numpy(np.where(hidden, fill, rows)), torch.from_numpy(memories),
            energy=energy, beta=beta, n_steps=n_steps, hidden=torch.from_numpy(hidden),
        )  # fmt: skip
        total += float(np.square(ends.numpy() - rows)[:, axis].mean())
    return total / rows.shape[1]


# --- graph --------------------------------------------------------------------------------------


def _graph(rows, n_clusters=2):
    """Fit SLK for each lambda, on one graph and from one start; modes are the densest rows.

    In double precision: far from all modes kernels are tiny, and still tell which mode is nearer.
    """
    from slk_core import SLK  # compiles: only here
    from slk_core.objective import coupling
    from workbench.laplacian import edges_of

    model = SLK(
        n_clusters, n_neighbors=min(10, len(rows) - 1), sigma=_KERNEL_WIDTH, n_init=1,
        init=_start_of(rows, n_clusters), modes="exact", dtype="float64", random_state=0,
    )  # fmt: skip
    unit, labels, modes, affinity = coupling(n_clusters) / 2, [], [], None
    for value in LAMBDAS:
        with warnings.catch_warnings():
            # A large lambda may leave one cluster empty: that is what the last screen shows.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.set_params(lam=value * unit).fit(rows, affinity=affinity)
        affinity = model.affinity_ if affinity is None else affinity
        labels.append("".join(map(str, model.labels_)))
        modes.append(model.mode_rows_.tolist())
    edges = edges_of(affinity).astype("<u2")
    return {
        "units": list(LAMBDAS),
        "sigma": _KERNEL_WIDTH,
        "labels": labels,
        "modes": modes,
        "edges": base64.b64encode(edges.tobytes()).decode("ascii"),
    }


def _start_of(rows, n_clusters):
    """Rows nearest to k-means' centres, from left to right."""
    places = np.array(centres(rows)[str(n_clusters)])
    return rows[np.square(rows[:, None] - places).sum(axis=2).argmin(axis=0)]
