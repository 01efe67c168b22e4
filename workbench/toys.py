"""Toy data and the configurations of the paper's figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

PUBLISHED_BETAS = (0.001, 0.1, 1.0, 10.0, 15.0, 20.0, 25.0, 30.0, 50.0, 100.0)


@dataclass(frozen=True)
class Preset:
    """Memories in about the unit square and the temperature that shows what they are for.

    Parameters
    ----------
    key, title : str
        Short name, and name on the screen.
    memories : tuple of (float, float)
        Positions.
    beta : float
        Inverse temperature, in the paper's convention (equation 1).
    betas : tuple of float
        Those of the figure, in the paper's convention: the figures' own numbers are of the
        published program, which uses exp(-(beta/2) d^2), so each is half of the printed one.
    particle : (float, float), optional
        The point whose way the figure follows.
    note : str
        What to see, in a sentence.
    n_steps : int, default 10
        T.
    """

    key: str
    title: str
    memories: tuple[tuple[float, float], ...]
    beta: float
    betas: tuple[float, ...]
    note: str
    particle: tuple[float, float] | None = None
    n_steps: int = 10


def _halved(betas):
    return tuple(beta / 2 for beta in betas)


_THREE = ((0.2, 0.7), (0.45, 0.4), (0.85, 0.35))
_FIVE = ((0.15, 0.2), (0.55, 0.1), (0.9, 0.45), (0.6, 0.6), (0.25, 0.85))

FIGURE_4 = Preset(
    "figure-4", "Figure 4: three memories", _THREE, 5.0, _halved((0.001, 10.0, 100.0)),
    "As beta grows, the basins of attraction come to match the Voronoi cells.",
)  # fmt: skip
FIGURE_11 = Preset(
    "figure-11", "Figure 11: three memories", _THREE, 7.5, _halved(PUBLISHED_BETAS),
    "Slide beta through the figure's temperatures: borders are straight only where it is large.",
)  # fmt: skip
FIGURE_12 = Preset(
    "figure-12", "Figure 12: five memories", _FIVE, 7.5, _halved(PUBLISHED_BETAS),
    "With five memories the pulls mix more, and a small beta merges more of them.",
)  # fmt: skip
FIGURE_3_I = Preset(
    "figure-3-i", "Figure 3, case I: the nearest wins",
    ((0.2, 0.5), (0.8, 0.5)), 16.0, (16.0,),
    "Two memories pull against each other, and the nearest wins.",
    particle=(0.42, 0.5),
)  # fmt: skip
FIGURE_3_II = Preset(
    "figure-3-ii", "Figure 3, case II: pulls add up",
    ((0.2, 0.5), (0.7, 0.5), (0.8, 0.5)), 16.0, (16.0,),
    "Memories 2 and 3 pull the same way and together beat memory 1, which is nearest.",
    particle=(0.43, 0.5),
)  # fmt: skip
FIGURE_3_III = Preset(
    "figure-3-iii", "Figure 3, case III: pulls cancel",
    ((0.72, 0.5), (0.3, 0.9), (0.3, 0.1)), 11.0, (11.0,),
    "Memories 2 and 3 cancel each other, and memory 1 wins although it is the farthest.",
    particle=(0.3, 0.5),
)  # fmt: skip

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.key: preset
        for preset in (FIGURE_4, FIGURE_11, FIGURE_12, FIGURE_3_I, FIGURE_3_II, FIGURE_3_III)
    }
)


def random_memories(n_memories, seed=0):
    """Draw memories uniformly from the unit square.

    Parameters
    ----------
    n_memories : int
        How many.
    seed : int, default 0
        Fixes the draw.

    Returns
    -------
    tuple of (float, float)
        Rounded to three digits, to be read and edited in a table.
    """
    drawn = np.random.default_rng(seed).uniform(0.05, 0.95, (n_memories, 2)).round(3)
    return tuple((float(x), float(y)) for x, y in drawn)


def elongated(n_clusters=2, n_samples=600, seed=0):
    """Draw long thin slanted clusters side by side, as in Figures 1 and 13.

    k-means cuts them across, since their length spreads more than what separates them.

    Parameters
    ----------
    n_clusters : int, default 2
        How many.
    n_samples : int, default 600
        Points in all.
    seed : int, default 0
        Fixes the draw.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of int, shape (n,)
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_clusters
    along = rng.uniform(-0.18, 0.18, n_samples) * n_clusters
    across = 0.22 * (y - (n_clusters - 1) / 2) + rng.normal(0, 0.03, n_samples)
    slant = np.sqrt(0.5)
    X = np.column_stack([slant * (along - across), slant * (along + across)]) + 0.5
    return X, y


def moons(n_samples=400, seed=0):
    """Draw two interleaved half circles.

    Parameters
    ----------
    n_samples : int, default 400
        Points in all.
    seed : int, default 0
        Fixes the draw.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of int, shape (n,)
    """
    from sklearn.datasets import make_moons

    return make_moons(n_samples, noise=0.06, random_state=seed)


def circles(n_samples=400, seed=0):
    """Draw a circle within a circle.

    Parameters
    ----------
    n_samples : int, default 400
        Points in all.
    seed : int, default 0
        Fixes the draw.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of int, shape (n,)
    """
    from sklearn.datasets import make_circles

    return make_circles(n_samples, noise=0.05, factor=0.45, random_state=seed)


def spirals(n_samples=400, n_turns=1.25, seed=0):
    """Draw two spirals that wind around each other.

    Parameters
    ----------
    n_samples : int, default 400
        Points in all.
    n_turns : float, default 1.25
        How often each winds around.
    seed : int, default 0
        Fixes the draw.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of int, shape (n,)
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    share = np.sqrt(rng.uniform(0.03, 1, n_samples))  # even along the arm
    angle = 2 * np.pi * n_turns * share + np.pi * y
    X = share[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + rng.normal(0, 0.02, (n_samples, 2)), y


def blobs(n_samples=400, seed=0):
    """Draw four round clusters on the corners of a slanted square.

    Parameters
    ----------
    n_samples : int, default 400
        Points in all.
    seed : int, default 0
        Fixes the draw.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of int, shape (n,)
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 4
    corners = np.array([[0.2, 0.35], [0.65, 0.2], [0.8, 0.65], [0.35, 0.8]])
    return corners[y] + rng.normal(0, 0.07, (n_samples, 2)), y


def outliers(n_samples=200, n_outliers=6, seed=0):
    """Draw two round clusters and a few points far off to one side, as in Figure 15 (B.8).

    Parameters
    ----------
    n_samples : int, default 200
        Points of the two clusters together.
    n_outliers : int, default 6
        Points far off, in the last rows.
    seed : int, default 0
        Fixes the draw.

    Returns
    -------
    X : ndarray of shape (n_samples + n_outliers, 2)
    y : ndarray of int, shape (n_samples + n_outliers,)
        0 and 1 for the clusters, -1 for an outlier.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    centres = np.array([[0.3, 0.5], [0.7, 0.5]])
    inliers = centres[y] + rng.normal(0, 0.06, (n_samples, 2))
    far = np.array([2.6, 1.6]) + rng.normal(0, 0.15, (n_outliers, 2))
    return np.vstack([inliers, far]), np.append(y, np.full(n_outliers, -1))
