"""How a file is read: what was guessed and repaired, each with its undo, and what to decide."""

import re

import streamlit as st

from ui import state
from workbench.reading import Reading
from workbench.table import DataError
from workbench.words import count

_SHOWN = 3  # repairs that stand open
_GUESS = "guessed"
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#$~|]|:(?=[\w/+-]+[:\[])")
_DELIMITERS = {
    ",": "comma  ,", ";": "semicolon  ;", "\t": "tab", "|": "bar  |", " ": "spaces",
    ":": "colon  :",
}  # fmt: skip
_ENCODINGS = {
    "utf-8": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows, western (cp1252)",
    "cp1250": "Windows, central European (cp1250)", "cp1251": "Windows, Cyrillic (cp1251)",
    "latin-1": "Latin-1", "mac_roman": "Macintosh", "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
}  # fmt: skip
_DECIMALS = {".": "point  .", ",": "comma  ,"}


def repairs_list(recipe, table, page):
    """List what was not taken as it stood, each with its undo; folded where there is much.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    table : workbench.table.Table or None
        None where it cannot be read as told: then what was told can be taken back.
    page : str
    """
    repairs = [] if table is None else [*table.repairs, *table.column_repairs]
    decided = _decided(recipe.reading)
    if len(repairs) + len(decided) > _SHOWN:
        # Without a number: a fold whose name changes closes at every click inside it.
        place = st.expander("Guessed and repaired")
    else:
        place = st.container()
    with place:
        for i, repair in enumerate(repairs):
            _line(repair.sentence, repair.offer, repair.undo, f"{page}:undo:{i}", page)
        for field, sentence in decided.items():
            default = {field: Reading.model_fields[field].default}
            _line(sentence, "Guess again", default, f"{page}:again:{field}", page)


def _line(sentence, offer, undo, key, page):
    with st.container(gap=None):
        st.caption(_plain(sentence))
        if undo:
            st.button(
                offer,
                key=key,
                type="tertiary",
                icon=":material/undo:",
                on_click=_decide,
                args=(page, dict(undo)),
            )


def _plain(sentence):
    """Keep Markdown from reading a cell's own marks, such as $ and *."""
    return _MARKDOWN.sub(r"\\\g<0>", sentence)


def _decided(reading):
    """Say what is not left to the guess, by field."""
    words = {
        "encoding": lambda value: f"Read as {_ENCODINGS.get(value, value)}.",
        "delimiter": lambda value: f"Cells are parted by {_named(value)}.",
        "decimal": lambda value: f"The decimal mark is the {'point' if value == '.' else 'comma'}.",
        "thousands": lambda value: f"Between thousands stands {value or 'no mark'}.",
        "header": lambda value: f"Names stand in line {value}." if value else "There are no names.",
        "comment": lambda value: f"Comments begin with {value}." if value else "No comments.",
        "skip": lambda value: f"{count(value, 'line')} before the table.",
        "sheet": lambda value: f"The table is {value}.",
        "keep_empty": lambda value: "Empty rows and columns stay.",
        "keep_totals": lambda value: "The row of totals stays.",
        "long_rows": lambda value: "Rows with too many values are cut.",
        "missing": lambda value: f"Missing too: {', '.join(value)}.",
        "plain_numbers": lambda value: "Signs and brackets stay text.",
        "transpose": lambda value: "Rows and columns changed places.",
    }
    return {
        field: say(getattr(reading, field))
        for field, say in words.items()
        if getattr(reading, field) != Reading.model_fields[field].default
    }


def _named(delimiter):
    return str(_DELIMITERS.get(delimiter, delimiter)).split("  ")[0]


def reading_controls(recipe, table, page):
    """Let a person decide how the file is read, where the guess is not right.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    table : workbench.table.Table or None
        None where it cannot be read as told.
    page : str
    """
    prefix = f"{page}:reading"
    reading = recipe.reading
    with st.popover("How the file is read", icon=":material/tune:", width="stretch"):
        if table is None or table.sheets:
            _sheet(reading, table, prefix, page)
        _choice("delimiter", "Between cells", _DELIMITERS, reading, prefix, page, new=True)
        left, right = st.columns(2)
        with left:
            _line_number(
                "header", "Names in line", "0 where there are none.", reading, prefix, page
            )
            _choice("decimal", "Decimal mark", _DECIMALS, reading, prefix, page)
        with right:
            _line_number("skip", "Lines before it", "Skipped.", reading, prefix, page)
            _choice("encoding", "Encoding", _ENCODINGS, reading, prefix, page)
        st.text_input(
            "More spellings of missing",
            key=state.seed(f"{prefix}:missing", ", ".join(reading.missing)),
            on_change=_take_missing,
            args=(prefix, page),
            placeholder="such as 999, unknown",
            help="Parted by commas. Blank, NA, n/a, ?, - and the like are missing anyway.",
        )
        st.toggle(
            "Transpose",
            key=state.seed(f"{prefix}:transpose", reading.transpose),
            on_change=_take,
            args=("transpose", prefix, page),
            help="Turn rows into columns, where features stand in rows.",
        )


def _sheet(reading, table, prefix, page):
    names = list(table.sheets) if table is not None else [reading.sheet]
    if not any(names):
        return
    st.selectbox(
        "Sheet or file",
        names,
        key=state.seed(f"{prefix}:sheet", reading.sheet or names[0]),
        on_change=_take,
        args=("sheet", prefix, page),
    )


def _choice(field, label, named, reading, prefix, page, new=False):
    value = getattr(reading, field)
    options = [_GUESS, *named]
    if value is not None and value not in options:
        options.append(value)
    st.selectbox(
        label,
        options,
        format_func=lambda option: named.get(option, option),
        key=state.seed(f"{prefix}:{field}", _GUESS if value is None else value),
        on_change=_take,
        args=(field, prefix, page),
        accept_new_options=new,
    )


def _line_number(field, label, more, reading, prefix, page):
    st.number_input(
        label,
        0,
        1000,
        key=state.seed(f"{prefix}:{field}", getattr(reading, field)),
        value=None,
        placeholder=_GUESS,
        on_change=_take,
        args=(field, prefix, page),
        help=f"{more} Empty for the guess, or from 0 to 1,000.",
    )


def _take(field, prefix, page):
    value = st.session_state[f"{prefix}:{field}"]
    _decide(page, {field: None if value == _GUESS else value})


def _take_missing(prefix, page):
    words = st.session_state[f"{prefix}:missing"].split(",")
    _decide(page, {"missing": tuple(word.strip() for word in words if word.strip())})


def _decide(page, fields):
    """Change how the file is read; a value that is not legal is said and changes nothing."""
    recipe, view, _ = state.read(page)
    state.keep(state.UPLOAD, "fault", None)
    try:
        values = {**recipe.reading.model_dump(), **fields}
        state.write(page, recipe.changed(reading=Reading(**values)), view)
    except (DataError, ValueError) as error:
        state.keep(state.UPLOAD, "fault", _sentence(fields, error))
    state.restart_widgets(f"{page}:reading:")


def _sentence(fields, error):
    if isinstance(error, DataError):
        return str(error)
    (field, value), *_ = fields.items()
    rule = "one character" if field == "delimiter" else "at most 20 short words"
    return f"{field}={value!r} should be {rule}."
