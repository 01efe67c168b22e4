"""A recipe from another machine runs on this one, and says so."""

import pytest

from workbench.device import available, best_device, describe, settle


def test_the_best_device_is_at_hand():
    device = best_device()
    assert available(device) and settle(device) == (device, "")
    assert describe(device)


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_device_that_is_missing_falls_back_with_a_sentence(device, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    assert settle(device) == (
        "cpu",
        f"device={device!r} is not on this machine: computed on the CPU instead.",
    )
    assert best_device() == "cpu" and describe("cpu").startswith("CPU, ")
    assert not available("tpu")


def test_cuda_goes_before_the_cpu(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert best_device() == "cuda" and settle("cuda") == ("cuda", "")
