"""The command line: run a recipe, label new rows by a saved model, compare methods.

python -m workbench run recipe.json [--table FILE] [--output FILE] [--report FILE] ...
python -m workbench predict model.zip table.csv [--output FILE]
python -m workbench compare table.csv --k K [--methods KEYS] [--output FILE] [--labels FILE] ...
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from workbench.compare_command import add_command
from workbench.dataset import DataError, builtin, prepare
from workbench.intake import read_table
from workbench.model_file import model_bytes, model_of, read_model, unsavable
from workbench.recipe import Recipe
from workbench.script import script_of
from workbench.typed_export import FORMATS, format_note, labelled_file
from workbench.words import count


def main(arguments=None):
    """Do what a command line asks for and print what was found.

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
        _ending(asked)
        asked.work(asked)
    except (ValueError, OSError) as error:  # the estimators' own checks are ValueErrors too
        print(_sentence(error), file=sys.stderr)
        return 2
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m workbench", description="Cluster a table.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="fit the method of a recipe")
    run.add_argument("recipe", type=Path, help="a recipe, as JSON")
    run.add_argument("--table", type=Path, help="the file of a recipe for an upload")
    run.add_argument("--report", type=Path, help="where to write a page about it, as HTML")
    run.add_argument("--model", type=Path, help="where to write the model, as a zip")
    run.add_argument("--script", type=Path, help="where to write it as a Python script")
    run.set_defaults(work=_run)
    predict = commands.add_parser("predict", help="label the rows of a table by a saved model")
    predict.add_argument("model", type=Path, help="a model, as run --model or the app wrote it")
    predict.add_argument("table", type=Path, help="a table with the columns of the first")
    predict.set_defaults(work=_predict)
    for command in (run, predict):
        command.add_argument(
            "--output", type=Path,
            help="where to write the rows with their clusters: .csv, .parquet or .xlsx",
        )  # fmt: skip
        command.add_argument(
            "--as-written", action="store_true",
            help="leave cells that a spreadsheet would run as they are, in CSV",
        )  # fmt: skip
    add_command(commands)
    return parser


def _run(asked):
    recipe = Recipe.from_json(asked.recipe.read_bytes())
    fault = unsavable(recipe.method) if asked.model else ""
    if fault:  # before anything is computed
        raise DataError(f"--model={asked.model} should be left out: {fault}")
    table = _table(recipe, asked.table)
    dataset = prepare(table, recipe.preparation)
    from workbench.run import run  # imports torch, so only once the input has proved good
    from workbench.threads import one_thread

    one_thread()  # sums in one order: the same labels as in the app
    found = run(recipe, dataset, compared=asked.report is not None)
    repairs = (repair.sentence for repair in table.repairs)
    _tell(*repairs, *dataset.steps, *dataset.warnings, *found.notes)
    if found.n_found < recipe.settings.get("n_clusters", 0):
        _tell(
            f"{recipe.settings['n_clusters']} clusters were asked for, and {found.n_found} "
            f"{'has' if found.n_found == 1 else 'have'} rows."
        )
    print(f"sizes: {', '.join(str(size) for size in found.sizes)}")
    print(f"silhouette: {found.scores['silhouette']:.4f}")
    _write_labels(asked, table, found.labels, dataset.row_ids, recipe)
    if asked.report:
        from workbench.report import report_page

        asked.report.write_bytes(report_page(found))
    if asked.model:
        asked.model.write_bytes(model_bytes(model_of(found)))
    if asked.script:
        asked.script.write_text(script_of(found), encoding="utf-8")


def _predict(asked):
    model = read_model(asked.model.read_bytes(), asked.model.name)
    table = read_table(asked.table.read_bytes(), asked.table.name, model.reading)
    found = model.predict(table)
    _tell(*(repair.sentence for repair in table.repairs), *found.notes)
    sizes = np.bincount(found.labels, minlength=model.n_clusters)
    print(f"sizes: {', '.join(map(str, sizes))}")
    _write_labels(asked, table, found.labels, found.row_ids, model.recipe, model.notes)


def _ending(asked):
    """Return the ending of the output, or refuse it before any work is done."""
    ending = asked.output.suffix.lower().removeprefix(".") if asked.output else "csv"
    if ending not in FORMATS:
        raise DataError(f"--output={asked.output} should end in .csv, .parquet or .xlsx.")
    return ending


def _write_labels(asked, table, labels, row_ids, recipe, notes=None):
    if not asked.output:
        return
    ending = _ending(asked)
    _tell(format_note(ending, table, notes, as_written=asked.as_written))
    asked.output.write_bytes(
        labelled_file(
            ending, table, labels, row_ids, notes=notes, recipe=recipe, as_written=asked.as_written
        )
    )


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
    if len(table.rejected):
        _tell(f"{count(len(table.rejected), 'line')} of {path.name} cannot be read as rows.")
    if table.fingerprint != recipe.data.fingerprint:
        _tell(f"{path.name} is not the file that the recipe was made with.")
    return table


def _tell(*sentences):
    for sentence in filter(None, sentences):
        print(sentence, file=sys.stderr)


def _sentence(error):
    if isinstance(error, OSError):
        return f"{error.filename} cannot be used: {error.strerror}."
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
