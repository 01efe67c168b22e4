"""Two runs of the history side by side."""

import pandas as pd
import streamlit as st

from ui import cluster_words, runs_words
from ui.controls import LABELS
from ui.runs_stored import picture
from workbench.side_by_side import agreement, differences


def compare(first, second):
    """Show what differs between two runs and how far they agree.

    Parameters
    ----------
    first, second : tuple of (Entry, Record)
    """
    entries, records = zip(first, second, strict=True)
    names = [runs_words.title(entry) for entry in entries]
    if names[0] == names[1]:
        names = [f"{name} ({mark})" for name, mark in zip(names, ("A", "B"), strict=True)]
    found = agreement(*records)
    k = max(record.facts["k"] for record in records)
    sides = st.columns(2, gap="large")
    for side, name, record, numbers in zip(
        sides, names, records, (None, found and found.numbers), strict=True
    ):
        with side:
            st.markdown(f"**{runs_words.escaped(name)}**")
            picture(record, f"runs.side.{record.key}.{record.facts['cancelled']}", numbers, k)
    st.markdown(runs_words.agreement(found))
    _table(_rows(records), names, "Scores, sizes and time of the two runs.")
    changed = differences(*(record.recipe for record in records))
    if changed:
        st.caption("What their Recipes say differently:")
        named = [(LABELS.get(what, what.replace("_", " ")), *said) for what, *said in changed]
        _table(named, names, "Settings of the two runs that differ.")
    else:
        st.caption("Their Recipes are the same.")


def _rows(records):
    """What was found, one row for each kind of number."""
    facts = [record.facts for record in records]
    rows = [("clusters found", *(f"{each['found']} of {each['k']}" for each in facts))]
    for name in runs_words.SCORES:
        values = [each["scores"].get(name) for each in facts]
        if any(value is not None for value in values):
            shown = ("—" if value is None else cluster_words.score(value) for value in values)
            rows.append((runs_words.SCORES[name], *shown))
    largest = (_sizes(record.arrays["sizes"]) for record in records)
    rows.append(("rows of each cluster", *largest))
    rows.append(("training", *(f"{each['seconds']:.1f} s" for each in facts)))
    return rows


def _sizes(sizes, most=8):
    shown = ", ".join(f"{size:,}" for size in sizes[:most])
    return f"{shown}, …" if len(sizes) > most else shown


def _table(rows, names, alt):
    frame = pd.DataFrame(rows, columns=["", *names])
    st.dataframe(frame, hide_index=True, alt=alt)
