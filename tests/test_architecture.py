"""The house holds: who may import what, how large a file grows, what never enters it."""

import ast
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]

# One way: app.py -> pages -> ui -> workbench -> engines -> numbers.
NUMBERS = {"torch", "numpy", "scipy", "sklearn", "numba", "pynndescent", "safetensors"}
NUMBERS |= {"llvmlite"}  # Numba's own back end: it comes with it and speaks for its kernels
BENCH = NUMBERS | {"pandas", "pyarrow", "pydantic", "umap", "PIL", "threadpoolctl"}
BENCH |= {"python_calamine", "xlsxwriter", "latex2mathml"}
MAY_IMPORT = {
    "app": {"pages", "ui", "streamlit"},
    "pages": {"ui", "workbench", "clam_core", "slk_core", "streamlit"} | BENCH,
    "ui": {"ui", "workbench", "clam_core", "slk_core", "streamlit"} | BENCH,
    "workbench": {"workbench", "clam_core", "slk_core"} | BENCH,
    "workbench.figures": {"workbench.figures", "numpy", "plotly", "PIL"},
    "clam_core": {"clam_core"} | NUMBERS,
    "slk_core": {"slk_core"} | NUMBERS,
}

# Guides, in lines; a file far beyond its guide fails unless it stands here with its reason.
LINES = {"app": 30, "pages": 80}
MODULE_LINES = 300
FAR_BEYOND = 1.5
LONGER = {
    "clam_core/kernels.py": "one derivation in compiled loops: the way there and the way back",
}

VAGUE = {"helper", "helpers", "util", "utils", "manager", "managers", "common", "misc", "tmp"}
GLOBAL_SEEDS = {
    "np.random.seed",
    "numpy.random.seed",
    "random.seed",
    "torch.manual_seed",
    "torch.random.manual_seed",
    "torch.cuda.manual_seed",
    "torch.cuda.manual_seed_all",
}
LARGEST_FILE = 400 * 1024
NEVER_COMMITTED = {".pyc", ".pkl", ".pickle", ".joblib", ".pt", ".pth", ".npy", ".npz", ".nbi"}
NEVER_COMMITTED |= {".nbc", ".safetensors", ".parquet", ".gz", ".zip", ".h5", ".mat"}


def layer(path: str) -> str:
    """Return the layer that a file belongs to: its folder, workbench.figures apart."""
    parts = PurePosixPath(path).with_suffix("").parts
    return "workbench.figures" if parts[:2] == ("workbench", "figures") else parts[0]


def imports(tree: ast.AST, path: str) -> list[str]:
    """Return the dotted names that a file imports, at its top or inside its functions."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = PurePosixPath(path).parts[: -node.level] if node.level else ()
            base = ".".join([*package, *([node.module] if node.module else [])])
            found += [f"{base}.{alias.name}" for alias in node.names]
    return found


def allowed(name: str, place: str) -> bool:
    """Whether a file of one layer may import a dotted name."""
    top = name.split(".")[0]
    if place not in MAY_IMPORT or top in sys.stdlib_module_names:
        return True
    inside = {"workbench.figures"} if name.startswith("workbench.figures") else set()
    return bool(({top} | inside) & MAY_IMPORT[place])


def import_violations(path: str, tree: ast.AST) -> list[str]:
    place = layer(path)
    may = ", ".join(sorted(MAY_IMPORT.get(place, [])))
    return [
        f"{path} should not import {name}: {place} may import {may}."
        for name in imports(tree, path)
        if not allowed(name, place)
    ]


def seed_violations(path: str, tree: ast.AST) -> list[str]:
    if layer(path) == "tests":  # which prove that the seeds are left alone
        return []
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        f"{path} should not call {call}: sessions share a process; use a local generator."
        for call in calls
        if call in GLOBAL_SEEDS
    ]


def size_violations(path: str, text: str) -> list[str]:
    lines = len(text.splitlines())
    guide = LINES.get(layer(path))
    limit = guide or int(FAR_BEYOND * MODULE_LINES)
    if lines <= limit or path in LONGER or layer(path) == "tests":
        return []
    return [f"{path} has {lines} lines: it should be <= {guide or MODULE_LINES}."]


def page_violations(path: str, tree: ast.Module) -> list[str]:
    if layer(path) != "pages":
        return []
    return [
        f"{path} should not define class {node.name}: a rerun would define it anew."
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]


def violations(sources: dict[str, str]) -> list[str]:
    """Return one sentence per rule broken by Python files: path from the root -> text."""
    found = []
    for path, text in sorted(sources.items()):
        tree = ast.parse(text, path)
        found += import_violations(path, tree)
        found += seed_violations(path, tree)
        found += size_violations(path, text)
        found += page_violations(path, tree)
    return found


def name_violations(paths: list[str]) -> list[str]:
    """Return one sentence per file whose name says nothing or whose kind is generated."""
    found = []
    for path in map(PurePosixPath, paths):
        if path.suffix == ".py" and set(path.stem.split("_")) & VAGUE:
            found.append(f"{path} should be named for what it holds.")
        if path.suffix in NEVER_COMMITTED or "__pycache__" in path.parts:
            found.append(f"{path} should not be committed: it is data or generated.")
    return found


def project_files() -> list[str]:
    """Return the files of the project, committed or about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [path for path in listed.decode().split("\0") if path and (ROOT / path).is_file()]


@pytest.fixture(scope="module")
def files() -> list[str]:
    return project_files()


def test_the_project_keeps_its_rules(files):
    sources = {path: (ROOT / path).read_text("utf-8") for path in files if path.endswith(".py")}
    assert {layer(path) for path in sources} >= {"clam_core", "tests"}
    assert violations(sources) == []


def test_file_names_say_what_they_hold(files):
    assert name_violations(files) == []


def test_nothing_large_is_committed(files):
    sizes = {path: (ROOT / path).stat().st_size for path in files}
    assert {path: size for path, size in sizes.items() if size > LARGEST_FILE} == {}


def test_exceptions_to_the_size_guide_are_still_needed(files):
    assert set(LONGER) <= set(files)
    for path in LONGER:
        lines = len((ROOT / path).read_text("utf-8").splitlines())
        assert lines > LINES.get(layer(path), FAR_BEYOND * MODULE_LINES), path


# The rules themselves, on small bad sources.


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("clam_core/a.py", "import streamlit", "streamlit"),
        ("clam_core/a.py", "import pandas as pd", "pandas"),
        ("clam_core/a.py", "def f():\n    from workbench import metrics", "workbench.metrics"),
        ("clam_core/a.py", "from slk_core import SLK", "slk_core.SLK"),
        ("clam_core/a.py", "from ..workbench import metrics", "workbench.metrics"),
        ("slk_core/a.py", "import clam_core.energy", "clam_core.energy"),
        ("workbench/a.py", "from ui.state import recipe", "ui.state.recipe"),
        ("workbench/a.py", "import plotly.graph_objects as go", "plotly.graph_objects"),
        ("workbench/a.py", "from streamlit import cache_data", "streamlit.cache_data"),
        ("workbench/figures/a.py", "import torch", "torch"),
        ("workbench/figures/a.py", "import pandas", "pandas"),
        ("workbench/figures/a.py", "from workbench.metrics import nmi", "workbench.metrics.nmi"),
        ("workbench/figures/a.py", "from ..metrics import nmi", "workbench.metrics.nmi"),
        ("workbench/figures/a.py", "import clam_core", "clam_core"),
        ("ui/a.py", "import pages.basins", "pages.basins"),
        ("ui/a.py", "import plotly.express", "plotly.express"),
        ("ui/a.py", "import benchmarks.report", "benchmarks.report"),
        ("pages/a.py", "import app", "app"),
        ("pages/a.py", "import plotly", "plotly"),
        ("app.py", "import torch", "torch"),
        ("app.py", "from workbench import recipe", "workbench.recipe"),
        ("ui/a.py", "import requests", "requests"),
    ],
)
def test_a_wrong_import_is_found(path, text, name):
    (found,) = violations({path: text})
    assert found.startswith(f"{path} should not import {name}:")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("clam_core/a.py", "import math\nimport torch\nfrom .energy import Euclidean"),
        ("clam_core/a.py", "from . import energy"),
        ("slk_core/a.py", "from pynndescent import NNDescent"),
        ("workbench/a.py", "import clam_core\nfrom workbench.figures import palette"),
        ("workbench/figures/a.py", "import plotly.graph_objects as go\nfrom . import palette"),
        ("workbench/figures/a.py", "from workbench.figures.palette import fill\nimport PIL.Image"),
        ("ui/a.py", "import streamlit as st\nfrom ui import state\nimport workbench.recipe"),
        ("pages/a.py", "import streamlit as st\nfrom ui import controls"),
        ("app.py", "import streamlit as st\nfrom ui.state import restore"),
        ("tests/a.py", "import streamlit, plotly, torch, anything"),
    ],
)
def test_a_right_import_is_let_through(path, text):
    assert violations({path: text}) == []


@pytest.mark.parametrize("call", sorted(GLOBAL_SEEDS))
def test_a_global_seed_is_found_everywhere(call):
    for path in ("clam_core/a.py", "ui/a.py", "benchmarks/a.py"):
        assert f"call {call}:" in violations({path: f"def f():\n    {call}(0)"})[0]
    assert violations({"clam_core/a.py": "torch.Generator().manual_seed(0)"}) == []


def test_long_files_are_found():
    assert violations({"app.py": "\n" * 30, "pages/a.py": "\n" * 80}) == []
    assert len(violations({"app.py": "\n" * 31, "pages/a.py": "\n" * 81})) == 2
    assert len(violations({"clam_core/a.py": "\n" * 451, "tests/a.py": "\n" * 451})) == 1


def test_a_class_in_a_page_is_found():
    assert "class A" in violations({"pages/a.py": "class A: pass"})[0]


@pytest.mark.parametrize(
    "path",
    ["ui/utils.py", "workbench/data_helpers.py", "ui/job_manager.py", "a/b.pkl", "x/y.csv.gz"],
)
def test_a_wrong_file_name_is_found(path):
    assert len(name_violations([path])) == 1


def test_right_file_names_are_let_through():
    assert name_violations(["app.py", "ui/jobs.py", "assets/iris.csv", "workbench/toys.py"]) == []
