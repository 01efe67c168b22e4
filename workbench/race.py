"""Methods race on the same rows, each fit in a process of its own that can be ended at once."""

import threading
from collections.abc import Mapping
from dataclasses import replace

from workbench.comparison import common_k
from workbench.dataset import Dataset
from workbench.entry import Entry
from workbench.estimates import BUDGET, estimate, too_long
from workbench.lane import Lane, Track
from workbench.methods import METHODS
from workbench.progress import Progress
from workbench.recipe import Recipe
from workbench.runner import Ended, Runner
from workbench.scored_fit import NO_MEMORY

__all__ = ["BUDGET", "NULL_DRAWS", "Lane", "Race"]

NULL_DRAWS = 3
"""Most draws of null rows, one for each seed: more say little more about what a score is worth."""


class Race:
    """A race of Recipes, which other threads can watch and steer.

    Parameters
    ----------
    dataset : Dataset
    recipes : sequence of Recipe
        Of `workbench.comparison.entrants`.
    null : bool, default True
        Whether each method is also fitted to rows drawn without clusters, with its first seeds.
    runner : Runner, optional
        The process that fits; by default one of its own, which ends with `run`.
    budget : float, default 60
        Seconds; a method whose fit would take longer is held back.
    forced : collection of str, default ()
        Methods that are not held back.
    """

    def __init__(
        self, dataset: Dataset, recipes, *, null=True, runner=None, budget=BUDGET, forced=()
    ):
        self.dataset, self.null = dataset, null
        self.recipes: tuple[Recipe, ...] = tuple(recipes)
        self._runner = runner
        self._changing = threading.RLock()
        self._ended: list[Entry] = []
        methods = dict.fromkeys(recipe.method for recipe in self.recipes)
        self._tracks: Mapping[str, Track] = {key: self._track(key, budget) for key in methods}
        for key in methods:
            if key in forced:
                self.force(key)

    def _track(self, key, budget):
        own = [recipe for recipe in self.recipes if recipe.method == key]
        fits = [(recipe, False) for recipe in own]
        fits += [(recipe, True) for recipe in own[:NULL_DRAWS] if self.null]
        n, d = self.dataset.X.shape
        told = estimate(key, n, d, common_k(own), own[0].settings)
        held = too_long(told, budget)
        if n > METHODS[key].max_rows:
            held = f"there are more than {METHODS[key].max_rows:,} rows; a fit takes {told.words}"
        return Track(key, METHODS[key].name, tuple(fits), told, held)

    def run(self, report=lambda _: None, stop=lambda: False) -> tuple[Entry, ...]:
        """Fit what is due, one fit at a time, methods of the shortest estimate first.

        Call it again after `force`, to fit what was held back.

        Parameters
        ----------
        report : callable, optional
            Called with a Progress("training", fits done, fits planned), many times.
        stop : callable, optional
            Polled some times a second; it ends the fit at work and cancels all others.

        Returns
        -------
        tuple of Entry
            As `entries`.
        """
        runner = self._runner or Runner()
        try:
            images = any(METHODS[key].images for key in self._tracks)
            pixels = self.dataset.pixels if images else None
            runner.hold(self.dataset.X, self.dataset.y, common_k(self.recipes), pixels)
            while (track := self._next(stop)) is not None:
                self._fit_all(track, runner, report, stop)
        finally:
            if self._runner is None:
                runner.close()
        return self.entries()

    def _next(self, stop):
        with self._changing:
            waiting = [track for track in self._tracks.values() if track.state == "waiting"]
            if stop():
                for track in waiting:
                    self._give_up(track)
                return None
            return min(waiting, key=lambda track: track.estimate.order, default=None)

    def _fit_all(self, track, runner, report, stop):
        def tell(progress):
            with self._changing:
                track.tell(progress)
            self._report(report)

        for recipe, null in track.fits:
            with self._changing:
                if track.cancelled:
                    break
                track.begin(null)
            try:
                entry, crashed = runner.fit(
                    recipe, null=null, tell=tell, stop=lambda: track.cancelled or stop()
                )
            except Ended:
                track.cancelled = True
                break
            with self._changing:
                self._add(track, entry)
                if crashed or entry.error == NO_MEMORY:  # the other fits would end no better
                    for again, other in track.left:
                        self._add(track, replace(entry, recipe=again, null=other))
                    break
            self._report(report)
        with self._changing:
            if track.cancelled:
                self._give_up(track)
            else:
                track.end()
        self._report(report)

    def _report(self, report):
        with self._changing:
            due = [track for track in self._tracks.values() if track.state != "too long"]
            done = sum(track.done for track in due)
            planned = sum(len(track.fits) for track in due)
        report(Progress("training", done, planned))

    def _add(self, track, entry):
        track.add(entry)
        self._ended.append(entry)

    def _give_up(self, track):
        for recipe, null in track.left:
            self._add(track, Entry(recipe, null, cancelled=True))
        track.cancelled = True
        track.end()

    def lanes(self) -> tuple[Lane, ...]:
        """Return the present Lane of each method, in the order of the Recipes."""
        with self._changing:
            return tuple(track.lane() for track in self._tracks.values())

    def cancel(self, method):
        """End a method now; the others go on, and what it has found stays.

        Parameters
        ----------
        method : str
            Its key; nothing happens where it has ended already.
        """
        with self._changing:
            track = self._tracks[method]
            if track.state == "running":
                track.cancelled = True  # the thread that runs it sees that within a tenth second
            elif track.state in ("waiting", "too long"):
                self._give_up(track)

    def force(self, method):
        """Let a method that was held back race too: in this `run`, or in the next.

        Parameters
        ----------
        method : str
            Its key.
        """
        with self._changing:
            track = self._tracks[method]
            if track.state == "too long":
                track.state = "waiting"

    def entries(self) -> tuple[Entry, ...]:
        """Return what has ended until now: one Entry for each fit, those on null rows last."""
        with self._changing:
            return tuple(sorted(self._ended, key=lambda entry: entry.null))
