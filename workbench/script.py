"""A Recipe as a Python script: every choice written out, the same labels at its end."""

import inspect

from workbench.methods import METHODS
from workbench.notes import Notes
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.versions import versions
from workbench.words import count

_LINE = 80  # characters, about
_ENGINES = ("clam_core", "slk_core")


def script_of(run, notes=None):
    """Write a script that computes a run again and writes its labels beside the rows.

    Guesses are written out as they were made, so that a person can read and change them. With the
    same versions on the same machine its labels are those of the run.

    Parameters
    ----------
    run : Run
        What was found; of one that was cancelled, the script trains to the end.
    notes : Notes, optional
        Names and notes of its clusters.

    Returns
    -------
    str
    """
    recipe, dataset = run.recipe, run.dataset
    upload = recipe.data.kind == "upload"
    return _SCRIPT.format(
        title=_title(run),
        usage="python script.py table.csv" if upload else "python script.py",
        cancelled=_CANCELLED if run.cancelled else "",
        versions=_literal(versions()),
        imports="\n".join(sorted(_imports(recipe))),
        table=_upload(recipe) if upload else _builtin(recipe),
        preparation=_value(_decided(dataset), Preparation),
        rows="dataset.X" if METHODS[recipe.method].gaps else "fill_gaps(dataset.X)",
        model=_model(recipe),
        notes=f"notes = {_value(notes or Notes(), Notes)}",
        output=_literal(f"{'table' if upload else recipe.data.name}-with-clusters.csv"),
    )


_SCRIPT = '''"""{title}

    {usage}

It needs the packages of Basinscope: run it in their folder, or name that folder in PYTHONPATH.
With the versions below, on the same machine, it gives the same labels.{cancelled}
"""

import sys
from pathlib import Path

import numpy as np

{imports}

# Versions that the run was made with.
VERSIONS = {versions}
differing = other_versions(VERSIONS)
if differing:
    print(differing, file=sys.stderr)
one_thread()  # sums in one order: the labels of the page

# The table.
{table}

# From its columns to features.
preparation = {preparation}
dataset = prepare(table, preparation)
for sentence in (*dataset.steps, *dataset.warnings):
    print(sentence, file=sys.stderr)
rows = {rows}

# The method, with all its settings.
model = {model}
model.fit(rows)
labels, prototypes = order_by_size(model.labels_, model.cluster_centers_)

# Labels beside the rows, clusters numbered by size.
output = Path({output})
{notes}
output.write_bytes(labelled_csv(table, labels, dataset.row_ids, notes=notes))
print("sizes:", *np.bincount(labels[labels >= 0], minlength=len(prototypes)))
print("written:", output)
'''
_CANCELLED = "\nThe run itself was cancelled before its end; this script trains to the end."


def _title(run):
    name = METHODS[run.recipe.method].name
    k = run.recipe.settings.get("n_clusters", len(run.sizes))
    # The table's name is a stranger's text: nothing of it may end a docstring or a line.
    table = "".join(c for c in run.dataset.name if c.isprintable() and c not in "\\\"'")[:60]
    return f"{table}: {count(k, 'cluster')} by {name}."


def _imports(recipe):
    measures = ["fill_gaps"] if not METHODS[recipe.method].gaps else []
    found = [
        _class(recipe),
        "from workbench.export import labelled_csv",
        f"from workbench.metrics import {', '.join([*measures, 'order_by_size'])}",
        "from workbench.notes import Notes",
        "from workbench.preparation import Preparation",
        "from workbench.threads import one_thread",
        "from workbench.versions import other_versions",
    ]
    if recipe.data.kind == "upload":
        found.append("from workbench.dataset import prepare")
        found.append("from workbench.intake import read_table")
        if _is_decided(recipe.reading):
            found.append("from workbench.reading import Reading")
    else:
        found.append("from workbench.dataset import builtin, prepare")
    return found


def _class(recipe):
    kind = type(_built(recipe))
    package = kind.__module__.split(".")[0]
    place = package if package in _ENGINES else kind.__module__
    return f"from {place} import {kind.__name__}"


def _built(recipe):
    return METHODS[recipe.method].build(
        recipe.settings, device=recipe.device, dtype=recipe.dtype, random_state=recipe.seed
    )


def _is_decided(reading):
    return reading != Reading()


def _builtin(recipe):
    return f"table = builtin({_literal(recipe.data.name)}, seed={recipe.data.seed})"


def _upload(recipe):
    decided = _is_decided(recipe.reading)
    reading = [f"reading = {_value(recipe.reading, Reading)}"] if decided else []
    return "\n".join(
        [
            "if len(sys.argv) != 2:",
            '    sys.exit("Name the table: python script.py table.csv")',
            "path = Path(sys.argv[1])",
            *reading,
            f"table = read_table(path.read_bytes(), path.name{', reading' if decided else ''})",
            f"if table.fingerprint != {_literal(recipe.data.fingerprint)}:",
            '    print(f"{path.name} is not the file of the run.", file=sys.stderr)',
        ]
    )


def _decided(dataset):
    """Return the preparation with each guess that was made in its place."""
    roles = {column.name: column.role for column in dataset.columns}
    if dataset.label is not None:
        roles[dataset.label] = "label"
    return Preparation(
        **{
            **dataset.preparation.model_dump(),
            "features": tuple(column.name for column in dataset.columns),
            "roles": roles,
        }
    )


def _model(recipe):
    """Return the call of the constructor: settings of the recipe, and what differs by default."""
    built = _built(recipe)
    usual = type(built)().get_params()
    named = [*recipe.settings, "device", "dtype", "random_state"]
    values = built.get_params()
    shown = [
        name
        for name in inspect.signature(type(built)).parameters
        if name in named or values[name] != usual[name]
    ]
    lines = ["pixels=dataset.pixels"] if METHODS[recipe.method].images else []
    return _call(type(built).__name__, {name: values[name] for name in shown}, *lines)


def _value(value, kind):
    """Return the call that makes a value, without what is as by default."""
    said = value.model_dump(exclude_defaults=True)
    return _call(kind.__name__, {name: said[name] for name in kind.model_fields if name in said})


def _call(name, arguments, *more):
    lines = [f"    {key}={_literal(value, 4)}," for key, value in arguments.items()]
    lines += [f"    {line}," for line in more]
    return "\n".join([f"{name}(", *lines, ")"]) if lines else f"{name}()"


def _literal(value, indent=0):
    """Return a value as code, over several lines where one would be long."""
    if isinstance(value, str):
        plain = not {"'", '"'} & set(value)
        return f'"{repr(value)[1:-1]}"' if plain else repr(value)
    if not isinstance(value, tuple | list | dict):
        return repr(value)
    if isinstance(value, dict):
        ends, items = "{}", [f"{_literal(k)}: {_literal(v, indent + 4)}" for k, v in value.items()]
    else:
        ends = "()" if isinstance(value, tuple) else "[]"
        items = [_literal(item, indent + 4) for item in value]
    comma = "," if ends == "()" and len(items) == 1 else ""
    short = f"{ends[0]}{', '.join(items)}{comma}{ends[1]}"
    if len(short) + indent < _LINE and "\n" not in short:
        return short
    pad = " " * (indent + 4)
    return "\n".join([ends[0], *(f"{pad}{item}," for item in items), " " * indent + ends[1]])
