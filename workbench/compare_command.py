"""The command `compare`: several methods on one table, scored, ranked and written as CSV."""

import csv
import math
import sys
from pathlib import Path

from workbench.comparison import SCORES, entrants
from workbench.dataset import DataError, prepare
from workbench.estimates import size
from workbench.guidance import guidance
from workbench.intake import read_table
from workbench.methods import METHODS, RULES
from workbench.overlap import overlap
from workbench.preparation import Preparation
from workbench.race import Race
from workbench.recipe import Recipe, Upload
from workbench.standings import null_row, standings


def add_command(commands):
    """Add the command to a parser.

    Parameters
    ----------
    commands : argparse action of subparsers
    """
    told = commands.add_parser("compare", help="fit several methods to a table and compare them")
    told.add_argument("table", type=Path, help="a file that the app reads too")
    told.add_argument(
        "--methods", default="clam,kmeans,slk",
        help="keys with commas, or all: " + ", ".join(_keys()),
    )  # fmt: skip
    told.add_argument("--k", type=int, required=True, help="how many clusters to look for")
    told.add_argument("--reference", metavar="COLUMN", help="the column of reference labels")
    told.add_argument("--seeds", type=int, default=3, help="fits of each method (3)")
    told.add_argument(
        "--rule", choices=RULES, default="own",
        help="by what each keeps one outcome of several: its own objective, or the silhouette",
    )  # fmt: skip
    told.add_argument("--no-null", action="store_true", help="leave out rows without clusters")
    told.add_argument("--force", action="store_true", help="fit also what would take too long")
    told.add_argument("--output", type=Path, help="where to write the scores of each fit, as CSV")
    told.add_argument("--labels", type=Path, help="where to write the clusters of each method")
    told.set_defaults(work=compare_tables)


def compare_tables(asked):
    """Do what the command asks for.

    Parameters
    ----------
    asked : argparse.Namespace

    Raises
    ------
    DataError
        In one sentence, where the input cannot be used.
    """
    for name, path in (("--output", asked.output), ("--labels", asked.labels)):
        if path is not None and path.suffix.lower() != ".csv":
            raise DataError(f"{name}={path} should end in .csv.")
    if asked.seeds < 1:
        raise DataError(f"--seeds={asked.seeds} should be >= 1.")
    table = read_table(asked.table.read_bytes(), asked.table.name)
    if asked.reference and asked.reference not in table.frame.columns:
        raise DataError(f"--reference={asked.reference} should be a column of {table.name}.")
    roles: dict = {asked.reference: "label"} if asked.reference else {}
    preparation = Preparation(roles=roles)
    dataset = prepare(table, preparation)
    methods = _keys() if asked.methods == "all" else asked.methods.split(",")
    base = Recipe(data=Upload(fingerprint=table.fingerprint), preparation=preparation)
    recipes = entrants(base, methods, k=asked.k, seeds=asked.seeds, rule=asked.rule)
    for sentence in (*(repair.sentence for repair in table.repairs), *dataset.warnings):
        print(sentence, file=sys.stderr)
    race = Race(dataset, recipes, null=not asked.no_null, forced=methods if asked.force else ())
    entries = race.run()
    for lane in race.lanes():
        if lane.state != "done":
            print(f"{lane.name}: {lane.words}", file=sys.stderr)
    _print(entries, asked, len(dataset.X))
    if asked.output:
        _write(asked.output, _scores(entries))
    if asked.labels:
        _write(asked.labels, _labels(entries, dataset.row_ids))


def _keys():
    return [key for key, method in METHODS.items() if method.needs != "memories"]


def _print(entries, asked, n):
    found = standings(entries)
    keys = [key for key in SCORES if any(not math.isnan(each.mean[key]) for each in found)]
    wide = max([len(each.name) for each in found], default=0) + 2
    heads = [f"{SCORES[key].short:>16}" for key in keys]
    print(f"{'':{wide}}{''.join(heads)}{'k':>8}{'s':>9}{'memory':>10}{'rank':>7}")
    for each in found:
        if not each.fits:
            continue
        cells = [_cell(each.mean[key], each.spread[key]) for key in keys]
        ks = sorted(set(each.n_found))
        k = f"{ks[0]}" if len(ks) == 1 else f"{ks[0]}-{ks[-1]}"
        held = "" if math.isnan(each.peak) else size(each.peak)
        print(
            f"{each.name:{wide}}{''.join(cells)}{k:>8}{each.seconds:>9.2f}{held:>10}"
            f"{each.rank:>7.2f}"
        )
    drawn = null_row(entries)
    if drawn:
        cells = [_cell(drawn[key][0] if key in drawn else math.nan, math.nan) for key in keys]
        print(f"{'no clusters':{wide}}{''.join(cells)}")
    told = guidance(found, overlap(entries), rule=asked.rule, n=n, asked=asked.k)
    print("\n" + " ".join(told.sentences))


def _cell(mean, spread):
    if math.isnan(mean):
        return f"{'':>16}"
    digits = 3 if abs(mean) < 100 else 1 if abs(mean) < 10_000 else 0
    said = f"{mean:.{digits}f}"
    if not math.isnan(spread):
        said += f" ± {spread:.{digits}f}"
    return f"{said:>16}"


def _scores(entries):
    yield ["method", "seed", "rows", *SCORES, "found k", "noise", "seconds", "bytes", "error"]
    for entry in entries:
        scores = [_number(entry.scores.get(key, math.nan)) for key in SCORES]
        yield [
            entry.method, entry.recipe.seed, "without clusters" if entry.null else "given", *scores,
            entry.n_found, *map(_number, (entry.noise, entry.seconds, entry.peak)), entry.error,
        ]  # fmt: skip


def _labels(entries, row_ids):
    """Rows of the table by method, clusters numbered so that they overlap most."""
    found = overlap(entries)
    if found is None:
        return
    yield ["row", *found.methods]
    for row, labels in zip(row_ids, found.labels.T, strict=True):
        yield [row, *("noise" if label < 0 else label + 1 for label in labels)]


def _number(value):
    return "" if math.isnan(value) else repr(float(value))


def _write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
