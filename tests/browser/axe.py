"""axe-core's judgement of a page, in light and dark."""

from functools import cache
from importlib.resources import files

# Faults inside Streamlit's own widgets that we cannot mend: (rule, text in the element's HTML) ->
# why. None is left at present; an entry belongs here only with its reason.
KNOWN: dict[tuple[str, str], str] = {}

# Formulas and charts are hundreds of strokes in the colours of the text around them, each of them
# with a text in its place: what is inside them only takes time.
_RUN = """options => axe.run(
  {exclude: [".katex-html", ".js-plotly-plot .main-svg"]},
  {...options, resultTypes: ["violations"], iframes: false})"""
_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
_AT_REST = """() => !document.querySelector(
  "[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]")"""
# Colours in mid-transition are nobody's.
_STILL = "*, *::before, *::after {transition: none !important; animation: none !important;}"
_SCHEME = "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme"


@cache
def _axe():
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def at_rest(page):
    """Wait until the server has said all it has to say."""
    page.wait_for_timeout(300)
    page.wait_for_function(_AT_REST)


def serious_faults(page):
    """Serious and critical faults of what a page shows now, without those of `KNOWN`."""
    page.add_style_tag(content=_STILL)
    page.evaluate(_axe())
    found = []
    # A theme changes colours, and nothing else.
    for scheme, options in (("light", {}), ("dark", _COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_function(_SCHEME, arg=scheme)
        page.wait_for_timeout(200)
        found += [(scheme, *fault) for fault in _faults(page.evaluate(_RUN, options)["violations"])]
    return [
        f"{scheme}: {rule}: {why}: {html[:300]}"
        for scheme, rule, why, html in found
        if not any(rule == known and text in html for known, text in KNOWN)
    ]


def _faults(violations):
    for violation in violations:
        if violation["impact"] in ("serious", "critical"):
            for node in violation["nodes"]:
                why = (node["any"] + node["all"] + node["none"])[0]["message"]
                yield violation["id"], why, node["html"]
