"""axe-core's judgement of a page, in light and dark."""

from functools import cache
from importlib.resources import files

from tests.browser.rest import at_rest

# Faults inside Streamlit's own widgets that we cannot mend: (rule, text in the element's HTML) ->
# why. None is left at present; an entry belongs here only with its reason.
KNOWN: dict[tuple[str, str], str] = {}

# Formulas and charts are hundreds of strokes in the colours of the text around them, each of them
# with a text in its place: what is inside them only takes time.
# What axe read of a page that ran meanwhile, and was grey for a while, is nobody's.
_RUN = """async options => {
  const app = document.querySelector("[data-testid=stApp]");
  let ran = app.dataset.testScriptState !== "notRunning";
  const watch = new MutationObserver(() => (ran = true));
  watch.observe(app, {attributeFilter: ["data-test-script-state"]});
  const {violations} = await axe.run(
    {exclude: [".katex-html", ".js-plotly-plot .main-svg"]},
    {...options, resultTypes: ["violations"], iframes: false});
  ran ||= watch.takeRecords().length > 0;
  watch.disconnect();
  return ran ? null : violations;
}"""
_READINGS = 10  # tries to have one without a run in between
_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
# Colours in mid-transition are nobody's.
_STILL = "*, *::before, *::after {transition: none !important; animation: none !important;}"
_SCHEME = "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme"


@cache
def _axe():
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def serious_faults(page):
    """Serious and critical faults of what a page shows at rest, without those of `KNOWN`."""
    page.add_style_tag(content=_STILL)
    page.evaluate(_axe())
    found = []
    # A theme changes colours, and nothing else.
    for scheme, options in (("light", {}), ("dark", _COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_function(_SCHEME, arg=scheme)
        found += [(scheme, *fault) for fault in _faults(_read(page, options))]
    return [
        f"{scheme}: {rule}: {why}: {html[:300]}"
        for scheme, rule, why, html in found
        if not any(rule == known and text in html for known, text in KNOWN)
    ]


def _read(page, options):
    """Let axe read the page from beginning to end without a run in between."""
    for _ in range(_READINGS):
        at_rest(page)
        violations = page.evaluate(_RUN, options)
        if violations is not None:
            return violations
    raise AssertionError("The page never came to rest.")


def _faults(violations):
    for violation in violations:
        if violation["impact"] in ("serious", "critical"):
            for node in violation["nodes"]:
                why = (node["any"] + node["all"] + node["none"])[0]["message"]
                yield violation["id"], why, node["html"]
