"""Masked completion in a real browser: hidden by pointer and by keyboard, as the engine has it."""

import numpy as np
import pytest

from tests.browser.axe import serious_faults
from tests.browser.rest import PATIENCE, at_rest, place, visit
from tests.browser.serving import patient
from workbench.builtin import builtin
from workbench.completion import complete
from workbench.dataset import prepare
from workbench.masking import Masking, hidden_columns, of_features
from workbench.recipe import Builtin, Recipe, to_link
from workbench.run import run

pytestmark = pytest.mark.browser

QUICK = {"n_init": 2, "n_epochs": 4}
DIGITS = Recipe(data=Builtin(name="digits"), settings={"n_clusters": 10} | QUICK, method="clam")
IRIS = Recipe(data=Builtin(name="iris"), settings={"n_clusters": 3} | QUICK, method="clam")


def opened(page, server, recipe, masking):
    visit(page, f"{server}/completion?link={to_link(recipe)}&mask={masking.to_text()}")
    live = page.locator(".completion")
    live.locator(".words:not(:empty)").wait_for(timeout=PATIENCE)
    return live


def state(live):
    return live.evaluate("root => root.live.state")


def mask_of(page):
    return Masking.of_text(page.url.split("mask=")[1].split("&")[0])


def told(page, live, number):
    """Wait until Python says how many values are hidden, and the address does too."""
    said = page.locator("[data-testid=stMarkdownContainer] p")
    said.filter(has_text=f"On {number} hidden value").first.wait_for(timeout=PATIENCE)
    at_rest(page)
    assert sum(state(live)["columns"]) == number
    assert len(mask_of(page).cells) == number


def engine(recipe, row, cells):
    dataset = prepare(builtin(recipe.data.name))
    hidden = hidden_columns(Masking(how="hand", cells=cells), dataset)
    found = run(recipe, dataset, compared=False)
    return complete(found, row - 1, of_features(hidden, dataset))


@pytest.mark.usefixtures("faults_of_ours")
def test_an_image_is_painted_by_pointer_then_by_keyboard(page, server):
    live = opened(page, server, DIGITS, Masking(row=3, how="hand", cells=(20,)))
    told(page, live, 1)
    seen = live.locator("[data-id=seen]")
    live.get_by_role("button", name="Hide nothing").click()
    page.get_by_text("Nothing of row 3 is hidden").first.wait_for(timeout=PATIENCE)
    at_rest(page)
    live.get_by_label("Brush").select_option("1")
    seen.scroll_into_view_if_needed()
    ends = [place(seen, column / 8, 3.5 / 8) for column in (2.5, 5.5)]
    page.mouse.move(*ends[0])
    page.mouse.down()
    page.mouse.move(*ends[1], steps=12)
    # It follows the brush before it is lifted.
    page.wait_for_function("root => root.live.state.losses[0] > 0", arg=live.element_handle())
    page.mouse.up()
    told(page, live, 4)
    seen.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("Shift+ArrowLeft")
    told(page, live, 6)
    assert "hidden" in live.locator("[data-id=spoken]").text_content()
    now = state(live)
    cells = mask_of(page).cells
    names = [f"pixel_{y}_{x}" for y, x in ((3, 2), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5))]
    features = prepare(builtin("digits")).features
    assert sorted(features[at] for at in cells) == sorted(names)
    found = engine(DIGITS, 3, cells)
    assert np.allclose(now["path"], found.path, atol=1e-4)
    assert np.allclose(now["losses"], found.losses, rtol=1e-3)
    assert serious_faults(page) == []


@pytest.mark.usefixtures("faults_of_ours")
def test_a_row_is_hidden_by_boxes_and_its_steps_played(page, server):
    live = opened(page, server, IRIS, Masking(row=60, how="hand", cells=(1,)))
    told(page, live, 1)
    live.get_by_role("checkbox", name="Hide petal length (cm)").focus()
    page.keyboard.press("Space")
    told(page, live, 2)
    found = engine(IRIS, 60, mask_of(page).cells)
    assert np.allclose(state(live)["path"], found.path, atol=1e-5)
    steps = live.get_by_label("Step of recall")
    steps.focus()
    page.keyboard.press("Home")
    assert state(live)["step"] == 0
    live.locator(".words").filter(has_text="step 0 of 10").wait_for()
    live.get_by_role("button", name="Play").click()
    page.wait_for_function("root => root.live.state.step === 10", arg=live.element_handle())
    live.get_by_role("button", name="One step back").click()
    assert state(live)["step"] == 9
    page.get_by_role("button", name="Another row").click()
    page.wait_for_function("root => root.live.state.row !== 60", arg=live.element_handle())
    assert state(live)["columns"] == [False, True, True, False]  # the mask stays
    assert serious_faults(page) == []


def test_a_teachers_link_leaves_nothing_to_hide(browser, server):
    context = patient(browser)
    page = context.new_page()
    address = f"{server}/completion?link={to_link(IRIS)}&hide=hiding"
    visit(page, address)
    live = page.locator(".completion")
    live.locator(".words:not(:empty)").wait_for(timeout=PATIENCE)
    assert live.get_by_role("checkbox", name="Hide sepal length (cm)").is_disabled()
    assert not page.get_by_label("Seed of the mask", exact=True).is_visible()
    context.close()


@pytest.fixture
def faults_of_ours(page):
    """No fault of the page; that Streamlit asks beneath the page's own address is its own."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))
    yield
    assert found == []
