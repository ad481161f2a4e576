"""A camera that gives the same picture again and again is blind, and that is said within half a second of it."""

from __future__ import annotations

import numpy as np
import pytest

from device.frozen import WHY, Frozen
from engine.rules import ruleset
from tests.device.painted import FPS, Script
from tests.device.test_watch import watched


def pictures(number: int, seed: int, *, noise: bool = True) -> list[np.ndarray]:
    """uint8[24, 32, 3] each; without noise they are all alike."""
    rng = np.random.default_rng(seed)
    flat = np.full((24, 32, 3), 120, np.uint8)
    return [rng.integers(118, 123, flat.shape).astype(np.uint8) if noise else flat for _ in range(number)]


def said_after(frozen: Frozen, images: list[np.ndarray], fps: float, start: float = 0.0) -> float | None:
    """Seconds from the first of these pictures until it is said."""
    for k, image in enumerate(images):
        if frozen.look(image, start + k / fps):
            return k / fps
    return None


@pytest.mark.parametrize("fps", [8, 10, 12, 14, 15, 18, 20, 24, 25, 30])
def test_a_picture_that_stays_is_said_within_half_a_second(fps: int) -> None:
    frozen = Frozen()
    lively = pictures(3 * fps, fps)
    assert said_after(frozen, lively, fps) is None
    after = said_after(frozen, lively[-1:] * fps, fps, 3.0)
    assert after is not None and after <= 0.5
    assert said_after(frozen, pictures(fps, 7), fps, 4.0) is None, "it sees again"
    again = said_after(frozen, pictures(1, 8) * fps, fps, 5.0)
    assert again is not None and again <= 0.5, "and is blind again as soon"


def test_pictures_without_noise_are_not_frozen() -> None:
    frozen = Frozen()
    assert said_after(frozen, pictures(200, 1, noise=False), 15) is None


def test_a_recording_that_is_pressed_hard_stays_the_same_for_a_while_and_is_not_frozen() -> None:
    frozen = Frozen()
    film = [image for image in pictures(60, 2) for _ in range(6)]
    assert said_after(frozen, film, 30) is None
    assert said_after(frozen, pictures(1, 3) * 40, 30, 12.0) is not None


def test_a_frozen_recording_is_blind_and_what_changed_meanwhile_is_weighed() -> None:
    script = Script(ruleset("enkeshui")).rest(3)
    stays = len(script.images)
    script.rest(1.0)
    goes_on = len(script.images)
    script.rest(2.0)
    for k, image in enumerate(script.images):
        assert image is not None
        script.images[k] = image = image.copy()
        image[21, 21] = min(k, stays) if k < goes_on else k
    forms = watched(script)
    assert [f["event"] for f in forms] == ["position", "blind", "sighted"]
    assert forms[1]["why"] == WHY
    assert forms[1]["t"] - stays / FPS <= 0.5
