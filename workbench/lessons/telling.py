"""A lesson as the browser is told of it: plain values, equations as MathML."""

from workbench.lessons import mathml
from workbench.lessons.lesson import Lesson, Prediction, Screen


def told(lesson: Lesson) -> dict:
    """Return a lesson as JSON holds it.

    Parameters
    ----------
    lesson : Lesson

    Returns
    -------
    dict
    """
    plain = ("key", "number", "title", "idea", "picture", "page")
    return {name: getattr(lesson, name) for name in plain} | {
        "controls": list(lesson.controls),
        "needsFrames": lesson.needs_frames,
        "points": [list(point) for point in lesson.points],
        "screens": [_screen(screen) for screen in lesson.screens],
    }


def _screen(screen: Screen) -> dict:
    return {
        "words": screen.words,
        "set": dict(screen.set),
        "task": _task(screen.task),
        "reveal": screen.reveal,
        "then": dict(screen.then),
        "equation": screen.equation and _equation(screen.equation),
    }


def _task(task):
    if task is None:
        return None
    values = {name: getattr(task, name) for name in task.__dataclass_fields__}
    return values | {"kind": task.kind if isinstance(task, Prediction) else "touch"}


def _equation(equation):
    return {
        "mathml": mathml.equation(equation.tex, [symbol.tex for symbol in equation.symbols]),
        "reading": equation.reading,
        "symbols": [
            {"mathml": mathml.symbol(one.tex), "words": one.words, "control": one.control}
            for one in equation.symbols
        ],
    }
