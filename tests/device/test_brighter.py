"""A dim picture is shown to the eye brighter, by as much in every frame."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from device.brighter import MOST, Brighter, lights_of
from device.eyes import Placeable, Teachable, open_eye
from engine.board import Board
from vision.find import from_corners
from vision.reading import COUNTS, BoardView, Frame, Reading

VIEW = from_corners([(10, 10), (90, 10), (90, 30), (10, 30)], 2, 6, (400, 240))


class Shown:
    """An eye that keeps what it is shown, and finds the board when it is told to."""

    def __init__(self) -> None:
        self.view: BoardView | None = None
        self.images: list[NDArray[np.uint8]] = []
        self.lessons = 0

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        self.images.append(frame.image)
        return Reading(frame.time_ns, np.zeros((12, COUNTS), np.float32), np.ones(12, np.bool_), counted=count)

    def place(self, view: BoardView) -> None:
        self.view = view

    def told(self, counts: NDArray[np.int64]) -> None:
        self.lessons += len(counts)

    @property
    def level(self) -> float:
        """Of what was shown last."""
        return lights_of(self.images[-1])


def of(level: int) -> Frame:
    """A grey picture with a few bright spots, as a lamp's mirror image is."""
    image = np.full((240, 400, 3), level, np.uint8)
    image[:8, :8] = 255
    return Frame(image, 0, 0)


@pytest.mark.parametrize(("level", "shown"), [(57, 230), (64, 230), (30, 30 * MOST), (66, 66), (200, 200),
                                              (19, 19), (0, 0)])
def test_a_dim_picture_is_brought_to_a_usual_level_and_no_other(level: int, shown: float) -> None:
    inner = Shown()
    reading = Brighter(inner).look(of(level), count=False)
    assert inner.level == pytest.approx(shown, abs=2) and not reading.counted


def test_what_holds_when_the_board_is_found_holds_from_then_on() -> None:
    inner = Shown()
    eye = Brighter(inner)
    eye.look(of(200))
    eye.look(of(50))
    assert inner.level == pytest.approx(230, abs=2), "it is still looked for"
    eye.place(VIEW)
    assert eye.view is VIEW
    eye.look(of(25))
    assert inner.level == pytest.approx(115, abs=2), "a hand's shadow is no other light"
    eye.look(of(10))
    assert inner.level == pytest.approx(10, abs=1), "when the light goes out it is dark"
    eye.look(of(200))
    assert inner.level == pytest.approx(200, abs=1), "a lamp was lit"


def test_a_board_found_in_good_light_is_shown_as_it_is() -> None:
    inner = Shown()
    eye = Brighter(inner)
    eye.look(of(150))
    eye.place(VIEW)
    frame = of(60)
    eye.look(frame)
    assert inner.images[-1] is frame.image


def test_it_takes_what_people_and_rules_tell() -> None:
    inner = Shown()
    eye = Brighter(inner)
    assert isinstance(eye, Placeable) and isinstance(eye, Teachable)
    eye.told(np.zeros(12, np.int64))
    assert inner.lessons == 12


def test_the_products_eye_has_it() -> None:
    assert isinstance(open_eye(Board(2, 6), "bottom"), Brighter)
