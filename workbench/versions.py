"""Which versions of Python and of the packages computed something."""

import platform
from importlib.metadata import PackageNotFoundError, version

from workbench.words import listing

PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "numba", "torch", "pynndescent")
"""Those whose arithmetic decides labels."""


def versions():
    """Return the versions of Python and of the packages whose arithmetic decides labels.

    Returns
    -------
    dict of str to str
    """
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def other_versions(then):
    """Say in one sentence which versions differ from those of another time; else nothing.

    Parameters
    ----------
    then : mapping of str to str
        From `versions`.

    Returns
    -------
    str
    """
    now = versions()
    differ = [
        f"{name} {now.get(name, 'none')} (then {known})"
        for name, known in then.items()
        if now.get(name) != known
    ]
    if not differ:
        return ""
    return f"Other versions than then, so that labels may differ: {listing(differ, 9)}."
