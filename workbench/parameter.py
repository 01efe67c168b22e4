"""One setting of a method and its legal values, written as data."""

import math
from dataclasses import dataclass
from typing import Any

from workbench.table import DataError


@dataclass(frozen=True)
class Parameter:
    """A setting: its name, its legal values and a sentence on what it does.

    Parameters
    ----------
    name : str
        Name of the constructor's argument.
    kind : {"float", "int", "choice", "bool"}
        What its values are.
    default : float, int, str or bool
        Value when nothing is said.
    low, high : float or int, default -inf, inf
        Smallest and largest number allowed, both included.
    choices : tuple of str, default ()
        Allowed words of a choice.
    scale : {"linear", "log"}, default "linear"
        How a control should space its numbers.
    special : tuple of str, default ()
        Words allowed in place of a number, such as "auto".
    help : str, default ""
        One sentence for the reader.
    """

    name: str
    kind: str
    default: Any
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    scale: str = "linear"
    special: tuple[str, ...] = ()
    help: str = ""

    def check(self, value):
        """Return the value in its own type.

        Parameters
        ----------
        value : float, int, str or bool
            What was asked for.

        Returns
        -------
        float, int, str or bool

        Raises
        ------
        DataError
            With name, value and rule, where the value is not legal.
        """
        if isinstance(value, str) and value in self.special:
            return value
        if self.kind == "choice":
            if value not in self.choices:
                raise DataError(f"{self.name}={value!r} should be one of {in_words(self.choices)}.")
            return value
        if self.kind == "bool":
            if not isinstance(value, bool):
                raise DataError(f"{self.name}={value!r} should be true or false.")
            return value
        return self._number(value)

    def _number(self, value):
        whole = self.kind == "int"
        number = "a whole number" if whole else "a number"
        if isinstance(value, bool) or not isinstance(value, int | float):
            rule = " or ".join([number, *map(repr, self.special)])
            raise DataError(f"{self.name}={value!r} should be {rule}.")
        if not math.isfinite(value) or (whole and value != int(value)):
            raise DataError(f"{self.name}={value!r} should be {number}.")
        if value <= 0 and self.scale == "log":
            raise DataError(f"{self.name}={value:g} should be > 0.")
        if not self.low <= value <= self.high:
            raise DataError(f"{self.name}={value:g} should be from {self.low:g} to {self.high:g}.")
        return int(value) if whole else float(value)


def in_words(choices):
    """Return choices as a list in words, for an error's sentence."""
    return ", ".join(repr(choice) for choice in choices)
