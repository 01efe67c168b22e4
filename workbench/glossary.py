"""The glossary: every word and symbol of the app, each in one plain sentence."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_suffix(".toml")
_GREEK = {
    "\\beta": "β", "\\rho": "ρ", "\\mu": "μ", "\\sigma": "σ", "\\lambda": "λ", "\\gamma": "γ",
    "\\varepsilon": "ε", "\\tau": "τ",
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A word and what it means.

    Parameters
    ----------
    word : str
    part : str
        Of the glossary.
    says : str
        One plain sentence.
    tex, reading : str, default ""
        Its equation in LaTeX, and what that says in words.
    symbols : tuple of str, default ()
        In LaTeX, those that it explains.
    pages : tuple of str, default ()
        Names of the pages' files on which it is to be seen, the best first.
    """

    word: str
    part: str
    says: str
    tex: str = ""
    reading: str = ""
    symbols: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def mentions(self, text):
        """Whether a reader who looks for a text finds it here; empty text is everywhere."""
        symbols = " ".join(self.symbols)
        for name, letter in _GREEK.items():
            symbols = symbols.replace(name, letter)
        return text.strip().lower() in f"{self.word} {self.says} {symbols}".lower()


@cache
def entries():
    """Return all entries, those of a part together.

    Returns
    -------
    tuple of Entry
    """
    read = tomllib.loads(_FILE.read_text(encoding="utf-8"))["entry"]
    return tuple(map(_entry, read))


def _entry(written: dict[str, Any]) -> Entry:
    several = {name: tuple(written.get(name, ())) for name in ("symbols", "pages")}
    named: dict[str, Any] = {**written, **several}
    return Entry(**named)


def of_page(name):
    """Return the entries that are to be seen on a page.

    Parameters
    ----------
    name : str
        Of the page's file.

    Returns
    -------
    tuple of Entry
    """
    return tuple(entry for entry in entries() if name in entry.pages)
