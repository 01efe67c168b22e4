"""Several methods on the same rows: who takes part, and all of them one after the other."""

from collections.abc import Callable, Iterable, Iterator

from workbench.dataset import Dataset
from workbench.entry import SCORES, Entry, Score
from workbench.judging import Judge
from workbench.methods import METHODS, RULES
from workbench.null_rows import null_rows
from workbench.parameter import in_words
from workbench.progress import Progress
from workbench.recipe import Recipe
from workbench.scored_fit import enter
from workbench.table import DataError

__all__ = ["SCORES", "Entry", "Score", "common_k", "compare", "entrants"]


def entrants(recipe, methods, *, k, seeds, rule="own", settings=None):
    """Return the Recipes of a comparison: for each method, one for each seed.

    Parameters
    ----------
    recipe : Recipe
        Its data, reading, preparation, device and precision hold for all.
    methods : sequence of str
        Keys in `METHODS`.
    k : int
        Clusters to look for, of each method that must be told.
    seeds : int or sequence of int
        How many, beginning with that of the Recipe, or which.
    rule : {"own", "silhouette"}, default "own"
        By what each method keeps one outcome of several: its own objective, or the silhouette.
    settings : mapping of str to mapping, optional
        By method, what differs from its defaults.

    Returns
    -------
    tuple of Recipe
        Method by method.

    Raises
    ------
    DataError
        In one sentence, for an unknown method or rule, a value that is not legal, or a method that
        cannot follow the rule.
    """
    if rule not in RULES:
        raise DataError(f"rule={rule!r} should be one of {in_words(RULES)}.")
    if isinstance(seeds, int):
        seeds = [(recipe.seed + step) % 2**32 for step in range(seeds)]
    found = []
    for key in methods:
        asked = _settings(key, k, rule, dict((settings or {}).get(key, {})))
        first = recipe.changed(method=key, settings=asked)
        found += [first.changed(seed=int(seed)) for seed in seeds]
    return tuple(found)


def _settings(key, k, rule, asked):
    if key not in METHODS or METHODS[key].needs == "memories":
        fitting = [name for name, method in METHODS.items() if method.needs != "memories"]
        raise DataError(f"method={key!r} should be one of {in_words(fitting)}.")
    method = METHODS[key]
    if method.rules and rule not in method.rules:
        raise DataError(f"{method.name} cannot keep its outcome by the {RULES[rule]}.")
    told = {} if method.finds_k else {"n_clusters": k}
    return {**told, **asked, **method.rules.get(rule, {})}  # the rule is never mixed


def compare(
    dataset: Dataset,
    recipes: Iterable[Recipe],
    *,
    null_seed: int | None = 0,
    report: Callable[[Progress], object] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Entry]:
    """Fit Recipes one after the other, in this process; a failure is an Entry, not a crash.

    Parameters
    ----------
    dataset : Dataset
    recipes : sequence of Recipe
        Of `entrants`.
    null_seed : int, optional
        Of rows without clusters, to which each method is fitted too, once, at the end; None to
        leave that out.
    report : callable, optional
        Called with a Progress of the fit at work.
    stop : callable, optional
        Polled while methods train; nothing comes after the fit that it ends.

    Yields
    ------
    Entry
    """
    recipes = tuple(recipes)
    k = common_k(recipes)
    judge = Judge(dataset.X, dataset.y, k=k)
    pixels = dataset.pixels if any(METHODS[each.method].images for each in recipes) else None
    for recipe in recipes:
        yield enter(recipe, dataset.X, judge, pixels=pixels, report=report, stop=stop)
        if stop():
            return
    if null_seed is None:
        return
    rows = null_rows(dataset.X, null_seed)
    judge = Judge(rows, k=k)
    first = {recipe.method: recipe for recipe in reversed(recipes)}
    for recipe in reversed(first.values()):
        asked = recipe.changed(seed=null_seed)
        yield enter(asked, rows, judge, pixels=pixels, null=True, report=report, stop=stop)
        if stop():
            return


def common_k(recipes):
    """Return the number of clusters that SLK's lambda is taken for: the largest asked for, or 8."""
    told = (int(recipe.settings.get("n_clusters", 0)) for recipe in recipes)
    return max(told, default=0) or 8
