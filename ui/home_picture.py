"""The front page's picture: a landscape of memories that lives in the browser alone."""

from streamlit.components.v2 import component

from ui.browser_modules import script, text
from ui.theme_colours import theme_colours

_hero = component(
    "home_picture",
    html=text("home/hero.html"),
    css=text("home/hero.css"),
    js=script("home/main.js", "live_basins/worker.js"),
)


def home_picture():
    """Show the picture with its slider; the server hears nothing of what a hand does to it."""
    _hero(key="home.picture", data={"colours": theme_colours()})
