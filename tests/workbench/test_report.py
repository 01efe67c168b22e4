"""The report is one file, says what was found, and trusts no text of a stranger."""

import json
import re

import numpy as np
import pytest

from workbench.dataset import builtin, prepare
from workbench.html_page import Rows, Section, html_page
from workbench.intake import read_table
from workbench.notes import Notes
from workbench.pictures import picture, picture_page, pictures_of
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe, Upload
from workbench.report import report_page
from workbench.run import run

EVIL = "</script><script>alert(1)</script>"
SETTINGS = {"n_clusters": 3, "n_init": 2, "n_epochs": 4}


@pytest.fixture(scope="module")
def wine():
    recipe = Recipe(data=Builtin(name="wine"), settings=SETTINGS)
    return run(recipe, prepare(builtin("wine")))


def evil_run():
    text = f"n,{EVIL},colour\n" + "".join(
        f'{i},{i % 9},"{(EVIL, "<img src=x onerror=alert(2)>", "plain")[i % 3]}"\n'
        for i in range(40)
    )
    table = read_table(text.encode(), f"{EVIL}.csv")
    preparation = Preparation(features=("n", EVIL, "colour"))
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), preparation=preparation, settings=SETTINGS
    )
    return run(recipe, prepare(table, preparation), compared=False)


def without_programs(page):
    """The page as text, without the elements that hold charts and Plotly."""
    return re.sub(r"<script (type|id)=.*?</script>", "", page.decode(), flags=re.S)


def test_it_says_what_was_found_and_how(wine):
    page = without_programs(report_page(wine, Notes(names={0: "Light"}, texts={1: "check\nagain"})))
    for words in (
        "ClAM found 3 clusters in 178 rows.",
        f"<td class=\"n\">{wine.scores['silhouette']:.3f}</td>",
        f"<td class=\"n\">{wine.rival['ari']:.3f}</td>",
        "<td>Light</td>", "check\nagain", "Each column is standardised",
        "<dt>n_epochs</dt><dd>4</dd>", "<dt>proline</dt><dd>numeric</dd>", "numpy",
        wine.dataset.source.fingerprint, "Points", "Silhouettes", "Memories beside means",
    ):  # fmt: skip
        assert words in page, words
    own = wine.dataset.restore(wine.means)[0]
    place = wine.dataset.features.index("proline")
    assert f">{own[place]:,.4g}<" in page


def test_it_is_one_small_file_that_asks_the_network_for_nothing(wine):
    payload = report_page(wine)
    assert len(payload) < 5_000_000
    page = re.sub(r"<script.*?</script>", "", payload.decode(), flags=re.S)
    assert not re.search(r"(src|href)=|url\(|@import|<link", page)


def test_text_of_a_stranger_stays_text():
    page = report_page(evil_run(), Notes(names={0: EVIL, 1: "<b>x"}, texts={0: EVIL})).decode()
    assert "alert(1)</script>" not in page.replace("alert(1)&lt;/script&gt;", "")
    assert "<img" not in page and "onerror=alert(2)&gt;" in page
    scripts = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.S)
    assert len(scripts) == 3
    assert EVIL[:10] in json.dumps(json.loads(scripts[2]))
    assert page.count("<script") == len(scripts) + 2


def test_more_sections_may_be_given(wine):
    more = Section("Profiles", ("of <each>",), Rows(("a", "b"), (("<1>", "2"),), (1,)))
    page = report_page(wine, sections=[more]).decode()
    assert "<h2>Profiles</h2>" in page and "of &lt;each&gt;" in page
    assert '<td>&lt;1&gt;</td><td class="n">2</td>' in page


def test_rows_left_out_and_cancelled_runs_are_said(wine):
    from dataclasses import replace

    table = read_table(
        b"x,y,w\n" + b"".join(b"%d,%d,a\n" % (i, i % 5) for i in range(20)) + b",,b\n", "t.csv"
    )
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), method="kmeans", settings={"n_clusters": 2}
    )
    found = replace(run(recipe, prepare(table), compared=False), cancelled=True)
    page = without_programs(report_page(found))
    assert "k-means found 2 clusters in 20 rows; 1 more are not clustered." in page
    assert "The run was cancelled before its end." in page
    assert "The same recipe on the same table" not in page
    assert "The same recipe on the same table" in report_page(wine).decode()
    assert pictures_of(found) == ("points", "silhouettes")


def test_means_of_a_logged_column_are_of_its_own_values():
    table = read_table(b"x,y\n1,0\n100,1\n100000,50\n300000,51\n", "t.csv")
    preparation = Preparation(log=("x",))
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), preparation=preparation, method="kmeans",
        settings={"n_clusters": 2},
    )  # fmt: skip
    page = without_programs(report_page(run(recipe, prepare(table, preparation), compared=False)))
    assert ">50.5<" in page and ">200,000<" in page


def test_k_means_on_some_rows_is_said(wine, monkeypatch):
    assert "best of 16 starts on the same prepared rows." in without_programs(report_page(wine))
    monkeypatch.setattr("workbench.report.RIVAL_ROWS", 100)
    page = without_programs(report_page(wine))
    assert (
        "best of 16 starts on 100 of the same prepared rows, the same share of every cluster."
        in page
    )


def test_a_picture_is_a_page_of_its_own(wine):
    section = picture("points", wine, Notes(names={1: "Old & <b>dear"}))
    names = [trace.name for trace in section.figure.data]
    assert names[:3] == ["cluster 1", "Old &amp; &lt;b&gt;dear", "cluster 3"]
    assert sum(len(trace.x) for trace in section.figure.data[:3]) == 178
    assert section.words[0].startswith("All 178 rows, along the two directions")
    page = picture_page("silhouettes", wine).decode()
    assert page.count('data-plot="') == 1 and "<h2>Silhouettes</h2>" in page


def test_of_many_rows_some_are_drawn(wine):
    from dataclasses import replace

    X = np.tile(wine.dataset.X, (20, 1))
    dataset = replace(wine.dataset, X=X, row_ids=np.arange(len(X)) + 1)
    section = picture("points", replace(wine, dataset=dataset, labels=np.tile(wine.labels, 20)))
    assert section.words[0].startswith("3,000 of 3,560 rows, drawn evenly")


def test_a_page_without_figures_has_no_program():
    page = html_page("t", "lead", [Section("a", pairs=(("<x>", "1"),), folded="{}")]).decode()
    assert "<script" not in page and "<dt>&lt;x&gt;</dt><dd>1</dd>" in page
