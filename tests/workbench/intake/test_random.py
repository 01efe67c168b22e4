"""Random tables and random bytes: no traceback, no row lost, no digit changed.

BASINSCOPE_EXAMPLES sets the number of examples of each test; 3,000 take about a minute.
"""

import csv
import io
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.intake import read_table
from workbench.reading import Reading
from workbench.table import DataError, Table

thorough = settings(
    max_examples=int(os.environ.get("BASINSCOPE_EXAMPLES", "100")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

# Control characters stay out: a short text that is full of them is taken for no text.
letters = st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufeff")
words = st.one_of(
    st.text(letters, max_size=8),
    st.sampled_from(
        ["NA", "?", "", " ", "#", "# x", "Total", "1,5", "$3", "(4)", '"', "a\nb", "\r"]
    ),
    st.floats().map(repr),
    st.integers(-5, 5000).map(str),
)
named = st.text("abcxyz", min_size=1, max_size=4)


@st.composite
def tables(draw):
    width = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(words, min_size=width, max_size=width), min_size=1, max_size=8))
    names = draw(st.lists(named, min_size=width, max_size=width, unique=True))
    return names, rows


def written(names, rows, delimiter):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([names, *rows])
    return text.getvalue()


def plain(delimiter):
    """Everything is told, so that nothing may be repaired."""
    return Reading(
        encoding="utf-8", delimiter=delimiter, header=1, comment="", skip=0,
        keep_empty=True, keep_totals=True,
    )  # fmt: skip


@thorough
@given(tables(), st.sampled_from([",", ";", "\t", "|", ":"]))
def test_cells_come_back_digit_for_digit(table, delimiter):
    names, rows = table
    text = written(names, rows, delimiter)
    found = read_table(text.encode(), "t.csv", plain(delimiter))
    assert list(found.frame.columns) == names
    assert found.frame.to_numpy().tolist() == rows
    assert not len(found.rejected)


@thorough
@given(tables(), st.sampled_from([",", ";", "\t"]))
def test_guessing_loses_no_row(table, delimiter):
    names, rows = table
    text = written(names, rows, delimiter)
    try:
        found = read_table(text.encode(), "t.csv")
    except DataError as error:
        assert "\n" not in str(error)
        return
    sound(found)


@thorough
@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=12),
    st.sampled_from(["reject", "cut"]),
)
def test_uneven_rows_are_kept_or_rejected(widths, long_rows):
    lines = [",".join(f"{i}.{j}1" for j in range(width)) for i, width in enumerate(widths)]
    text = "a,b,c\n" + "\n".join(lines) + "\n"
    reading = Reading(header=1, delimiter=",", long_rows=long_rows)
    try:
        found = read_table(text.encode(), "t.csv", reading)
    except DataError as error:
        assert "more values" in str(error) or "no filled cell" in str(error)
        return
    assert len(found.frame) + len(found.rejected) == len(widths)
    if long_rows == "reject" and found.frame.shape[1] == 3:
        expected = [line for line, width in zip(lines, widths, strict=True) if width > 3]
        assert found.rejected["text"].tolist() == expected
        places = [i + 2 for i, width in enumerate(widths) if width > 3]
        assert found.rejected["line"].tolist() == places


readings = st.builds(
    Reading,
    encoding=st.sampled_from([None, "utf-8", "latin-1", "utf-16"]),
    delimiter=st.sampled_from([None, ",", ";", " ", "x"]),
    decimal=st.sampled_from([None, ".", ","]),
    header=st.sampled_from([None, 0, 1, 3]),
    comment=st.sampled_from([None, "", "#"]),
    skip=st.sampled_from([None, 0, 2]),
    keep_empty=st.booleans(),
    long_rows=st.sampled_from(["reject", "cut"]),
    transpose=st.booleans(),
)
pieces = st.sampled_from(
    [b",", b";", b"\t", b" ", b"\n", b"\r", b"\r\n", b'"', b"#", b"1", b"2.5", b"1,5", b"a",
     b"\xff", b"\xc3\xa4", b"Total", b"NA", b"\0", b"sep=;", b"[", b"{", b"PK\x03\x04", b"\x1f\x8b",
     b"PAR1"]
)  # fmt: skip


@thorough
@given(
    st.one_of(st.binary(max_size=200), st.lists(pieces, max_size=60).map(b"".join)),
    st.one_of(st.just(Reading()), readings),
)
def test_random_bytes_give_a_table_or_a_sentence(payload, reading):
    try:
        found = read_table(payload, "t.csv", reading)
    except DataError as error:
        assert str(error).endswith(".") and "\n" not in str(error)
        return
    sound(found)


def sound(table: Table):
    """Hold what is true of every table, also of what is computed from it later."""
    assert table.frame.columns.is_unique and len(table.frame.columns)
    assert all(isinstance(cell, str) for cell in table.frame.to_numpy().ravel())
    assert list(table.rejected.columns) == ["line", "reason", "text"]
    for column in table.numbers.values():
        kinds = column.blank.astype(int) + column.infinite + column.unreadable
        assert ((kinds == 1) == (column.values != column.values)).all()
    for repair in (*table.repairs, *table.column_repairs):
        assert repair.sentence
        Reading(**{**table.reading.model_dump(), **repair.undo})
