"""Slow, obvious NumPy in float64: what the quick code is held to."""

from __future__ import annotations

import numpy as np


def logits(v, memories, beta, kind="euclidean", log_weights=0.0):
    if kind == "spherical":
        return beta * np.array([[row @ m / np.linalg.norm(m) for m in memories] for row in v])
    distances = np.array([[((row - m) ** 2).sum() for m in memories] for row in v])
    return -beta * distances + log_weights


def softmax(rows):
    shares = np.exp(rows - rows.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def energy(v, memories, beta, kind="euclidean", log_weights=0.0):
    rows = logits(v, memories, beta, kind, log_weights)
    peak = rows.max(axis=1)
    return -(peak + np.log(np.exp(rows - peak[:, None]).sum(axis=1))) / beta


def recall(x, memories, beta, n_steps, step, kind="euclidean", log_weights=0.0, hidden=None):
    """Equations 4, 11 and 12 in the space of the data; only hidden coordinates move."""
    v = np.array(x, dtype=np.float64)
    memories = np.asarray(memories, dtype=np.float64)
    if kind == "spherical":
        v /= np.linalg.norm(v, axis=1, keepdims=True)
        memories = memories / np.linalg.norm(memories, axis=1, keepdims=True)
    for _ in range(n_steps):
        shares = softmax(logits(v, memories, beta, kind, log_weights))
        if kind == "spherical":
            v = v + step * shares @ memories
            v /= np.linalg.norm(v, axis=1, keepdims=True)
            continue
        moved = v + step * np.array(
            [sum(p * (m - row) for p, m in zip(ps, memories, strict=True))
             for ps, row in zip(shares, v, strict=True)]
        )  # fmt: skip
        v = moved if hidden is None else np.where(hidden, moved, v)
    return v


def nearest(v, memories):
    return np.array([[((row - m) ** 2).sum() for m in memories] for row in v]).argmin(axis=1)


def margin(v, memories):
    """How much further the second nearest memory is than the nearest, relatively."""
    distances = np.sort(np.linalg.norm(v[:, None] - memories[None], axis=2), axis=1)
    return (distances[:, 1] - distances[:, 0]) / np.maximum(distances[:, 1], 1e-300)


def loss(x, start, hidden, memories, beta, n_steps, step, *, absolute=False, log_weights=0.0):
    """Equation 9 for one restart: mean over hidden coordinates; ``start`` where they begin."""
    v = np.where(hidden, start, x)
    ends = recall(v, memories, beta, n_steps, step, log_weights=log_weights, hidden=hidden)
    error = (ends - x)[np.broadcast_to(hidden, x.shape)]
    return np.abs(error).mean() if absolute else (error**2).mean()


def slope(function, weights, step=1e-6):
    """Central differences of a scalar function."""
    found = np.zeros_like(weights)
    for index in np.ndindex(weights.shape):
        shift = np.zeros_like(weights)
        shift[index] = step
        found[index] = (function(weights + shift) - function(weights - shift)) / (2 * step)
    return found


def silhouette(X, labels):
    widths = []
    for i in range(len(X)):
        distances = np.linalg.norm(X - X[i], axis=1)
        own = labels == labels[i]
        if own.sum() == 1:
            widths.append(0.0)
            continue
        a = distances[own].sum() / (own.sum() - 1)
        b = min(distances[labels == other].mean() for other in set(labels) - {labels[i]})
        widths.append((b - a) / max(a, b))
    return float(np.mean(widths))
