"""How quickly is one basin picture computed, and in how much memory?"""

import torch

from benchmarks.report import Report, median_time
from clam_core import Euclidean, basins

SIZE, BETA = 400, 10.0


def main(report: Report, data=None, minutes=None) -> None:
    side = torch.linspace(-0.2, 1.2, SIZE)
    pixels = torch.cartesian_prod(side, side)
    for k in (3, 10, 50):
        memories = torch.rand(k, 2, generator=torch.Generator().manual_seed(k))
        for n_steps in (10, 100):
            name = f"k = {k}, T = {n_steps}"
            report.heading(f"{SIZE} x {SIZE}, {name}")

            def ours(memories=memories, n_steps=n_steps):
                return basins(pixels, memories, energy=Euclidean(), beta=BETA, n_steps=n_steps)

            plain_labels = plain(pixels, memories, n_steps)
            agree = float((plain_labels == ours().labels).float().mean())
            quick = median_time(ours, 3)
            slow = median_time(lambda m=memories, t=n_steps: plain(pixels, m, t), 1, warm_up=0)
            report.figure(f"{name}: picture", 1e3 * quick, unit="ms")
            report.figure(
                f"{name}: against the plain form", slow / quick, 4 if k <= 10 else None,
                unit="times",
            )  # fmt: skip
            report.figure(f"{name}: same labels", agree, 0.999)
            report.figure(f"{name}: temporaries", temporaries(ours), 32, at_least=False, unit="MB")


def plain(pixels: torch.Tensor, memories: torch.Tensor, n_steps: int) -> torch.Tensor:
    """The (m, k) form that one writes first, eager."""
    v = pixels
    for _ in range(n_steps):
        distances = (v[:, None] - memories).square().sum(-1)
        v = v + (torch.softmax(-BETA * distances, 1) @ memories - v) / n_steps
    return (v[:, None] - memories).square().sum(-1).argmin(1)


def temporaries(function) -> float:
    """Peak of what torch holds above the start, less what is returned, in MB."""
    with torch.profiler.profile(profile_memory=True) as profile:
        result = function()
    held, peak = 0, 0
    for event in profile.profiler.kineto_results.events():  # type: ignore[union-attr]
        if event.name() == "[memory]":
            held += event.nbytes()  # type: ignore[attr-defined]
            peak = max(peak, held)
    return (peak - sum(tensor.nbytes for tensor in vars(result).values())) / 1e6
