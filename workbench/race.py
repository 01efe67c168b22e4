"""Methods race on the same rows, each fit in a process of its own that can be ended at once."""

from dataclasses import dataclass

BUDGET = 60.0  # seconds: a method whose fit would take longer is held back unless forced


@dataclass(frozen=True)
class Lane:
    """How far one method of a race is.

    Attributes
    ----------
    method, name : str
        Its key, and its name on the screen.
    state : {"waiting", "running", "done", "cancelled", "failed", "too long"}
        "done" where at least one fit came to an end; "too long" where it is held back.
    done : float
        Share of its fits, from 0 to 1, with the part of the present one.
    words : str
        What goes on, or what came of it: one short sentence.
    seconds : float
        Spent on its fits until now.
    """

    method: str
    name: str
    state: str
    done: float
    words: str
    seconds: float


class Race:
    """A race of Recipes, which pages can watch and steer from other threads.

    Parameters
    ----------
    dataset : Dataset
    recipes : sequence of Recipe
        Of `workbench.comparison.entrants`.
    null : bool, default True
        Whether each method is also fitted to rows drawn without clusters.
    runner : Runner, optional
        The process that fits; by default one of its own, which ends with the race.
    budget : float, default 60
        Seconds; a method whose fit would take longer is held back.
    forced : collection of str, default ()
        Methods that are not held back.
    """

    def __init__(self, dataset, recipes, *, null=True, runner=None, budget=BUDGET, forced=()):
        raise NotImplementedError

    def run(self, report=lambda _: None, stop=lambda: False):
        """Fit what is due, one after the other, the shortest estimate first.

        Call it again after `force`, to fit what was held back.

        Parameters
        ----------
        report : callable, optional
            Called with a Progress("training", fits done, fits planned), many times.
        stop : callable, optional
            Polled some times a second; the fit at work is ended, and the others are cancelled.

        Returns
        -------
        tuple of Entry
            As `entries`.
        """
        raise NotImplementedError

    def lanes(self):
        """Return the present Lane of each method, in the order of the Recipes."""
        raise NotImplementedError

    def cancel(self, method):
        """End a method now; the others go on."""
        raise NotImplementedError

    def force(self, method):
        """Let a method that was held back race too."""
        raise NotImplementedError

    def entries(self):
        """Return what has ended until now: one Entry for each fit, those on null rows last."""
        raise NotImplementedError
