"""From bytes to text: encodings, byte order marks, characters that no table has."""

import codecs
import re

from workbench.table import DataError, Repair
from workbench.words import count

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1e\x7f]")
_SEEN = 64_000
_FEW = 0.1  # of the characters beyond ASCII: so many may be broken in what still is UTF-8


def decode(payload, name, encoding=None):
    """Turn bytes into text, and say which encoding was taken where it was not UTF-8.

    The encoding is told from the byte order mark, else by the zero bytes of UTF-16 and UTF-32,
    else UTF-8, else Windows-1252.

    Parameters
    ----------
    payload : bytes
    name : str
        For sentences.
    encoding : str, optional
        Python's name of the encoding, to be taken instead of the guess.

    Returns
    -------
    text : str
    repairs : tuple of Repair

    Raises
    ------
    DataError
        For an unknown encoding, and for bytes that are no text.
    """
    if encoding is not None:
        text, repairs = _as_told(payload, encoding), ()
    else:
        text, repairs = _guessed(payload)
    text = text.removeprefix("\ufeff")
    start = text[:_SEEN]
    zeros = start.count("\0")
    if len(_CONTROLS.findall(start)) > 0.02 * len(start) or zeros > 0.2 * len(start):
        raise DataError(f"{name} is not a text file: save the table as CSV and upload that.")
    zeros = text.count("\0")
    if zeros:
        text = text.replace("\0", "")
        repairs += (Repair(f"{count(zeros, 'zero character')} left out: no text has them."),)
    return text, repairs


def _as_told(payload, encoding):
    try:
        codec = codecs.lookup(encoding)
        text = payload.decode(codec.name, errors="replace")
        text = text.encode(errors="replace").decode()  # some encodings can hold half a letter
    except (LookupError, UnicodeError, ValueError) as error:
        raise DataError(f"encoding={encoding!r} should be one such as 'utf-8'.") from error
    return text


def _guessed(payload):
    for mark, encoding in _MARKS:
        if payload.startswith(mark):
            text = payload[len(mark) :].decode(encoding, errors="replace")
            return text, () if encoding == "utf-8" else (_said(encoding),)
    for encoding in _by_zeros(payload):
        try:
            return payload.decode(encoding), (_said(encoding),)
        except UnicodeDecodeError:
            continue
    try:
        return payload.decode("utf-8"), ()
    except UnicodeDecodeError:
        return _broken(payload)


def _said(encoding):
    return Repair(f"Read as {encoding.removesuffix('-le').removesuffix('-be')}.")


def _broken(payload):
    """Decide between UTF-8 with a few broken bytes and an encoding of one byte a letter."""
    text = payload.decode("utf-8", errors="replace")
    wrong = text.count("\ufffd")
    beyond = len(re.findall(r"[^\x00-\x7f]", text))
    if wrong <= _FEW * beyond:
        sentence = f"{count(wrong, 'character')} cannot be read as UTF-8 and shown as \ufffd."
        return text, (Repair(sentence, {"encoding": "cp1252"}, "Read as Windows-1252"),)
    undo = {"encoding": "utf-8"}, "Read as UTF-8"
    try:
        text = payload.decode("cp1252")
        return text, (Repair("Read as Windows-1252 (cp1252), since it is not UTF-8.", *undo),)
    except UnicodeDecodeError:  # every byte is a letter in latin-1
        return payload.decode("latin-1"), (
            Repair("Read as latin-1, since it is not UTF-8.", *undo),
        )


def _by_zeros(payload):
    """Tell UTF-16 and UTF-32 without a mark by where the zero bytes of plain letters lie."""
    start = payload[:2000]
    start = start[: len(start) // 4 * 4]
    if not start:
        return ()
    zeros = [start[i::4].count(0) / (len(start) / 4) for i in range(4)]
    full = [share > 0.8 for share in zeros]
    if full == [False, True, True, True]:
        return ("utf-32-le",)
    if full == [True, True, True, False]:
        return ("utf-32-be",)
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if odd > 0.8 and even == 0:
        return ("utf-16-le",)
    if even > 0.8 and odd == 0:
        return ("utf-16-be",)
    return ()
