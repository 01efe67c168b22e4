"""The front page: its doors, and links from before it stood there."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui.home_links import page_of
from workbench.recipe import Builtin, Memories, Recipe, to_link

ROOT = Path(__file__).parents[2]
SECONDS = 60
IRIS = Builtin(name="iris")


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ({}, None),
        ({"hide": "training"}, None),
        ({"link": "forged"}, "basins"),
        (
            {"link": to_link(Recipe(data=Memories(positions=((0, 0),)), method="recall"))},
            "basins",
        ),
        ({"link": to_link(Recipe(data=IRIS, method="clam"))}, "cluster"),
        ({"link": to_link(Recipe(data=IRIS, method="slk"))}, "laplacian"),
        ({"link": to_link(Recipe(data=IRIS, method="kmeans")), "race": "x"}, "compare"),
        ({"item": "slk-descent"}, "papers"),
    ],
)
def test_an_old_link_belongs_to_a_page(asked, page):
    assert page_of(asked) == page


def test_it_opens_first():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).run()
    assert not app.exception and app.title[0].value == "Basinscope"
