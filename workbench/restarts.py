"""All restarts of one training: what each is worth, and which one each rule would pick."""

from dataclasses import dataclass

import numpy as np

from workbench.metrics import ari, fill_gaps
from workbench.progress import go_on

_ROWS = 2000  # scored for each restart


@dataclass(frozen=True, eq=False)
class Restarts:
    """Scores of every restart.

    Attributes
    ----------
    scores : dict of str to ndarray, shape (r,)
        By rule: "loss" (lower is better), "silhouette" and "mahalanobis" (higher is better): the
        silhouette of distances, and of distances under the covariance of the whole data.
    ari : ndarray of shape (r,) or None
        Against the reference labels, where there are any.
    found : ndarray of int, shape (r,)
        Clusters that have rows.
    kept : int
        Restart that the model kept.
    rule : {"silhouette", "mahalanobis", "loss"}
        By which it did.
    """

    scores: dict[str, np.ndarray]
    ari: np.ndarray | None
    found: np.ndarray
    kept: int
    rule: str

    @property
    def full(self):
        """Which restarts found as many clusters as any did, bool (r,)."""
        return self.found == self.found.max()

    def picked(self, rule):
        """Return the restart that a rule picks; of the rule in use, what the model kept.

        As in the model, a silhouette chooses among the restarts that found most clusters.

        Parameters
        ----------
        rule : {"loss", "silhouette", "mahalanobis"}

        Returns
        -------
        int
        """
        from clam_core.selection import best_restart

        if rule == self.rule:  # the model may have scored other rows of a large table
            return self.kept
        losses = self.scores["loss"]
        if rule == "loss":
            return best_restart(losses, None, None)
        return best_restart(losses, self.scores[rule], self.found)


def judge(model, dataset, *, seed=0, step=go_on):
    """Score every restart of a fitted ClAM.

    Parameters
    ----------
    model : clam_core.ClAM
        Fitted to the dataset.
    dataset : Dataset
    seed : int, default 0
        Of the sample of 2000 rows that is scored where there are more.
    step : Step, optional
        Told of restarts done and all restarts, twice: each is scored by two distances.

    Returns
    -------
    Restarts or None
        None where it was stopped.
    """
    import torch

    from clam_core.selection import silhouettes, whitened

    rows = np.arange(len(dataset.X))
    if len(rows) > _ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, _ROWS, replace=False))
    labelings = model.predict_restarts(dataset.X[rows])
    points = torch.from_numpy(fill_gaps(dataset.X)[rows])
    points = points - points.mean(0)
    done = iter(range(2 * len(labelings)))
    stop = lambda: step(next(done), 2 * len(labelings))  # noqa: E731 - two words, used twice
    plain, found = silhouettes(points, torch.from_numpy(labelings), stop)
    under_covariance, _ = silhouettes(whitened(points), torch.from_numpy(labelings), stop)
    if np.isnan(plain).any() or np.isnan(under_covariance).any():
        return None
    against = None
    if dataset.y is not None:
        against = np.array([ari(labels, dataset.y[rows]) for labels in labelings])
    scores = {
        "loss": np.asarray(model.restart_losses_),
        "silhouette": plain,
        "mahalanobis": under_covariance,
    }
    return Restarts(scores, against, found, int(model.restart_), model.selection)
