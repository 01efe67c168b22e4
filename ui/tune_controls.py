"""Controls of the Tune page: what is varied, for which T, with how many starts and how long."""

import streamlit as st

from ui import lecture, state
from ui.controls import limits, setting
from workbench.methods import METHODS
from workbench.sweeps import STEPS, SWEEPS, Plan

_PREFIX = "tune:"
_SETTINGS = "tune:setting:"
_LARGEST_SEED = 2**32 - 1
_SECONDS = (5, 3600)
_HELD = (
    "energy", "loss", "n_epochs", "batch_size", "schedule", "corruption", "beta", "learning_rate",
    "mask_rate", "mask_value",
)  # fmt: skip


def plan_controls(recipe):
    """Show what is varied and what stays.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of ClAM.

    Returns
    -------
    recipe : Recipe
    plan : workbench.sweeps.Plan
    place : container
        Above the settings that stay: for what starts the work.
    """
    kept = state.kept("tune", "plan", Plan())
    with lecture.group("tune", "plan"):
        sweep = st.segmented_control(
            "What is varied",
            list(SWEEPS),
            format_func=lambda key: SWEEPS[key].name,
            key=state.seed(_PREFIX + "sweep", kept.sweep),
            required=True,
            wrap=True,
            help="As in the paper's figures 7 (β), 8 (learning rate), 9 (mask rate) and 10 (mask "
            "value). β is tried from a hundredth of what auto finds to a hundred times as much.",
        )
        sweep = str(sweep)
        steps = _steps(sweep, kept)
        recipe = _of_recipe(recipe)
        seconds = st.number_input(
            "Budget in seconds",
            *_SECONDS,
            key=state.seed(_PREFIX + "seconds", int(kept.seconds)),
            value="min",
            help="After so long no more is trained; what is done by then is kept. "
            f"{limits(*_SECONDS)}",
        )
    plan = Plan(sweep, steps, float(seconds))
    state.keep("tune", "plan", plan)
    place = st.container()
    with lecture.group("tune", "plan", "settings"), st.expander("What stays as it is"):
        settings = {
            name: setting(METHODS["clam"].parameter(name), recipe.settings[name], _SETTINGS)
            for name in _HELD
            if name != plan.kind.setting
        }
    return recipe.changed(settings=settings), plan, place


def _steps(sweep, kept):
    """T to try; none chosen means the usual ones."""
    first = kept.steps if kept.sweep == sweep else SWEEPS[sweep].steps
    chosen = st.pills(
        "T, steps of recall",
        STEPS,
        selection_mode="multi",
        wrap=True,
        key=state.seed(f"{_PREFIX}steps:{sweep}", [n for n in first if n in STEPS]),
        help="A line, or a row of the map, for each.",
    )
    return tuple(chosen)


def _of_recipe(recipe):
    """k, restarts and seed."""
    clam = METHODS["clam"]
    fewest, most = (getattr(clam.parameter("n_clusters"), end) for end in ("low", "high"))
    left, middle, right = st.columns(3)
    state.seed(_PREFIX + "k", recipe.settings["n_clusters"])
    state.seed(_PREFIX + "seed", recipe.seed)
    k = left.number_input(
        "k", fewest, most, key=_PREFIX + "k", value="min",
        help=f"How many groups to look for. {limits(fewest, most)}",
    )  # fmt: skip
    with middle:
        n_init = setting(clam.parameter("n_init"), recipe.settings["n_init"], _SETTINGS)
    seed = right.number_input(
        "Seed", 0, _LARGEST_SEED, key=_PREFIX + "seed", value="min",
        help=f"All configurations start from the same memories. {limits(0, _LARGEST_SEED)}",
    )  # fmt: skip
    return recipe.changed(settings={"n_clusters": k, "n_init": n_init}, seed=seed)
