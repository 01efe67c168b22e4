"""How prototypes come about: frames of one or several methods from one common start."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from workbench.baselines.starts import Moment
from workbench.dataset import DataError, Dataset
from workbench.device import settle
from workbench.fitting import unfitted
from workbench.methods import METHODS
from workbench.metrics import fill_gaps, matching, size_order
from workbench.progress import Cancelled, Progress
from workbench.recipe import Recipe
from workbench.run import too_many_clusters

MOST_FRAMES = 201  # the start and 200 epochs
MOST_ROWS = 2000  # shown and counted; all rows train
MOST_CLUSTERS = 20  # as many as there are colours
_IMAGE_NUMBERS = 1_500_000  # of all frames: above it there are fewer frames
_FEWEST_FRAMES = 12


class Kind(NamedTuple):
    """What a method's course is counted in: a step, its objective, and its regions of the plane."""

    unit: str
    loss: str
    regions: str


KINDS = {
    "clam": Kind("epoch", "loss", "basins"),
    "kmeans": Kind("iteration", "inertia", "cells"),
    "dec": Kind("target", "divergence", "cells"),
    "slk": Kind("iteration", "objective E", "cells"),
}
"""Methods that are shown, in their order."""


@dataclass(frozen=True, eq=False)
class Course:
    """One method's frames: of the start, then of each step that is shown.

    Attributes
    ----------
    recipe : Recipe
    steps : ndarray of int, shape (t,)
        Updates done at each frame; the last is the end of the training.
    losses, rates : ndarray, shape (t,)
        Objective, and learning rate (NaN where the method has none).
    prototypes : float32 ndarray, shape (t, k, d)
    weights : ndarray, shape (t, k)
        Of memories in the energy, mean 1.
    labels : uint8 ndarray, shape (t, m)
        Of the rows shown.
    beta : float or None
        Inverse temperature, where the method has one.
    """

    recipe: Recipe
    steps: np.ndarray
    losses: np.ndarray
    rates: np.ndarray
    prototypes: np.ndarray
    weights: np.ndarray
    labels: np.ndarray
    beta: float | None

    @property
    def changed(self):
        """How many of the rows shown change their cluster at each frame, (t,); 0 at the first."""
        return np.append(0, (self.labels[1:] != self.labels[:-1]).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Evolution:
    """Courses from one start, in lockstep: frame i of each is of the same number of steps.

    Attributes
    ----------
    dataset : Dataset
    start : ndarray, shape (k, d)
        Where all prototypes began, numbered as the courses number them.
    rows : ndarray of int, shape (m,)
        Positions of the rows that are shown.
    ticks : ndarray of int, shape (t,)
        Steps done at each frame of the longest course.
    courses : tuple of Course
        A course that ends earlier has fewer frames.
    cancelled : bool
        Whether it was stopped before its end.
    """

    dataset: Dataset
    start: np.ndarray
    rows: np.ndarray
    ticks: np.ndarray
    courses: tuple[Course, ...]
    cancelled: bool


class _Trained(NamedTuple):
    """All that one training left."""

    recipe: Recipe
    moments: list[Any]  # with step, objective, prototypes
    model: Any


def evolve(
    recipes: Sequence[Recipe],
    dataset: Dataset,
    *,
    report: Callable[[Progress], object] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    most: int = MOST_FRAMES,
) -> Evolution:
    """Train methods one after the other, each from the same start, and keep what each step left.

    Parameters
    ----------
    recipes : sequence of Recipe
        Of methods in `KINDS`, of one k and one seed; the first says where they start.
    dataset : Dataset
    report : callable, optional
        Called with a Progress at each step.
    stop : callable, optional
        Polled at each step; the frames until then are kept.
    most : int, default 201
        Frames of a course, the first and the last among them.

    Returns
    -------
    Evolution

    Raises
    ------
    ValueError
        In one sentence, if settings and data do not fit.
    Cancelled
        Where it was stopped before the first training began.
    """
    report(Progress("preparing"))
    k = recipes[0].settings["n_clusters"]
    fault = too_many_clusters(dataset, k)
    if not fault and k > MOST_CLUSTERS:
        fault = f"k = {k} is more than the {MOST_CLUSTERS} colours that tell clusters apart."
    if fault:
        raise DataError(fault)
    rows = shown_rows(len(dataset.X), recipes[0].seed)
    start = common_start(dataset.X, recipes[0])
    trained = []
    for recipe in recipes:
        if stop():
            break
        trained.append(_train(recipe, dataset, start, rows, report, stop))
    if not trained:
        raise Cancelled
    cancelled = stop()
    report(Progress("labelling"))
    longest = max((each.moments for each in trained), key=len)
    most = _affordable(most, dataset, len(trained) * k)
    ticks = thinned(np.arange(len(longest)), most)
    courses = [_course(each, ticks, dataset.X[rows]) for each in trained]
    orders = numbering(courses, k)
    courses = [_renumbered(*each) for each in zip(courses, orders, strict=True)]
    return Evolution(dataset, start[orders[0]], rows, ticks, tuple(courses), cancelled)


def shown_rows(n, seed):
    """Draw the rows that are shown, in their order: all up to 2,000.

    Returns
    -------
    ndarray of int
    """
    if n <= MOST_ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, MOST_ROWS, replace=False))


def common_start(X, recipe):
    """Draw where the prototypes begin: the same for all methods of a seed.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        A missing value counts as its column's mean.
    recipe : Recipe
        Its setting "init" says how, where it has one: "k-means++" (also where it has none), rows
        drawn by lot ("data", "random"), or normal numbers about the mean ("gaussian").

    Returns
    -------
    ndarray, shape (k, d)
    """
    from sklearn.cluster import kmeans_plusplus

    X, k = fill_gaps(np.asarray(X, np.float64)), recipe.settings["n_clusters"]
    rng = np.random.default_rng(recipe.seed)
    init = recipe.settings.get("init", "k-means++")
    if init == "gaussian":
        return X.mean(axis=0) + X.std() * rng.standard_normal((k, X.shape[1]))
    if init in ("data", "random"):
        distinct = np.unique(X, axis=0)
        return distinct[rng.choice(len(distinct), k, replace=False)]
    seeds, _ = kmeans_plusplus(X, k, random_state=int(rng.integers(2**31)))
    return np.asarray(seeds, np.float64)


def thinned(steps, most=MOST_FRAMES):
    """Choose at most so many of some numbers, evenly: the first and the last are kept.

    Parameters
    ----------
    steps : ndarray of int, shape (t,)
    most : int, default 201
        At least 2.

    Returns
    -------
    ndarray of int
    """
    if len(steps) <= most:
        return steps
    return steps[np.rint(np.linspace(0, len(steps) - 1, most)).astype(int)]


def numbering(courses, k):
    """Number prototypes so that a colour means the same everywhere.

    Those of the first course by the size of their cluster at its end; those of the others so that
    their clusters overlap most with the first's, all frames counted together.

    Parameters
    ----------
    courses : sequence of Course
    k : int

    Returns
    -------
    list of ndarray of int, shape (k,)
        Which old prototype comes first, which second ...
    """
    first = courses[0]
    orders = []
    t = max(len(course.steps) for course in courses)
    held = [course.labels[np.minimum(np.arange(t), len(course.steps) - 1)] for course in courses]
    order = size_order(first.labels[-1], k)
    for labels in held:
        numbers = matching(labels.ravel().astype(int), held[0].ravel().astype(int))
        numbers = np.append(numbers, np.arange(len(numbers), k))  # clusters that no course has
        orders.append(np.argsort(np.argsort(order)[numbers]))
    return orders


def _affordable(most, dataset, prototypes):
    """Fewer frames where each holds many images, so that a course can be sent and kept."""
    if dataset.pixels is None:
        return most
    afforded = _IMAGE_NUMBERS // (prototypes * len(dataset.pixels))
    return max(min(most, _FEWEST_FRAMES), min(most, afforded))


def _train(recipe, dataset, start, rows, report, stop):
    method = METHODS[recipe.method]
    device, _ = settle(recipe.device)
    model = unfitted(method, recipe, device=device)
    X = method.rows(dataset.X)
    moments = []
    for moment in _MOMENTS[recipe.method](model, X, start, recipe.seed, stop):
        labels = None if moment.labels is None else moment.labels[rows].astype(np.uint8)
        prototypes = moment.prototypes.astype(np.float32)
        if moments and moment.step == moments[-1].step:
            break  # an epoch that was cut short
        moments.append(moment._replace(labels=labels, prototypes=prototypes))
        report(Progress("training", moment.step, moment.planned, float(moment.objective)))
        if stop():
            break
    return _Trained(recipe, moments, model)


class _Epoch(NamedTuple):
    """A Moment of ClAM: it has weights, and labels only once the model is there."""

    step: int
    planned: int
    objective: float
    prototypes: np.ndarray
    labels: Any
    learning_rate: float
    weights: np.ndarray


def _clam(model, X, start, seed, stop):
    model.set_params(init=start, n_init=1, selection="loss")
    for told in model.fit_iter(X, stop=stop):
        yield _Epoch(
            told.step, told.n_epochs, told.objective, told.prototypes, None, told.learning_rate,
            told.weights,
        )  # fmt: skip


def _kmeans(model, X, start, seed, stop):
    from workbench.baselines.kmeans import lloyd

    return lloyd(fill_gaps(np.asarray(X, np.float64)), start, model.max_iter)


def _dec(model, X, start, seed, stop):
    return model.course(X, start, seed)


def _slk(model, X, start, seed, stop):
    model.set_params(init=start, n_init=1)
    planned = len(model.anneal) * model.max_iter
    for told in model.fit_iter(X, stop=stop):
        yield Moment(told.step, planned, told.objective, told.modes, told.labels)


_MOMENTS = {"clam": _clam, "kmeans": _kmeans, "dec": _dec, "slk": _slk}


def _course(trained, ticks, rows):
    """Lay a training on the common steps; what ends between two of them ends at the later one."""
    recipe, moments, model = trained
    last = len(moments) - 1
    frames = [moments[min(int(tick), last)] for tick in ticks[: (ticks < last).sum() + 1]]
    weights = [getattr(moment, "weights", np.ones(len(moment.prototypes))) for moment in frames]
    if recipe.method == "clam":
        labels = [clam_labels(model, *each, rows) for each in zip(frames, weights, strict=True)]
    else:
        labels = [moment.labels for moment in frames]
    return Course(
        recipe=recipe,
        steps=np.array([moment.step for moment in frames]),
        losses=np.array([moment.objective for moment in frames], float),
        rates=np.array([getattr(m, "learning_rate", np.nan) for m in frames], float),
        prototypes=np.stack([moment.prototypes for moment in frames]),
        weights=np.stack(weights),
        labels=np.stack(labels).astype(np.uint8),
        beta=getattr(model, "beta_", None),
    )


def clam_labels(model, moment, weights, rows):
    """Return what a trained ClAM would predict for some rows with the memories of an epoch.

    Parameters
    ----------
    model : clam_core.ClAM
        Fitted.
    moment : object
        With ``prototypes``, shape (k, d).
    weights : ndarray, shape (k,)
    rows : ndarray, shape (m, d)

    Returns
    -------
    ndarray of int, shape (m,)
    """
    then = copy.copy(model)
    then.cluster_centers_ = moment.prototypes.astype(np.float64)
    then.weights_ = weights
    return then.predict(rows)


def _renumbered(course, order):
    numbers = np.argsort(order).astype(np.uint8)
    return replace(
        course,
        prototypes=course.prototypes[:, order],
        weights=course.weights[:, order],
        labels=numbers[course.labels],
    )
