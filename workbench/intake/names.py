"""Whether the first row holds names or values."""

import re

from workbench.intake.delimiter import is_number
from workbench.number_cells import MISSING

_SHAPES = ((re.compile(r"\d+"), "9"), (re.compile(r"[^\W\d_]+"), "a"), (re.compile(r"\s+"), " "))


def numeric_places(body, width):
    """List the places of a row where nearly all rows have numbers."""
    places = []
    for place in range(width):
        cells = [
            r[place] for r in body if place < len(r) and r[place].strip().lower() not in MISSING
        ]
        if cells and sum(map(is_number, cells)) >= 0.9 * len(cells):
            places.append(place)
    return places


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
    numbers = [cell for cell in filled if is_number(cell)]
    if not body:
        return len(numbers) < len(filled)
    numeric = set(numeric_places(body, width))
    if len(numbers) == len(filled):  # a nameless index may stand before them
        beside = len(filled) < len(first) and len(numeric) < width
        return _counts_up(numbers, body) or (beside and _in_turn(numbers))
    as_name = as_value = 0
    counted = _in_turn(numbers)
    for place, cell in enumerate(first[:width]):
        word = cell.strip()
        if not word:
            as_name += place in numeric
            continue
        if place in numeric:
            as_name += not is_number(cell) and word.lower() not in MISSING
            as_value += is_number(cell) and not counted
            continue
        below = [row[place].strip() for row in body if place < len(row)]
        alike = word in below or (not is_number(cell) and _same_shape(word, below))
        as_value += alike
        as_name += counted and not alike
    if as_name:
        return as_name >= as_value
    judged = len(filled) - len(numbers) * counted
    return as_value < max(1, judged / 2)


def _counts_up(numbers, body):
    """Tell a row of numbers only that are names: 0, 1, 2, ... above fractions, or many of them."""
    if not _in_turn(numbers) or int(numbers[0]) not in (0, 1, *range(1800, 2200)):
        return False
    below = [cell for row in body for cell in row if is_number(cell)]
    fractions = sum(not cell.strip().lstrip("+-").isdigit() for cell in below)
    return len(numbers) >= 8 or fractions > len(below) / 2


def _in_turn(numbers):
    """Tell numbers that name columns: 1, 2, 3, ... or 400, 405, 410, ... or different years."""
    if not all(number.strip().isdigit() for number in numbers) or len(numbers) < 2:
        return False
    values = [int(number) for number in numbers]
    years = all(1800 <= value <= 2200 for value in values) and len(set(values)) == len(values)
    steps = {b - a for a, b in zip(values, values[1:], strict=False)}
    return years or (len(values) > 2 and len(steps) == 1 and steps.pop() > 0)


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
