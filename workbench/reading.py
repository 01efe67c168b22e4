"""How the bytes of a file are read: what a person decides instead of the guess."""

from typing import Annotated, Literal

from pydantic import Field

from workbench.value import Value

Word = Annotated[str, Field(max_length=40)]


class Reading(Value):
    """Choices of reading a file; each default leaves the choice to the guess.

    Parameters
    ----------
    encoding : str, optional
        Python's name of it.
    delimiter : str, optional
        One character between cells; a space stands for any run of spaces.
    decimal : {".", ","}, optional
        Decimal mark.
    thousands : str, optional
        Mark between groups of three digits; "" for none.
    header : int, optional
        Line of the names, counted from 1 after preface lines; 0 where there is none.
    comment : str, optional
        What a line of comment begins with; "" for none.
    skip : int, optional
        Lines before the table.
    sheet : str, optional
        Sheet of a workbook, or file of an archive.
    keep_empty : bool, default False
        Whether columns without any value stay.
    keep_totals : bool, default False
        Whether a last row of totals stays.
    long_rows : {"reject", "cut"}, default "reject"
        What becomes of rows with more values than there are names.
    missing : tuple of str, default ()
        Further spellings of a missing value, such as "999".
    plain_numbers : bool, default False
        Whether cells with a currency or percent sign stay text.
    transpose : bool, default False
        Whether rows and columns change places.
    """

    encoding: Word | None = None
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    decimal: Literal[".", ","] | None = None
    thousands: str | None = Field(default=None, max_length=1)
    header: int | None = Field(default=None, ge=0, le=1000)
    comment: str | None = Field(default=None, max_length=2)
    skip: int | None = Field(default=None, ge=0, le=1000)
    sheet: str | None = Field(default=None, max_length=200)
    keep_empty: bool = False
    keep_totals: bool = False
    long_rows: Literal["reject", "cut"] = "reject"
    missing: tuple[Word, ...] = Field(default=(), max_length=20)
    plain_numbers: bool = False
    transpose: bool = False


GUESSED = Reading()
