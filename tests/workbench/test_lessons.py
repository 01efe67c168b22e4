"""The lessons as texts: short, whole, and about what their pictures know."""

import re

import numpy as np
import pytest

from ui.browser_modules import ASSETS
from ui.navigation import PAGES
from workbench.lessons import LESSONS, mathml
from workbench.lessons.lesson import Prediction, Touch
from workbench.lessons.own import MOST_MEMORIES, centres
from workbench.lessons.telling import told

MOST_WORDS = 400
MODULES = {
    "plane": ("plane", "measures"),
    "circle": ("circle",),
    "training": ("training",),
    "graph": ("graph",),
}
lessons = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)


def source(lesson):
    """The modules of a lesson's picture, as one text."""
    folder = ASSETS / "lessons"
    texts = [folder / f"{name}.js" for name in MODULES[lesson.picture]]
    found = [text.read_text("utf-8") for text in texts]
    for name in re.findall(r'from "\./(\w+)\.js"', "".join(found)):
        found.append((folder / f"{name}.js").read_text("utf-8"))
    return "".join(found)


def tasks(lesson, kind):
    return [screen.task for screen in lesson.screens if isinstance(screen.task, kind)]


def test_they_are_numbered_and_named_once():
    assert [lesson.number for lesson in LESSONS.values()] == list(range(1, len(LESSONS) + 1))
    assert [lesson.key for lesson in LESSONS.values()] == list(LESSONS)


@lessons
def test_a_lesson_is_short(lesson):
    words = sum(len(text.split()) for text in lesson.texts())
    assert words <= MOST_WORDS
    assert 5 <= len(lesson.screens) <= 8


@lessons
def test_every_screen_lets_one_touch_or_predict(lesson):
    assert all(screen.task for screen in lesson.screens)
    assert tasks(lesson, Prediction) and tasks(lesson, Touch)


@lessons
def test_pictures_know_what_lessons_name(lesson):
    known = source(lesson)
    for name in lesson.controls:
        assert re.search(rf'"{name}"', known), f"no control {name}"
    for prediction in tasks(lesson, Prediction):
        if prediction.kind != "sketch":
            words = re.findall("[a-z]{2,}", prediction.asks)
            assert all(word in known for word in words), f"no truth {prediction.asks}"
    for touch in tasks(lesson, Touch):
        name, _, how = touch.until.partition(" ")
        slid = how in ("above", "below", "at") and name in lesson.controls
        pressed = how in ("pressed", "shown") and name in lesson.controls
        assert slid or pressed or f'"{touch.until}"' in known, f"nothing holds {touch.until}"
    assert lesson.page in {name for pages in PAGES.values() for name in pages}


@lessons
def test_every_symbol_of_an_equation_is_explained(lesson):
    equations = [screen.equation for screen in lesson.screens if screen.equation]
    assert equations, "a lesson has its equation"
    for equation in equations:
        told_of = [letters(mathml.symbol(symbol.tex)) for symbol in equation.symbols]
        assert letters(mathml.equation(equation.tex)) <= set().union(*told_of), equation.tex
        assert all(symbol.words for symbol in equation.symbols) and equation.reading


def letters(whole):
    return {text for text in re.findall(r"<mi[^>]*>([^<]+)</mi>", whole) if text.isalpha()}


@lessons
def test_symbols_belong_to_controls_that_are_there(lesson):
    for screen in lesson.screens:
        for symbol in screen.equation.symbols if screen.equation else ():
            if symbol.control:
                assert f'"{symbol.control}"' in source(lesson), symbol.control


@lessons
def test_the_browser_is_told_plain_values(lesson):
    plain = told(lesson)
    kinds = [screen["task"]["kind"] for screen in plain["screens"]]
    assert set(kinds) <= {"touch", "choose", "sketch", "number"}
    assert len(plain["points"]) == len(lesson.points)


def test_a_symbol_is_marked_wherever_it_stands_alone():
    whole = mathml.equation(r"\rho_\mu + \mu = x^\mu", [r"\rho_\mu", r"\mu"])
    assert whole.count('data-symbol="0"') == 1
    assert whole.count('data-symbol="1"') == 2


@pytest.mark.parametrize("symbol", ["y", "x + y"])
def test_a_symbol_that_is_not_there_or_not_one_is_refused(symbol):
    with pytest.raises(ValueError, match="should"):
        mathml.equation("x = 1", [symbol])


def test_memories_lie_in_the_middle_of_own_clouds():
    rng = np.random.default_rng(0)
    places = np.array([[-2.0, 0.0], [0.0, 1.0], [2.0, 0.0]])
    points = np.concatenate([rng.normal(place, 0.05, (40, 2)) for place in places])
    found = centres(points)
    assert list(found) == [str(k) for k in range(1, MOST_MEMORIES + 1)]
    assert np.abs(np.array(found["3"]) - places).max() < 0.05


def test_few_different_points_have_few_memories():
    assert list(centres(np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0))) == ["1", "2"]
