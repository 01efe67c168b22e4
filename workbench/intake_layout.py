"""How a table lies in a text: delimiter, comments, lines before it, and where its names stand.

A guess is made from the first rows; each one that is not the plain case is said, and each can be
decided otherwise by a Reading.
"""

import csv
import io
import re
from collections import Counter
from typing import NamedTuple

from workbench.intake_cells import Dialect, Row, rows, spaced, without_comments, without_lines
from workbench.number_cells import MISSING
from workbench.table import DataError, Repair
from workbench.words import count

DELIMITERS = (",", ";", "\t", "|", "^", "~", "\x1f", "\x01", " ")  # a tie goes to the first
NONE = "\x1f"  # what parts the cells of a single column: nothing that occurs
DELIMITER_WORDS = {
    ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", "^": "caret", "~": "tilde",
    " ": "spaces", "\x1f": "unit separator", "\x01": "control-A",
}  # fmt: skip
COMMENTS = ("#", "%", "//")
SNIFFED_CHARACTERS = 64_000
SNIFFED_ROWS = 200
PREFACE_ROWS = 50
MOST_COLUMNS = 20_000

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*%?", re.ASCII)
_COMMA_NUMBER = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*", re.ASCII)
_SHAPES = ((re.compile(r"\d+"), "9"), (re.compile(r"[^\W\d_]+"), "a"), (re.compile(r"\s+"), " "))


class Layout(NamedTuple):
    """Where the cells of a table stand.

    Attributes
    ----------
    body : str
        The rows, without the line of names and what stands before it.
    offset : int
        Lines before the body.
    dialect : Dialect
    width : int
        Number of columns.
    names : list of str or None
        As they were written; None where there is no line of names.
    repairs : tuple of Repair
    trailing : int
        Nameless columns at the end of the line of names that no row has.
    """

    body: str
    offset: int
    dialect: Dialect
    width: int
    names: list[str] | None
    repairs: tuple[Repair, ...] = ()
    trailing: int = 0


def layout(text, name, reading, known=None, named=False):
    """Tell how a table lies in a text.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for sentences.
    reading : Reading
        What is decided instead of guessed.
    known : str, optional
        The delimiter, where nobody has to guess it.
    named : bool, default False
        Whether the first line is known to hold the names.

    Returns
    -------
    Layout
    """
    text, declared = _declared_delimiter(text)
    text, reading = _one_byte(text, reading)
    chosen = reading.delimiter or declared or known
    mark = "" if known else reading.comment
    start = text[:SNIFFED_CHARACTERS]
    marks = COMMENTS if mark is None else (mark,) if mark else ()
    bare = start
    for candidate in marks:
        bare = without_comments(bare, candidate, chosen or ",")[0]
    delimiter = chosen or _sniff(bare)
    found = []
    if not (chosen or delimiter in (",", NONE)):
        found.append(_said_delimiter(delimiter))
    if delimiter == " ":
        text, bare = spaced(text), spaced(bare)
    dialect = Dialect(delimiter)
    sample = _sample(bare, dialect, cut=len(text) > SNIFFED_CHARACTERS)
    width = _mode([_filled(row.cells) for row in sample])
    heading, text, repairs = _comments(text, marks, dialect, width, reading)
    found += repairs
    sample = _sample(text[:SNIFFED_CHARACTERS], dialect, cut=len(text) > SNIFFED_CHARACTERS)
    sample, skipped = _after_preface(sample, width, reading, text, named or known is not None)
    found += skipped
    there = _header(sample, width, reading, named)
    if there and sample:
        names, remark = _names(sample[0], reading)
        offset = sample[0].last
        found += remark
    elif heading and reading.header is None:
        names, offset = heading, sample[0].first - 1 if sample else 0
        found.append(
            Repair("The names stand in a line of comment.", {"header": 0}, "Read no names")
        )
    else:
        names, offset = None, sample[0].first - 1 if sample else 0
    body_rows = sample[1:] if there else sample
    width, names, trailing = _columns(body_rows, names, width, reading)
    if width > MOST_COLUMNS:
        raise DataError(f"{name} has {width:,} columns, and {MOST_COLUMNS:,} are allowed.")
    if names is None and sample:
        found.append(
            Repair(
                f"No line of names, so columns are named f1 to f{width}."
                if width > 1
                else "No line of names, so the column is named f1.",
                {"header": 1},
                "Take the first line as names",
            )
        )
    return Layout(
        without_lines(text, offset), offset, dialect, width, names, tuple(found), trailing
    )


def _declared_delimiter(text):
    """Take the delimiter of a first line like `sep=;`, which Excel writes and obeys."""
    declared = re.match(r"sep=([,;\t|])(?=\r|\n)", text, flags=re.IGNORECASE)
    return (text[declared.end() :], declared[1]) if declared else (text, None)


def _one_byte(text, reading):
    """Put another delimiter in the place of one that Arrow does not take, such as §."""
    mark = reading.delimiter
    if mark is None or (mark.isascii() and mark not in '"\r\n'):
        return text, reading
    if mark in '"\r\n':
        raise DataError(f"delimiter={mark!r} should be a character that can part cells.")
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    for row in rows(text, Dialect(mark)):
        writer.writerow(row.cells)
    return written.getvalue(), reading.model_copy(update={"delimiter": ","})


def _said_delimiter(delimiter):
    word = DELIMITER_WORDS[delimiter]
    sentence = "Cells are parted by spaces." if delimiter == " " else f"Read as {word}-separated."
    return Repair(sentence, {"delimiter": ","}, "Read as comma-separated")


def _sniff(start):
    """Choose the delimiter under which rows are even and cells read best."""
    cut = len(start) >= SNIFFED_CHARACTERS
    scores = {mark: _evenness(start, mark, cut) for mark in DELIMITERS if mark in start}
    best = max(scores, key=scores.__getitem__, default=",")
    if scores.get(best, 0.0) > 0.0:
        return best
    return "," if "," not in start else NONE


def _evenness(start, delimiter, cut):
    space = delimiter == " "
    sample = _sample(spaced(start) if space else start, Dialect(delimiter), cut)
    sample = [row.cells for row in sample if any(cell.strip() for cell in row.cells)]
    width = _mode([_filled(cells) for cells in sample])
    if width < 2:
        width = _mode([len(cells) for cells in sample])
    if width < 2:
        return 0.0
    full = [cells for cells in sample if len(cells) >= width and _filled(cells) <= width]
    even = len(full) / len(sample)
    cells = [c for row in full[1:] for c in row[:width] if c.strip().lower() not in MISSING]
    readable = sum(_is_number(cell, delimiter) for cell in cells) / max(1, len(cells))
    if space and (even < 0.9 or readable < 0.3):
        return 0.0  # words of a sentence
    return even + readable


def _is_number(cell, delimiter=";"):
    comma = delimiter != "," and _COMMA_NUMBER.fullmatch(cell)
    return bool(comma or _NUMBER.fullmatch(cell))


def _sample(start, dialect, cut):
    """Return the first rows, without one that may be cut off, and without blank lines."""
    found = []
    try:
        for row in rows(start, dialect):
            found.append(row)
            if len(found) > SNIFFED_ROWS:
                break
    except csv.Error as error:
        raise DataError(f"The table cannot be read: {error}.") from error
    if cut and 2 < len(found) <= SNIFFED_ROWS:
        found.pop()
    return [row for row in found if any(cell.strip() for cell in row.cells)]


def _filled(cells):
    """Width of a row without empty cells at its end."""
    return next((i for i in range(len(cells), 0, -1) if cells[i - 1].strip()), 0)


def _mode(widths):
    """Return the most common width; a tie goes to the larger one."""
    counts = Counter(widths)
    return max(counts, key=lambda width: (counts[width], width), default=1) or 1


def _comments(text, marks, dialect, width, reading):
    """Empty lines of comment; return the names too, where the last one before the rows has them."""
    for mark in marks:
        if not re.search(rf"^[ \t]*{re.escape(mark)}", text, re.MULTILINE):
            continue
        emptied, lines = without_comments(text, mark, dialect.delimiter, alone=width == 1)
        if reading.comment is None and not _are_comments(lines, mark, text, dialect, width):
            continue
        if not lines:
            continue
        heading = _heading(lines, mark, text, dialect, width)
        said = len(lines) - bool(heading)
        example = lines[0] if len(lines[0]) <= 60 else f"{lines[0][:60]}…"
        repair = Repair(
            f"{count(said, 'line')} of comment skipped: {example}",
            {"comment": ""},
            "Read lines of comment as rows",
        )
        return heading, emptied, [repair] if said else []
    return None, text, []


def _are_comments(lines, mark, text, dialect, width):
    """Tell comments from rows that begin with the mark: these are many, or as wide as the rest."""
    if not lines:
        return False
    total = sum(1 for line in io.StringIO(text[:SNIFFED_CHARACTERS], newline="") if line.strip())
    early = sum(line.lstrip().startswith(mark) for line in text[:SNIFFED_CHARACTERS].splitlines())
    if early > total / 2:
        return False
    alike = [_split(line, dialect) for line in lines[:SNIFFED_ROWS]]
    as_rows = sum(len(cells) == width for cells in alike)
    if width == 1:
        return text.lstrip("\r\n \t").startswith(mark) and mark == "#"
    return as_rows <= len(alike) / 2 or (as_rows == len(alike) == 1 and _starts(text, mark))


def _starts(text, mark):
    return text.lstrip().startswith(mark)


def _heading(lines, mark, text, dialect, width):
    """Return names that stand in the last line of comment before the rows, in place of a header."""
    leading = []
    for line in io.StringIO(text[:SNIFFED_CHARACTERS], newline=""):
        if line.lstrip(" \t").startswith(mark):
            leading.append(line)
        elif line.strip():
            first = _split(line, dialect)
            break
    else:
        return None
    if not leading or width < 2:
        return None
    cells = _split(leading[-1].strip()[len(mark) :].strip(" \t"), dialect)
    named = len(cells) == width and not any(_is_number(cell) for cell in cells)
    return cells if named and any(_is_number(cell) for cell in first) else None


def _split(line, dialect):
    return next((row.cells for row in rows(line.rstrip("\r\n"), dialect)), [])


def _after_preface(sample, width, reading, text, plain):
    """Leave out what stands before the table; return the other rows and what to say."""
    if reading.skip is not None or reading.header:
        lines = (reading.skip or 0) + max(0, (reading.header or 0) - 1)
        return [row for row in sample if row.first > lines], []
    if plain and sample and width == _filled(sample[0].cells):
        return sample, []
    kept = sample[_preface(sample, width) :]
    if len(kept) == len(sample):
        return sample, []
    lines = kept[0].first - 1
    filled = len(sample) - len(kept)
    example = " ".join(sample[0].cells).strip()
    example = example if len(example) <= 60 else f"{example[:60]}…"
    return kept, [
        Repair(
            f"{count(filled, 'line')} before the table skipped: {example}",
            {"skip": 0},
            "Read them as rows" if lines > 1 else "Read it as a row",
        )
    ]


def _preface(sample, width):
    """Count the rows before the table: narrower, and without numbers where the rows have them."""
    full = [row.cells for row in sample if _filled(row.cells) == width]
    if width < 2 or len(full) < 2:
        return 0
    numeric = _numeric_places(full[len(full) // 2 :], width)
    end, candidate = 0, None
    for i, row in enumerate(sample[:PREFACE_ROWS]):
        like_rows = _like_rows(row.cells, numeric)
        if _filled(row.cells) >= width:
            if like_rows or not numeric:
                break
            candidate = i
        elif like_rows:
            break
        else:
            end = i + 1
    if end >= len(sample):
        return 0
    if candidate is not None and candidate < end and _like_rows(sample[end].cells, numeric):
        return candidate  # that was the line of names, and a short row below it
    return end


def _numeric_places(body, width):
    places = []
    for place in range(width):
        cells = [
            r[place] for r in body if place < len(r) and r[place].strip().lower() not in MISSING
        ]
        if cells and sum(map(_is_number, cells)) >= 0.9 * len(cells):
            places.append(place)
    return places


def _like_rows(cells, numeric):
    there = [cells[place] for place in numeric if place < len(cells) and cells[place].strip()]
    return bool(there) and all(
        _is_number(cell) or cell.strip().lower() in MISSING for cell in there
    )


def _header(sample, width, reading, named):
    """Tell whether the first row holds names."""
    if reading.header is not None:
        return reading.header > 0
    if named or not sample:
        return True
    return names_first(sample[0].cells, [row.cells for row in sample[1:]], width)


def names_first(first, body, width):
    """Tell names from values: by numbers, by words that come again below, by their shape.

    Parameters
    ----------
    first : list of str
        The first row.
    body : list of list of str
        The rows below it.
    width : int
        Number of columns.

    Returns
    -------
    bool
    """
    filled = [cell for cell in first if cell.strip()]
    numbers = [cell for cell in filled if _is_number(cell)]
    if not body:
        return len(numbers) < len(filled)
    numeric = set(_numeric_places(body, width))
    if numbers and _counts_up(numbers, filled, body):
        return True
    if len(numbers) == len(filled):
        return False
    as_name = as_value = 0
    for place, cell in enumerate(first[:width]):
        word = cell.strip()
        if not word:
            as_name += place in numeric
            continue
        if place in numeric:
            as_name += not _is_number(cell) and word.lower() not in MISSING
            as_value += _is_number(cell)
            continue
        below = [row[place].strip() for row in body if place < len(row)]
        as_value += word in below or (not _is_number(cell) and _same_shape(word, below))
    return as_name >= as_value if as_name else not as_value or as_value < len(filled) / 2


def _counts_up(numbers, filled, body):
    """Tell numbers that are names: 1, 2, 3, ... or years."""
    if not all(number.strip().isdigit() for number in numbers) or len(numbers) < 2:
        return False
    values = [int(number) for number in numbers]
    if len(set(values)) < len(values):
        return False
    years = all(1800 <= value <= 2200 for value in values)
    in_turn = all(b - a == 1 for a, b in zip(values, values[1:], strict=False))
    alone = len(numbers) == len(filled)
    if not alone:
        return years or (in_turn and len(values) > 2) or (in_turn and values[0] in (0, 1))
    below = [cell for row in body for cell in row if _is_number(cell)]
    fractions = sum(not cell.strip().lstrip("+-").isdigit() for cell in below)
    starts = values[0] in (0, 1) and in_turn
    if starts and len(values) >= 8:
        return True
    return (starts or (years and in_turn)) and len(values) > 2 and fractions > len(below) / 2


def _same_shape(word, below):
    """Tell whether a word is made like nearly all below it, of digits and marks: A11 over A12."""
    shape = _shape(word)
    if shape.strip("a ") == "":
        return False
    filled = [cell for cell in below if cell]
    return sum(_shape(cell) == shape for cell in filled) >= 0.8 * len(filled)


def _shape(word):
    for pattern, letter in _SHAPES:
        word = pattern.sub(letter, word)
    return word


def _names(row: Row, reading):
    """Return the names of a header row, without a remark behind the last one."""
    mark = reading.comment if reading.comment is not None else "#"
    remarks = [
        i for i, cell in enumerate(row.cells) if mark and re.search(rf"\s{re.escape(mark)}\s", cell)
    ]
    if not remarks:
        return list(row.cells), []
    place = remarks[0]
    last, remark = re.split(rf"\s+{re.escape(mark)}\s", row.cells[place], maxsplit=1)
    remark = ",".join([remark, *row.cells[place + 1 :]]).strip()
    repair = Repair(f"A remark behind the names left out: {remark}.", {"comment": ""}, "Keep it")
    return [*row.cells[:place], last], [repair]


def _columns(body, names, width, reading):
    """Settle the number of columns and fit the names to it."""
    raw = [len(row.cells) for row in body]
    common = _mode(raw) if raw else 0
    if common > width and raw.count(common) >= 0.9 * len(raw):
        width = common
    if names is None:
        return max(width, 1), None, 0
    if not body:
        return len(names), names, 0
    if _has_row_names(names, body):
        return width, ["", *names[: width - 1]], 0
    needed = _filled(names)
    trailing = len(names) - max(needed, width)
    if trailing > 0 and not reading.keep_empty and common <= max(needed, width):
        return max(needed, width), names[: max(needed, width)], trailing
    width = max(width, len(names))
    return width, [*names, *[""] * (width - len(names))], 0


def _has_row_names(names, body):
    """Tell the manner of R, which writes no name above its row names."""
    wider = all(len(row.cells) == len(names) + 1 and row.cells[0].strip() for row in body)
    return bool(body) and len(names) > 0 and wider and any(row.cells[-1].strip() for row in body)
