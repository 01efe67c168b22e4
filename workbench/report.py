"""One page about a run, for people who were not there: what was found, and how."""

import json

import numpy as np
import pandas as pd

from workbench.figures.prototypes import most_telling
from workbench.html_page import Rows, Section, html_page
from workbench.methods import METHODS
from workbench.notes import Notes
from workbench.pictures import picture, pictures_of
from workbench.run import RIVAL_ROWS, RIVAL_STARTS, cluster_means
from workbench.versions import versions
from workbench.words import count

COLUMNS = 60  # listed with their roles
FEATURES = 30  # told in the table of middles
CLUSTERS = 12  # of which middles are told side by side
_SCORES = {
    "silhouette": (
        "Silhouette",
        "How much nearer rows are to their own cluster than to the next: 1 is best, 0 is a border.",
    ),
    "nmi": ("NMI", "Shared information with the reference labels: 1 is agreement."),
    "ari": ("ARI", "Pairs of rows on which the reference labels agree: 1 is all, 0 is chance."),
}


def report_page(run, notes=None, sections=()):
    """Write a page about a run that needs no network, no app and no other file.

    Parameters
    ----------
    run : Run
    notes : Notes, optional
        Names and notes of its clusters.
    sections : sequence of Section, default ()
        More to show, such as profiles of the clusters; they stand behind the pictures.

    Returns
    -------
    bytes
        HTML.
    """
    notes = notes or Notes()
    return html_page(
        run.dataset.name,
        _lead(run),
        [
            _clusters(run, notes),
            _scores(run),
            *(picture(name, run, notes) for name in pictures_of(run)),
            *sections,
            _middles(run, notes),
            _data(run),
            _preparation(run),
            _settings(run),
        ],
    )


def _lead(run):
    rows, table = int((run.labels >= 0).sum()), run.dataset.source.frame
    left = len(table) - rows
    silhouette = run.scores["silhouette"]
    return " ".join(
        [
            f"{METHODS[run.recipe.method].name} found {count(run.n_found, 'cluster')} in "
            f"{count(rows, 'row')}"
            + (f"; {left:,} more are not clustered." if left else ".")
            + (f" Their silhouette is {silhouette:.3f}." if np.isfinite(silhouette) else ""),
            "The run was cancelled before its end." if run.cancelled else "",
        ]
    ).strip()


def _clusters(run, notes):
    cells = []
    scored = run.labels[run.scored]
    for label, size in enumerate(run.sizes):
        own = run.silhouettes[scored == label]
        cells.append(
            (
                str(label + 1),
                notes.names.get(label, ""),
                f"{size:,}",
                f"{size / max(1, run.sizes.sum()):.1%}",
                f"{own.mean():.3f}" if len(own) else "—",
                notes.texts.get(label, ""),
            )
        )
    rows = Rows(("Cluster", "Name", "Rows", "Share", "Silhouette", "Note"), tuple(cells), (2, 3, 4))
    kept = [0, 2, 3, 4]
    kept += [1] if notes.names else []
    kept += [5] if notes.texts else []
    return Section("Clusters", rows=_only(rows, sorted(kept)))


def _only(rows, kept):
    return Rows(
        tuple(rows.head[i] for i in kept),
        tuple(tuple(cells[i] for i in kept) for cells in rows.cells),
        tuple(kept.index(i) for i in rows.numbers if i in kept),
    )


def _scores(run):
    cells = tuple(
        (name, _score(run.scores[key]), _score(run.rival.get(key, np.nan)), meaning)
        for key, (name, meaning) in _SCORES.items()
        if key in run.scores
    )
    words = (
        *_rival(run),
        *run.notes,
        "A score compares clusterings; it does not prove that groups exist.",
    )
    return Section(
        "Scores", words, Rows(("Score", "This run", "k-means", "What it says"), cells, (1, 2))
    )


def _rival(run):
    if run.rival and len(run.labels) > RIVAL_ROWS:
        yield (
            f"k-means is the best of {RIVAL_STARTS} starts on {RIVAL_ROWS:,} of the same prepared "
            "rows, the same share of every cluster."
        )
    elif run.rival:
        yield f"k-means is the best of {RIVAL_STARTS} starts on the same prepared rows."


def _score(value):
    return f"{value:z.3f}" if np.isfinite(value) else "—"


def _middles(run, notes):
    """Means of the clusters in the table's own units, beside those of all rows."""
    k, dataset = min(run.n_found, CLUSTERS), run.dataset
    told = most_telling(run.means[:k], FEATURES)
    own = dataset.restore(dataset.X)  # means of logarithms would be others
    middles = np.vstack(
        [np.nanmean(own, axis=0), cluster_means(own, run.labels, len(run.sizes))[:k]]
    )
    roles = {column.name: column.role for column in dataset.columns}
    cells = tuple(
        (
            dataset.features[i],
            *(_middle(value, roles[dataset.origins[i]]) for value in middles[:, i]),
        )
        for i in told
    )
    kinds = {"category": "of categories, shares", "ordinal": "of orders, places from 0"}
    units = "".join(f"; {words}" for role, words in kinds.items() if role in roles.values())
    few = f" The {len(told)} in which clusters differ most." if len(told) < len(middles[0]) else ""
    some = f" The {k} largest clusters." if k < run.n_found else ""
    return Section(
        "Middles",
        (f"Means of the features in their own units{units}.{few}{some}",),
        Rows(
            (
                "Feature",
                "All rows",
                *(notes.names.get(label) or f"Cluster {label + 1}" for label in range(k)),
            ),
            cells,
            tuple(range(1, k + 2)),
        ),
    )


def _middle(value, role):
    if not np.isfinite(value):
        return "—"
    if role == "category":
        return f"{value:z.0%}"
    if role == "date":
        return f"{pd.Timestamp(0) + pd.Timedelta(days=float(value)):%Y-%m-%d}"
    return f"{value:z,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def _data(run):
    table = run.dataset.source
    told = f"{count(len(table.frame), 'row')}, {count(len(table.frame.columns), 'column')}"
    lost = len(table.rejected)
    return Section(
        "The table",
        (
            f"{table.name}: {told}; fingerprint {table.fingerprint}.",
            *(repair.sentence for repair in table.repairs),
            *([f"{count(lost, 'line')} could not be read as rows."] if lost else []),
        ),
    )


def _preparation(run):
    dataset = run.dataset
    pairs = []
    for column in dataset.columns[:COLUMNS]:
        many = len(column.features)
        kind = "order" if column.order else column.role
        more = [count(many, "feature")] if many > 1 else []
        more += ["log scale"] if column.log else []
        more += [f"weight {column.weight:g}"] if column.weight != 1 else []
        pairs.append((column.name, ", ".join([kind, *more])))
    left = len(dataset.columns) - len(pairs)
    more = (f"The first {COLUMNS} columns are listed; {left} more are used.",) if left else ()
    words = (*dataset.steps, *dataset.warnings, *more)
    return Section("From columns to features", words, pairs=tuple(pairs))


_REPEATED = "The same recipe on the same table gives the same clusters:"


def _settings(run):
    recipe, method = run.recipe, METHODS[run.recipe.method]
    values = {
        **recipe.settings,
        "seed": recipe.seed,
        "device": recipe.device,
        "dtype": recipe.dtype,
    }
    if run.beta is not None and recipe.settings.get("beta") == "auto":
        values["beta"] = f"auto: {run.beta:.4g}"
    seconds = f"{run.seconds:.1f}" if run.seconds >= 0.1 else "less than 0.1"
    used = ", ".join(f"{name} {version}" for name, version in versions().items())
    return Section(
        "How it was computed",
        (
            f"{method.name}. {method.reference}. {method.limits}",
            f"Training took {seconds} s, with {used}.",
            *(() if run.cancelled else (_REPEATED,)),
        ),
        pairs=tuple((name, str(value)) for name, value in values.items()),
        folded=json.dumps(json.loads(recipe.to_json()), indent=1, ensure_ascii=False),
    )
