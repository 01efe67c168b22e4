"""All outcomes of one fit, so that either rule chooses among the same ones; no benchmark."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.baselines.starts import BestOfSettings, BestOfStarts
from workbench.methods import METHODS
from workbench.metrics import silhouette

COMPARED = 2_000  # rows on which outcomes are compared by silhouette, as everywhere on the bench


@dataclass(frozen=True)
class Outcomes:
    """Labels of each start with its own objective, and the processor's seconds for all.

    Not `whole` where the method tells only the start that it kept itself.
    """

    labelings: Sequence[NDArray]
    losses: Sequence[float]
    seconds: float
    whole: bool

    def chosen(self, rows: NDArray, rule: str) -> NDArray:
        """Labels of the start that a rule keeps; the paper's SC cares for no empty clusters."""
        if len(self.labelings) == 1:
            return self.labelings[0]
        if rule == "own":
            return self.labelings[int(np.argmin(self.losses))]
        scores = [silhouette(rows, labels, sample=COMPARED) for labels in self.labelings]
        return self.labelings[int(np.argmax(np.nan_to_num(scores, nan=-1.0)))]


def tells_starts(model: object) -> bool:
    """Whether it begins several times, and asks what each start is worth."""
    return isinstance(model, BestOfStarts) and not isinstance(model, BestOfSettings)


def outcomes(rows: NDArray, method: str, settings: dict, seed: int) -> Outcomes:
    """Fit, and return what each start found; of a method that tells only one, that one."""
    build = METHODS[method].build
    model: Any = build(settings, device="cpu", dtype="float32", random_state=seed)
    kept: list[tuple[NDArray, float]] = []
    if tells_starts(model):

        def worth(rows, found):
            kept.append((np.asarray(found.labels, np.int64), float(found.loss)))
            return -found.loss

        model._worth = worth  # asked once for each start, whichever is kept in the end
    begun = time.process_time()
    model.fit(rows)
    if method == "clam" and settings["selection"] == "loss":
        kept = list(zip(model.predict_restarts(rows), model.restart_losses_, strict=True))
    seconds = time.process_time() - begun
    labelings, losses = zip(*(kept or [(np.asarray(model.labels_, np.int64), 0.0)]), strict=True)
    return Outcomes(labelings, losses, seconds, whole=bool(kept))
