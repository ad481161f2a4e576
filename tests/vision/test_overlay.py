from __future__ import annotations

import numpy as np
import pytest

from tests.vision.boards import camera, places, view_of
from vision.lattice import ring_order
from vision.overlay import DOUBTFUL, SURE, draw_view


def test_every_pit_is_drawn_where_it_lies_and_the_picture_stays_as_it_was() -> None:
    size = (640, 360)
    view = view_of(camera(size, 10, 20, 60, 9, np.array([2.5, 0.5])), places(2, 6), 0.4, size)
    picture = np.zeros((360, 640, 3), np.uint8)
    sure = [0.99] * 11 + [0.4]
    drawn = draw_view(picture, view, [str(i) for i in range(12)], [4] * 11 + [25], sure)
    assert not picture.any()
    for n, (r, c) in enumerate(ring_order(2, 6)):
        x, y = view.centres[r, c]
        a = round(view.radii[r, c])
        part = drawn[round(y) - a - 3:round(y) + a + 4, round(x) - a - 3:round(x) + a + 4].reshape(-1, 3)
        wanted, other = (SURE, DOUBTFUL) if n < 11 else (DOUBTFUL, SURE)
        assert (part == wanted).all(1).sum() > 2 * a
        assert (part == wanted).all(1).sum() > (part == other).all(1).sum()


def test_a_count_too_few_is_named() -> None:
    size = (640, 360)
    view = view_of(camera(size, 0, 0, 0, 9, np.array([2.5, 0.5])), places(2, 6), 0.4, size)
    with pytest.raises(ValueError, match="11 counts for 12 pits"):
        draw_view(np.zeros((360, 640, 3), np.uint8), view, counts=[4] * 11)
