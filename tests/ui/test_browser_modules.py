"""The text of a component holds every module that it needs, and no other."""

import json
import re

import pytest

from ui.browser_modules import ASSETS, script

ENTRIES = ("live_basins/main.js", "live_basins/letter.js")


def sources(text):
    return json.loads(text.partition("const SOURCES = ")[2].partition(";\nconst ENTRY")[0])


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_a_module_imports_comes_along(entry):
    found = sources(script(entry))
    assert entry in found
    for path, text in found.items():
        assert text == (ASSETS / path).read_text(encoding="utf-8")
        imported = re.findall(r'\bfrom\s+"\./([\w.]+)"', text)
        assert {f"{path.rpartition('/')[0]}/{name}" for name in imported} <= set(found)


def test_a_worker_comes_only_where_it_is_asked_for():
    assert "live_basins/worker.js" not in sources(script("live_basins/main.js"))
    assert "live_basins/worker.js" in sources(
        script("live_basins/main.js", "live_basins/worker.js")
    )
