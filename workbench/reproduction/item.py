"""What is said about a figure or a table of a paper, and what our own run of it found."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from workbench.method import RULES
from workbench.progress import Progress
from workbench.recipe import Recipe, View
from workbench.reference_sets import Source


class Compared(NamedTuple):
    """One number of a paper beside ours.

    Attributes
    ----------
    subject, measure : str
        Of what, such as a data set; and what was measured.
    published, ours : float
        NaN where there is none.
    why : str
        Why they differ, or one is missing: a sentence, or nothing.
    """

    subject: str
    measure: str
    published: float = math.nan
    ours: float = math.nan
    why: str = ""

    @property
    def difference(self):
        """Ours less the published number."""
        return self.ours - self.published


class Claim(NamedTuple):
    """A statement of a paper in our words, what we found, and whether that agrees (None: open)."""

    paper: str
    ours: str
    holds: bool | None


class Panel(NamedTuple):
    """A picture of our run: ``draw(dark)`` makes the figure, ``words`` say what it shows."""

    title: str
    words: str
    draw: Callable[[bool], Any]


class BasinsPanel(NamedTuple):
    """A picture of basins, which the Basins page can show too."""

    title: str
    words: str
    recipe: Recipe
    view: View


@dataclass(frozen=True, eq=False)
class Outcome:
    """What our run of an item found.

    Attributes
    ----------
    rows : tuple of Compared
    claims : tuple of Claim
    panels : tuple of Panel or BasinsPanel
    notes : tuple of str
        How it was run, and what to know about it, one sentence each.
    """

    rows: tuple[Compared, ...] = ()
    claims: tuple[Claim, ...] = ()
    panels: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()


class Asked(NamedTuple):
    """On what data an item is run, and by which of the `RULES` one of several starts is kept."""

    sources: tuple[Source, ...] = ()
    rule: str = next(iter(RULES))


def as_it_is(found):
    """Return an outcome that is one already."""
    return found


@dataclass(frozen=True)
class Item:
    """A figure or a table of a paper.

    Attributes
    ----------
    key, title : str
        In the address of the page, and on the screen.
    paper : {"ClAM", "SLK"}
    shows : str
        What the paper shows there, in our words.
    run : callable
        ``run(asked, report, stop)``: what it returns is shown by `view`.
    play : Recipe
        What its page opens with, to play with.
    view : callable
        From what `run` returned to an Outcome; items that share a `run` share its work.
    printed : callable
        Returns the published numbers as rows without ours.
    checks : callable
        Returns claims about the published numbers themselves, which need no run.
    own : tuple of str
        Built-in tables that it may run on; empty where it has data of its own.
    sets : tuple of str
        Sets of the paper that it may run on.
    most : int
        How many of them at once.
    rules : bool
        Whether the reader chooses how one start of several is kept.
    quick : bool
        Whether it takes less than a second.
    absent : str
        What is not at hand, in a sentence.
    sweep : str
        Key in `workbench.sweeps.SWEEPS` of a figure that the Tune page draws for any data.
    """

    key: str
    title: str
    paper: str
    shows: str
    run: Callable[..., Any]
    play: Recipe
    view: Callable[[Any], Outcome] = as_it_is
    printed: Callable[[], tuple[Compared, ...]] = tuple
    checks: Callable[[], tuple[Claim, ...]] = tuple
    own: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    most: int = 10
    rules: bool = False
    quick: bool = False
    absent: str = ""
    sweep: str = ""


class Parts:
    """Count the parts of a run as they are done.

    Parameters
    ----------
    planned : int
    report : callable
        Takes a Progress.
    """

    def __init__(self, planned, report):
        self._planned, self._report = planned, report
        self._done = 0
        report(Progress("comparing", 0, planned))

    def within(self, share):
        """Tell how much of the part at work is done, from 0 to 1."""
        self._report(Progress("comparing", self._done + share, self._planned))

    def done(self):
        """Tell that a part is done."""
        self._done += 1
        self.within(0)


def fitted(model, X, stop, parts=None):
    """Fit an estimator a step at a time, and let it be stopped.

    Parameters
    ----------
    model : estimator
        With `fit_iter`.
    X : ndarray of shape (n, d)
    stop : callable returning bool
    parts : Parts, optional
        Told of the share of the fit that is done.

    Returns
    -------
    estimator
        The same, usable if it was stopped after its first step.
    """
    for told in model.fit_iter(X, stop=stop):
        if parts is not None:
            parts.within(_share(told))
    return model


def _share(told):
    if hasattr(told, "n_starts"):
        return told.start / told.n_starts
    return told.step / told.n_epochs if getattr(told, "n_epochs", 0) else 0.0


def built(method, settings: Mapping[str, Any], seed=0):
    """Return an unfitted estimator of the registry, on the CPU.

    Parameters
    ----------
    method : workbench.method.Method
    settings : mapping
        Those left out are the defaults.
    seed : int, default 0

    Returns
    -------
    estimator
    """
    complete = method.complete(settings)
    return method.build(complete, device="cpu", dtype="float32", random_state=seed)
