"""Where to compute."""


def available(device):
    """Tell whether this machine has a device.

    Parameters
    ----------
    device : {"cpu", "cuda", "mps"}
        Kind of device.

    Returns
    -------
    bool
    """
    import torch

    if device == "cuda":
        return torch.cuda.is_available()
    if device == "mps":
        return torch.backends.mps.is_available()
    return device == "cpu"


def best_device():
    """Name the quickest device of this machine.

    Returns
    -------
    {"cuda", "mps", "cpu"}
    """
    return next(device for device in ("cuda", "mps", "cpu") if available(device))


def settle(device):
    """Return a device that this machine has, and a sentence where it is not the one asked for.

    Parameters
    ----------
    device : {"cpu", "cuda", "mps"}
        Device of a recipe, which may come from another machine.

    Returns
    -------
    device : str
    note : str
        Empty where the device is at hand.
    """
    if available(device):
        return device, ""
    return "cpu", f"device={device!r} is not on this machine: computed on the CPU instead."


def describe(device):
    """Name a device for the reader.

    Parameters
    ----------
    device : {"cpu", "cuda", "mps"}
        Kind of device.

    Returns
    -------
    str
    """
    import torch

    if device == "cuda":
        return f"{torch.cuda.get_device_name()} (CUDA)"
    return "Apple GPU" if device == "mps" else f"CPU, {torch.get_num_threads()} threads"
