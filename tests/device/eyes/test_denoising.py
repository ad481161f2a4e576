"""Noise in little light is averaged away where nothing moves, and nowhere else."""

import numpy as np
import pytest
from numpy.typing import NDArray

from device.eyes.brightening import Brightening
from device.eyes.denoising import Denoiser
from device.eyes.parameters import DENOISING
from tests.device.eyes.test_brightening import VIEW, Shown, of
from vision.reading import Frame, Lesson

SIZE = (120, 160)


class Noisy:
    """A dark picture with a camera's noise, and what somebody lays into it."""

    def __init__(self, spread: float = 5.0) -> None:
        self.rng, self.spread = np.random.default_rng(1), spread
        self.table: NDArray[np.float64] = np.full((*SIZE, 3), 30.0)

    def image(self) -> NDArray[np.uint8]:
        noise = self.rng.normal(0, self.spread, self.table.shape)
        return np.asarray(np.clip(self.table + noise, 0, 255), np.uint8)


def steadied(noisy: Noisy, frames: int = DENOISING.listened_frames + 30) -> Denoiser:
    """After so many frames."""
    steady = Denoiser()
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


def test_the_first_pictures_count_alike() -> None:
    """Of five there is less than half of the noise of one."""
    noisy = Noisy()
    assert float(steadied(noisy, 4).look(noisy.image()).std()) < 0.5 * float(noisy.image().std())


def test_what_was_new_is_soon_as_steady_as_the_rest() -> None:
    noisy = Noisy()
    steady = steadied(noisy)
    noisy.table[40:60, 40:60] = 60.0
    for _ in range(6):
        shown = steady.look(noisy.image())
    assert float(shown[44:56, 44:56].std()) < 0.5 * float(noisy.image()[44:56, 44:56].std())


def test_a_recording_in_which_every_picture_comes_twice_is_no_calmer() -> None:
    packed = Packed()
    steady = Denoiser()
    for _ in range(DENOISING.listened_frames + 15):
        image = packed.image()
        steady.look(image)
        steady.look(image)
    before = np.array(steady.look(packed.image()), np.float32)
    assert float(np.percentile(np.abs(steady.look(packed.image()) - before), 98)) < 3


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


def shown_noise(levels: list[int]) -> float:
    """How much of the noise is left in the last of these pictures when an eye is shown it, that found the board in the
    first."""
    rng, inner = np.random.default_rng(2), Shown()
    eye = Brightening(inner)
    for k, level in enumerate(levels):
        image = np.clip(of(level).image + rng.normal(0, 6, (240, 400, 3)), 0, 255).astype(np.uint8)
        eye.watch(Frame(image, k * 10**8, k))
        if not k:
            eye.place(VIEW)
            eye.learn(Lesson((0,) * 12))
    raw, shown = (float(x[20:220, 20:380].std() / x[20:220, 20:380].mean()) for x in (image, inner.images[-1]))
    return shown / raw


def test_the_eye_is_shown_a_dim_picture_steadied_and_no_brighter_one() -> None:
    assert shown_noise([40] * 50) < 0.6
    assert shown_noise([80] * 50) < 0.6, "nor is it made brighter for that"
    assert shown_noise([150] * 50) == pytest.approx(1, abs=0.05)
    assert shown_noise([80] + [150] * 50) < 0.6, "it stays as it was when the board was found"
    assert shown_noise([180] * 10 + [120] * 50) == pytest.approx(1, abs=0.05), "of other light it is none the worse"
    assert shown_noise([180] * 10 + [80] * 80) < 0.6
