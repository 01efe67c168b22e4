"""A file of the reader's own on the cluster page: repairs, their undo, rows left out."""

import io
import zipfile
from pathlib import Path

from streamlit.testing.v1 import AppTest

from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.recipe import Recipe, Upload, from_link, to_link
from workbench.table import fingerprint

ROOT = Path(__file__).parents[2]
SECONDS = 60
MESSY = (
    b"Made on Monday\nid;x;y;\na;1,5;$2;\nb;2,5;$3;\nc;1,0;$4;\nd;9,5;$8;7\ne;8,5;$7;\n"
    b"f;9,0;$9;1;2;3\nSum;23;$24;\n"
)


def upload(payload, name="table.csv", link=None):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page("pages/cluster.py")
    if link:
        app.query_params["link"] = link
    app.run()
    widget(app.button_group, "cluster:source").set_value("file").run()
    app.file_uploader[0].upload(name, payload, "text/csv")
    return app.run()


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def press(app, label):
    return next(b for b in app.button if b.label == label).click().run()


def captions(app):
    return "\n".join(caption.value for caption in app.caption)


def reading(app):
    text = app.query_params["link"]
    return from_link(text if isinstance(text, str) else text[0])[0].reading


def test_repairs_are_listed_and_undone_and_taken_back():
    app = upload(MESSY)
    assert not app.exception and not app.error
    assert "table.csv: 5 rows, 4 columns." in captions(app)
    assert "Guessed and repaired" in [fold.label for fold in app.expander]
    for words in ("semicolon", "1 line before the table", "decimal comma", "The sign \\$"):
        assert words in captions(app)
    app = press(app, "Keep the row of totals")
    assert not app.exception and "table.csv: 6 rows, 4 columns." in captions(app)
    assert "The row of totals stays." in captions(app)
    assert reading(app) == Reading(keep_totals=True)
    app = press(app, "Guess again")
    assert "table.csv: 5 rows, 4 columns." in captions(app)
    assert reading(app) == Reading()


def test_rows_left_out_are_shown_and_can_be_kept_in_part():
    app = upload(MESSY)
    shown = app.dataframe[0].value
    assert shown["line"].tolist() == [8, 9]
    assert shown["text"].tolist()[0] == "f;9,0;$9;1;2;3"
    assert "2 rows left out" in [fold.label for fold in app.expander]
    app = press(app, "Keep its first 4 values")
    assert "and is cut to 4." in captions(app)
    assert "table.csv: 7 rows, 4 columns." in captions(app), "the last row is no sum any more"


def test_a_person_decides_how_the_file_is_read():
    app = upload(b"x|y\n1|2\n999|4\n5|6\n")
    assert "Read as bar-separated." in captions(app)
    widget(app.text_input, "cluster:reading:missing").set_value("999, none of it").run()
    assert reading(app).missing == ("999", "none of it")
    assert "999 is read as missing in x: 1 cell." in captions(app)
    widget(app.number_input, "cluster:reading:header").set_value(0).run()
    assert "table.csv: 4 rows, 2 columns." in captions(app)
    widget(app.selectbox, "cluster:reading:delimiter").set_value(",").run()
    assert "table.csv: 4 rows, 1 column." in captions(app)
    widget(app.toggle, "cluster:reading:transpose").set_value(True).run()
    assert not app.exception and reading(app).transpose


def test_a_decision_that_cannot_be_is_a_sentence_and_the_way_back_stays():
    app = upload(b"x,y\n1,2\n3,4\n5,6\n")
    widget(app.number_input, "cluster:reading:skip").set_value(50).run()
    assert not app.exception
    assert [e.value for e in app.error] == [
        "table.csv has nothing below line 50: the table should begin there."
    ]
    app = press(app, "Guess again")
    assert not app.error and "table.csv: 3 rows, 2 columns." in captions(app)


def test_one_of_several_tables_is_chosen():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("first.csv", "x,y\n1,2\n3,5\n")
        archive.writestr("second.csv", "p,q,r\n1,2,3\n3,5,9\n4,4,4\n")
    app = upload(buffer.getvalue(), "both.zip")
    assert "both.zip: 2 rows, 2 columns." in captions(app)
    widget(app.selectbox, "cluster:reading:sheet").set_value("second.csv").run()
    assert "both.zip: 3 rows, 3 columns." in captions(app)


def test_a_file_that_is_no_table_leaves_the_one_before_in_use():
    app = upload(b"x,y\n1,2\n3,4\n5,6\n")
    app.file_uploader[0].upload("b.pdf", b"%PDF-1.7", "application/pdf")
    app.run()
    assert "b.pdf is a PDF" in app.error[0].value
    assert "table.csv: 3 rows, 2 columns." in captions(app)


def test_the_file_in_use_is_said_after_a_visit_elsewhere_and_can_be_removed():
    app = upload(b"x,y\n1,2\n3,4\n5,6\n")
    app.switch_page("pages/basins.py").run()
    app.switch_page("pages/cluster.py").run()
    assert "table.csv: 3 rows, 2 columns." in captions(app)
    app = press(app, "Remove")
    assert not app.exception
    assert "table.csv" not in captions(app)
    assert any("sample" in str(button.proto) for button in app.get("download_button"))


def test_what_was_set_for_columns_that_are_gone_is_dropped():
    payload = b"x,y,z\n1,2,a\n3,4,b\n5,6,a\n9,1,b\n"
    prepared = Preparation(roles={"y": "ignore"})
    recipe = Recipe(data=Upload(fingerprint=fingerprint(payload)), preparation=prepared)
    app = upload(payload, link=to_link(recipe))
    assert app.session_state["cluster.kept"].recipe.preparation.roles == {"y": "ignore"}
    widget(app.number_input, "cluster:reading:header").set_value(0).run()
    assert not app.exception
    assert app.session_state["cluster.kept"].recipe.preparation.roles == {}
