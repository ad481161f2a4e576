"""Noise in little light is averaged away where nothing moves, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from device.brighter import Brighter
from device.steady import FRAMES, Steady
from tests.device.test_brighter import VIEW, Shown, of
from vision.reading import Frame

SIZE = (120, 160)
AT = tuple(np.mgrid[20:100:4, 20:140:4].reshape(2, -1))


class Noisy:
    """A dark picture with a camera's noise, and what somebody lays into it."""

    def __init__(self, spread: float = 5.0) -> None:
        self.rng, self.spread = np.random.default_rng(1), spread
        self.table: NDArray[np.float64] = np.full((*SIZE, 3), 30.0)

    def image(self) -> NDArray[np.uint8]:
        noise = self.rng.normal(0, self.spread, self.table.shape)
        return np.asarray(np.clip(self.table + noise, 0, 255), np.uint8)


def steadied(noisy: Noisy, frames: int = FRAMES + 30, gain: float = 4.0) -> Steady:
    """After so many frames."""
    steady = Steady((AT[0], AT[1]), gain)
    for _ in range(frames):
        steady.look(noisy.image())
    return steady


def test_where_nothing_moves_little_noise_is_left() -> None:
    noisy = Noisy()
    assert float(steadied(noisy).look(noisy.image()).std()) < 0.5 * float(noisy.image().std())


def test_what_is_new_stands_there_at_once() -> None:
    noisy = Noisy()
    steady = steadied(noisy)
    noisy.table[40:60, 40:60] = 60.0
    shown = steady.look(noisy.image())
    assert float(shown[44:56, 44:56].mean()) == pytest.approx(60, abs=2)
    noisy.table[40:60, 40:60] = 30.0
    assert float(steady.look(noisy.image())[44:56, 44:56].mean()) == pytest.approx(30, abs=2), "and leaves no trace"


class Packed(Noisy):
    """A dark picture that was packed small: most blocks stand as they stood, some leap."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = np.zeros((SIZE[0] // 8, SIZE[1] // 8, 3))
        self.loose = self.rng.random(self.blocks.shape[:2]) < 0.3

    def image(self) -> NDArray[np.uint8]:
        self.blocks[self.loose] = self.rng.choice([-6.0, 0.0], (int(self.loose.sum()), 3))
        return np.asarray(np.clip(self.table + np.kron(self.blocks, np.ones((8, 8, 1))), 0, 255), np.uint8)


def test_what_leaps_in_a_picture_that_was_packed_small_is_not_new() -> None:
    packed = Packed()
    steady = steadied(packed)
    farthest = []
    for _ in range(10):
        before = np.array(steady.look(packed.image()), np.float32)
        farthest.append(float(np.percentile(np.abs(steady.look(packed.image()) - before), 98)))
    assert np.median(farthest) < 2, "of leaps of six levels"
    packed.table[40:60, 40:60] = 60.0
    assert float(steady.look(packed.image())[44:56, 44:56].mean()) == pytest.approx(60, abs=2)


def test_of_a_board_that_is_found_elsewhere_the_noise_is_known_already() -> None:
    noisy = Noisy()
    steady = steadied(noisy)
    assert steady.still((AT[0] + 1, AT[1]), 4.0)
    assert float(steady.look(noisy.image()).std()) < 0.5 * float(noisy.image().std())
    assert not steady.still((AT[0], AT[1]), 2.0), "in another light it is another"


def test_a_single_seed_is_new() -> None:
    noisy = Noisy()
    steady = steadied(noisy)
    noisy.table[50:57, 50:57] = 55.0
    for _ in range(2):
        shown = steady.look(noisy.image())
    assert float(shown[51:56, 51:56].mean()) > 50


def test_light_that_changes_does_so_at_once() -> None:
    noisy = Noisy()
    steady = steadied(noisy)
    noisy.table *= 0.6
    shown = steady.look(noisy.image())
    assert float(shown.mean()) == pytest.approx(18, abs=1)
    assert float(shown.std()) < 0.6 * float(noisy.image().std()), "it is no new picture"


@pytest.mark.parametrize("noisy", [Noisy(0.5), Noisy(0.0)], ids=["calm", "none"])
def test_a_picture_that_is_calm_is_left_alone(noisy: Noisy) -> None:
    steady, image = steadied(noisy), noisy.image()
    assert steady.look(image) is image


def test_hands_alone_make_no_noise() -> None:
    noisy = Noisy(0.5)
    steady = Steady((AT[0], AT[1]), 4.0)
    for k in range(FRAMES + 5):
        noisy.table[:] = 30.0
        if k % 4 > 1:
            noisy.table[:, 8 * k:8 * k + 30] = 90.0
        image = noisy.image()
        shown = steady.look(image)
    assert shown is image


def shown_noise(levels: list[int]) -> float:
    """How much of the noise is left in the last of these pictures when an eye is shown it, that found the board in the
    first."""
    rng, inner = np.random.default_rng(2), Shown()
    eye = Brighter(inner)
    for k, level in enumerate(levels):
        image = np.clip(of(level).image + rng.normal(0, 6, (240, 400, 3)), 0, 255).astype(np.uint8)
        eye.look(Frame(image, k * 10**8, k))
        if not k:
            eye.place(VIEW)
            eye.told(np.zeros(12, np.int64))
    raw, shown = (float(x[20:220, 20:380].std() / x[20:220, 20:380].mean()) for x in (image, inner.images[-1]))
    return shown / raw


def test_the_eye_is_shown_a_dim_and_restless_picture_steadied_and_no_brighter_one() -> None:
    assert shown_noise([40] * 50) < 0.6
    assert shown_noise([150] * 50) == pytest.approx(1, abs=0.05)
    assert shown_noise([90] * 10 + [60] * 50) == pytest.approx(1, abs=0.05)
