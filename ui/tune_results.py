"""The picture of a tuning, what it says, its best one click away, and its table."""

import pandas as pd
import streamlit as st

from ui import history, state, tune_words
from ui.controls import CHART, is_dark
from workbench.figures.tuning import map_figure, sweep_figure

_CLUSTER = "pages/cluster.py"


def show(asked, recipe, plan):
    """Show what a tuning has found so far.

    Parameters
    ----------
    asked : ui.tune_panel.Asked
    recipe : workbench.recipe.Recipe
    plan : workbench.sweeps.Plan or None
        The settings of now.
    """
    tuning = asked.latest.tuning
    if (asked.recipe, asked.plan) != (recipe, plan):
        st.warning("Out of date: this is of earlier settings or other data. Start again to renew.")
    rule, measure = _looked_at(tuning)
    figure, words = _figure(tuning, rule, measure), tune_words.sentence(tuning, rule, measure)
    st.plotly_chart(figure, theme=None, config=CHART, key="tune.picture", alt=words)
    st.markdown(words)
    st.caption(" ".join(tune_words.cautions(tuning, rule)))
    _use_the_best(tuning, rule)
    st.caption(tune_words.conditions(tuning))
    _table(tuning, rule)


def _looked_at(tuning):
    """By what is chosen, and what is shown: nothing is trained again for either."""
    own = "loss" if tuning.recipe.settings["selection"] == "loss" else "silhouette"
    left, right = st.columns(2)
    rule = left.segmented_control(
        "Chosen by", list(tune_words.RULES), format_func=tune_words.RULES.__getitem__,
        key=state.seed("tune:rule", own), required=True,
        help="Which restart of a configuration is kept, which start of k-means, and which "
        "configuration is best. The paper says the loss; its tables show the best silhouettes.",
    )  # fmt: skip
    names = {"silhouette": "Silhouette", "nmi": "NMI", "loss": "Loss"}
    measure = right.segmented_control(
        "Shown", list(tuning.measures), format_func=names.__getitem__,
        key=state.seed("tune:measure", "silhouette"), required=True,
    )  # fmt: skip
    return str(rule), str(measure) if measure in tuning.measures else "silhouette"


def _figure(tuning, rule, measure):
    kind, best = tuning.plan.kind, tuning.best(rule)
    rival = None
    if tuning.rival is not None and measure != "loss":
        rival = ("k-means", tuning.rival.value(measure, rule))
    scores, empty = tuning.grid(measure, rule), tuning.empty(rule)
    title = tune_words.MEASURES[measure]
    if tuning.plan.sweep == "map":
        return map_figure(
            tuning.values, tuning.plan.steps, scores, title=title, empty=empty, rival=rival,
            best=best, lower=measure == "loss", dark=is_dark(),
        )  # fmt: skip
    return sweep_figure(
        tuning.values, tuning.plan.steps, scores, scale=kind.scale,
        titles=(tune_words.LABELS[kind.setting], title), empty=empty, rival=rival,
        default=_default(tuning, rule, measure), best=best, dark=is_dark(),
    )  # fmt: skip


def _default(tuning, rule, measure):
    """Where the default stands on the axis, its score, and how far its restarts spread."""
    setting = tuning.plan.kind.setting
    at = tuning.beta if setting == "beta" else tuning.recipe.settings[setting]
    spread = tuning.default.spread() if measure == "silhouette" else 0.0
    return at, tuning.default.value(measure, rule), spread


def _use_the_best(tuning, rule):
    place = tuning.best(rule)
    if place is None:
        return
    if st.button(
        "Use the best on the Cluster page", icon=":material/scatter_plot:", key="tune:use",
        help=f"{tune_words.named(tuning, place)}; all other settings as they are here.",
    ):  # fmt: skip
        history.to_cluster(tuning.recipe_of(place, rule))
        st.switch_page(_CLUSTER)


def table_of(tuning, rule):
    """Lay all configurations in a table, the default and k-means on top.

    Parameters
    ----------
    tuning : workbench.tuning.Tuning
    rule : {"silhouette", "loss"}

    Returns
    -------
    pandas.DataFrame
    """
    setting = tuning.plan.kind.setting
    own = tuning.recipe.settings
    at = tuning.beta if setting == "beta" else own[setting]
    rows = [{"what": "default", setting: at, "T": own["n_steps"]} | _cells(tuning.default, rule)]
    if tuning.rival is not None:
        rows.append({"what": "k-means", setting: None, "T": None} | _cells(tuning.rival, rule))
    for place in sorted(tuning.trials):
        value, n_steps = tuning.values[place[0]], tuning.plan.steps[place[1]]
        what = "best" if place == tuning.best(rule) else "tried"
        rows.append(
            {"what": what, setting: value, "T": n_steps} | _cells(tuning.trials[place], rule)
        )
    frame = pd.DataFrame(rows)
    frame["T"] = frame["T"].astype("Int64")
    return frame


def _cells(trial, rule):
    known = {"nmi": trial.value("nmi", rule)} if trial.nmi else {}
    return {
        "silhouette": trial.value("silhouette", rule),
        "spread": trial.spread(),
        **known,
        "loss": trial.value("loss", rule),
        "clusters": trial.n_found(rule),
    }


def _table(tuning, rule):
    with st.expander("Table"):
        frame = table_of(tuning, rule)
        st.dataframe(
            frame, hide_index=True, key="tune:table", alt="All configurations and their scores.",
            column_config={
                name: st.column_config.NumberColumn(format="%.4g")
                for name in ("beta", "learning_rate", "silhouette", "spread", "nmi", "loss")
                if name in frame
            },
        )  # fmt: skip
        st.caption(
            "spread: standard deviation of the silhouette over restarts; loss: of k-means, its "
            "inertia, which compares with no other."
        )
        st.download_button(
            "Download CSV", lambda: frame.to_csv(index=False).encode(),
            file_name=f"tuning-{tuning.plan.sweep}.csv", mime="text/csv",
            icon=":material/download:", key="tune:download", on_click="ignore",
        )  # fmt: skip
