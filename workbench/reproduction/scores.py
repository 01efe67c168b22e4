"""ClAM's Tables 1, 2, 3, 8 and 9: every method on every set, once; each table is a view of it."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench import metrics, published
from workbench.method import RULES
from workbench.methods import METHODS
from workbench.progress import Cancelled
from workbench.published import COLUMNS
from workbench.reproduction.item import Compared, Outcome, Parts, built, fitted
from workbench.reproduction.reasons import why

LARGE = 20_000  # rows, from which trainings are cut short
_CUT = {"n_init": 4, "n_epochs": 20}
_STARTS = ((500, 1000), (5000, 100), (math.inf, 10))  # of k-means, by rows


@dataclass(frozen=True, eq=False)
class Fit:
    """What one column found on one set; without labels, `reason` says why there are none."""

    labels: np.ndarray | None = None
    silhouette: float = math.nan
    nmi: float = math.nan
    ari: float = math.nan
    n_found: int = 0
    seconds: float = math.nan
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Scored:
    """Fits by set and column, and how many classes each set has."""

    rule: str
    fits: Mapping[str, Mapping[str, Fit]]
    classes: Mapping[str, int] = field(default_factory=dict)


def scored(asked, report, stop, columns=tuple(COLUMNS)):
    """Fit every column on every set.

    Parameters
    ----------
    asked : Asked
    report, stop : callable
        As for a job.
    columns : tuple of str, default all
        Keys in `COLUMNS`.

    Returns
    -------
    Scored
        Of what was done until it was stopped.

    Raises
    ------
    Cancelled
        Where that is nothing.
    """
    parts = Parts(len(asked.sources) * len(columns), report)
    fits: dict[str, dict[str, Fit]] = {}
    classes = {}
    for source in asked.sources:
        rows = source.load()
        classes[rows.name] = rows.k
        for column in columns:
            if stop():
                break
            fit = one_fit(rows, column, asked.rule, stop, parts)
            if stop() and fit.labels is None:
                break
            fits.setdefault(rows.name, {})[column] = fit
            parts.done()
    if not fits:
        raise Cancelled
    return Scored(asked.rule, fits, classes)


def timed(asked, report, stop):
    """Fit k-means and ClAM alone, for Table 3; see :func:`scored`."""
    return scored(asked, report, stop, ("kmeans", "clam"))


def one_fit(rows, column, rule, stop, parts=None):
    """Fit one column of Table 1 to one set, and score it.

    Parameters
    ----------
    rows : Rows
    column : str
        Key in `COLUMNS`.
    rule : str
        Key in `RULES`.
    stop : callable returning bool
    parts : Parts, optional

    Returns
    -------
    Fit
    """
    key, settings = recipe(rows, column, rule)
    reason = _refused(rows, key)
    if reason:
        return Fit(reason=reason)
    method = METHODS[key]
    try:
        model = built(method, settings)
        began = time.perf_counter()
        labels = fitted(model, method.rows(rows.X), stop, parts).labels_
    except Cancelled:
        return Fit(reason="It was cancelled.")
    except ValueError as error:
        return Fit(reason=str(error))
    seconds = time.perf_counter() - began
    return Fit(
        labels,
        metrics.silhouette(rows.X, labels),
        metrics.nmi(labels, rows.y),
        metrics.ari(labels, rows.y),
        len(np.unique(labels[labels >= 0])),
        seconds,
    )


def recipe(rows, column, rule):
    """Return the method and the settings that a column of Table 1 stands for.

    Parameters
    ----------
    rows : Rows
    column : str
    rule : str

    Returns
    -------
    tuple of (str, dict)
        Key in `METHODS`, and settings.
    """
    key = "clam" if column in ("clam", "unmasked", "weighted") else column
    settings: dict[str, Any] = {"n_clusters": rows.k, **METHODS[key].rules.get(rule, {})}
    if column == "kmeans":
        settings["n_init"] = next(starts for most, starts in _STARTS if len(rows.X) <= most)
    if key == "clam":
        settings |= {"n_init": 10}  # Table 5's
        if rows.name in published.TABLE_6:
            settings |= published.settings_of(rows.name)
        if len(rows.X) >= LARGE:
            settings |= _CUT
    if column == "unmasked":
        settings["corruption"] = "none"
    if column == "weighted":
        settings["energy"] = "weighted"
    return key, settings


def _refused(rows, key):
    method = METHODS[key]
    if method.images and not rows.side:
        return "It takes square images only, as in the paper."
    if len(rows.X) > method.max_rows:
        return f"It is not run on more than {method.max_rows:,} rows."
    return ""


def table_1(found):
    """Silhouettes beside Table 1's."""
    return Outcome(
        rows=_against(found, "SC", published.TABLE_1, lambda fit: fit.silhouette, COLUMNS),
        notes=_notes(found),
    )


def table_2(found):
    """NMI with the classes beside Table 2's."""
    columns = tuple(COLUMNS)[:7]
    rows = _against(found, "NMI", published.TABLE_2, lambda fit: fit.nmi, columns)
    return Outcome(rows=rows, notes=_notes(found))


def table_9(found):
    """NMI and ARI with the classes beside Table 9's."""
    columns = tuple(COLUMNS)[:7]
    rows = (
        *_against(found, "NMI", published.TABLE_9_NMI, lambda fit: fit.nmi, columns),
        *_against(found, "ARI", published.TABLE_9_ARI, lambda fit: fit.ari, columns),
    )
    return Outcome(rows=rows, notes=_notes(found))


def table_8(found):
    """Agreement of ClAM's clusters with those of the baselines beside Table 8's."""
    rows = []
    for measure, score, table in (
        ("NMI", metrics.nmi, published.TABLE_8_NMI),
        ("ARI", metrics.ari, published.TABLE_8_ARI),
    ):
        for name, fits in found.fits.items():
            clam = fits.get("clam", Fit(reason="It was cancelled."))
            for column in ("kmeans", "spectral", "agglomerative"):
                other = fits.get(column, clam)
                printed = table.get(name, {}).get(column, math.nan)
                ours, reason = math.nan, clam.reason or other.reason
                if not reason and clam.labels is not None and other.labels is not None:
                    ours = score(_without_noise(clam.labels, other.labels), other.labels)
                    reason = why(name, column, "overlap", printed, ours, found)
                rows.append(
                    Compared(name, f"ClAM and {COLUMNS[column]}, {measure}", printed, ours, reason)
                )
    return Outcome(rows=tuple(rows), notes=_notes(found))


def _without_noise(labels, other):
    return np.where(other >= 0, labels, -1)


def table_3(found):
    """Silhouettes and seconds beside Table 3's."""
    rows = []
    for name, fits in found.fits.items():
        printed = published.TABLE_3.get(name)
        for column, fit in fits.items():
            for measure, field_name, ours in (
                ("SC", column, fit.silhouette),
                ("seconds", f"{column}_seconds", fit.seconds),
            ):
                number = math.nan if printed is None else float(getattr(printed, field_name))
                kind = "seconds" if measure == "seconds" else "SC"
                reason = fit.reason or why(name, column, kind, number, ours, found)
                rows.append(Compared(name, f"{COLUMNS[column]}, {measure}", number, ours, reason))
    speed = "Seconds are of this machine: compare one method with the other, not with the paper."
    return Outcome(rows=tuple(rows), notes=(*_notes(found), speed))


def _against(found, measure, table, score, columns):
    rows = []
    for name, fits in found.fits.items():
        for column in columns:
            if column not in fits:
                continue
            fit, printed = fits[column], table.get(name, {}).get(column, math.nan)
            ours = score(fit)
            reason = fit.reason or why(name, column, measure, printed, ours, found)
            rows.append(Compared(name, f"{COLUMNS[column]}, {measure}", printed, ours, reason))
    return tuple(rows)


def _notes(found):
    own = [name for name in found.fits if name not in published.TABLE_3 | published.TABLE_1]
    notes = [
        f"One start of several is kept by its {RULES[found.rule]}. The paper reports the "
        "configuration of the highest silhouette (section 4; its appendix B.1 says lowest loss)."
    ]
    if own:
        notes.append(f"The paper has no numbers for {', '.join(own)}.")
    if any(name in published.TABLE_6 for name in found.fits):
        notes.append(
            "ClAM runs with Table 6's settings, its β halved: the printed values are of the "
            "published program, exp(−(β/2) d²). Ten restarts and 200 epochs as in Table 5."
        )
    fewer = [
        f"{COLUMNS[column]} on {name} ({fit.n_found} of {found.classes[name]})"
        for name, fits in found.fits.items()
        for column, fit in fits.items()
        if fit.labels is not None and fit.n_found < found.classes[name]
    ]
    if fewer:
        notes.append(f"Fewer clusters have rows than there are classes: {', '.join(fewer)}.")
    if "FMNIST" in found.fits:
        notes.append("On Fashion MNIST ClAM has 4 restarts and 20 epochs, so that it ends.")
    return tuple(notes)
