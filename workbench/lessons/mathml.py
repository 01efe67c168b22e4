"""Equations as the browser draws them itself: MathML, each symbol marked."""

from xml.etree import ElementTree

from latex2mathml.converter import convert

_SPACE = "http://www.w3.org/1998/Math/MathML"
_NOTHING = {f"{{{_SPACE}}}mrow"}


def equation(tex, symbols=()):
    r"""Return MathML whose symbols bear their number as ``data-symbol``.

    Parameters
    ----------
    tex : str
        LaTeX.
    symbols : sequence of str, default ()
        LaTeX of single symbols, such as ``r"\beta"``. Where one lies inside another, the outer one
        is marked.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a symbol is not one element, or is not in the equation.
    """
    root = _parsed(tex)
    root.set("display", "block")
    wanted = [(_canonical(_single(symbol)), number) for number, symbol in enumerate(symbols)]
    missing = set(range(len(symbols))) - set(_mark(root, dict(wanted)))
    if missing:
        raise ValueError(f"{tex} should have the symbol {symbols[missing.pop()]}.")
    return _text(root)


def symbol(tex):
    """Return MathML of a symbol alone, to stand in a line of words."""
    return _text(_parsed(tex))


def _parsed(tex):
    return ElementTree.fromstring(convert(tex))


def _text(root):
    ElementTree.register_namespace("", _SPACE)
    return ElementTree.tostring(root, encoding="unicode")


def _single(tex):
    element = _parsed(tex)
    while len(element) == 1 and (element.tag in _NOTHING or element.tag.endswith("}math")):
        element = element[0]
    if element.tag in _NOTHING:
        raise ValueError(f"{tex} should be one symbol.")
    return element


def _canonical(element):
    inner = tuple(map(_canonical, element))
    return element.tag, (element.text or "").strip(), inner


def _mark(element, wanted):
    """Mark the symbols beneath an element and yield the number of each."""
    number = wanted.get(_canonical(element))
    if number is not None:
        element.set("data-symbol", str(number))
        yield number
        return
    for child in element:
        yield from _mark(child, wanted)
