"""Slow, obvious NumPy in float64, written from the equations."""

import numpy as np


def kernel(X, modes, sigma):
    return np.array([[np.exp(-((x - m) ** 2).sum() / (2 * sigma**2)) for m in modes] for x in X])


def affinity(X, k, normalised=True):
    n = len(X)
    A = np.zeros((n, n))
    for p in range(n):
        others = np.array([q for q in range(n) if q != p])
        gaps = ((X[others] - X[p]) ** 2).sum(axis=1)
        A[p, others[np.argsort(gaps, kind="stable")[:k]]] = 1
    W = (A + A.T) / 2
    d = W.sum(axis=1)
    return W / np.sqrt(np.outer(d, d)) if normalised else W


def discrete(Z, a, W, lam, balance=0.0):
    n = len(Z)
    cut = sum(W[p, q] * ((Z[p] - Z[q]) ** 2).sum() for p in range(n) for q in range(n))
    return -(Z * a).sum() + lam / 2 * cut + balanced(Z, W, lam, balance)


def relaxed(Z, a, W, lam, t=1.0, balance=0.0):
    logs = np.log(np.where(Z > 0, Z, 1))
    pairs = np.einsum("pq,pl,ql->", W, Z, Z)
    return t * (Z * logs).sum() - (Z * a).sum() - lam * pairs + balanced(Z, W, lam, balance)


def balanced(Z, W, lam, balance):
    d = W.sum(axis=1)
    return lam * balance * ((d @ Z) ** 2).sum() / d.sum() if d.sum() else 0.0


def softmax(rows):
    shares = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def field(p, Z, a, W, lam, factor=2.0, balance=0.0):
    d = W.sum(axis=1)
    slope = 2 * lam * balance / d.sum() * d[p] * (d @ Z) if d.sum() else 0.0
    return a[p] + factor * lam * W[p] @ Z - factor / 2 * slope


def in_turn(Z, a, W, lam, t=1.0, balance=0.0):
    """Each row after the other: the minimiser of the bound, equation 8."""
    Z = Z.copy()
    for p in range(len(Z)):
        Z[p] = softmax(field(p, Z, a, W, lam, balance=balance) / t)
    return Z


def at_once(Z, a, W, lam, t=1.0, c=0.0, factor=2.0, balance=0.0):
    logs = np.log(np.maximum(Z, np.exp(-40)))
    return np.array(
        [
            softmax((field(p, Z, a, W, lam, factor, balance) / t + c * logs[p]) / (1 + c))
            for p in range(len(Z))
        ]
    )
