"""How the columns of a table become features: what a person decides instead of the guess."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from workbench.rows import row_ranges
from workbench.table import DataError
from workbench.value import Frozen, Name, Value, nothing

Role = Literal["numeric", "category", "ordinal", "date", "id", "label", "ignore"]
USABLE: tuple[Role, ...] = ("numeric", "category", "ordinal", "date")
"""Roles that a feature may have."""

Weight = Annotated[float, Field(ge=1e-3, le=1e3)]


class Preparation(Value):
    """Choices of preparing a table; each default leaves the choice to the guess.

    Parameters
    ----------
    features : tuple of str, optional
        Columns to cluster by; None for all whose role is numeric.
    roles : mapping of str to str, default {}
        Role of each column whose guess is not right: numeric, category, ordinal, date, id, label
        (reference labels: at most one column) or ignore.
    scaling : {"standard", "robust", "min-max", "none"}, default "standard"
        Mean 0 and deviation 1; median 0 and quartiles 1 apart; from 0 to 1; or own units.
    log : tuple of str, default ()
        Columns of numbers >= 0 taken on a log scale.
    impute : {"leave", "mean", "median", "drop"}, default "leave"
        Missing values: left to the method, filled, or their rows not clustered.
    most_categories : int, default 20
        One-hot features of a column; the rarest categories beyond share one.
    weights : mapping of str to float, default {}
        What a squared difference in a column counts, against 1.
    rows : str, default ""
        Rows to cluster, such as "1-20,35"; all where it is empty.
    """

    features: tuple[Name, ...] | None = None
    roles: Frozen[Name, Role] = Field(default_factory=nothing)
    scaling: Literal["standard", "robust", "min-max", "none"] = "standard"
    log: tuple[Name, ...] = ()
    impute: Literal["leave", "mean", "median", "drop"] = "leave"
    most_categories: int = Field(default=20, ge=2, le=200)
    weights: Frozen[Name, Weight] = Field(default_factory=nothing)
    rows: str = Field(default="", max_length=20_000)

    @model_validator(mode="after")
    def _fits(self):
        labels = [name for name, role in self.roles.items() if role == "label"]
        if len(labels) > 1:
            raise DataError(f"roles={labels!r} should make one column the label at most.")
        if self.features is not None:
            if not self.features:
                raise DataError("features=() should name at least one column.")
            if len(set(self.features)) < len(self.features):
                raise DataError("features should name each column once.")
        row_ranges(self.rows)
        return self


GUESSED = Preparation()
