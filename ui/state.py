"""What the app remembers: Recipe and View between the session and the link, and nothing else.

This module alone touches ``st.session_state`` for anything but a widget's own value. Each page
keeps one Recipe and one View. They come from the session, else from the link, else from the
page's default, in this order; every change goes back to both. An uploaded table never enters the
link: its fingerprint does, and the bytes stay in the session that sent them.
"""

from typing import Any, NamedTuple

import streamlit as st

from workbench.contest import Contest
from workbench.dataset import DataError
from workbench.masking import Masking
from workbench.recipe import Builtin, Memories, Recipe, View, from_link, to_link
from workbench.toys import FIGURE_4

LINK = "link"  # the query parameter
ITEM = "item"  # another one, of the Papers page: its figure or table
RACE = "race"  # another one, of the Compare page: its Contest
MASK = "mask"  # another one, of the Completion page: its Masking
HIDE = "hide"  # another one: groups of controls that a teacher's link leaves out
LESSON, SCREEN, AT = "lesson", "screen", "at"  # others, of the Lessons page
OWN = "own"  # another one: "painted" where the link is of painted points, not of a file
UPLOAD = "upload"  # where a session keeps the table of a file, for all its pages, and
PAINTED = "painted"  # where that of painted points


class Remembered(NamedTuple):
    """A page's Recipe and View, and a sentence if a link could not be used."""

    recipe: Recipe
    view: View
    note: str


def defaults(page):
    """Return what a page shows when nothing is remembered.

    Parameters
    ----------
    page : str

    Returns
    -------
    tuple of (Recipe, View)
    """
    if page == "basins":
        settings = {"beta": FIGURE_4.beta, "n_steps": FIGURE_4.n_steps}
        memories = Memories(positions=FIGURE_4.memories)
        return Recipe(data=memories, method="recall", settings=settings), View()
    if page == "energy":
        settings = {"beta": 50.0, "n_steps": FIGURE_4.n_steps}
        memories = Memories(positions=FIGURE_4.memories)
        return Recipe(data=memories, method="recall", settings=settings), View()
    if page == "evolution":
        toy = Builtin(name="elongated3")
        return Recipe(data=toy, method="clam", settings={"n_clusters": 3}), View()
    if page == "completion":
        # A few starts are enough for a picture, and leave no one waiting for it.
        settings = {"n_clusters": 10, "n_init": 4}
        return Recipe(data=Builtin(name="digits"), method="clam", settings=settings), View()
    if page == "laplacian":
        moons = Builtin(name="moons")
        return Recipe(data=moons, method="slk", settings={"n_clusters": 2}), View()
    method = "kmeans" if page == "compare" else "clam"
    iris = Recipe(data=Builtin(name="iris"), method=method, settings={"n_clusters": 3})
    return iris, View()


def read(page):
    """Return what a page remembers: from the session, else the link, else the default.

    Parameters
    ----------
    page : str

    Returns
    -------
    Remembered
        ``note`` is empty, or says why the link was put aside; it stays until the next change.
    """
    if f"{page}.kept" not in st.session_state:
        recipe, view = defaults(page)
        note = ""
        text = st.query_params.get(LINK)
        if text:
            try:
                recipe, view = _of_page(page, *from_link(text))
            except DataError as error:
                note = f"{error} The page shows its defaults instead."
        st.session_state[f"{page}.kept"] = Remembered(recipe, view, note)
    return st.session_state[f"{page}.kept"]


def elsewhere(page):
    """Return what another page than the one at hand remembers: this one's link is not its."""
    return st.session_state.get(f"{page}.kept") or Remembered(*defaults(page), "")


def write(page, recipe, view):
    """Remember a page's Recipe and View in the session and in the address bar.

    Parameters
    ----------
    page : str
    recipe : Recipe
    view : View
    """
    before = read(page)
    if (recipe, view) != (before.recipe, before.view):
        st.session_state[f"{page}.kept"] = Remembered(recipe, view, "")
    text = to_link(recipe, view)
    if st.query_params.get(LINK) != text:
        st.query_params[LINK] = text


def read_item(known):
    """Return the figure or table that the Papers page shows: from the session, else the link.

    Parameters
    ----------
    known : mapping of str to Item
        The first is the default.

    Returns
    -------
    str
        Its key.
    """
    kept = st.session_state.get("papers.item", st.query_params.get(ITEM))
    return kept if kept in known else next(iter(known))


def write_item(key):
    """Remember the figure or table of the Papers page in the session and in the address bar."""
    st.session_state["papers.item"] = key
    if st.query_params.get(ITEM) != key:
        st.query_params[ITEM] = key


def read_contest():
    """Return the terms of the Compare page: from the session, else the link, else the usual ones.

    Returns
    -------
    contest : workbench.contest.Contest
    note : str
        Why those of a link were put aside; empty where they were not.
    """
    return _read_value("compare.contest", RACE, Contest, "The usual methods are chosen instead.")


def write_contest(contest):
    """Remember the terms of the Compare page in the session and in the address bar."""
    _write_value("compare.contest", RACE, contest, read_contest())


def read_masking():
    """Return the row and mask of the Completion page: from the session, else the link, else usual.

    Returns
    -------
    masking : workbench.masking.Masking
    note : str
        Why that of a link was put aside; empty where it was not.
    """
    return _read_value("completion.masking", MASK, Masking, "The usual row is shown instead.")


def write_masking(masking):
    """Remember the row and mask of the Completion page in the session and in the address bar."""
    _write_value("completion.masking", MASK, masking, read_masking())


def _read_value(slot, name, kind, instead):
    """Return the session's value, the link's or the usual; and why the link's was put aside."""
    if slot not in st.session_state:
        value, note, text = kind(), "", st.query_params.get(name)
        if text:
            try:
                value = kind.of_text(text)
            except DataError as error:
                note = f"{error} {instead}"
        st.session_state[slot] = value, note
    return st.session_state[slot]


def _write_value(slot, name, value, kept):
    before, note = kept
    st.session_state[slot] = value, note if value == before else ""
    text = value.to_text()
    if st.query_params.get(name) != text:
        st.query_params[name] = text


def read_lesson():
    """Return what the Lessons page has open: from the session, else the link.

    Returns
    -------
    dict
        ``lesson`` (its key, or ""), ``screen`` (from 1; 0 where the reader last was) and ``at``
        (the picture's state as its link packs it, or "").
    """
    if "lessons.open" not in st.session_state:
        told = st.query_params
        number = told.get(SCREEN, "")
        st.session_state["lessons.open"] = {
            "lesson": told.get(LESSON, ""),
            "screen": int(number) if number.isdecimal() and len(number) < 4 else 0,
            "at": told.get(AT, ""),
        }
    return st.session_state["lessons.open"]


def write_lesson(key):
    """Remember the open lesson in the session and in the address bar; "" where none is.

    The screen and its picture are the link's alone: the reader moves on without the server.
    """
    if key != read_lesson()["lesson"]:
        st.session_state["lessons.open"] = {"lesson": key, "screen": 0, "at": ""}
        for name in (SCREEN, AT):
            st.query_params.pop(name, None)
    if key and st.query_params.get(LESSON) != key:
        st.query_params[LESSON] = key
    elif not key:
        st.query_params.pop(LESSON, None)


def hidden():
    """Return the names of the groups of controls that the link of this session leaves out.

    Returns
    -------
    frozenset of str
    """
    if HIDE in st.query_params:
        names = (name.strip() for name in st.query_params[HIDE].split(","))
        keep("lecture", "hidden", frozenset(filter(None, names)))
    return kept("lecture", "hidden", frozenset())


def hide_nothing():
    """Show all groups of controls again, on every page of this session."""
    st.query_params.pop(HIDE, None)
    keep("lecture", "hidden", frozenset())


def shared_link(page, hiding=()):
    """Return the address that restores a page's picture in any browser.

    Parameters
    ----------
    page : str
    hiding : sequence of str, default ()
        Groups of controls that it leaves out.

    Returns
    -------
    str
    """
    recipe, view, _ = read(page)
    address = (st.context.url or "").split("?")[0]
    terms = f"&{RACE}={read_contest()[0].to_text()}" if page == "compare" else ""
    if page == "completion":
        terms = f"&{MASK}={read_masking()[0].to_text()}"
    without = f"&{HIDE}={','.join(hiding)}" if hiding else ""
    painted = f"&{OWN}={PAINTED}" if is_painted(recipe.data) else ""
    return f"{address}?{LINK}={to_link(recipe, view)}{terms}{painted}{without}"


def keep(page, name, value):
    """Keep something for this session only, such as an uploaded table or a job."""
    st.session_state[f"{page}.own.{name}"] = value


def kept(page, name, default: Any = None):
    """Return what :func:`keep` kept, or the default."""
    return st.session_state.get(f"{page}.own.{name}", default)


def own_table(data):
    """Return what this session holds of an upload: the table of a file or of painted points.

    Parameters
    ----------
    data : workbench.recipe.Upload, or any other data of a Recipe

    Returns
    -------
    table : workbench.table.Table or None
        None where it holds another, or none.
    payload : bytes or None
    """
    wanted = getattr(data, "fingerprint", None)
    for slot in (UPLOAD, PAINTED):
        table = kept(slot, "table")
        if table is not None and table.fingerprint == wanted:
            return table, kept(slot, "payload")
    return None, None


def is_painted(data):
    """Whether data are painted points: those of this session, or as the link says."""
    if data.kind != "upload":
        return False
    table, _ = own_table(data)
    if table is None:
        return st.query_params.get(OWN) == PAINTED
    return table is kept(PAINTED, "table")


def tell_painted(painted):
    """Say in the address bar whether its link is of painted points."""
    if painted and st.query_params.get(OWN) != PAINTED:
        st.query_params[OWN] = PAINTED
    elif not painted and OWN in st.query_params:
        del st.query_params[OWN]


def follow(before, after):
    """Let every page that is at some data go on with others in their place.

    Parameters
    ----------
    before, after : workbench.recipe.Upload
    """
    for key, value in list(st.session_state.items()):
        if isinstance(value, Remembered) and value.recipe.data == before:
            recipe = value.recipe.changed(data=after)
            st.session_state[key] = Remembered(recipe, value.view, "")


def seed(key, value):
    """Give a widget its first value; from then on it has its own.

    A widget's value vanishes when its page is left; on return it starts from the Recipe again.

    Returns
    -------
    str
        The key, for the widget that it is of.
    """
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def seed_within(key, value, low, high):
    """Give a widget its first value as :func:`seed` does, and keep it within limits that move.

    Parameters
    ----------
    key : str
    value : int or float
        What the Recipe says.
    low, high : int or float
        Such as the table at hand sets; Streamlit refuses a value beyond them.

    Returns
    -------
    str
        The key.
    """
    st.session_state[key] = min(max(st.session_state.get(key, value), low), high)
    return key


def restart_widgets(prefix):
    """Forget the values of widgets, so that they start from the Recipe again.

    Parameters
    ----------
    prefix : str
        Beginning of their keys, such as ``"basins:"``.
    """
    for key in [key for key in st.session_state if str(key).startswith(prefix)]:
        del st.session_state[key]


_METHODS = {
    "basins": ("recall",),
    "cluster": ("clam", "kmeans", "slk"),
    "laplacian": ("slk",),
    "tune": ("clam",),
    "evolution": ("clam", "kmeans", "dec", "slk"),
    "energy": ("recall",),
    "completion": ("clam",),
    "compare": ("kmeans",),  # which stands for any: the Contest says which methods meet
}


def _of_page(page, recipe, view):
    if recipe.method not in _METHODS[page] or not _fits(page, recipe, view):
        raise DataError(f"The link is not one of the {page} page.")
    return recipe, view


def _fits(page, recipe, view):
    """Whether memories and particle lie in a space that the page draws; Energy has the globe."""
    if recipe.method != "recall":
        return True
    globe = page == "energy" and recipe.settings["energy"] == "spherical"
    shown = [*recipe.data.positions, *filter(None, [view.particle])]
    return {len(place) for place in shown} == {3 if globe else 2}
