"""The energy page's pictures, and what stands beneath them."""

import streamlit as st

from ui import energy_picture, energy_words, lecture
from ui.controls import BASINS_CHART, CHART, is_dark
from ui.energy_controls import by_height
from ui.energy_hand import FLAT, SPACE, energy_hand
from ui.navigation import link_to
from workbench.figures import palette
from workbench.figures.surface import descent_figure

_PLANE = (7, 5), ("1 / 0.67", "1 / 0.98")  # shares of the width, and the shapes of both pictures
_GLOBE = (6, 6), ("1 / 0.75", "1 / 0.68")
_SPACE_CHART = CHART | {
    "modeBarButtonsToRemove": ["tableRotation", "resetCameraLastSave3d"],
    "toImageButtonOptions": {"filename": "energy", "scale": 2},
}


def pictures(recipe, view):
    """Show the landscape in space and laid flat, side by side, and say what they show.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    view : workbench.recipe.View
    """
    land = energy_picture.ground(recipe)
    walk = energy_picture.way(recipe, energy_picture.particle(recipe, view))
    top, coloured = energy_picture.ceiling(land, walk), by_height(view)
    told = energy_words.picture(land, f"{view.shown_beta(land.beta):.4g}", top, coloured)
    fate = energy_words.fate(land, walk)
    what = "The spherical energy on a globe" if land.on_globe else "The energy as a surface"
    shares, shapes = _GLOBE if land.on_globe else _PLANE
    left, right = st.columns(shares, gap="medium", vertical_alignment="center")
    with left, _framed(SPACE, shapes[0]):
        st.plotly_chart(
            energy_picture.in_space(land, walk, coloured, is_dark()),
            theme=None,
            height="stretch",
            config=_SPACE_CHART,
            key="energy.space",
            alt=f"{what}, in three dimensions. {told} {fate}",
        )
    with right, _framed(FLAT, shapes[1]):
        st.plotly_chart(
            energy_picture.laid_flat(recipe, land, walk, coloured, is_dark()),
            theme=None,
            height="stretch",
            config=BASINS_CHART | {"displayModeBar": False},
            key="energy.flat",
            alt=f"{'The globe as a map' if land.on_globe else 'The same from above'}. {fate}",
        )
    energy_hand(recipe)
    st.markdown(f"{told} {energy_words.depths(land)}".strip())


def descent(recipe, view):
    """Say what becomes of the particle, show its energy, and the equation that it falls by."""
    land = energy_picture.ground(recipe)
    walk = energy_picture.way(recipe, energy_picture.particle(recipe, view))
    left, right = st.columns([6, 6], gap="large")
    with left:
        st.header("What becomes of the particle")
        st.markdown(f"{energy_words.fate(land, walk)} {energy_words.velocity(land, walk)}".strip())
        told = energy_words.fall(land, walk)
        st.plotly_chart(
            descent_figure(
                walk.heights,
                energy_words.levels(land, walk),
                palette.colours(len(land.memories))[walk.label],
                is_dark(),
            ),
            theme=None,
            config=CHART | {"displayModeBar": False, "scrollZoom": False},
            key="energy.descent",
            alt=told,
        )
        st.markdown(told)
    with right, lecture.group("energy", "equation"):
        st.header("The equation")
        for equation in energy_words.EQUATIONS[land.kind]:
            st.latex(equation)
        st.markdown(energy_words.reading(land.kind))


def ways_on():
    """Offer the pages that show the same from another side."""
    link_to("basins", "Basins, under the hand", "landscape")
    link_to("lessons", "Lessons: pulls that add, weights and spheres", "school")


def _framed(key, ratio):
    """A box of a fixed shape for a picture that fills it."""
    box = f".st-key-{key}"
    low = "19rem" if key == FLAT else "15rem"  # a surface fits its height and would be cut off
    st.html(
        f"<style>{box} {{aspect-ratio: {ratio}; max-height: clamp(24rem, 100vh - 29rem, 46rem);}}"
        f"@media (max-width: 640px) {{{box} {{min-height: {low};}}}}</style>"
    )
    return st.container(key=key)
