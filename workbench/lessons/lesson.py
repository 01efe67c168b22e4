"""What a lesson is: texts, and what the picture beside them shows and asks.

A lesson is played in the browser (assets/lessons/); here it is plain, frozen data. Its screens
come one at a time; each has one idea, something to touch before it claims anything, or a
prediction before it tells.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Symbol:
    r"""A symbol of an equation.

    Parameters
    ----------
    tex : str
        LaTeX of one symbol, such as ``\rho_\mu``.
    words : str
        What it is.
    control : str, optional
        The picture's control that it belongs to: pointing at one lights up the other.
    """

    tex: str
    words: str
    control: str | None = None


@dataclass(frozen=True)
class Equation:
    """An equation, read out and with each of its symbols told.

    Parameters
    ----------
    tex : str
        LaTeX.
    reading : str
        The same in words.
    symbols : tuple of Symbol
    """

    tex: str
    reading: str
    symbols: tuple[Symbol, ...]


@dataclass(frozen=True)
class Touch:
    """Something to do with the picture.

    Parameters
    ----------
    words : str
        The invitation.
    until : str
        When it is done, in the picture's words: ``"beta above"``, ``"memory moved"``.
    value : float, optional
        What a slider is to pass.
    """

    words: str
    until: str
    value: float | None = None


@dataclass(frozen=True)
class Prediction:
    """A question that is answered before the picture shows its answer.

    Parameters
    ----------
    question : str
    kind : {"choose", "sketch", "number"}
    asks : str
        The truth that the picture measures, such as ``"memory of particle"``.
    choices : tuple of str, default ()
        Of a choice; () stands for the picture's memories.
    low, high, step : float
        Of a number.
    unit : str, default "%"
        Of a number.
    tolerance : float, default 5
        How far a number, in its unit, may be off to count as right.
    """

    question: str
    kind: Literal["choose", "sketch", "number"]
    asks: str
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 100
    step: float = 1
    unit: str = "%"
    tolerance: float = 5


@dataclass(frozen=True)
class Screen:
    """One idea.

    Parameters
    ----------
    words : str
        What is read first.
    set : mapping, default {}
        State that is put on the picture when the screen opens, on top of the screens before.
    task : Touch or Prediction, optional
    reveal : str, default ""
        What is read when the task is done.
    then : mapping, default {}
        State that is put on the picture with it.
    equation : Equation, optional
    """

    words: str
    set: Mapping[str, Any] = field(default_factory=dict)
    task: Touch | Prediction | None = None
    reveal: str = ""
    then: Mapping[str, Any] = field(default_factory=dict)
    equation: Equation | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Parameters
    ----------
    key : str
        In links.
    number : int
        From 1.
    title, idea : str
        Its name, and what it is about in a sentence.
    picture : {"plane", "circle", "training", "graph"}
    controls : tuple of str
        Names of the picture's controls that it shows.
    screens : tuple of Screen
    page : str
        Name of the page on which one can play on.
    points : tuple of (float, float), default ()
        The toy's data.
    needs_frames : bool, default False
        Whether Python computes something before the picture can be drawn.
    """

    key: str
    number: int
    title: str
    idea: str
    picture: Literal["plane", "circle", "training", "graph"]
    controls: tuple[str, ...]
    screens: tuple[Screen, ...]
    page: str = "basins"
    points: tuple[tuple[float, float], ...] = ()
    needs_frames: bool = False

    def texts(self) -> Iterator[str]:
        """Yield all that a learner reads."""
        yield from (self.title, self.idea)
        for screen in self.screens:
            yield from (screen.words, screen.reveal)
            if isinstance(screen.task, Touch):
                yield screen.task.words
            if isinstance(screen.task, Prediction):
                yield from (screen.task.question, *screen.task.choices)
            if screen.equation:
                yield screen.equation.reading
                yield from (symbol.words for symbol in screen.equation.symbols)
