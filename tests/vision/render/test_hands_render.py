"""Hands as pictures: where they lie, what colour they are, where their shadows fall."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.render import limbs
from vision.render.hands import Hand, Lamp
from vision.render.limbs import POSES, Build
from vision.render.skin import SKIN_TONES, HandStyle

W, H, SCALE = 640, 360, 60.0
TIP, SHOULDER = (300.0, 120.0), (320.0, 700.0)


def table() -> NDArray[np.uint8]:
    return np.full((H, W, 3), 128, np.uint8)


def drawn(style: HandStyle, pose: str = "open", lamp: Lamp | None = None) -> NDArray[np.uint8]:
    image = table()
    assert Hand(style).draw(image, TIP, SHOULDER, pose, scale=SCALE, lamp=lamp or Lamp()) is not None
    return image


def cover(style: HandStyle, pose: str = "open") -> NDArray[np.bool_]:
    """Where the hand itself is: the same over black and over white, without the shadow's help."""
    hand, images = Hand(style), []
    for grey in (0, 255):
        image = np.full((H, W, 3), grey, np.uint8)
        hand.draw(image, TIP, SHOULDER, pose, scale=SCALE)
        images.append(image.astype(int))
    return np.asarray(np.abs(images[0] - images[1]).max(axis=2) < 6)


@pytest.mark.parametrize("pose", POSES)
def test_a_hand_reaches_from_its_shoulder_to_its_tip_and_no_further(pose: str) -> None:
    on = cover(HandStyle(), pose)
    near = on[int(TIP[1]) - 12 : int(TIP[1]) + 13, int(TIP[0]) - 12 : int(TIP[0]) + 13]
    assert near.any(), "nothing of the hand where it works"
    assert on[300, 306], "no arm on the way to the shoulder"
    assert not on[: int(TIP[1] - 0.6 * SCALE * 2.5)].any(), "something of the hand far beyond its tip"
    assert 0.03 < on.mean() < 0.35


def test_darker_types_of_skin_are_darker_pictures() -> None:
    means = []
    for tone in SKIN_TONES:
        style = HandStyle(Build(cuff=None), skin=tone)
        means.append(float(drawn(style)[cover(style)].mean()))
    assert means == sorted(means, reverse=True)
    assert means[0] - means[-1] > 60


def test_a_left_hand_is_a_right_one_mirrored() -> None:
    right, left = limbs.posed("open", Build()), HandStyle(left=True)
    hand_right, hand_left = Hand(HandStyle()), Hand(left)
    images = []
    for hand in (hand_right, hand_left):
        image = np.zeros((H, W, 3), np.uint8)
        hand.draw(image, (W / 2, 150.0), (W / 2, 800.0), "open", scale=SCALE)
        images.append(image.max(axis=2) > 30)
    assert right.tip[1] > 0
    agree = (images[0] == images[1][:, ::-1]).mean()
    assert agree > 0.97
    assert (images[0] == images[1]).mean() < agree - 0.02


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_shadow_falls_away_from_the_lamp(side: float) -> None:
    lamp = Lamp(direction=(0.6 * side, 0.0, 0.8))
    image = drawn(HandStyle(), lamp=lamp)
    on = cover(HandStyle())
    row = 300
    hand = np.nonzero(on[row])[0]
    left, right = image[row, hand[0] - 25 : hand[0] - 8].mean(), image[row, hand[-1] + 8 : hand[-1] + 25].mean()
    dark, bright = (right, left) if side < 0 else (left, right)
    assert dark < 115
    assert bright > 125


def test_nothing_outside_its_box_and_its_shadow_changes_and_a_hand_out_of_the_picture_changes_nothing() -> None:
    image = table()
    assert Hand(HandStyle()).draw(image, (320.0, 1500.0), (320.0, 2500.0), "open", scale=SCALE) is None
    assert (image == 128).all()
    assert (drawn(HandStyle())[:40] == 128).all()


def test_a_hand_that_moves_is_smeared() -> None:
    still, moved = table(), table()
    hand = Hand(HandStyle())
    hand.draw(still, TIP, SHOULDER, "open", scale=SCALE)
    hand.draw(moved, TIP, SHOULDER, "open", scale=SCALE, motion=(24.0, 0.0))

    def sharpness(image: NDArray[np.uint8]) -> float:
        return float(np.abs(np.diff(image.astype(int), axis=1)).max())

    assert sharpness(moved) < 0.8 * sharpness(still)


def test_the_same_hand_is_the_same_picture_and_another_is_another() -> None:
    a, b, c = (HandStyle.random(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (drawn(a) == drawn(b)).all()
    assert (drawn(a) != drawn(c)).any()


def test_beads_and_sleeves_are_seen() -> None:
    bare = HandStyle(Build(cuff=None))
    beads = HandStyle(Build(cuff=None, bands=((0.1, 0.06),)), beads=((0.0, 0.0, 255.0),))
    sleeve = HandStyle(Build(cuff=0.2), cloth=(0.0, 255.0, 0.0))

    def most(style: HandStyle, channel: int) -> int:
        image = drawn(style).astype(int)
        others = [k for k in range(3) if k != channel]
        return int((image[..., channel] > 40 + image[..., others].max(axis=2)).sum())

    assert most(bare, 0) == 0
    assert most(beads, 0) > 100
    assert most(bare, 1) == 0
    assert most(sleeve, 1) > 1000


def test_a_skin_type_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="skin type 7 is not known: 1 to 6"):
        HandStyle.random(np.random.default_rng(0), tone=7)
