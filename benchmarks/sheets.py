"""From kept answers to Markdown tables: pure functions, nothing is computed anew; no benchmark."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from benchmarks.answers import Question
from benchmarks.entrants import NOT_IN_TABLE_6, Entrant, rules, why_not
from benchmarks.sets import SETS
from workbench.methods import RULES

Printed = Mapping[str, Mapping[Any, float]]  # set -> column -> score

DASH = "—"
NOT_REACHED = "not reached before the run was ended"


@dataclass
class Notes:
    """Footnotes of one page, each said once."""

    texts: list[str] = field(default_factory=list)

    def mark(self, text: str) -> str:
        """Return a dash with the footnote's mark."""
        if text not in self.texts:
            self.texts.append(text)
        return f"{DASH}[^{self.texts.index(text) + 1}]"

    def lines(self) -> str:
        """Return the notes themselves."""
        return "\n".join(f"[^{i}]: {text}." for i, text in enumerate(self.texts, 1))


@dataclass
class Book:
    """Answers by set, entrant and rule, one for each seed."""

    pages: dict[tuple[str, str, str], list[dict]] = field(default_factory=dict)

    @classmethod
    def of(cls, answers: Iterable[tuple[Question, dict]]) -> "Book":
        """Sort answers into their places, by seed."""
        book = cls()
        for question, answer in sorted(answers, key=lambda pair: pair[0].seed):
            key = (question.dataset, question.entrant, question.rule)
            book.pages.setdefault(key, []).append(answer)
        return book

    def at(self, name: str, entrant: Entrant, rule: str) -> list[dict]:
        """Answers under a rule; a method with one outcome has the same one under each."""
        return self.pages.get((name, entrant.key, rule if rule in rules(entrant) else "own"), [])

    def mean(self, name: str, entrant: Entrant, rule: str, score: str) -> float | None:
        """Mean of a score over seeds; None where there is none."""
        values = [each.get(score) for each in self.at(name, entrant, rule)]
        values = [value for value in values if value is not None]
        return float(np.mean(values)) if values else None

    def spread(self, name: str, entrant: Entrant, rule: str, score: str) -> float | None:
        """Standard deviation over seeds; None for a single one."""
        values = [each.get(score) for each in self.at(name, entrant, rule)]
        values = [value for value in values if value is not None]
        return float(np.std(values)) if len(values) > 1 else None

    def reason(self, name: str, entrant: Entrant, rule: str) -> str:
        """Why there is no number, with the method's name where it is about the method."""
        if name not in SETS:
            return f"{name} is not at hand"
        limit = why_not(SETS[name], entrant)
        if limit:
            return limit if entrant.table_6 else f"{entrant.name}: {limit}"
        error = self.error(name, entrant)
        if error:
            return f"{entrant.name} on {name}: {error}"
        if self.at(name, entrant, rule):
            return "fewer than two clusters, so that the silhouette is not defined"
        return NOT_REACHED

    def error(self, name: str, entrant: Entrant) -> str:
        """First error of a method on a set, whatever rule and seed; nothing where there is none."""
        pages = [page for key, page in self.pages.items() if key[:2] == (name, entrant.key)]
        return next((each["error"] for page in pages for each in page if "error" in each), "")


def table(header: list[str], rows: Iterable[list[str]]) -> str:
    """Return a Markdown table, its first column words and the others numbers."""
    lines = [header, ["---", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(value: float, digits: int = 3) -> str:
    """Return a number as the papers print it: ".374", "-.012"."""
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        return text.lstrip("-").replace("0.", ".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def in_brackets(value: float | None, digits: int) -> str:
    """Return a printed number behind ours; nothing where none is printed."""
    return "" if value is None or math.isnan(value) else f" ({shown(value, digits)})"


def beside(
    book: Book, notes: Notes, names: Iterable[str], entrants: Iterable[Entrant], *,
    score: str, rule: str, printed: Printed = MappingProxyType({}), digits: int = 3,
) -> str:  # fmt: skip
    """Return a table of one score: ours, and in brackets what is printed.

    Two scores, written "NMI / ACC", stand in one cell.
    """
    chosen = list(entrants)
    rows = []
    for name in names:
        cells = []
        for entrant in chosen:
            ours = [book.mean(name, entrant, rule, each) for each in score.split(" / ")]
            known = [shown(value, digits) for value in ours if value is not None]
            cell = " / ".join(known) or notes.mark(book.reason(name, entrant, rule))
            cells.append(cell + in_brackets(printed.get(name, {}).get(entrant.printed), digits))
        rows.append([name, *cells])
    return table(["set", *(each.name for each in chosen)], rows)


def overlaps(
    book: Book, notes: Notes, names: Iterable[str], own: Entrant, others: Iterable[Entrant], *,
    rule: str, printed: Mapping[str, Printed], measure: Mapping[str, Callable],
) -> str:  # fmt: skip
    """Return Table 8: agreement of one method's labels with those of others, of the first seed."""
    chosen = list(others)
    rows = []
    for name in names:
        mine = labels(book, name, own, rule)
        for score, function in measure.items():
            cells = []
            for entrant in chosen:
                theirs = labels(book, name, entrant, rule)
                if mine is None or theirs is None:
                    lacking = own if mine is None else entrant
                    cell = notes.mark(book.reason(name, lacking, rule))
                else:
                    cell = shown(function(mine, theirs), 4)
                there = printed.get(score, {}).get(name, {}).get(entrant.printed)
                cells.append(cell + in_brackets(there, 4))
            rows.append([f"{name}, {score}", *cells])
    return table([f"{own.name} against", *(each.name for each in chosen)], rows)


def labels(book: Book, name: str, entrant: Entrant, rule: str) -> np.ndarray | None:
    """Labels of the first seed."""
    for answer in book.at(name, entrant, rule):
        if "labels" in answer:
            return np.array(answer["labels"])
    return None


def details(book: Book, name: str, entrants: Iterable[Entrant]) -> str:
    """Return every method on one set, under both rules, and in a sentence who is not there."""
    rows: list[list[str]] = []
    absent: dict[str, list[str]] = {}
    for entrant in entrants:
        cells = [cell for rule in RULES for cell in of_rule(book, name, entrant, rule)]
        if why_not(SETS[name], entrant) == NOT_IN_TABLE_6:
            continue
        if not any(cells):
            why = why_not(SETS[name], entrant) or book.error(name, entrant) or NOT_REACHED
            absent.setdefault(why, []).append(entrant.name)
            continue
        seconds = book.mean(name, entrant, rules(entrant)[0], "seconds")
        rows.append([entrant.name, *cells, "" if seconds is None else f"{seconds:.3g}"])
    heads = [f"{score}{mark}" for mark in ("", ", by SC") for score in ("SC", *AGREEMENT, "k")]
    text = table(["method", *heads, "seconds"], rows) if rows else ""
    missing = "; ".join(f"{', '.join(names)} ({why})" for why, names in absent.items())
    return f"{text}\n\nNot here: {missing}." if missing else text


def of_rule(book: Book, name: str, entrant: Entrant, rule: str) -> list[str]:
    """Return the scores under one rule; empty cells where there are none."""
    mean = {each: book.mean(name, entrant, rule, each) for each in MEASURES}
    if rule not in rules(entrant) or mean["found"] is None:
        return [""] * 5
    spread = book.spread(name, entrant, rule, "SC")
    cells = [DASH if (value := mean[score]) is None else shown(value)
             for score in ("SC", *AGREEMENT)]  # fmt: skip
    if spread:
        cells[0] += f" ± {shown(spread)}"
    return [*cells, f"{mean['found']:.3g}" + noise(mean["noise"])]


AGREEMENT = ("NMI", "ARI", "ACC")
MEASURES = ("SC", *AGREEMENT, "found", "noise")


def noise(share: float | None) -> str:
    """Say how many rows are in no cluster, where some are."""
    return f", {share:.0%} noise" if share else ""
