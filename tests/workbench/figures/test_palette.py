"""The palette's promises, in numbers: seen by any eyes, on both backgrounds."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from workbench.figures.palette import (
    BACKGROUND,
    GREY,
    INK,
    PALETTE,
    colours,
    fill,
    oklab,
    rgb,
    scale,
)

# Machado, Oliveira and Fernandes (2009), severity 1, on linear light.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
THEMES = [False, True]


def linear(codes):
    part = rgb(codes) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def seen(codes, blindness):
    light = np.clip(linear(codes) @ BLINDNESS[blindness].T, 0, 1)
    part = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return oklab(255 * part)


def least_distance(lab):
    distance = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    return distance[~np.eye(len(lab), dtype=bool)].min()


def contrast(code, other):
    """Return the contrast ratio of WCAG 2."""
    light = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (code, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


def test_oklab_knows_white_and_red():
    assert oklab(rgb("#ffffff")) == pytest.approx([1, 0, 0], abs=1e-6)
    assert oklab(rgb("#ff0000")) == pytest.approx([0.62796, 0.22486, 0.12585], abs=1e-4)


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_first_eight_are_told_apart_by_any_eyes(blindness):
    assert least_distance(seen(list(PALETTE[:8]), blindness)) >= 0.085


def test_all_twenty_differ():
    assert least_distance(seen(list(PALETTE), "none")) >= 0.07
    for blindness in BLINDNESS:
        assert least_distance(seen(list(PALETTE), blindness)) >= 0.04


@pytest.mark.parametrize("dark", THEMES)
@pytest.mark.parametrize("colour", [*PALETTE, GREY])
def test_markers_stand_out_on_both_backgrounds(colour, dark):
    assert contrast(colour, BACKGROUND[dark]) >= 3


@pytest.mark.parametrize("dark", THEMES)
def test_fills_are_quiet_legible_and_told_apart(dark):
    fills = [fill(i, dark) for i in range(20)]
    assert all(contrast(tint, INK[dark]) >= 4.5 for tint in [*fills, fill(-1, dark)])
    assert least_distance(oklab(rgb(fills[:8]))) >= 0.035
    background = oklab(rgb(BACKGROUND[dark]))
    for tint, colour in zip(fills, PALETTE, strict=True):
        strong = np.linalg.norm(oklab(rgb(colour)) - background)
        assert np.linalg.norm(oklab(rgb(tint)) - background) < strong


def test_grey_is_no_cluster():
    chroma = np.linalg.norm(oklab(rgb([*PALETTE, GREY]))[:, 1:], axis=1)
    assert chroma[-1] < 0.02 < chroma[:-1].min()


def test_colours_repeat_after_twenty():
    assert colours(0) == []
    assert colours(21) == [*PALETTE, PALETTE[0]]


@pytest.mark.parametrize("dark", THEMES)
@pytest.mark.parametrize("name", ["energy", "entropy"])
def test_scales_are_even_and_run_one_way(name, dark):
    lab = oklab(rgb(scale(name, dark)))
    steps = np.linalg.norm(np.diff(lab, axis=0), axis=1)
    assert steps.max() / steps.min() < 1.15
    lightness = np.diff(lab[:, 0])
    assert (lightness > 0).all() if dark else (lightness < 0).all()
    assert np.linalg.norm(lab[0] - oklab(rgb(BACKGROUND[dark]))) < 0.06
    assert len(set(scale(name, dark, n=256))) > 150


def test_theme_uses_the_same_colours():
    config = Path(__file__).parents[3] / ".streamlit" / "config.toml"
    theme = tomllib.loads(config.read_text(encoding="utf-8"))["theme"]
    for dark, name in enumerate(["light", "dark"]):
        assert theme[name]["backgroundColor"] == BACKGROUND[dark]
        assert theme[name]["textColor"] == INK[dark]
        assert theme[name]["chartCategoricalColors"] == list(PALETTE)
        assert theme[name]["chartSequentialColors"] == scale("energy", bool(dark), 10)
