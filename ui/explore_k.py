"""How many clusters there are, and which of them other seeds find again."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import explore_words, how_many_words, state
from ui.controls import CHART, is_dark
from ui.page_jobs import begin
from workbench import stability as seeds
from workbench.figures import palette
from workbench.figures.how_many import criterion_figure, stability_figure
from workbench.how_many import MOST_K
from workbench.how_many import how_many as judge
from workbench.methods import METHODS
from workbench.progress import Progress
from workbench.words import plain

_TICK = 0.4  # seconds between looks at a running job
_LARGEST = 20


def how_many(run, names):
    """Compare numbers of clusters, and the run's clusters with those of other seeds.

    Parameters
    ----------
    run : workbench.run.Run
    names : mapping of int to str
        The reader's own names of clusters.
    """
    st.header("How many clusters?")
    _numbers(run)
    st.header("Do other seeds find the same clusters?")
    _seeds(run, names)


def _numbers(run):
    own = METHODS[run.recipe.method].name
    left, right = st.columns(2)
    most = left.number_input(
        "Up to k", 2, _LARGEST, key=state.seed("explore:most", MOST_K),
        help=f"From 2 to {_LARGEST}. More take longer.",
    )  # fmt: skip
    kinds = {"kmeans": "k-means (quick)"}
    if run.recipe.method != "kmeans":
        kinds[run.recipe.method] = f"{own} (slower)"
    method = right.segmented_control(
        "Clusters judged", list(kinds), format_func=kinds.__getitem__, key="explore:judged",
        default="kmeans", required=True,
    )  # fmt: skip

    def work(report, stop):
        return judge(
            run.dataset, run.recipe, range(1, int(most) + 1), report, stop,
            method=method, labels=run.labels,
        )  # fmt: skip

    found = _job("numbers", "Compare numbers of clusters", (run.key, most, method), work)
    if found is not None:
        _told_numbers(found)


def _told_numbers(found):
    words = how_many_words.verdict(found)
    (st.warning if found.picks["gap"] == 1 else st.info)(words)
    st.dataframe(
        criteria_table(found),
        hide_index=True,
        column_config={"picks": st.column_config.TextColumn(width=60, alignment="right")},
        alt=words,
    )
    for name, place in zip(found.curves, [*st.columns(2), *st.columns(2)], strict=True):
        told = how_many_words.criterion(name, found)
        figure = criterion_figure(
            found.ks,
            found.curves[name],
            pick=found.picks[name],
            title=how_many_words.CRITERIA[name],
            colour=palette.colours(1)[0],
            errors=found.errors if name == "gap" else None,
            dark=is_dark(),
        )
        with place:
            st.plotly_chart(figure, theme=None, config=CHART, key=f"explore.k.{name}", alt=told)
            st.caption(told)
    st.caption(how_many_words.tree(found))
    st.caption(how_many_words.how_found(found, METHODS[found.method].name))


def criteria_table(found):
    """Lay the criteria side by side: what each picks, and its value for every k.

    Parameters
    ----------
    found : workbench.how_many.HowMany

    Returns
    -------
    pandas.DataFrame
        A row for each criterion.
    """
    rows = []
    for name, title in how_many_words.CRITERIA.items():
        pick = found.picks[name]
        values = found.curves.get(name, np.full(len(found.ks), np.nan))
        cells = {
            f"k = {k}": "" if np.isnan(value) else f"{value:.4g}"
            for k, value in zip(found.ks, values, strict=True)
        }
        rows.append({"criterion": title, "picks": "—" if pick is None else str(pick)} | cells)
    return pd.DataFrame(rows)


def _seeds(run, names):
    n = st.number_input(
        "Other seeds", 2, 20, key=state.seed("explore:seeds", seeds.SEEDS),
        help=f"How many; each trains the method once more. From 2 to {plain(20)}.",
    )  # fmt: skip

    def work(report, stop):
        chosen = [(run.recipe.seed + step) % 2**32 for step in range(1, int(n) + 1)]
        return seeds.stability(
            run.dataset, run.recipe, run.labels, len(run.sizes),
            seeds=chosen, report=report, stop=stop,
        )  # fmt: skip

    found = _job("seeds", "Try other seeds", (run.key, n), work)
    if found is not None:
        _told_seeds(run, found, names)


def _told_seeds(run, found, names):
    st.info(how_many_words.trust(found, names))
    words = how_many_words.agreement(found)
    k = min(run.n_found, 20)
    if len(found.seeds):
        figure = stability_figure(
            found.clusters[:k],
            [explore_words.cluster_name(label, names) for label in range(k)],
            colours=palette.colours(k),
            trusted=seeds.TRUSTED,
            doubted=seeds.DOUBTED,
            dark=is_dark(),
        )
        st.plotly_chart(figure, theme=None, config=CHART, key="explore.stability", alt=words)
    st.caption(words)


def _job(name, label, about, work):
    """Offer long work, watch it, and return what it found, if it is about what is asked now."""
    kept = state.kept("cluster", f"explore.{name}")  # (about, job)
    active = kept is not None and kept[1].snapshot.active
    if st.button(label, disabled=active, icon=":material/play_arrow:", key=f"explore:go:{name}"):
        job = begin(lambda report, stop: work(_reporting(report), stop))
        if job is None:
            return None
        kept = (about, job)
        state.keep("cluster", f"explore.{name}", kept)
    if kept is None:
        return None
    made_for, job = kept
    if job.snapshot.active:
        _watch(name)
        return None
    if job.snapshot.state == "failed":
        st.error(job.snapshot.error)
        return None
    if made_for != about:
        st.caption("What was found before belongs to another run or other choices: start again.")
        return None
    return job.snapshot.outcome


def _reporting(report):
    return lambda done, planned: report(Progress("comparing", done, planned))


@st.fragment(run_every=_TICK)
def _watch(name):
    _, job = state.kept("cluster", f"explore.{name}")
    snapshot = job.snapshot
    if not snapshot.active:
        st.rerun()
    told = snapshot.progress
    share = 0.0 if told is None else told.done / max(told.planned, 1)
    left = snapshot.seconds_left
    text = "Waiting for a free place …" if snapshot.state == "waiting" else f"{share:.0%}"
    if left is not None:
        text += f", {max(1, round(left))} s left"
    st.progress(share, text=text)
    if st.button(
        "Cancel", icon=":material/stop:", disabled=job.cancelled, key=f"explore:stop:{name}"
    ):
        job.cancel()
