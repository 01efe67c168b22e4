"""The player of an evolution: in the page, and as a file that plays by itself."""

import base64
from functools import cache
from html import escape

import streamlit as st
from streamlit.components.v2 import component

from ui import state
from ui.browser_modules import script, text
from ui.controls import share
from ui.theme_colours import theme_colours
from workbench.evolution_pack import pack
from workbench.export import file_name
from workbench.figures import palette
from workbench.methods import METHODS

_KEY = "evolution.player"

_player = component(
    "evolution_player",
    html=text("evolution/player.html"),
    css=text("evolution/player.css"),
    js=script("evolution/main.js"),
)


@st.fragment
def player(evolution):
    """Show the player, which asks nothing of the server, and what can be done with it.

    The step at which a reader stops becomes the View's, and with it the link's.

    Parameters
    ----------
    evolution : workbench.evolution.Evolution
    """
    packed = _packed(evolution)
    told = shown(packed)
    recipe, view, _ = state.read("evolution")
    if told.epoch is not None and told.epoch != state.kept("evolution", "told"):
        state.keep("evolution", "told", told.epoch)
        state.write("evolution", recipe, view.changed(epoch=int(told.epoch)))
    with st.container(horizontal=True, vertical_alignment="center"):
        share("evolution")
        st.download_button(
            "Download as one file",
            lambda: page_of(evolution, packed),
            file_name=file_name(evolution.courses[0].recipe, evolution.dataset.source, "html"),
            mime="text/html",
            icon=":material/download:",
            key="evolution:download",
            on_click="ignore",
            help="A page that plays in any browser, without a network and without Basinscope.",
        )


def shown(packed):
    """Show the player alone.

    Parameters
    ----------
    packed : bytes
        Of `workbench.evolution_pack.pack`, with `colours` and `opens`.

    Returns
    -------
    object
        Its ``epoch`` is the step at which the reader last stopped, or None.
    """
    return _player(key=_KEY, data=packed, on_epoch_change=lambda: None)


def _packed(evolution):
    """The player's bytes: made once, since other bytes would be another evolution to it."""
    known, packed = state.kept("evolution", "packed", (None, b""))
    if known is not evolution:
        view = state.read("evolution").view
        packed = pack(evolution, colours=colours(), opens=view.epoch or 0)
        state.keep("evolution", "packed", (evolution, packed))
    return packed


@cache
def colours():
    """Return the colours of both themes, with the scale of images: see `theme_colours`."""
    return {
        theme: {
            **colours,
            "diverging": [
                palette.rgb(code).tolist() for _, code in palette.diverging(theme == "dark")
            ],
        }
        for theme, colours in theme_colours().items()
    }


def page_of(evolution, packed):
    """Write the player with its data as one page that loads nothing.

    Parameters
    ----------
    evolution : workbench.evolution.Evolution
    packed : bytes
        Of `workbench.evolution_pack.pack`, with colours.

    Returns
    -------
    bytes
        UTF-8.
    """
    names = " and ".join(METHODS[course.recipe.method].name for course in evolution.courses)
    title = f"{names} on {evolution.dataset.name}"
    program = script("evolution/page.js").replace("</script", "<\\/script")
    start = evolution.courses[0].recipe
    lead = (
        f"{len(evolution.dataset.X):,} rows, k = {len(evolution.start)}, seed {start.seed}. Space "
        "plays and pauses, arrows step, Home and End go to the start and the end."
    )
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{_PAGE}{text('evolution/player.css')}</style>\n</head>\n<body>\n<main>",
            f"<h1>{escape(title)}</h1>\n<p>{escape(lead)}</p>",
            text("evolution/player.html"),
            "</main>",
            '<script id="packed" type="application/octet-stream;base64">',
            base64.b64encode(packed).decode(),
            f'</script>\n<script type="module">{program}</script>\n</body>\n</html>\n',
        ]
    ).encode()


_PAGE = """
:root { color-scheme: light dark; --st-font: "Source Sans 3", "Source Sans", system-ui, sans-serif;
  --st-text-color: #121a24; --st-background-color: #fdfdfc; --st-border-color: #d9dcd8;
  --st-primary-color: #0b5cc4; }
@media (prefers-color-scheme: dark) { :root { --st-text-color: #eef0f3;
  --st-background-color: #14171c; --st-border-color: #363d48; --st-primary-color: #5b9df5; } }
body { margin: 0; background: var(--st-background-color); color: var(--st-text-color);
  font: 17px/1.5 var(--st-font); }
main { max-width: 84rem; margin: 0 auto; padding: 1.5rem; }
h1 { font: 600 2rem/1.2 "Source Serif 4", Georgia, serif; margin: 0 0 .3rem; }
main > p { margin: 0 0 1rem; }
"""
