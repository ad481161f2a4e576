import numpy as np
import pytest

from tests.vision.boards import camera, places, view_of
from vision.board.geometry import Ellipse, pit_ellipses
from vision.board.lattice import ring_order
from vision.overlay import DOUBTFUL, SURE, WRONG, draw_pits
from vision.parameters import DRAWING
from vision.reading import BoardView


def ring_of(view: BoardView) -> list[Ellipse]:
    rims = pit_ellipses(view)
    return [rims[r][c] for r, c in ring_order(view.rows, view.cols)]


def test_every_pit_is_drawn_where_it_lies_and_the_picture_stays_as_it_was() -> None:
    size = (640, 360)
    view = view_of(camera(size, 10, 20, 60, 9, np.array([2.5, 0.5])), places(2, 6), 0.4, size)
    picture = np.zeros((360, 640, 3), np.uint8)
    sure = [DRAWING.doubtful] * 11 + [DRAWING.doubtful - 0.01]
    drawn = draw_pits(picture, ring_of(view), [str(i) for i in range(12)], [4] * 11 + [25], sure)
    assert not picture.any()
    for n, (r, c) in enumerate(ring_order(2, 6)):
        x, y = view.centres[r, c]
        a = round(view.radii[r, c])
        part = drawn[round(y) - a - 3:round(y) + a + 4, round(x) - a - 3:round(x) + a + 4].reshape(-1, 3)
        wanted, other = (SURE, DOUBTFUL) if n < 11 else (DOUBTFUL, SURE)
        near, far = ((np.abs(part.astype(int) - colour).max(1) < 60).sum() for colour in (wanted, other))
        assert near > 2 * a
        assert near > 2 * far


def test_names_and_numbers_stand_beside_the_pits_and_not_on_their_seeds() -> None:
    size = (640, 360)
    view = view_of(camera(size, 10, 20, 60, 9, np.array([2.5, 0.5])), places(2, 6), 0.4, size)
    picture = np.zeros((360, 640, 3), np.uint8)
    bare = draw_pits(picture, ring_of(view))
    drawn = draw_pits(picture, ring_of(view), [str(i) for i in range(12)], [14] * 12, [1.0] * 12)
    written = (bare != drawn).any(axis=2)
    assert written.sum() > 12 * 30
    y, x = np.mgrid[:360, :640]
    for r, c in ring_order(2, 6):
        away = np.hypot(*(np.stack((x, y)) - view.centres[r, c][:, None, None]))
        assert not written[away < 0.85 * view.radii[r, c]].any()
        assert written[(away > view.radii[r, c]) & (away < 1.9 * view.radii[r, c])].any()


def test_a_count_too_few_is_named() -> None:
    size = (640, 360)
    view = view_of(camera(size, 0, 0, 0, 9, np.array([2.5, 0.5])), places(2, 6), 0.4, size)
    with pytest.raises(ValueError, match="11 counts for 12 pits"):
        draw_pits(np.zeros((360, 640, 3), np.uint8), ring_of(view), counts=[4] * 11)


def test_a_pit_that_is_read_wrongly_is_marked_and_no_other() -> None:
    view = view_of(camera((640, 360), 10, 20, 60, 9, np.array([2.5, 0.5])), places(2, 6), 0.4, (640, 360))
    ring = ring_of(view)
    drawn = draw_pits(np.zeros((360, 640, 3), np.uint8), ring, counts=[4] * 5 + [5] + [4] * 6, known=[4] * 11 + [-1])
    y, x = np.nonzero((drawn == WRONG).all(axis=2))
    assert np.hypot(x - ring[5].x, y - ring[5].y).min() < 1.5 * ring[5].rx
    assert all(np.hypot(x - rim.x, y - rim.y).min() > 0.9 * rim.ry for rim in (*ring[:4], *ring[6:]))


def test_a_hidden_pit_has_a_dash_and_no_number() -> None:
    view = view_of(camera((640, 360), 10, 20, 60, 9, np.array([2.5, 0.5])), places(2, 6), 0.4, (640, 360))
    bare = np.zeros((360, 640, 3), np.uint8)
    rims = draw_pits(bare, ring_of(view))
    hidden, eight = ((draw_pits(bare, ring_of(view), counts=[n, *[4] * 11]) != rims).any(axis=2) for n in (-1, 8))
    assert (hidden & ~eight).sum() < hidden.sum() < eight.sum()
