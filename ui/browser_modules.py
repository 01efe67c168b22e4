"""Modules for the browser: how the JavaScript of assets/ becomes the one text of a component."""

import json
import posixpath
import re
from functools import cache
from pathlib import Path

ASSETS = Path(__file__).parents[1] / "assets"
_IMPORT = re.compile(r'\bfrom\s+"(\.{1,2}/[\w./]+)"')


@cache
def script(entry, *workers):
    """Return a component's text: a module, all that it imports, and what loads them.

    Parameters
    ----------
    entry : str
        Path beneath assets/ of the module that exports ``mount(component, addressOf)``, such as
        ``"live_basins/main.js"``. Modules import each other by relative paths, also from a
        neighbouring folder.
    *workers : str
        Paths of modules that the entry starts as workers: ``addressOf(path)`` is their address.

    Returns
    -------
    str
    """
    sources = {}
    for path in (entry, *workers):
        _gather(path, sources)
    loader = text("loader.js")
    return f"const SOURCES = {json.dumps(sources)};\nconst ENTRY = {json.dumps(entry)};\n{loader}"


def text(path):
    """Return a file of assets/ as text."""
    return (ASSETS / path).read_text(encoding="utf-8")


def _gather(path, sources):
    if path in sources:
        return
    sources[path] = text(path)
    for other in _IMPORT.findall(sources[path]):
        _gather(posixpath.normpath(posixpath.join(posixpath.dirname(path), other)), sources)
