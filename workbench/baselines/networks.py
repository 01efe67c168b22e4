"""What the deep baselines share: checks, random draws and layers that leave global seeds alone."""

import math
from numbers import Integral, Real

import torch
from torch import nn

DTYPES = ("float32", "float64")


def check_choice(model, name, choices):
    """Raise ValueError where a setting is not one of its words."""
    value = getattr(model, name)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}={value!r} should be one of {', '.join(choices)}.")


def check_counts(model, *names, auto=(), least=1):
    """Raise ValueError where a setting is not a whole number so large (or "auto", for some)."""
    for name in (*names, *auto):
        value = getattr(model, name)
        if name in auto and isinstance(value, str) and value == "auto":
            continue
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            also = " or 'auto'" if name in auto else ""
            raise ValueError(f"{name}={value!r} should be a whole number >= {least}{also}.")


def check_amounts(model, *names, zero=()):
    """Raise ValueError where a setting is not a positive number (or 0, for some)."""
    for name in (*names, *zero):
        value = getattr(model, name)
        number = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
        if not number or value < 0 or (value == 0 and name not in zero):
            raise ValueError(f"{name}={value!r} should be {'>= 0' if name in zero else '> 0'}.")


def torch_type(model):
    """Return the torch dtype that the setting "dtype" names."""
    check_choice(model, "dtype", DTYPES)
    return torch.float32 if model.dtype == "float32" else torch.float64


def draws(seed):
    """Return a generator of random numbers: on the CPU, so that each device sees the same."""
    return torch.Generator().manual_seed(int(seed))


def batches(n, size, generator):
    """Yield the row numbers of one epoch in random order, `size` at a time, on the CPU."""
    yield from torch.randperm(n, generator=generator).split(size)


def endless(n, size, generator):
    """Yield batches for ever, epoch after epoch."""
    while True:
        yield from batches(n, size, generator)


def settled(build, generator, *, device, dtype, bias=0.0):
    """Return the network that `build` makes, with weights drawn from a generator.

    Weights are uniform with variance 2 / inputs (He et al., 2015). Nothing is drawn from torch's
    global generator: the network is laid out without storage first.

    Parameters
    ----------
    build : callable
        Takes nothing and returns a Module.
    generator : torch.Generator
        On the CPU.
    device : str
    dtype : torch.dtype
    bias : float, default 0
        Biases are uniform, at most this many times the largest weight of their layer. With 0 the
        kinks of all units of a first layer meet in the origin, which serves few features badly.

    Returns
    -------
    Module
    """
    with torch.device("meta"):
        network = build()
    network = network.to_empty(device="cpu").to(dtype)
    with torch.no_grad():
        for layer in network.modules():
            if not hasattr(layer, "weight"):
                continue
            nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=generator)
            largest = bias * math.sqrt(6 / layer.weight[0].numel())
            nn.init.uniform_(layer.bias, -largest, largest, generator=generator)
    return network.to(device)


def perceptron(widths):
    """Return linear layers of these widths, first to last, with a ReLU between each two."""
    layers = []
    for before, after in zip(widths, widths[1:], strict=False):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def in_blocks(function, rows, *others, size=65_536):
    """Return what a function gives for all rows, without gradients, computed block by block."""
    with torch.no_grad():
        return torch.cat([function(block, *others) for block in rows.split(size)])
