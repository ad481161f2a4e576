"""Bands of a mains lamp are measured and taken out; hands and light that changes are not taken for them."""

import numpy as np
import pytest

from device.eyes.bands import Bands
from vision.reading import Frame

HEIGHT, WIDTH = 360, 640
RNG = np.random.default_rng(6)
SCENE = RNG.integers(40, 200, (HEIGHT // 20, WIDTH // 20, 3)).repeat(20, axis=0).repeat(20, axis=1).astype(np.float32)
NOISES = RNG.normal(0, 1.5, (7, *SCENE.shape)).astype(np.float32)


def shot(number: int, strength: float, *, wander: float = 0.37, hand: bool = False) -> np.ndarray:
    """The scene under a lamp whose bands have moved on by `wander` of a band a picture."""
    image = SCENE + NOISES[number % len(NOISES)]
    if hand:
        image[:, 200:480] = (90, 120, 180)
    rows = np.arange(HEIGHT, dtype=np.float32)[:, None, None]
    light = 1 + strength * np.sin(2 * np.pi * (rows / 115 + number * wander))
    return np.asarray(np.clip(image * light, 0, 255), np.uint8)


def evened(bands: Bands, number: int, strength: float, **how: float) -> np.ndarray:
    return bands.evened(Frame(shot(number, strength, **how), number * 33_000_000, number)).image  # type: ignore[arg-type]


def off(image: np.ndarray, columns: slice = slice(None)) -> float:
    """Grey levels by which rows are too bright or too dark, in those columns."""
    rows = (image[:, columns].astype(np.float64) / SCENE[:, columns]).mean(axis=(1, 2))
    return float(np.abs(rows / rows.mean() - 1).max()) * 120


@pytest.mark.parametrize("strength", [0.03, 0.06, 0.12])
def test_bands_are_measured_and_taken_out(strength: float) -> None:
    bands = Bands()
    for number in range(40):
        image = evened(bands, number, strength)
    assert bands.strength == pytest.approx(strength, rel=0.1)
    assert off(shot(40, strength)) > 90 * strength and off(image) < 20 * strength


def test_they_are_taken_out_beside_a_hand(capfd: pytest.CaptureFixture[str]) -> None:
    bands = Bands()
    for number in range(60):
        image = evened(bands, number, 0.06, hand=number > 40)
    assert bands.strength == pytest.approx(0.06, rel=0.15) and off(image, slice(0, 200)) < 2


def test_a_picture_without_bands_stays_as_it_is() -> None:
    bands = Bands()
    for number in range(60):
        frame = Frame(shot(number, 0.0, hand=30 < number < 45), number, number)
        assert bands.evened(frame) is frame
    assert bands.strength == 0


def test_light_that_changes_is_no_band() -> None:
    bands = Bands()
    for number in range(60):
        image = shot(number, 0.0)
        frame = Frame((image * (0.6 if number > 30 else 1.0)).astype(np.uint8), number, number)
        assert bands.evened(frame) is frame


def test_bands_that_stand_still_are_part_of_the_scene() -> None:
    bands = Bands()
    for number in range(60):
        evened(bands, number, 0.06, wander=0.0)
    assert bands.strength == 0


def test_bands_that_end_are_forgotten() -> None:
    bands = Bands()
    for number in range(80):
        evened(bands, number, 0.06 if number < 40 else 0.0)
    assert bands.strength == 0
