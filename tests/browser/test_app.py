"""The app as a reader meets it: keyboard, links, upload, cancel, download."""

import csv
import io

import pytest

from tests.browser.canvas import WORDS
from tests.browser.menu import to_page
from tests.browser.rest import at_rest, give_file, place, visit
from tests.browser.serving import patient
from workbench.recipe import Memories, Recipe, from_link, to_link

pytestmark = pytest.mark.browser

# The raster of the figure as the browser drew it.
SOURCE = """() => {
  const drawn = document.querySelector(".js-plotly-plot image");
  return drawn && (drawn.getAttribute("href") || drawn.getAttribute("xlink:href"));
}"""
CHANGED = f"before => {{const now = ({SOURCE})(); return now && now !== before;}}"
SENTENCE = "[data-testid=stMarkdownContainer] p >> text=/^At β = /"


def open_figure(page, address):
    page.goto(address if "/figure" in address else f"{address}/figure")
    page.wait_for_function(CHANGED, arg="")
    page.locator(SENTENCE).first.wait_for()
    at_rest(page)


def source(page):
    return page.evaluate(SOURCE)


def slider(page, label):
    return page.get_by_role("slider", name=label)


def press(page, label, key):
    """Press a key on a slider and wait until the picture is another one."""
    before = source(page)
    slider(page, label).press(key)
    page.wait_for_function(CHANGED, arg=before)
    at_rest(page)


def enter(page, label, number):
    field = page.get_by_role("spinbutton", name=label)
    field.fill(str(number))
    field.press("Enter")
    at_rest(page)


def test_keys_on_beta_and_steps_change_the_picture(page, server):
    open_figure(page, server)
    sentence = page.locator(SENTENCE).first
    assert sentence.inner_text().startswith("At β = 5 ")
    press(page, "β, inverse temperature", "ArrowLeft")
    sentence.filter(has_text="At β = 4.5 ").wait_for()
    press(page, "T, steps of recall", "ArrowRight")
    sentence.filter(has_text="T = 11 steps").wait_for()


def test_the_picture_keeps_its_zoom(page, server):
    open_figure(page, server)
    span = "() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.range"
    whole = page.evaluate(span)
    page.mouse.move(*place(page.locator(".js-plotly-plot .nsewdrag").first))
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"whole => ({span})()[1] < whole[1]", arg=whole)
    at_rest(page)
    zoomed = page.evaluate(span)
    press(page, "β, inverse temperature", "ArrowLeft")
    kept = "before => before.every((end, i) => Math.abs(end - ({})()[i]) < 1e-9)"
    page.wait_for_function(kept.format(span), arg=zoomed)


def test_a_link_restores_the_picture_in_a_fresh_browser(page, server, browser):
    open_figure(page, server)
    press(page, "β, inverse temperature", "ArrowRight")
    page.locator(SENTENCE).first.filter(has_text="At β = 5.6 ").wait_for()
    press(page, "T, steps of recall", "PageUp")
    page.locator(SENTENCE).first.filter(has_not_text="T = 10 ").wait_for()
    at_rest(page)
    told, shown = page.locator(SENTENCE).first.inner_text(), source(page)

    fresh = patient(browser, color_scheme="light")
    other = fresh.new_page()
    open_figure(other, page.url)
    assert other.locator(SENTENCE).first.inner_text() == told
    assert source(other) == shown
    fresh.close()


def test_memories_are_edited_one_after_another(page, server):
    """The table stays open while the controls above it change."""
    open_figure(page, server)
    page.get_by_text("Memories, one by one").click()
    grid = page.get_by_test_id("stDataFrame").first
    for x, y, text in ((150, 55, "0.95"), (300, 90, "0.1")):
        before = source(page)
        grid.scroll_into_view_if_needed()
        at_rest(page)  # the table has unfolded, and its canvas is drawn
        grid.click(position={"x": x, "y": y})
        page.keyboard.press("Enter")
        page.locator("#portal input").wait_for()
        page.keyboard.press("Control+a")
        page.keyboard.type(text, delay=30)
        page.keyboard.press("Enter")
        page.wait_for_function(CHANGED, arg=before)
        at_rest(page)
    page.wait_for_function("() => location.search.includes('link=')")
    recipe, _ = from_link(page.url.split("link=")[1])
    assert getattr(recipe.data, "positions") == ((0.95, 0.7), (0.45, 0.1), (0.85, 0.35))  # noqa: B009


def test_a_forged_link_is_a_sentence(page, server):
    open_figure(page, f"{server}/figure?link=forged")
    page.get_by_text("The page shows its defaults instead.").wait_for()


def test_a_page_opened_first_has_its_frame(page, server):
    visit(page, f"{server}/cluster")
    page.get_by_role("heading", name="Cluster a table").wait_for()
    to_page(page, "Learn", "Basins")
    page.get_by_role("heading", name="Basins of attraction").wait_for()


def test_an_old_link_to_the_front_page_opens_its_page(page, server):
    text = to_link(Recipe(data=Memories(positions=((0, 0), (1, 1))), method="recall"))
    page.goto(f"{server}/?link={text}")
    page.get_by_role("heading", name="Basins of attraction").wait_for()
    page.locator(WORDS).filter(has_text="2 memories").wait_for()
    assert "/basins?link=" in page.url
    page.get_by_role("link", name="Home").click()
    page.get_by_role("heading", name="Basinscope").wait_for()
    assert "link=" not in page.url


def table():
    """Return 60 rows in two groups, with cells that a careless writer would change."""
    rows = [["name", "width", "height", "note"]]
    for i in range(60):
        x, y = (i % 2) * 10 + 0.013 * i, 0.5 + 0.01 * i
        rows.append([f"id {i:03d}", f"{x:.3f}", f"{y:.4f}", 'say "NA", twice' if i % 7 else ""])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return rows, text.getvalue()


def test_upload_cancel_complete_and_download(page, server, tmp_path):
    rows, payload = table()
    visit(page, f"{server}/cluster")
    give_file(page, "groups.csv", payload)
    page.get_by_text("groups.csv: 60 rows, 4 columns.").wait_for()
    at_rest(page)
    enter(page, "k, clusters to find", 2)

    # A run long enough to be cancelled, then a short one.
    page.get_by_text("Settings of ClAM").click()
    enter(page, "Epochs", 1000)
    enter(page, "Batch size", 1)
    enter(page, "Restarts", 64)
    page.get_by_role("button", name="Run", exact=False).first.click()
    page.get_by_text("Epoch ").first.wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled after epoch").wait_for(timeout=3000)

    enter(page, "Epochs", 20)
    page.get_by_text("Out of date").wait_for()
    page.get_by_role("button", name="Run", exact=False).first.click()
    page.get_by_text("Out of date").wait_for(state="detached")
    page.get_by_text("2 of 2").wait_for()
    at_rest(page)

    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download rows with clusters").click()
    assert waiting.value.suggested_filename == "groups-clam-k2.csv"
    path = tmp_path / "clusters.csv"
    waiting.value.save_as(path)
    written = list(csv.reader(io.StringIO(path.read_text())))
    assert written[0] == [*rows[0], "cluster"]
    assert [row[:-1] for row in written] == rows
    clusters = [row[-1] for row in written[1:]]
    assert set(clusters) == {"1", "2"}
    assert len(set(clusters[::2])) == len(set(clusters[1::2])) == 1


MESSY = (
    "Made on Monday\nid;x;y;\n"
    + "".join(f"p{i};{i % 2 * 5 + i % 7},5;${i % 2 * 9 + i % 5};\n" for i in range(40))
    + "q;1,5;$2;3;4\n"
)


def test_a_messy_upload_is_repaired_undone_and_removed(page, server, tmp_path):
    visit(page, f"{server}/cluster")
    for name, text, told in (
        ("first.csv", "a,b\n1,2\n3,5\n4,1\n", "first.csv: 3 rows, 2 columns."),
        ("messy.csv", MESSY, "messy.csv: 40 rows, 3 columns."),  # takes the place of the first
    ):
        give_file(page, name, text)
        page.get_by_text(told).wait_for()
        at_rest(page)
    page.get_by_text("Guessed and repaired").click()
    page.get_by_text("The sign $ is read past in y: 40 cells.").wait_for()

    page.get_by_text("1 row left out").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download them").click()
    waiting.value.save_as(tmp_path / "left-out.csv")
    written = (tmp_path / "left-out.csv").read_text()
    assert written.splitlines()[1] == '43,more than 4 values,"q;1,5;$2;3;4"'

    page.get_by_role("button", name="Keep its first 4 values").click()
    page.get_by_text("messy.csv: 41 rows, 4 columns.").wait_for()
    at_rest(page)
    page.get_by_role("button", name="Guess again").click()
    page.get_by_text("messy.csv: 40 rows, 3 columns.").wait_for()
    at_rest(page)

    to_page(page, "Learn", "Basins")
    at_rest(page)
    to_page(page, "Explore", "Cluster")
    page.get_by_text("messy.csv: 40 rows, 3 columns.").wait_for()
    at_rest(page)
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("button", name="A sample to try").first.wait_for()
    assert page.get_by_text("messy.csv").count() == 0


def test_on_a_telephone_the_outcome_is_in_sight(page, server):
    page.set_viewport_size({"width": 390, "height": 780})
    visit(page, f"{server}/cluster")
    page.get_by_role("button", name="Run", exact=False).first.click()
    line = page.get_by_text("Done: 3 clusters found")
    line.wait_for()
    at_rest(page)
    box = line.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 780
