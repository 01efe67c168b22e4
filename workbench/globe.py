"""Memories on the globe, the unit sphere: some to begin with, and a way there from the plane."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from workbench.ground import angles, directions

_DIGITS = 5  # of a unit vector: a thousandth of a degree
_FARTHEST = 100.0  # degrees from the middle, for the outermost memory of the plane


@dataclass(frozen=True)
class Globe:
    """Memories on the globe, and what to see there.

    Parameters
    ----------
    key, title, note : str
    angles : tuple of (float, float)
        Longitude and latitude of each memory, degrees.
    beta : float
        Inverse temperature, without a unit.
    particle : (float, float)
        Longitude and latitude of the point whose way is followed.
    betas : tuple of float, default ()
        Others that are worth a look.
    n_steps : int, default 10
        T.
    """

    key: str
    title: str
    angles: tuple[tuple[float, float], ...]
    beta: float
    particle: tuple[float, float]
    note: str
    betas: tuple[float, ...] = ()
    n_steps: int = 10

    @property
    def memories(self):
        """Unit vectors, a tuple of (x, y, z)."""
        return on_globe(self.angles)


_GLOBES = (
    Globe(
        "globe-3", "Three memories", ((0.0, 10.0), (110.0, 20.0), (-110.0, -30.0)), 5.0,
        (55.0, 62.0),
        "Three memories part the globe among them; lower beta until they share one attractor.",
    ),
    Globe(
        "globe-close", "Two close, one apart", ((-18.0, 8.0), (22.0, 0.0), (150.0, 15.0)), 5.0,
        (85.0, 35.0),
        "Two memories lie close and pull as one; raise beta until each has an attractor.",
    ),
    Globe(
        "globe-6", "Six memories",
        ((0.0, 10.0), (70.0, 25.0), (140.0, -20.0), (-70.0, -30.0), (-140.0, 30.0), (20.0, 78.0)),
        10.0, (35.0, 40.0),
        "Six memories; where three basins meet, a small push decides.",
    ),
)  # fmt: skip
GLOBES: Mapping[str, Globe] = MappingProxyType({globe.key: globe for globe in _GLOBES})


def on_globe(degrees):
    """Unit vectors of longitudes and latitudes in degrees, as a Recipe holds them."""
    vectors = directions(np.array(degrees, float)).round(_DIGITS) + 0.0  # no negative zero
    return tuple(tuple(map(float, vector)) for vector in vectors.reshape(-1, 3))


def random_angles(n_memories, seed=0):
    """Draw longitudes and latitudes evenly over the globe, in whole degrees.

    Parameters
    ----------
    n_memories : int
    seed : int, default 0

    Returns
    -------
    tuple of (float, float)
    """
    rng = np.random.default_rng(seed)
    longitude = rng.uniform(-180, 180, n_memories)
    latitude = np.degrees(np.arcsin(rng.uniform(-1, 1, n_memories)))
    return tuple(
        (float(x), float(y)) for x, y in np.stack([longitude, latitude], axis=1).round(0) + 0.0
    )


def wrapped(positions):
    """Wrap memories of the plane around the globe, distances from their middle kept in scale.

    Each memory's distance from the middle becomes an angle from longitude 0, latitude 0; the
    farthest lies 100 degrees away.

    Parameters
    ----------
    positions : sequence of (float, float)

    Returns
    -------
    tuple of (float, float, float)
        Unit vectors.
    """
    places = np.asarray(positions, float)
    offset = places - (places.min(axis=0) + places.max(axis=0)) / 2
    distance = np.linalg.norm(offset, axis=1)
    angle = np.radians(_FARTHEST) * distance / max(distance.max(), np.finfo(float).tiny)
    sideways = offset / np.maximum(distance, np.finfo(float).tiny)[:, None]
    vectors = np.column_stack([np.cos(angle), np.sin(angle)[:, None] * sideways])
    return on_globe(angles(vectors).round(2))
