"""Everything that a run leaves is downloaded as a reader would, and new rows are labelled."""

import csv
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.browser.rest import at_rest, give_file, visit

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
BUTTON = "[data-testid=stDownloadButton] button"
ROWS = "x,y,note\n" + "".join(
    f"{(i % 2) * 9 + i / 50},{i / 25},{'=1+1' if i == 3 else f'n{i}'}\n" for i in range(50)
)


def ran(page, server, table=None):
    """Open the cluster page, with a table of one's own or iris, and run it."""
    visit(page, f"{server}/cluster")
    if table:
        give_file(page, "rows.csv", table)
        page.get_by_text("50 rows").first.wait_for()
        at_rest(page)
        page.get_by_role("spinbutton", name="k, clusters to find").fill("2")
        page.get_by_role("spinbutton", name="k, clusters to find").press("Enter")
        at_rest(page)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Done: ").wait_for()
    at_rest(page)
    page.get_by_role("radio", name="Take away").click()
    page.locator(BUTTON, has_text="Download CSV").wait_for()
    at_rest(page)


def give(page, label, name, payload):
    uploader = page.locator("[data-testid=stFileUploader]", has_text=label)
    if label != "New rows":  # the one of the run's own model leaves first
        page.locator("[data-testid=stFileUploader]", has_text="New rows").wait_for(state="detached")
    uploader.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": payload}
    )


def downloaded(page, label):
    with page.expect_download() as waiting:
        page.locator(BUTTON, has_text=label).first.click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_everything_can_be_taken_away(page, server, tmp_path):
    ran(page, server)
    name, labels = downloaded(page, "Download CSV")
    assert name == "iris-clam-k3.csv"
    rows = list(csv.DictReader(io.StringIO(labels.decode())))
    name, script = downloaded(page, "Python script")
    (tmp_path / name).write_bytes(script)
    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with (tmp_path / "iris-with-clusters.csv").open() as file:
        assert [row["cluster"] for row in csv.DictReader(file)] == [row["cluster"] for row in rows]
    name, recipe = downloaded(page, "Recipe")
    assert name == "iris-clam-k3.json" and b'"name":"iris"' in recipe
    name, model = downloaded(page, "Model")
    assert sorted(zipfile.ZipFile(io.BytesIO(model)).namelist()) == [
        "model.json", "model.safetensors",
    ]  # fmt: skip
    name, report = downloaded(page, "Report")
    (tmp_path / name).write_bytes(report)
    opened = page.context.new_page()
    opened.context.set_offline(True)
    opened.goto((tmp_path / name).as_uri())
    opened.locator("body[data-drawn=yes]").wait_for()
    assert opened.locator(".plot .main-svg").count() >= 3
    opened.context.set_offline(False)


def test_cells_that_a_spreadsheet_would_run(page, server):
    ran(page, server, ROWS)
    page.get_by_text("1 cell that a spreadsheet would run is prefixed").first.wait_for()
    assert b",'=1+1," in downloaded(page, "Download CSV")[1]
    page.get_by_text("Leave cells as written").click()
    page.get_by_text("1 cell that a spreadsheet would run stands as written").wait_for()
    assert b",=1+1," in downloaded(page, "Download CSV")[1]


def test_new_rows_are_labelled(page, server):
    ran(page, server, ROWS)
    model = downloaded(page, "Model")[1]
    page.get_by_role("radio", name="A saved model").click()
    give(page, "Model, as a zip", "model.zip", model)
    give(page, "New rows", "new.csv", b"y,x,more\n1,0.2,a\n1,9.2,b\n,,c\n")
    page.get_by_text("2 rows labelled, 1 not clustered.").wait_for()
    page.get_by_text("1 column that the model does not use: more.").wait_for()
    page.locator(BUTTON, has_text="Download CSV").nth(1).wait_for()
    with page.expect_download() as waiting:
        page.locator(BUTTON, has_text="Download CSV").nth(1).click()
    assert waiting.value.suggested_filename == "new-labelled.csv"
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {rows[0]["cluster"], rows[1]["cluster"]} == {"1", "2"}
    assert rows[2]["cluster"] == "not clustered"
