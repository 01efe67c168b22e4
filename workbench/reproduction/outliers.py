"""ClAM's Figure 15 and Table 10: two clusters, clean and with outliers beside them."""

from functools import partial

import numpy as np

from workbench import metrics, published
from workbench.figures import palette
from workbench.figures.clusters import clusters_figure
from workbench.methods import METHODS
from workbench.progress import Cancelled
from workbench.reproduction.item import Claim, Compared, Outcome, Panel, Parts, built, fitted

_DATA = "Our points are others: the paper prints neither its points nor how far outliers lie."


def outliers(asked, report, stop):
    """Cluster the points with k-means and ClAM, with and without outliers; score the inliers.

    Parameters
    ----------
    asked : Asked
        Unused: the data are drawn.
    report, stop : callable
        As for a job.

    Returns
    -------
    Outcome
    """
    X, y = drawn()
    parts = Parts(6, report)
    found = {}
    for name, rows in (("clean", y >= 0), ("noisy", np.ones(len(y), bool))):
        points = (X[rows] - X[rows].mean(axis=0)) / X[rows].std(axis=0)
        for column, settings in _SETTINGS.items():
            method = METHODS["kmeans" if column == "kmeans" else "clam"]
            model = built(method, {"n_clusters": 2, **method.rules["own"], **settings})
            labels = fitted(model, points, stop, parts).labels_
            if stop():
                raise Cancelled
            found[column, name] = _Scored(X[rows], y[rows], labels)
            parts.done()
    return Outcome(
        rows=_rows(found),
        claims=_claims(found),
        panels=tuple(
            _panel(f"{_NAMES[column]}, {name}", found[column, name])
            for name in ("clean", "noisy")
            for column in _NAMES
        ),
        notes=(
            "Two square clusters of 100 points and 6 outliers, drawn by us; all scores are of the "
            "inliers alone, in the points' own units.",
            "The start of each method is kept by its own objective. By silhouette the "
            "outliers would be a cluster of their own, since that scores highest over all rows.",
            "ClAM without masks (equation 8), which make no sense in two dimensions.",
        ),
    )


def drawn(seed=0):
    """Draw two square clusters side by side, and outliers above and to the right of them.

    Parameters
    ----------
    seed : int, default 0

    Returns
    -------
    X : ndarray of shape (206, 2)
    y : ndarray of int, shape (206,)
        0 and 1, or -1 for an outlier.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(200) % 2
    inliers = np.array([[0.3, 0.5], [0.7, 0.5]])[y] + rng.uniform(-0.17, 0.17, (200, 2))
    far = np.array([1.0, 1.5]) + rng.normal(0, 0.05, (6, 2))
    return np.vstack([inliers, far]), np.append(y, np.full(6, -1))


_SETTINGS = {"kmeans": {}, "clam": {}, "robust": {"loss": "absolute"}}
_NAMES = {"kmeans": "k-means", "clam": "ClAM", "robust": "Absolute loss"}


class _Scored:
    """A labeling of points, scored on those that are no outliers."""

    def __init__(self, X, y, labels):
        self.X, self.y, self.labels = X, y, labels
        inside = y >= 0
        self.silhouette = metrics.silhouette(X[inside], labels[inside])
        self.nmi = metrics.nmi(labels[inside], y[inside])
        self.ari = metrics.ari(labels[inside], y[inside])


def _rows(found):
    rows = []
    for (column, name), fit in found.items():
        printed = published.TABLE_10.get(column)
        number = float("nan") if printed is None else printed[name == "noisy"]
        subject = f"{_NAMES[column]}, {name}"
        reason = _DATA if printed else "The paper suggests this loss and does not run it."
        if np.isnan(fit.silhouette):
            reason += " All inliers fell into one cluster, which has no silhouette."
        rows.append(Compared(subject, "SC of the inliers", number, fit.silhouette, reason))
        exact = column == "clam" and name == "noisy"
        for measure, value in (("NMI", fit.nmi), ("ARI", fit.ari)):
            printed_index = 1.0 if exact else float("nan")
            why = "" if not exact or value > 0.995 else _DATA
            rows.append(Compared(subject, f"{measure} of the inliers", printed_index, value, why))
    return tuple(rows)


def _claims(found):
    clean, noisy = found["kmeans", "clean"], found["kmeans", "noisy"]
    clam, robust = found["clam", "noisy"], found["robust", "noisy"]
    return (
        Claim(
            "Outliers make k-means worse.",
            f"ARI of the inliers from {clean.ari:z.2f} to {noisy.ari:z.2f}.",
            noisy.ari < clean.ari,
        ),
        Claim(
            "ClAM parts the inliers as before, NMI and ARI 1.",
            f"With outliers ClAM has ARI {clam.ari:z.2f}, without them "
            f"{found['clam', 'clean'].ari:z.2f}.",
            clam.ari > 0.995,
        ),
        Claim(
            "With distances in place of their squares ClAM would be more robust.",
            f"The absolute loss has ARI {robust.ari:z.2f}, the squared one {clam.ari:z.2f}.",
            robust.ari > clam.ari,
        ),
    )


def _panel(title, fit):
    matched = metrics.match_labels(fit.labels, np.maximum(fit.y, 0))
    words = f"{title}: ARI of the inliers {fit.ari:z.2f}."
    return Panel(title, words, partial(_drawn, fit.X, matched, fit.y))


def _drawn(X, labels, y, dark):
    figure = clusters_figure(
        X, labels, np.arange(1, len(X) + 1), colours=palette.colours(2),
        hover=["outlier" if kind < 0 else "inlier" for kind in y], dark=dark,
    )  # fmt: skip
    margin = {"l": 4, "r": 4, "t": 8, "b": 4}
    return figure.update_layout(height=260, showlegend=False, margin=margin)
