"""The Energy page under the hand: beta, the camera that stays, a particle dropped by a click."""

import pytest

from tests.browser.rest import at_rest, drag, place, visit
from tests.browser.serving import SOFTWARE_GRAPHICS, chromium, patient

pytestmark = pytest.mark.browser

SPACE = ".st-key-energy-space .js-plotly-plot"
EYE = f"() => document.querySelector('{SPACE}')?._fullLayout?.scene?._scene?.getCamera().eye"
KEPT = "() => globalThis.basinscopeCameras.get('plane')?.eye"  # what the page knows of it
NEAR = """(one, two, gap) =>
  one && two && ["x", "y", "z"].every((at) => Math.abs(one[at] - two[at]) < gap)"""
# A surface drawn by software comes to where the hand left it many frames later.
STILL = f"""() => {{
  const [eye, was] = [({EYE})(), globalThis.eyeBefore ?? {{}}];
  const same = eye && was.eye && ({NEAR})(eye, was.eye, 1e-6) && ({NEAR})(({KEPT})(), eye, 1e-6);
  globalThis.eyeBefore = {{ eye, looks: same ? was.looks + 1 : 0 }};
  return globalThis.eyeBefore.looks >= 10;
}}"""
HEIGHTS = f"() => JSON.stringify(document.querySelector('{SPACE}').data[0].z)"
FATE = "The particle starts at"


@pytest.fixture
def drawing(browser):
    """A page of a Chromium that draws in three dimensions, by software."""
    graphics = browser.browser_type.launch(executable_path=chromium(), args=SOFTWARE_GRAPHICS)
    # Software takes seconds for each frame of a large surface on a busy machine.
    context = patient(graphics, color_scheme="light", viewport={"width": 1000, "height": 700})
    yield context.new_page()
    graphics.close()


def turned(page):
    """Turn the surface with the pointer, and return where it is then seen from."""
    page.wait_for_function(f"() => ({EYE})()")
    before = page.evaluate(EYE)
    x, y = place(page.locator(f"{SPACE} canvas").first)
    drag(page, (x, y), (x + 90, y - 20), steps=4)
    page.wait_for_function(f"before => Math.abs(({EYE})().x - before.x) > 0.1", arg=before)
    page.wait_for_function(STILL, polling=100)
    return page.evaluate(EYE)


def test_beta_reshapes_the_surface_the_camera_stays_and_a_click_drops_the_particle(drawing, server):
    page = drawing
    visit(page, f"{server}/energy")
    page.locator(".st-key-energy-flat .nsewdrag").first.wait_for()
    page.get_by_text("each of the 3 memories has a valley of its own").first.wait_for()
    eye, heights = turned(page), page.evaluate(HEIGHTS)

    page.get_by_role("slider", name="β, inverse temperature").press("ArrowLeft")
    page.get_by_text("The surface is the energy at β = 45").first.wait_for()
    page.wait_for_function(f"before => ({HEIGHTS})() !== before", arg=heights)
    near = f"eye => ({NEAR})(eye, ({EYE})(), 0.01)"
    page.wait_for_function(near, arg=eye)
    at_rest(page)

    told = page.get_by_text(FATE).first.inner_text()
    page.mouse.click(*place(page.locator(".st-key-energy-flat .nsewdrag").first, 0.2, 0.75))
    page.get_by_text(FATE).first.filter(has_not_text=told).wait_for()
    field = page.get_by_role("spinbutton", name="x of the particle")
    ranges = (
        "() => document.querySelector('.st-key-energy-flat .js-plotly-plot').layout.xaxis.range"
    )
    low, high = page.evaluate(ranges)
    assert float(field.input_value()) == pytest.approx(low + 0.2 * (high - low), abs=0.005)
    page.wait_for_function(near, arg=eye)


def test_without_webgl_the_page_says_so(page, server):
    page.add_init_script(
        "HTMLCanvasElement.prototype.getContext = new Proxy("
        "HTMLCanvasElement.prototype.getContext, {apply: (own, canvas, [kind, ...rest]) => "
        "String(kind).includes('webgl') ? null : Reflect.apply(own, canvas, [kind, ...rest])})"
    )
    page.goto(f"{server}/energy")
    page.get_by_text("This browser draws nothing in three dimensions").wait_for()
    page.locator(".st-key-energy-flat .nsewdrag").first.wait_for()
