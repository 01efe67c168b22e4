"""The glossary covers the mathematics, and each entry is a plain sentence."""

import re
from itertools import groupby
from pathlib import Path

import pytest

from ui.navigation import PAGES
from workbench.glossary import entries, of_page

MATHS = (Path(__file__).parents[2] / "docs" / "maths.md").read_text(encoding="utf-8")
NAMES = {name for group in PAGES.values() for name in group}
OPERATORS = {
    "in", "mathbb", "lVert", "rVert", "langle", "rangle", "exp", "log", "frac", "ge", "sum",
}  # fmt: skip


def letters(formula):
    """Symbols of a formula, without operators."""
    plain = re.sub(r"\\mathbb\{R\}", r"\\reals", formula)
    found = re.findall(r"\\[a-zA-Z]+|[a-zA-Z]", re.sub(r"\bdt\b", r"\\dt", plain))
    return {one.lstrip("\\") for one in found} - OPERATORS - {"reals"}


def conventions():
    """Where `docs/maths.md` says what its symbols are."""
    start = MATHS.index("There are $n$ points")
    yield MATHS[start : MATHS.index("## Energy and recall")]
    start = MATHS.index("## Conventions")
    yield MATHS[start : MATHS.index("| Equation", start)]


def test_every_symbol_of_the_conventions_has_an_entry():
    known = set().union(*(letters(symbol) for entry in entries() for symbol in entry.symbols))
    asked = set().union(
        *(letters(one) for text in conventions() for one in re.findall(r"\$([^$]+)\$", text))
    )
    assert len(asked) > 15
    assert asked - known == set()


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.word)
def test_an_entry_is_one_sentence_that_can_be_seen(entry):
    assert entry.says.endswith(".") and ". " not in entry.says
    assert len(entry.says.split()) <= 30
    assert bool(entry.tex) == bool(entry.reading)
    assert entry.pages and set(entry.pages) <= NAMES


def test_words_and_parts_stand_together():
    words = [entry.word for entry in entries()]
    parts = [part for part, _ in groupby(entries(), key=lambda entry: entry.part)]
    assert len(set(words)) == len(words) and len(set(parts)) == len(parts)


def test_an_entry_is_found_by_word_letter_and_sentence():
    def found(text):
        return {entry.word for entry in entries() if entry.mentions(text)}

    assert {"beta", "critical beta"} <= found("β") and "beta" in found(" BETA ")
    assert "basin" in found("same attractor") and found("no such word") == set()
    assert "basin" in {entry.word for entry in of_page("basins")}
