"""The documents name only what exists."""

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

import clam_core
import slk_core
from workbench.methods import METHODS

ROOT = Path(__file__).parents[1]
MATHS = (ROOT / "docs" / "maths.md").read_text(encoding="utf-8")
HOMES = ("clam_core", "slk_core", "workbench.baselines")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
MODULES = sorted(path.stem for path in Path(clam_core.__path__[0]).glob("[a-z]*.py"))


def named_in_maths() -> list[str]:
    """Return the names in `docs/maths.md` that claim to stand in a module of the engine."""
    quoted = re.findall(r"`(\w+(?:\.\w+)+)`", MATHS)
    return sorted({name for name in quoted if not name.endswith((".py", ".md"))})


def commands(page: Path) -> set[str]:
    """Return the make targets that a page tells people to run."""
    return set(re.findall(r"\bmake ([a-z]+)\b", page.read_text(encoding="utf-8")))


def targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


def documented(engine: str, name: str) -> bool:
    """Whether an engine has a documented thing of this dotted name."""
    module, *attributes = name.split(".")
    if importlib.util.find_spec(f"{engine}.{module}") is None:
        return False
    found = importlib.import_module(f"{engine}.{module}")
    for attribute in attributes:
        found = getattr(found, attribute, None)
    return bool(found is not None and found.__doc__)


@pytest.mark.parametrize("name", named_in_maths())
def test_each_function_of_the_maths_exists(name):
    assert any(documented(engine, name) for engine in HOMES)


def test_the_maths_covers_what_the_engines_offer():
    words = set(re.findall(r"\w+", MATHS))
    assert set(clam_core.__all__) | set(slk_core.__all__) <= words
    assert len(named_in_maths()) >= 20


@pytest.mark.parametrize("number", [1, 2, 4, 8, 9, 10, 11, 12, 13])
def test_each_equation_has_its_line(number):
    assert re.search(rf"^\|.*\({number}\).*`\w+\.\w+", MATHS, re.MULTILINE)


def cited(reference: str) -> str:
    """Shorten references to authors and year: "Ward 1963; Saha et al. 2023"."""
    short = []
    for work in reference.split("; "):
        authors = re.split(", | and ", work.partition(":")[0])
        names = " and ".join(authors) if len(authors) < 3 else f"{authors[0]} et al."
        short.append(f"{names} {re.findall(r'(?:19|20)[0-9][0-9]', work)[-1]}")
    return "; ".join(short)


def table_of_methods() -> str:
    """Return the table of methods as it should stand in README.md."""
    lines = ["| Method | `method` | Family | Needs | Keeps by | Rows | What it cannot | Paper |"]
    lines += ["| --- | --- | --- | --- | --- | ---: | --- | --- |"]
    for method in METHODS.values():
        given = "given" in method.rules.get("own", {}).values()
        kept = ("as set" if given else method.own) if method.rules else ""
        needs = method.needs + (", gaps allowed" if method.gaps and method.rules else "")
        cells = (
            method.name, f"`{method.key}`", method.family, needs, kept, f"{method.max_rows:,}",
            method.limits, cited(method.reference),
        )  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def test_references_are_shortened():
    both = "Ward: On 3 things, JASA 58, 1963; Shi and Malik: Cuts, PAMI 22, 2000"
    assert cited(both) == "Ward 1963; Shi and Malik 2000"
    assert cited(METHODS["clam"].reference) == "Saha et al. 2023"


def test_the_readme_lists_every_method():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = table_of_methods()
    assert table in text, f"README.md should have this table:\n\n{table}"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_each_command_exists(page):
    said = commands(ROOT / page)
    assert {"app", "test", "check", "bench"} <= said <= targets()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_each_link_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    files = [link for link in links if "://" not in link and not link.startswith("/lessons?")]
    inside = [link.partition("#")[0] for link in files]
    assert [link for link in inside if not (page.parent / link).exists()] == []


def test_every_decision_is_listed():
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    records = sorted(path.name for path in folder.glob("0*.md"))
    assert re.findall(r"\((0\d+-[\w-]+\.md)\)", listed) == records
    for name in records:
        number = int(name[:4])
        record = (folder / name).read_text(encoding="utf-8")
        title = record.splitlines()[0].removeprefix(f"# {number}. ")
        assert f"{number}. [{title}]({name})" in listed
        for part in ("**Decision.**", "**Why.**", "**Consequences.**"):
            assert part in record


def test_the_version_is_said_once():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'requires-python = ">=3.11"' in project
    assert "Python 3.11 or newer" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(3, 11)" in (ROOT / "tools" / "venv.sh").read_text(encoding="utf-8")
