"""The two spaces that memories lie in, as controls know them: the plane and the globe."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.globe import GLOBES, Globe, on_globe, random_angles
from workbench.ground import angles
from workbench.toys import PRESETS, Preset, random_memories

_DECIMALS = 2  # of a degree in a table


@dataclass(frozen=True)
class Space:
    """What begins in a space, how chance draws there, and the cells in which places are written.

    Attributes
    ----------
    presets : mapping of str to Preset or Globe
    energy : str
        That of its presets.
    draw : callable
        ``draw(count, seed)`` gives positions.
    columns : tuple of str
        Names of the two cells of a place.
    shown : callable
        Cells of positions, (n, 2).
    stored : callable
        Positions of cells, as a Recipe holds them.
    """

    presets: Mapping[str, Preset | Globe]
    energy: str
    draw: Callable[[int, int], tuple]
    columns: tuple[str, str]
    shown: Callable[[Any], Any]
    stored: Callable[[Any], tuple]


def _degrees(positions):
    return (angles(np.array(positions, float)).round(_DECIMALS) + 0.0).tolist()


PLANE = Space(PRESETS, "euclidean", random_memories, ("x", "y"), list, tuple)
GLOBE = Space(
    GLOBES,
    "spherical",
    lambda count, seed: on_globe(random_angles(count, seed)),
    ("longitude", "latitude"),
    _degrees,
    on_globe,
)


def space_of(recipe):
    """Return the space of a recall Recipe's memories."""
    return GLOBE if len(recipe.data.positions[0]) == 3 else PLANE
