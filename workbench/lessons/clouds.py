"""Points that lessons 6 to 8 begin with; anyone's own can take their place."""

import numpy as np


def _rounded(points):
    return tuple((float(x), float(y)) for x, y in np.round(points, 3))


def _standardised(points):
    return (points - points.mean(axis=0)) / points.std(axis=0)


def three_groups(n_samples=150, seed=3):
    """Draw three round clusters that either coordinate alone tells apart.

    Parameters
    ----------
    n_samples : int, default 150
    seed : int, default 3

    Returns
    -------
    tuple of (float, float)
        Standardised.
    """
    rng = np.random.default_rng(seed)
    centres = np.array([[-1.1, 0.75], [0.1, -1.15], [1.05, 0.1]])
    member = np.arange(n_samples) % 3
    return _rounded(_standardised(centres[member] + rng.normal(0, 0.2, (n_samples, 2))))


def rays(n_samples=90, seed=5):
    """Draw points along three directions from the origin, near and far.

    Parameters
    ----------
    n_samples : int, default 90
    seed : int, default 5

    Returns
    -------
    tuple of (float, float)
    """
    rng = np.random.default_rng(seed)
    angle = np.deg2rad(np.array([30.0, 120.0, 165.0]))[np.arange(n_samples) % 3]
    angle = angle + rng.normal(0, 0.11, n_samples)
    length = rng.uniform(0.35, 1.5, n_samples)
    return _rounded(length[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


def two_moons(n_samples=160, seed=1):
    """Draw two interleaved half circles.

    Parameters
    ----------
    n_samples : int, default 160
    seed : int, default 1

    Returns
    -------
    tuple of (float, float)
        Standardised.
    """
    rng = np.random.default_rng(seed)
    angle = np.pi * (np.arange(n_samples) // 2 + 0.5) / (n_samples / 2)
    lower = np.arange(n_samples) % 2 == 1
    x = np.where(lower, 1 - np.cos(angle), np.cos(angle))
    y = np.where(lower, 0.5 - np.sin(angle), np.sin(angle))
    points = np.column_stack([x, y]) + rng.normal(0, 0.05, (n_samples, 2))
    return _rounded(_standardised(points))
