"""ClAM as one would first write it: autograd through (batch, k, d) differences, one restart."""

import time

import numpy as np
import torch


class PlainTrainer:
    """One restart of equation 9 by automatic differentiation and torch's own Adam."""

    def __init__(self, memories, *, beta: float, n_steps: int, rate: float, learning_rate: float):
        self.memories = torch.tensor(memories, dtype=torch.float32, requires_grad=True)
        self.optimiser = torch.optim.Adam([self.memories], lr=learning_rate)
        self.beta, self.n_steps, self.rate = beta, n_steps, rate

    def step(self, x: torch.Tensor) -> float:
        """One batch: mask each row, recall, compare, descend."""
        visible = (torch.rand_like(x) >= self.rate).float()
        hidden = 1 - visible
        v = visible * x
        for _ in range(self.n_steps):
            difference = self.memories[None] - v[:, None]
            shares = torch.softmax(-self.beta * difference.square().sum(-1), 1)
            v = v + hidden * (shares[..., None] * difference).sum(1) / self.n_steps
        loss = (hidden * (x - v)).square().sum()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return float(loss)

    def seconds_a_step(self, X: np.ndarray, batch_size: int, seconds: float = 4.0) -> float:
        """Median time of a step, over as many as fit into ``seconds`` (five at least)."""
        rows = torch.from_numpy(X)
        times: list[float] = []
        while len(times) < 6 or sum(times) < seconds:
            start = time.perf_counter()
            chosen = torch.randint(len(rows), (batch_size,))
            self.step(rows[chosen])
            times.append(time.perf_counter() - start)
        return float(np.median(times[1:]))
