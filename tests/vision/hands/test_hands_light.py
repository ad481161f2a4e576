"""A shade is no hand, a hand in a shade is one, and nothing is learnt from a camera's first, broken pictures."""

import cv2
import numpy as np
import pytest

from tests.vision.hands.test_hands import BROWN, CAMERA, DARK, FAIR, REACH, SIZE, SLEEVE, Picture, Table, draw, empty
from vision.hands.light import shows_through
from vision.hands.segmentation import Hands


def shaded(part: float, depth: float = 0.3, soft: float = 25.0) -> Picture:
    """float32[h, w, 1], how much light is left by a deep shade over such a part of the picture, from its left."""
    left = np.ones(SIZE[::-1], np.float32)
    left[:, :round(part * SIZE[0])] = depth
    return np.asarray(cv2.GaussianBlur(left, (0, 0), soft)[..., None], np.float32)


def shown(table: Table, light: Picture, skin: tuple[int, int, int] | None = None, frames: int = 1) -> Hands:
    """What the watch says of the board in that light, with South's arm of that skin or none."""
    clean = empty()
    if skin is not None:
        draw(clean, CAMERA, REACH, skin)
    return table.look(clean * light, frames)


@pytest.mark.parametrize("part", [0.36, 0.64])
def test_a_deep_shade_that_stays_is_no_hand_and_a_hand_in_it_is_one(part: float) -> None:
    table = Table()
    table.show(5)
    assert shown(table, shaded(part), frames=6).shares == (0, 0)
    for skin in (FAIR, BROWN, DARK, SLEEVE):
        seen = shown(table, shaded(part), skin, 3)
        assert seen.south > 0.01 and seen.north == 0 and seen.covered[2], skin
        assert shown(table, shaded(part), frames=6).shares == (0, 0)
    assert shown(table, shaded(0.0), frames=6).shares == (0, 0), "it goes again"


def test_the_structure_shows_through_light_and_not_through_a_hand() -> None:
    table = Table()
    clean, arm = empty(), empty()
    draw(arm, CAMERA, REACH, BROWN)
    bare, dim, hand = (table.watch.canvas.flat(np.asarray(p, np.uint8)).mean(axis=2)
                        for p in (clean, clean * 0.4, arm))
    inside = cv2.erode((np.abs(hand - bare) > 0.15).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert shows_through(dim, bare, 0.01)[table.watch.canvas.rims >= 0].mean() > 0.9
    assert shows_through(hand, bare, 0.01)[inside].mean() < 0.05


def test_a_broken_first_picture_is_not_learnt() -> None:
    """A blue band lies over its upper part, as over a webcam's first."""
    table = Table()
    broken = empty()
    broken[:SIZE[1] // 2] = 0.4 * broken[:SIZE[1] // 2] + np.array([150, 60, 40])
    table.look(broken, 1)
    for _ in range(6):
        assert table.show().shares == (0, 0)
    assert table.show(2, arms=(REACH,)).covered[2]


def test_how_long_a_hand_lies_still_is_told() -> None:
    table = Table()
    table.show(5)
    table.show(2, arms=(REACH,))
    assert 2.5 < table.show(45, arms=(REACH,)).lain < 3.2
    assert table.show(3).lain == 0.0
