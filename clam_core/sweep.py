"""Many configurations as one batch: each restart with its own beta and learning rate.

Models that differ in nothing else draw the same starting memories, the same order of rows and the
same masks, so that their restarts can be trained side by side: what each becomes is what it would
have become alone. T and the masks are of a batch as a whole: models that differ in them cannot
share one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from clam_core.engines import Stop
from clam_core.estimator import ClAM
from clam_core.settings import check_settings

OWN = ("beta", "learning_rate")
"""Settings of which each restart of a batch may have its own value."""


def batches(models: Sequence[ClAM]) -> list[list[int]]:
    """Group models that can be trained as one batch.

    Parameters
    ----------
    models : sequence of ClAM

    Returns
    -------
    list of list of int
        Positions in ``models``: a group's members differ at most in beta and learning rate. Those
        whose beta is "auto" are a group of their own, since finding it draws random numbers.
    """
    groups: dict[tuple, list[int]] = {}
    for place, model in enumerate(models):
        groups.setdefault(_kind(model), []).append(place)
    return list(groups.values())


def fit_batch(
    models: Sequence[ClAM], X: Any, *, stop: Stop | None = None
) -> Iterator[tuple[int, int]]:
    """Train the models of one batch; each is then fitted as if it had been alone.

    Settings and data are checked, and memories seeded, at the call. Leaving early, by closing the
    iterator after its first value or by ``stop``, leaves usable models, as
    :meth:`ClAM.fit_iter <clam_core.ClAM.fit_iter>` does.

    Parameters
    ----------
    models : sequence of ClAM
        One group of :func:`batches`, with the same ``random_state``, an int.
    X : array-like of shape (n_samples, n_features)
    stop : callable returning bool, optional
        Asked between batches of rows.

    Returns
    -------
    iterator of tuple (int, int)
        Epochs done and planned: before the first epoch, and after each.

    Raises
    ------
    ValueError
        If the models cannot share a batch, or as :meth:`ClAM.fit <clam_core.ClAM.fit>` does.
    """
    if len(batches(models)) != 1:
        raise ValueError("models should differ in nothing but beta and learning_rate.")
    every = [models[0]._prepare(X)]
    for model in models[1:]:  # what they draw is the same, and drawn only once
        check_settings(model)
        model._checked(X, reset=True)
        beta = every[0].beta if model.beta == "auto" else float(model.beta)
        every.append(every[0]._replace(beta=beta))
    r = models[0].n_init
    betas = np.repeat([ready.beta for ready in every], r)
    rates = np.repeat([float(model.learning_rate) for model in models], r)
    trainer = models[0]._trainer(every[0], betas, rates, copies=len(models))
    return _train(models, every, trainer, stop, [model._begin() for model in models])


def _train(models, every, trainer, stop, begun):
    n_epochs, n_done = trainer.schedule.n_epochs, 0
    try:
        for snapshot in trainer.epochs(stop):
            n_done = snapshot.step
            yield n_done, n_epochs
    finally:
        r = models[0].n_init
        for place, (model, ready, latest) in enumerate(zip(models, every, begun, strict=True)):
            if model._latest == latest:
                # Each draws the rows on which its restarts are compared as if it were alone.
                own = ready._replace(rng=deepcopy(ready.rng))
                trained = trainer.trained(slice(place * r, (place + 1) * r))
                model._keep(own, trained, n_done, n_epochs, stop)


def _kind(model: ClAM) -> tuple:
    settings = model.get_params()
    own = tuple(isinstance(settings.pop(name), str) for name in OWN)
    return own + tuple(
        (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else repr(value)
        for value in settings.values()
    )
