"""The command line: `python -m workbench run recipe.json [--table FILE] [--output FILE]`."""

import argparse
import sys
from pathlib import Path

from workbench.dataset import DataError, builtin, prepare
from workbench.export import labelled_csv
from workbench.intake import read_table
from workbench.recipe import Recipe


def main(arguments=None):
    """Run a recipe and print what it found.

    Parameters
    ----------
    arguments : list of str, optional
        Words of the command line; by default those of the process.

    Returns
    -------
    int
        0, or 2 where the input cannot be used.
    """
    asked = _parser().parse_args(arguments)
    try:
        _run(asked)
    except (ValueError, OSError) as error:  # the estimators' own checks are ValueErrors too
        print(_sentence(error), file=sys.stderr)
        return 2
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m workbench", description="Cluster a table.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="fit the method of a recipe")
    run.add_argument("recipe", type=Path, help="a recipe, as JSON")
    run.add_argument("--table", type=Path, help="the CSV of a recipe for an upload")
    run.add_argument("--output", type=Path, help="where to write the rows with their clusters")
    return parser


def _run(asked):
    recipe = Recipe.from_json(asked.recipe.read_bytes())
    table = _table(recipe, asked.table)
    dataset = prepare(table, recipe.preparation)
    from workbench.run import run  # imports torch, so only once the input has proved good

    found = run(recipe, dataset, compared=False)
    repairs = (repair.sentence for repair in table.repairs)
    for sentence in (*repairs, *dataset.steps, *dataset.warnings, *found.notes):
        print(sentence, file=sys.stderr)
    if found.n_found < len(found.sizes):
        print(
            f"{len(found.sizes)} clusters were asked for, and {found.n_found} "
            f"{'has' if found.n_found == 1 else 'have'} rows.",
            file=sys.stderr,
        )
    print(f"sizes: {', '.join(str(size) for size in found.sizes)}")
    print(f"silhouette: {found.scores['silhouette']:.4f}")
    if asked.output:
        asked.output.write_bytes(labelled_csv(table, found.labels, dataset.row_ids))


def _table(recipe, path):
    if recipe.data.kind == "memories":
        raise DataError(f"method={recipe.method!r} fits nothing: its memories are given.")
    if recipe.data.kind == "builtin":
        if path is not None:
            raise DataError(f"--table={path} should be left out: the recipe has built-in data.")
        return builtin(recipe.data.name, seed=recipe.data.seed)
    if path is None:
        raise DataError("--table should name the file: the recipe is for an upload.")
    table = read_table(path.read_bytes(), path.name, recipe.reading)
    if table.fingerprint != recipe.data.fingerprint:
        print(f"{path.name} is not the file that the recipe was made with.", file=sys.stderr)
    return table


def _sentence(error):
    if isinstance(error, OSError):
        return f"{error.filename} cannot be used: {error.strerror}."
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
