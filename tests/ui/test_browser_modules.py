"""The text of a component holds every module that it needs, and no other."""

import json
import posixpath
import re

import pytest

from ui.browser_modules import ASSETS, script

ENTRIES = (
    "completion/main.js",
    "evolution/page.js",
    "home/main.js",
    "lessons/main.js",
    "live_basins/letter.js",
    "live_basins/main.js",
    "painter/main.js",
)
IMPORT = re.compile(r'^import \{([^}]+)\} from "([^"]+)";\n', re.M)
MODULES = sorted(ASSETS.glob("*/*.js"))


def sources(text):
    return json.loads(text.partition("const SOURCES = ")[2].partition(";\nconst ENTRY")[0])


def imports(text):
    """Yield (path, name there, name here) of all that a module imports."""
    for names, path in IMPORT.findall(text):
        for name in filter(None, (each.strip() for each in names.split(","))):
            there, _, here = name.partition(" as ")
            yield path, there, here or there


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_a_module_imports_comes_along(entry):
    found = sources(script(entry))
    assert entry in found
    for path, text in found.items():
        assert text == (ASSETS / path).read_text(encoding="utf-8")
        here = posixpath.dirname(path)
        needed = {posixpath.normpath(f"{here}/{other}") for other, _, _ in imports(text)}
        assert needed <= set(found)


def test_a_worker_comes_only_where_it_is_asked_for():
    assert "live_basins/worker.js" not in sources(script("live_basins/main.js"))
    assert "live_basins/worker.js" in sources(
        script("live_basins/main.js", "live_basins/worker.js")
    )


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_imported_is_exported_and_used(module):
    text = module.read_text(encoding="utf-8")
    body = IMPORT.sub("", text)
    assert "import {" not in body
    for path, there, here in imports(text):
        source = (module.parent / path).read_text(encoding="utf-8")
        assert re.search(rf"^export (async )?(function|const|let) {there}\b", source, re.M), there
        assert re.search(rf"(?<![\w$])(?<!\w\.){here}\b", body), f"{here} is not used"
