"""Tuning ClAM: many configurations beside the default and beside k-means, within a budget."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from workbench.device import settle
from workbench.methods import METHODS
from workbench.metrics import fill_gaps
from workbench.progress import Cancelled, Progress
from workbench.recipe import Recipe
from workbench.run import RIVAL_ROWS, too_many_clusters
from workbench.sweeps import Plan, coarse_first, values_of
from workbench.table import DataError
from workbench.trials import Judge, Trial

TOGETHER = 64  # restarts of a batch: more are no quicker, and fewer answer sooner
_LOWER = {"loss"}  # measures of which less is better


@dataclass(frozen=True, eq=False)
class Tuning:
    """What a tuning has found so far.

    Attributes
    ----------
    recipe : Recipe
        Whose settings hold wherever nothing is swept.
    plan : Plan
    default : Trial
        The Recipe as it is.
    beta : float
        That it used.
    rival : Trial or None
        k-means with as many starts, its loss the inertia; None where it cannot be.
    values : tuple of float or of str
        Of the setting that is swept.
    trials : mapping of (int, int) to Trial
        By place in `values` and in `plan.steps`: those that are done.
    rows, n : int
        Rows that were scored, and rows there are.
    seconds : float
    ended : {"", "whole", "budget", "cancelled"}
        Why no more is to come; empty while more is.
    """

    recipe: Recipe
    plan: Plan
    default: Trial
    beta: float
    rival: Trial | None
    values: tuple
    trials: Mapping[tuple[int, int], Trial]
    rows: int
    n: int
    seconds: float = 0.0
    ended: str = ""

    @property
    def planned(self):
        """Configurations asked for."""
        return len(self.values) * len(self.plan.steps)

    @cached_property
    def measures(self):
        """What can be shown: "nmi" only where there are reference labels."""
        known = ("nmi",) if self.default.nmi else ()
        return ("silhouette", *known, "loss")

    def grid(self, measure, rule):
        """Return a measure of every configuration, (values, steps); NaN where it is not done."""
        return self._table(lambda trial: trial.value(measure, rule), np.nan)

    def empty(self, rule):
        """Return how many clusters of each are empty, (values, steps); 0 where it is not done."""
        return self._table(lambda trial: trial.empty(rule), 0)

    def _table(self, number, nothing):
        table = np.full((len(self.values), len(self.plan.steps)), nothing)
        for place, trial in self.trials.items():
            table[place] = number(trial)
        return table

    def best(self, rule):
        """Return the place of the best configuration; None before there is one.

        By silhouette: most clusters that have rows, then the highest silhouette. By loss: the
        lowest loss, as the paper chose.
        """

        def worth(place):
            trial = self.trials[place]
            number = trial.value(rule, rule)
            if not np.isfinite(number):
                return (-np.inf, -np.inf)
            return (trial.n_found(rule), number) if rule == "silhouette" else (0, -number)

        return max(self.trials, key=worth, default=None)

    def recipe_of(self, place, rule):
        """Return the Recipe of a configuration, its restart kept by the same rule.

        Parameters
        ----------
        place : (int, int)
            In `values` and in `plan.steps`.
        rule : {"silhouette", "loss"}

        Returns
        -------
        Recipe
        """
        settings = configuration(self.plan, self.values[place[0]], self.plan.steps[place[1]])
        return self.recipe.changed(settings={**settings, "selection": rule})


def configuration(plan, value, n_steps):
    """Return the settings in which a configuration differs from the Recipe."""
    return {**plan.fixed(), plan.kind.setting: value, "n_steps": n_steps}


def tune(recipe, dataset, plan, *, report=lambda _: None, stop=lambda: False):
    """Train the configurations of a plan in batches, the default and k-means before them.

    Parameters
    ----------
    recipe : Recipe
        Of ClAM: data, k, restarts, seed and every setting that is not swept.
    dataset : Dataset
    plan : Plan
    report : callable, optional
        Called with a Progress that counts configurations.
    stop : callable, optional
        Polled throughout; what is done by then is kept, and so it is where the budget ends.

    Yields
    ------
    Tuning
        After the default and k-means, then after each batch; the last one says why it is.

    Raises
    ------
    ValueError
        In one sentence, if settings and data do not fit, or the budget ends before the default
        is trained.
    Cancelled
        Where it was stopped before that.
    """
    from clam_core import warm_up  # heavy, and only needed here

    report(Progress("preparing"))
    fault = too_many_clusters(dataset, recipe.settings["n_clusters"])
    if fault:
        raise DataError(fault)
    warm_up()  # where the engines still have to be compiled, that is not the reader's budget
    work = _Work(recipe, dataset, plan.seconds, stop)
    (default,), beta = work.alone()
    rival = work.rival()
    values = values_of(plan, dataset.X, beta)
    found = Tuning(
        recipe, plan, default, beta, rival, values, {}, len(work.judge.rows), len(dataset.X),
        work.seconds,
    )  # fmt: skip
    yield found
    for places in _batches(work, plan, values):
        done = partial(_told, report, found, len(places))
        settings = [configuration(plan, values[v], plan.steps[t]) for v, t in places]
        trials = work.batch(settings, done)
        if trials is None:
            break
        found = replace(
            found,
            trials={**found.trials, **dict(zip(places, trials, strict=True))},
            seconds=work.seconds,
        )
        yield found
    ended = "whole" if len(found.trials) == found.planned else "cancelled"
    if ended == "cancelled" and not stop():
        ended = "budget"
    yield replace(found, seconds=work.seconds, ended=ended)


def _told(report, found, more, share):
    """Report configurations: those found, and a share of some more."""
    report(Progress("training", len(found.trials) + share * more, found.planned))


def _batches(work, plan, values):
    """Places that are trained together, in an order in which a first few are spread over all."""
    from clam_core import batches

    steps = coarse_first(len(plan.steps))  # one T at a time is trained
    order = [(v, t) for v in coarse_first(len(values)) for t in steps]
    models = [work.model(configuration(plan, values[v], plan.steps[t])) for v, t in order]
    size = max(1, TOGETHER // work.recipe.settings["n_init"])
    parts = [
        [order[place] for place in group[first : first + size]]
        for group in batches(models)
        for first in range(0, len(group), size)
    ]
    return sorted(parts, key=lambda part: order.index(part[0]))


class _Work:
    """Trains and scores until the budget is spent or the reader says stop."""

    def __init__(self, recipe, dataset, seconds, stop):
        self.recipe, self._dataset, self._stop = recipe, dataset, stop
        self._began, self._budget = time.monotonic(), seconds
        self._device, _ = settle(recipe.device)
        self.judge = Judge(dataset, recipe.seed)

    @property
    def seconds(self):
        """Seconds since it began."""
        return time.monotonic() - self._began

    def over(self):
        """Whether nothing more may be begun."""
        return self._stop() or self.seconds > self._budget

    def model(self, settings):
        """Build an unfitted ClAM; each rule picks its restart later, of scores known by then."""
        complete = {**self.recipe.settings, **settings, "selection": "loss"}
        return METHODS["clam"].build(
            complete, device=self._device, dtype=self.recipe.dtype, random_state=self.recipe.seed
        )

    def alone(self):
        """Train the Recipe as it is; its Trial in a list, and its beta."""
        model = self.model({})
        trials = self._fitted([model], [{}], lambda _: None)
        if trials is None:
            if self._stop():
                raise Cancelled
            raise DataError(
                f"The budget of {self._budget:g} seconds ended before a single configuration was "
                "trained: raise it, lower the restarts, or take fewer rows."
            )
        return trials, float(model.beta_)

    def batch(self, settings, told):
        """Train configurations together; their Trials, or None where they were cut short."""
        return self._fitted([self.model(each) for each in settings], settings, told)

    def _fitted(self, models, settings, told):
        from clam_core import fit_batch

        if self.over():
            return None
        for done, planned in fit_batch(models, self._dataset.X, stop=self.over):
            told(done / planned)
        if any(model.n_iter_ < planned for model in models):
            return None
        return self.judge.trials(
            [{**self.recipe.settings, **each} for each in settings],
            [model.predict_restarts(self.judge.X) for model in models],
            [np.asarray(model.restart_losses_) for model in models],
            self._stop,
        )

    def rival(self):
        """k-means with as many starts, from as many seeds; None where it cannot be."""
        from threadpoolctl import threadpool_limits

        own = self.recipe.settings
        settings = {"n_clusters": own["n_clusters"], "n_init": 1, "selection": "loss"}
        rng = np.random.default_rng(self.recipe.seed)
        X = fill_gaps(self._dataset.X)
        if len(X) > RIVAL_ROWS:
            X = X[rng.choice(len(X), RIVAL_ROWS, replace=False)]
        labelings, losses = [], []
        with threadpool_limits(1):  # on small data two threads cost more than they bring
            for seed in rng.integers(2**31, size=own["n_init"]):
                if labelings and self.over():
                    break
                model = METHODS["kmeans"].build(
                    METHODS["kmeans"].complete(settings), random_state=int(seed)
                )
                try:
                    model.fit(X)
                except ValueError:  # fewer distinct rows were drawn than there are clusters
                    return None
                labelings.append(model.predict(self.judge.X))
                losses.append(model.loss_)
        trials = self.judge.trials(
            [settings], [np.stack(labelings)], [np.array(losses)], self._stop
        )
        return trials[0] if trials else None
