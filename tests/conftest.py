"""What all tests share: where the reference sets lie, and what the markers ask for."""

import os
import tempfile
from pathlib import Path

import pytest

# The history of every test, and of every server that a test starts, lies in a folder of its own.
_HISTORY = tempfile.TemporaryDirectory(prefix="basinscope-tests-", ignore_cleanup_errors=True)
os.environ["BASINSCOPE_HOME"] = _HISTORY.name


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder with `sets/` and `messy/` that BASINSCOPE_DATA names."""
    return Path(os.environ["BASINSCOPE_DATA"])


def missing_data() -> str | None:
    """Say why tests that read the reference sets cannot run, or None where they can."""
    named = os.environ.get("BASINSCOPE_DATA")
    if not named:
        return "BASINSCOPE_DATA is not set: it names the folder with sets/ and messy/"
    lacking = [part for part in ("sets", "messy") if not Path(named, part).is_dir()]
    if lacking:
        # A wrong path must not pass for a missing one.
        pytest.exit(f"BASINSCOPE_DATA={named} should hold {' and '.join(lacking)}/.", 2)
    return None


def missing_gpu() -> str | None:
    """Say why tests for CUDA cannot run, or None where they can."""
    import torch

    return None if torch.cuda.is_available() else "no CUDA device"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what this machine cannot run, each with its reason."""
    for marker, missing in (("data", missing_data), ("gpu", missing_gpu)):
        marked = [item for item in items if item.get_closest_marker(marker)]
        reason = missing() if marked else None
        if reason:
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=reason))
