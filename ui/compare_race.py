"""Start a race, watch its lanes, end one or all of them; find it again after a reload."""

from collections import Counter
from typing import NamedTuple

import streamlit as st

from ui import compare_words, history, state
from ui.jobs import jobs, size_of
from ui.page_jobs import begin
from workbench.contest import Contest
from workbench.dataset import Dataset
from workbench.how_many import HowMany, how_many
from workbench.methods import METHODS
from workbench.progress import Progress
from workbench.race import Race
from workbench.recipe import Recipe
from workbench.run import too_many_clusters

_TICK = 0.5  # seconds between looks at a race
ENDED = ("done", "cancelled", "failed", "too long")


class Asked(NamedTuple):
    """What a job of this page is about; `page` tells it from those of other pages."""

    recipe: Recipe
    contest: Contest
    dataset: Dataset
    payload: bytes | None
    race: Race
    page: str = "compare"


def start_button(recipe, contest, dataset):
    """Offer to start the race, or say why it cannot be."""
    able = contest.taking_part(dataset)
    fault = _fault(recipe, able, dataset)
    if fault:
        st.error(fault)
    pressed = st.button(
        "Start the race", type="primary", icon=":material/flag:", width="stretch",
        disabled=bool(fault),
    )  # fmt: skip
    if fault:
        return
    race = Race(dataset, contest.recipes(recipe, dataset), null=contest.null)
    for sentence in compare_words.expected(race):
        st.caption(sentence)
    if pressed:
        earlier = state.kept("compare", "job")
        if earlier is not None:
            earlier.cancel()
        _start(Asked(recipe, contest, dataset, history.payload_of(recipe), race))
        st.rerun()  # what folds away while there is a race was drawn before


def _fault(recipe, able, dataset):
    """Say why there is no race, in one sentence; nothing where there can be one."""
    if not able:
        return "Choose at least one method that can run on these rows."
    if all(METHODS[key].finds_k for key in able):
        return ""
    return too_many_clusters(dataset, recipe.settings["n_clusters"])


def _start(asked, known=None):
    """Queue the race, and after it the question how many clusters there are, unless known."""
    job = begin(
        lambda report, stop: _run(asked, known, report, stop),
        about=asked,
        size=size_of(asked.dataset),
    )
    if job is not None:
        state.keep("compare", "job", job)
        state.keep("compare", "ended", 0)


def _run(asked, known, report, stop):
    """Race, then ask five criteria for k; a HowMany, or None where it was ended before."""
    report(Progress("training", 0, len(asked.race.recipes)))
    entries = asked.race.run(report, stop)
    if known is not None or stop() or not any(entry.done for entry in entries):
        return known

    def told(done, planned):
        report(Progress("comparing", done, planned))

    found = how_many(asked.dataset, asked.recipe, report=told, stop=stop)
    return None if found.cancelled else found


def find_again(recipe, contest):
    """Give a new session back the race that its workspace was at, and its file.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    contest : workbench.contest.Contest
    """
    history.job_again("compare", recipe, lambda about: about.contest == contest)
    history.file_again(recipe)


def watch():
    """Show the lanes of this session's race, moving while it goes on.

    Returns
    -------
    Asked or None
        What the latest race is about.
    """
    job = state.kept("compare", "job")
    if job is None:
        return None
    if job.snapshot.active:
        _running()
    else:
        if job.snapshot.state == "failed":
            st.error(job.snapshot.error)
        lanes = job.about.race.lanes()
        with st.expander(compare_words.race_over(lanes), icon=":material/flag:"):
            for lane in lanes:
                _lane(job, lane)
        for lane in lanes:
            if lane.state == "too long":
                _run_anyway(job, lane)
    return job.about


@st.fragment(run_every=_TICK)
def _running():
    job = state.kept("compare", "job")
    lanes = job.about.race.lanes()
    ended = sum(lane.state in ENDED for lane in lanes)
    if not job.snapshot.active or ended != state.kept("compare", "ended"):
        state.keep("compare", "ended", ended)
        st.rerun()  # results come as methods end
    counts, progress = Counter(lane.state for lane in lanes), job.snapshot.progress
    asking = progress is not None and progress.phase == "comparing"
    with st.container(horizontal=True, vertical_alignment="center"):
        words = compare_words.race_going(counts, jobs().before(job), progress)
        st.markdown(words, width="stretch")
        if not job.cancelled:
            st.button(
                "Skip this" if asking else "Cancel all",
                icon=":material/stop:", key="compare:stop", on_click=job.cancel,
            )  # fmt: skip
    for lane in lanes:
        _lane(job, lane)


def _lane(job, lane):
    """Show how far one method is, and what can be done about it."""
    race = job.about.race
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(min(max(lane.done, 0.0), 1.0), text=compare_words.lane(lane))
        if not job.snapshot.active:
            return
        if lane.state in ("waiting", "running"):
            st.button(
                "Cancel", icon=":material/close:", key=f"compare:stop:{lane.method}",
                help=f"End {lane.name} now; the others go on.", on_click=race.cancel,
                args=(lane.method,),
            )  # fmt: skip
        elif lane.state == "too long":
            _force_button(job, lane)


def _run_anyway(job, lane):
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(compare_words.held_back(lane), width="stretch")
        _force_button(job, lane)


def _force_button(job, lane):
    st.button(
        "Run anyway", icon=":material/play_arrow:", key=f"compare:force:{lane.method}",
        on_click=_force, args=(job, lane.method),
        help=f"Let {lane.name} race too, however long it takes; it can be cancelled.",
    )  # fmt: skip


def _force(job, method):
    job.about.race.force(method)
    if not job.snapshot.active:
        _start(job.about, job.snapshot.outcome)


def number_found() -> HowMany | None:
    """Return what the criteria for k said of this session's race, once they have."""
    job = state.kept("compare", "job")
    return None if job is None else job.snapshot.outcome
