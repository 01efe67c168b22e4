"""How far one method of a race is, and what it has found."""

import time
from dataclasses import dataclass, field

from workbench.entry import Entry
from workbench.estimates import Estimate
from workbench.recipe import Recipe
from workbench.words import count


@dataclass(frozen=True)
class Lane:
    """How far one method of a race is.

    Attributes
    ----------
    method, name : str
        Its key, and its name on the screen.
    state : {"waiting", "running", "done", "cancelled", "failed", "too long"}
        "done" where a fit to the given rows came to an end; "too long" where it is held back.
    done : float
        Share of its fits, from 0 to 1, with the part of the present one.
    words : str
        What goes on, or what came of it: a few words, or a sentence.
    seconds : float
        Spent on its fits until now.
    """

    method: str
    name: str
    state: str
    done: float
    words: str
    seconds: float


@dataclass(eq=False)
class Track:
    """What a race knows of one method; the race sees to it that one thread changes it at a time.

    Parameters
    ----------
    method, name : str
        Key and name.
    fits : tuple of (Recipe, bool)
        What is fitted, and whether to null rows, in this order.
    estimate : Estimate
        Of one fit.
    held : str
        Why it is held back; empty where it is not.
    """

    method: str
    name: str
    fits: tuple[tuple[Recipe, bool], ...]
    estimate: Estimate
    held: str = ""
    state: str = "waiting"
    entries: list[Entry] = field(default_factory=list)
    cancelled: bool = False
    _words: str = ""
    _part: float = 0.0
    _began: float = 0.0
    _spent: float = 0.0

    def __post_init__(self):
        """Wait, or be held back."""
        self.state = "too long" if self.held else "waiting"

    @property
    def left(self):
        """Fits that have not ended."""
        return self.fits[len(self.entries) :]

    @property
    def done(self):
        """Fits that have ended, with the part of the present one."""
        return len(self.entries) + self._part

    def begin(self, null):
        """Begin the next fit."""
        if self.state != "running":
            self._began = time.monotonic()
        self.state, self._part, self._words = "running", 0.0, self._which(null)

    def tell(self, progress):
        """Take note of a Progress of the present fit."""
        null = self.left[0][1]
        if progress.phase == "training" and progress.planned:
            self._part = min(1.0, progress.done / progress.planned)
            percent = f"{100 * self._part:.0f} %"
            self._words = f"{self._which(null)}: {percent}"
        elif progress.phase == "scoring":
            self._words = f"{self._which(null)}: scoring"

    def add(self, entry):
        """Keep what a fit came to."""
        self.entries.append(entry)
        self._part = 0.0

    def end(self):
        """Come to an end: done, failed or cancelled."""
        if self.state == "running":
            self._spent = time.monotonic() - self._began
        found = [entry for entry in self.entries if entry.done]
        if self.cancelled:
            self.state = "cancelled"
            self._words = f"Ended by you after {len(found)} of {count(len(self.fits), 'fit')}."
        elif any(not entry.null for entry in found):
            self.state = "done"
            self._words = count(len(found), "fit")
            if len(found) < len(self.fits):
                self._words += f", {len(self.fits) - len(found)} failed"
        else:
            self.state = "failed"
            self._words = next(entry.error for entry in self.entries)

    def lane(self):
        """Return it as pages see it."""
        words = {
            "too long": f"Held back: {self.held}.",
            "waiting": f"waiting; a fit takes {self.estimate.words}",
        }.get(self.state, self._words)
        running = self.state == "running"
        seconds = time.monotonic() - self._began if running else self._spent
        share = self.done / len(self.fits)
        return Lane(self.method, self.name, self.state, share, words, seconds)

    def _which(self, null):
        kind = [fit for fit in self.fits if fit[1] == null]
        at = len(self.entries) - (len(self.fits) - len(kind) if null else 0)
        what = "null rows" if null else "seed"
        return f"{what} {at + 1} of {len(kind)}" if len(kind) > 1 else what.replace("seed", "fit")
