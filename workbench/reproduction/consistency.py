"""Do ClAM's tables agree with themselves? Checked from the printed numbers, without any run."""

import math

from workbench import published
from workbench.published import COLUMNS
from workbench.reproduction.item import Claim, Compared, Outcome
from workbench.words import listing

_ROUNDED = 0.005 + 1e-9
"""Largest change by rounding to two digits."""


def wins_and_gains():
    """Recompute Table 1's rows W/L and its percentages from its silhouettes."""
    return (*_wins(), _gains())


def _wins():
    for one, row in published.TABLE_1_WINS.items():
        wrong = []
        for column, printed in row.items():
            counted = published.wins(published.TABLE_1, one, column)
            if counted != printed:
                wrong.append(
                    f"against {COLUMNS[column]} {counted[0]}/{counted[1]}, printed "
                    f"{printed[0]}/{printed[1]}"
                )
        right = len(row) - len(wrong)
        ours = f"{right} of {len(row)} counts are right"
        yield Claim(
            f"Row W/L of {COLUMNS[one]} counts the sets on which it is better and worse.",
            f"{ours}; {listing(wrong)}." if wrong else f"{ours}.",
            not wrong,
        )


def _gains():
    wrong, n = [], 0
    for name, row in published.TABLE_1_GAINS.items():
        for column, printed in row.items():
            if math.isnan(printed):
                continue
            n += 1
            a, b = published.TABLE_1[name]["clam"], published.TABLE_1[name][column]
            low = 100 * ((a - 0.0005) / (b + 0.0005) - 1)
            high = 100 * ((a + 0.0005) / (b - 0.0005) - 1)
            # Printed cut off or rounded: a whole per cent either way is allowed.
            if not low - 1 <= printed <= high + 1:
                wrong.append(f"{name} against {COLUMNS[column]}")
    return Claim(
        "Each percentage is ClAM's gain over a baseline, (a − b) / b.",
        f"{n - len(wrong)} of {n} follow from the printed silhouettes"
        + (f"; not {listing(wrong)}." if wrong else "."),
        not wrong,
    )


def rounding():
    """Compare Table 2 with Table 9, of which it is the short form."""
    wrong, n = [], 0
    for name, row in published.TABLE_2.items():
        for column, printed in row.items():
            exact = published.TABLE_9_NMI[name][column]
            if math.isnan(printed):
                continue
            n += 1
            if abs(printed - exact) > _ROUNDED:
                wrong.append(f"{name} with {COLUMNS[column]}: {printed:.2f} and {exact:.4f}")
    return (
        Claim(
            "Table 2 is Table 9's NMI to two digits.",
            f"{n - len(wrong)} of {n} numbers agree; not {listing(wrong)}.",
            not wrong,
        ),
    )


def halved(asked, report, stop):
    """Put Table 6's betas beside those of equation 1, which our settings have."""
    why = (
        "The printed value is of the published program, exp(−(β/2) d²); equation 1's, which we "
        "use, is half of it."
    )
    rows = tuple(
        Compared(name, "β", tuned.beta, published.settings_of(name)["beta"], why)
        for name, tuned in published.TABLE_6.items()
    )
    notes = ("The other settings of the table are taken as they are printed.",)
    return Outcome(rows=rows, notes=notes)


def printed(measure, table, columns=None):
    """Return the numbers of a table as rows without ours.

    Parameters
    ----------
    measure : str
    table : mapping of str to mapping of str to float
    columns : mapping of str to str, optional
        What each column is called; by default as in `COLUMNS`.

    Returns
    -------
    tuple of Compared
    """
    names = COLUMNS if columns is None else columns
    return tuple(
        Compared(name, f"{names[column]}, {measure}", value)
        for name, row in table.items()
        for column, value in row.items()
        if not math.isnan(value)
    )


def overlap():
    """Table 8's numbers."""
    columns = {column: f"ClAM and {COLUMNS[column]}" for column in COLUMNS}
    return (
        *printed("NMI", published.TABLE_8_NMI, columns),
        *printed("ARI", published.TABLE_8_ARI, columns),
    )


def truth():
    """Table 9's numbers."""
    return (
        *printed("NMI", published.TABLE_9_NMI),
        *printed("ARI", published.TABLE_9_ARI),
    )


def times():
    """Table 3's numbers."""
    rows = []
    for name, timed in published.TABLE_3.items():
        rows.append(Compared(name, "k-means, SC", timed.kmeans))
        rows.append(Compared(name, "k-means, seconds", float(timed.kmeans_seconds)))
        rows.append(Compared(name, "ClAM, SC", timed.clam))
        rows.append(Compared(name, "ClAM, seconds", float(timed.clam_seconds)))
    return tuple(rows)


def noise():
    """Table 10's numbers, and the two that its text adds."""
    rows = [
        Compared(f"{COLUMNS[column]}, {name}", "SC of the inliers", value)
        for column, both in published.TABLE_10.items()
        for name, value in zip(("clean", "noisy"), both, strict=True)
    ]
    rows += [
        Compared("ClAM, noisy", f"{measure} of the inliers", 1.0) for measure in ("NMI", "ARI")
    ]
    return tuple(rows)
