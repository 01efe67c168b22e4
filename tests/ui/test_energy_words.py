"""Sentences of the energy page, from numbers measured here."""

import numpy as np
import pytest

from tests.pages.test_energy_page import recall
from ui import energy_picture, energy_words
from workbench.globe import GLOBES
from workbench.toys import FIGURE_3_III, FIGURE_4

TRIANGLE = ((0.0, 0.0), (1.0, 0.0), (0.5, float(np.sqrt(0.75))))


def told(recipe, start=(0.6, 0.8)):
    land = energy_picture.ground(recipe)
    return land, energy_picture.way(recipe, start)


@pytest.mark.parametrize(
    ("recipe", "part"),
    [
        (recall(((0.5, 0.5),)), "a single memory has a single valley"),
        (recall(FIGURE_4.memories, beta=0.05), "the 3 memories share one valley"),
        (recall(FIGURE_4.memories, beta=100.0), "each of the 3 memories has a valley of its own"),
        (recall(((0.0, 0.0), (0.1, 0.0), (1.0, 0.0)), beta=20.0), "the 3 memories share 2 valleys"),
        (recall(TRIANGLE, beta=2.9), "the 3 memories have 4 valleys"),
    ],
)
def test_valleys_are_counted(recipe, part):
    land, _ = told(recipe)
    assert part in energy_words.picture(land, "1", 0.1, False)


def test_the_offset_is_told_where_it_means_nothing():
    land, _ = told(recall(FIGURE_4.memories, beta=0.05))
    sentence = energy_words.picture(land, "0.05", 0.1, True)
    assert "coloured by height" in sentence and "cut at height 0.1" in sentence
    assert "−(1/β) ln 3 = −21.97, the same everywhere" in sentence
    land, _ = told(recall(FIGURE_4.memories, beta=900.0))
    assert "where E is all but 0." in energy_words.picture(land, "900", 0.1, False)


def test_depths_name_the_valley_beyond_the_pass():
    land, _ = told(recall(((0.0, 0.0), (1.0, 0.0)), beta=100.0))
    sentence = energy_words.depths(land)
    depth = f"{land.found.depths[0]:.3g}"
    assert f"{depth} for memory 1 (towards memory 2)" in sentence
    assert land.found.depths[0] == pytest.approx(0.25, abs=0.02)  # half way, squared
    land, _ = told(recall(FIGURE_4.memories, beta=0.05))
    assert energy_words.depths(land) == ""


def test_many_valleys_are_told_in_short():
    places = tuple((float(x), float(y)) for x in range(3) for y in range(3))
    land, _ = told(recall(places, beta=50.0))
    assert "Of the 9 valleys" in energy_words.depths(land)


def test_valleys_of_one_memory_have_letters():
    names = energy_words.valley_names(np.array([0, 0, 2]))
    assert names == ["memory 1 (a)", "memory 1 (b)", "memory 3"]


def test_the_fate_says_where_and_why():
    recipe = recall(FIGURE_4.memories, beta=50.0)
    sentence = energy_words.fate(*told(recipe))
    assert sentence.startswith("The particle starts at (0.6, 0.8), nearest to memory ")
    assert "after T = 10 steps" in sentence and "T steps of 1/T stop on the way" in sentence
    rested = energy_words.fate(*told(recall(FIGURE_4.memories, beta=50.0, mode="attractor")))
    assert "full steps" in rested and "There it rests, at the bottom of memory" in rested
    far = recall(FIGURE_3_III.memories, beta=11.0, mode="attractor")
    assert "which need not be towards the nearest" in energy_words.fate(*told(far, (0.3, 0.52)))


@pytest.mark.parametrize("beta", [0.05, 5.0, 100.0])
def test_the_fall_names_its_largest_step(beta):
    land, walk = told(recall(FIGURE_4.memories, beta=beta))
    sentence = energy_words.fall(land, walk)
    most = int(np.argmax(-np.diff(walk.heights))) + 1
    assert "It never rises" in sentence and f"at step {most}." in sentence
    assert ("lowest pass" in sentence) == (beta == 100.0)


def test_a_rise_would_be_told():
    land, walk = told(recall(FIGURE_4.memories, beta=5.0))
    walk.heights[3] += 1.0
    assert energy_words.fall(land, walk).startswith("The energy rises at step 3, by ")


PAIR = ((0.2, 0.5), (0.8, 0.5))
POLES = ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0))


@pytest.mark.parametrize(
    ("memories", "kind", "start", "mode"),
    [(PAIR, "euclidean", (0.5, 0.5), "steps"), (PAIR, "euclidean", (0.5, 0.5), "attractor"),
     (POLES, "spherical", (0.0, 1.0, 0.0), "attractor"),
     (POLES[:1], "spherical", POLES[1], "steps")],
)  # fmt: skip
def test_a_balanced_particle_stays_and_is_said_to(memories, kind, start, mode):
    land, walk = told(recall(memories, beta=100.0, energy=kind, mode=mode), start)
    assert "It stays there: all pulls cancel" in energy_words.fate(land, walk)
    assert "stop on the way" not in energy_words.fate(land, walk)
    fall = energy_words.fall(land, walk)
    assert fall.startswith("The particle stays where it starts, at height ")
    assert "falls most" not in fall
    if kind == "spherical":
        assert energy_words.velocity(land, walk).endswith("the particle stays.")


def test_a_particle_on_a_lone_memory_is_not_said_to_be_balanced():
    land, walk = told(recall(((0.5, 0.5),)), (0.5, 0.5))
    assert energy_words.fate(land, walk).endswith("there is no other.")
    assert "stays where it starts, at height 0." in energy_words.fall(land, walk)


def test_the_velocity_on_the_globe_is_split():
    recipe = recall(GLOBES["globe-3"].memories, beta=5.0, energy="spherical")
    land, walk = told(recipe, (0.0, 0.6, 0.8))
    sentence = energy_words.velocity(land, walk)
    turn = np.degrees(np.arccos(walk.iterates[0] @ walk.iterates[1]))
    assert f"{np.linalg.norm(walk.tangent):.2g} (the arrow)" in sentence
    assert f"turns it by {turn:.2g}°" in sentence
    assert energy_words.velocity(*told(recall(FIGURE_4.memories))) == ""


@pytest.mark.parametrize("kind", ["euclidean", "weighted", "spherical"])
def test_each_symbol_of_the_equation_is_read(kind):
    equation, reading = " ".join(energy_words.EQUATIONS[kind]), energy_words.reading(kind)
    for symbol in (r"\beta", r"\rho_\mu", r"\varepsilon_\mu", "p_\\mu(v)"):
        assert (symbol in equation) == (f"${symbol}$" in reading)
