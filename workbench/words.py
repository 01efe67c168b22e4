"""Numbers and lists as they stand in a sentence."""

import numpy as np

NAMED = 5  # more items than this make no readable sentence


def count(number, noun):
    """Write a number and its noun: "1 row", "1,797 rows".

    Parameters
    ----------
    number : int
    noun : str
        In the singular.

    Returns
    -------
    str
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listing(items, most=NAMED):
    """Write a list: "18", "18 and 41", "1, 2 and 3", "1, 2, 3, 4, 5 and 3 more".

    Parameters
    ----------
    items : sequence
    most : int, default 5
        How many are named.

    Returns
    -------
    str
    """
    words = [str(item) for item in items]
    if len(words) > most:
        words = [*words[:most], f"{len(words) - most} more"]
        return f"{', '.join(words[:-1])} and {words[-1]}"
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def numbered(noun, numbers):
    """Write which ones: "row 18", "rows 18 and 41".

    Parameters
    ----------
    noun : str
        In the singular.
    numbers : sequence of int

    Returns
    -------
    str
    """
    return f"{noun}{'' if len(numbers) == 1 else 's'} {listing(numbers)}"


def plain(number):
    """Write a number without an exponent: "0.00001", "1,000,000".

    Parameters
    ----------
    number : float or int

    Returns
    -------
    str
    """
    if float(number).is_integer():
        return f"{int(number):,}"
    return np.format_float_positional(number, trim="-")
