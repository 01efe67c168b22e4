"""Writes docs/results.md from kept answers and a page of words; no benchmark."""

import json
from pathlib import Path
from string import Template

from benchmarks.answers import Answers
from benchmarks.entrants import CLASSES, Entrant, entrants, questions, rules
from benchmarks.fitter import EMPTY
from benchmarks.sets import CLAM_SETS, SETS, SLK_SETS, DataSet
from benchmarks.sheets import (
    DASH,
    NOT_REACHED,
    Book,
    Notes,
    beside,
    details,
    overlaps,
    shown,
    table,
)
from workbench import published
from workbench.methods import RULES
from workbench.metrics import ari, nmi
from workbench.papers import TABLES

WORDS = Path(__file__).parent / "results_words.md"
PAPER = Path(__file__).parent / ".cache" / "paper.json"
"""Answers of the benchmark `paper` without ``--all``: k-means' 1000 starts, and ClAM's grid."""
CLOSE = 0.01
"""Two silhouettes that differ by no more agree: seeds and versions move the third digit."""
SLK_COLUMNS = ("kmeans", "kmodes", "ncut", "kernel_kmeans", "lk", "spectral_net", "slk", "slk-bo",
               "clam")  # fmt: skip
"""The columns of SLK's own table, and ClAM."""


def written(answers: Answers, older: Path = PAPER) -> str:
    """Return docs/results.md."""
    book, notes = Book.of(answers.all()), Notes()
    parts = {
        "about": about(answers),
        "seeds": seeds(book),
        "progress": progress(answers),
        "older": older_scores(older),
        **clam_tables(book, notes),
        **slk_tables(book, notes),
        "energies": energies(answers, notes),
        "details": "\n\n".join(
            f"### {each.name}\n\n{caption(each)}\n\n{details(book, each.name, entrants())}"
            for each in SETS.values()
        ),
    }
    return Template(WORDS.read_text(encoding="utf-8")).substitute(parts | {"notes": notes.lines()})


def clam_tables(book: Book, notes: Notes) -> dict[str, str]:
    """Tables 1, 2, 8 and 9, and what the bench has beside them."""
    ours = [each for each in entrants() if each.method == "clam" and not each.table_6]
    columns = sorted(
        (each for each in entrants() if each.printed and each not in ours),
        key=lambda each: list(published.COLUMNS).index(each.printed),
    )
    seven = [each for each in columns if each.printed not in ("unmasked", "weighted")]
    baselines = [each for each in seven if each.method != "clam"]
    others = [each for each in entrants() if each not in (*columns, *ours)]
    names = [*(each.name for each in CLAM_SETS), "GCM"]
    made = {"agreement": agreement(book, columns)}
    for rule in RULES:
        for title, chosen, score, printed, digits in (
            ("table_1", columns, "SC", published.TABLE_1, 3),
            ("defaults", ours, "SC", published.TABLE_1, 3),
            ("others", others, "SC", {}, 3),
            ("table_2", [*seven, ours[0]], "NMI", published.TABLE_2, 2),
            ("table_9_nmi", [*seven, ours[0]], "NMI", published.TABLE_9_NMI, 4),
            ("table_9_ari", [*seven, ours[0]], "ARI", published.TABLE_9_ARI, 4),
        ):
            told = [each for each in chosen if rule in rules(each) or "own" in rules(each)]
            made[f"{title}_{rule}"] = beside(
                book, notes, names, told, score=score, rule=rule, printed=printed, digits=digits
            )
    of_table_6 = next(each for each in seven if each.method == "clam")
    for title, own, printed in (
        ("table_8", of_table_6, {"NMI": published.TABLE_8_NMI, "ARI": published.TABLE_8_ARI}),
        ("table_8_defaults", ours[0], {}),
    ):
        made[title] = overlaps(
            book, notes, names, own, baselines, rule="silhouette", printed=printed,
            measure={"NMI": nmi, "ARI": ari},
        )  # fmt: skip
    return made


def slk_tables(book: Book, notes: Notes) -> dict[str, str]:
    """NMI and accuracy in the columns of SLK's own table."""
    by_key = {each.key: each for each in entrants()}
    columns = [by_key[key] for key in SLK_COLUMNS if key in by_key]
    names = [each.name for each in SLK_SETS]
    return {
        f"slk_{rule}": beside(book, notes, names, columns, score="NMI / ACC", rule=rule)
        for rule in RULES
    }


def about(answers: Answers) -> str:
    """What computed the answers, in two sentences."""
    said = answers.description()
    if not said:
        return "Nothing has been computed yet."
    versions = ", ".join(f"{name} {version}" for name, version in said["versions"].items())
    return (
        f"One {said['machine']} machine with {said['cores']} cores and no graphics processor, one "
        f"thread a fit, at lowered priority beside other work. Versions: {versions}."
    )


def seeds(book: Book) -> str:
    """Say how many numbers are of several seeds."""
    several = sum(len(page) > 1 for page in book.pages.values())
    return f"{several} of {len(book.pages)} numbers are means of several, the others of seed 0"


def progress(answers: Answers) -> str:
    """How much of what is asked has been answered, set by set.

    Where a method failed, its other seeds and rules without an answer count as failed too.
    """
    rows = []
    for name in SETS:
        asked = [each for each in questions() if each.dataset == name]
        open_yet = [each for each in asked if "error" in (answers.get(each) or {"error": ""})]
        failed = sum(
            any("error" in other for other in answers.of_one_method(each)) for each in open_yet
        )
        rows.append([name, *map(str, (len(asked), len(asked) - len(open_yet), failed))])
    return table(["set", "fits asked for", "done", "failed, too long or too large"], rows)


def caption(dataset: DataSet) -> str:
    """Say what a set is."""
    images = ", images" if dataset.images else ""
    note = f"; {dataset.note}" if dataset.note else ""
    return (
        f"{dataset.n:,} × {dataset.d:,}, k = {CLASSES[dataset.name]}, "
        f"{dataset.preparation}{images}{note}."
    )


def older_scores(path: Path) -> str:
    """SC, NMI and ARI of 1000 starts of k-means and of ClAM's best setting over the grid."""
    if not path.exists():
        return "Not computed here: `python -m benchmarks paper --data DIR` does."
    kept = next(iter(json.loads(path.read_text(encoding="utf-8")).values()))
    rows = []
    for name, row in TABLES.items():
        many = kept.get(f"{name}/kmeans/1000")
        cells = [triple(many[rule]) if many else DASH for rule in ("own objective", "SC")]
        best = best_of_grid(name, kept)
        cells += [triple(best[0]), best[1]] if best else [DASH, ""]
        printed = (row.kmeans, row.clam)
        cells += [", ".join(map(shown, (p.silhouette, p.nmi, p.ari))) for p in printed]
        rows.append([name, *cells])
    heads = ["k-means, by inertia", "k-means, by SC", "ClAM, best of the grid by SC", "where",
             "k-means, printed", "ClAM, printed"]  # fmt: skip
    return table(["set", *heads], rows)


def best_of_grid(name: str, kept: dict) -> tuple[dict, str] | None:
    """Highest SC with at most two empty clusters, and where in the grid."""
    found = [
        (scores, key.split("/grid/")[1].replace("none", "no mask"))
        for key, each in kept.items()
        if key.startswith(f"{name}/grid/")
        for scores in (each["SC"], each["all clusters, then SC"])
        if scores["non-empty"] >= CLASSES[name] - EMPTY
    ]
    return max(found, key=lambda pair: pair[0]["SC"], default=None)


def triple(scores: dict) -> str:
    """SC, NMI and ARI as one cell, and the clusters that have rows."""
    three = ", ".join(shown(scores[each]) for each in ("SC", "NMI", "ARI"))
    return f"{three} ({scores['non-empty']})"


def agreement(book: Book, columns: list[Entrant]) -> str:
    """For each column of Table 1: on which sets ours agrees, is higher, is lower."""
    rows = []
    for entrant in columns:
        gaps = {}
        for name, row in published.TABLE_1.items():
            ours = book.mean(name, entrant, "silhouette", "SC") if name in SETS else None
            theirs = row[entrant.printed]
            if ours is not None and theirs is not None and theirs == theirs:
                gaps[name] = ours - theirs
        told = [
            ", ".join(f"{name} {gap:+.3f}" for name, gap in gaps.items() if test(gap)) or DASH
            for test in (lambda g: abs(g) <= CLOSE, lambda g: g > CLOSE, lambda g: g < -CLOSE)
        ]
        rows.append([entrant.name, *told])
    return table(["column", f"within {shown(CLOSE, 2)}", "ours higher", "ours lower"], rows)


def energies(answers: Answers, notes: Notes) -> str:
    """E of SLK and of LK at equal lambda; whose is lowest."""
    rows = []
    for question in questions():
        if question.method != "energies":
            continue
        told = answers.get(question)
        first = f"{question.dataset}, λ = {question.settings['lam']:g}"
        if told is None or "error" in told:
            why = told["error"] if told else NOT_REACHED
            rows.append([first, notes.mark(why), *[""] * 7])
            continue
        energy = {name: each["E"] for name, each in told.items()}
        lowest = min(energy, key=lambda name: energy[name])
        gap = energy["SLK"] - energy["LK"]
        scores = [f"{shown(each['NMI'])} / {shown(each['ACC'])} ({each['found']})"
                  for each in told.values()]  # fmt: skip
        values = [f"{each:.5f}" for each in energy.values()]
        rows.append([first, *values, f"{gap:+.5f}", lowest, *scores])
    names = ("SLK", "SLK, cooled", "LK")
    heads = [*(f"E/n, {name}" for name in names), "SLK less LK", "lowest",
             *(f"{name}: NMI / ACC (k)" for name in names)]  # fmt: skip
    return table(["set", *heads], rows)
