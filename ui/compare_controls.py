"""Controls of the Compare page: which methods meet, how often, and by which rule."""

from typing import Any

import streamlit as st

from ui import compare_words, lecture, state
from ui.controls import limits, setting
from workbench.contest import MOST_SEEDS, contestants, unfit
from workbench.methods import METHODS, RULES

_PREFIX = "compare:"
_LARGEST_SEED = 2**32 - 1
_ABREAST = 3  # families


def method_choice(contest, dataset):
    """Let the reader choose methods by family; say of each that cannot run why.

    Parameters
    ----------
    contest : workbench.contest.Contest
    dataset : workbench.dataset.Dataset

    Returns
    -------
    Contest
    """
    rule = st.session_state.get(f"{_PREFIX}rule", contest.rule)
    faults = {key: unfit(METHODS[key], dataset, rule) for key in contestants()}
    chosen = set()
    families = _families()
    places = [place for _ in range(0, len(families), _ABREAST) for place in st.columns(_ABREAST)]
    for (family, keys), place in zip(families.items(), places, strict=False):
        chosen |= set(
            place.pills(
                family[:1].upper() + family[1:],
                keys,
                selection_mode="multi",
                wrap=True,
                format_func=lambda key: METHODS[key].name + " ⊘" * bool(faults[key]),
                key=state.seed(
                    f"{_PREFIX}methods:{family}", [key for key in keys if key in contest.methods]
                ),
            )
        )
    for sentence in filter(None, faults.values()):
        st.caption(f"⊘ {sentence}")
    return contest.changed(methods=tuple(key for key in contestants() if key in chosen))


def _families():
    """Methods by family, both in the registry's order."""
    found = {}
    for key in contestants():
        found.setdefault(METHODS[key].family, []).append(key)
    return found


def contest_controls(recipe, contest):
    """Show how often the methods meet, and by which rule.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Its number of clusters and first seed hold for all methods.
    contest : workbench.contest.Contest

    Returns
    -------
    recipe : Recipe
    contest : Contest
    place : container
        Above what is folded away: for what starts the race, so that it stays in sight.
    """
    with lecture.group("compare", "terms"):
        recipe, seeds = _numbers(recipe, contest)
        rule: Any = st.segmented_control(
            "Each method keeps its outcome by",
            list(RULES),
            format_func=compare_words.RULE_NAMES.__getitem__,
            key=state.seed(f"{_PREFIX}rule", contest.rule),
            required=True,
            wrap=True,
        )
        st.caption(compare_words.RULE_TOLD[rule])
    place = st.container()
    with (
        lecture.group("compare", "terms", "settings"),
        st.expander("Settings of each method"),
    ):
        settings = _settings(contest)
        null = st.toggle(
            "Also on data without clusters",
            key=state.seed(f"{_PREFIX}null", contest.null),
            help="Each method is fitted once more for each seed, to as many rows drawn from the "
            "same box without any clusters: what it scores there is what chance is worth.",
        )
    return recipe, contest.changed(seeds=seeds, rule=rule, settings=settings, null=null), place


def _numbers(recipe, contest):
    left, middle, right = st.columns(3)
    parameter = METHODS["kmeans"].parameter("n_clusters")
    fewest, most = int(parameter.low), int(parameter.high)
    k = left.number_input(
        "k, clusters",
        fewest,
        most,
        key=state.seed(f"{_PREFIX}k", recipe.settings["n_clusters"]),
        value="min",
        help=f"What each method looks for that does not find k itself. {limits(fewest, most)}",
    )
    seeds = middle.number_input(
        "Seeds",
        1,
        MOST_SEEDS,
        key=state.seed(f"{_PREFIX}seeds", contest.seeds),
        value="min",
        help="How often each method is fitted, each time from another seed: scores get a spread. "
        f"{limits(1, MOST_SEEDS)}",
    )
    first = right.number_input(
        "First seed",
        0,
        _LARGEST_SEED,
        key=state.seed(f"{_PREFIX}seed", recipe.seed),
        value="min",
        help=f"The others follow it. {limits(0, _LARGEST_SEED)}",
    )
    return recipe.changed(settings={"n_clusters": k}, seed=first), seeds


def _settings(contest):
    """Show the settings of one method at a time; those of the others stay as they are."""
    if not contest.methods:
        st.caption("Choose a method first.")
        return contest.settings
    key = st.selectbox(
        "Of",
        contest.methods,
        format_func=lambda each: METHODS[each].name,
        key=f"{_PREFIX}settings of",
    )
    method = METHODS[key]
    ruled = {name for rule in method.rules.values() for name in rule}
    now = method.complete(contest.settings.get(key, {}))
    shown = [p for p in method.parameters if p.name not in ruled | {"n_clusters"}]
    told = {each.name: setting(each, now[each.name], f"{_PREFIX}of:{key}:") for each in shown}
    if not shown:
        st.caption(f"{method.name} has no settings of its own.")
    if ruled:
        st.caption("Which start is kept is not set here: the rule above says it for all.")
    differs = {
        name: value for name, value in told.items() if value != method.parameter(name).default
    }
    others = {each: asked for each, asked in contest.settings.items() if each != key}
    return others | ({key: differs} if differs else {})
