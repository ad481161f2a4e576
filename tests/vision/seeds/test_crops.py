import cv2
import numpy as np
import pytest

from tests.vision.boards import camera, places, view_of
from vision.board.geometry import project
from vision.board.lattice import ring_order
from vision.seeds.crops import FINE, MARGIN, crop_circles, crop_view


def disc_share(crop: np.ndarray, size: int, margin: float) -> tuple[float, float]:
    """Share of bright pixels within the expected disc, and beyond it."""
    y, x = np.mgrid[:size, :size] - (size - 1) / 2
    d = np.hypot(x, y) * 2 * margin / size
    bright = crop[..., 0] > 127
    return float(bright[d < 0.95].mean()), float(bright[d > 1.05].mean())


@pytest.mark.parametrize(("width", "tilt"), [(640, 0), (640, 30), (2600, 25)])
def test_a_pit_becomes_a_centred_circle(width: int, tilt: float) -> None:
    size = (width, width * 3 // 4)
    h = camera(size, 25, tilt, 80, 11, np.array([2.5, 0.5]))
    where = places(2, 6, 1.2)
    view = view_of(h, where, 0.4, size)
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    t = np.linspace(0, 2 * np.pi, 90)
    for p in where.reshape(-1, 2):
        rim = project(h, p + 0.4 * np.stack([np.cos(t), np.sin(t)], -1))
        cv2.fillPoly(picture, [np.round(rim * 16).astype(np.int32)], (255, 255, 255), cv2.LINE_AA, 4)
    crops = crop_view(picture, view)
    assert crops.shape == (12, FINE, FINE, 3)
    for crop in crops:
        inside, outside = disc_share(crop, FINE, MARGIN)
        assert inside > 0.98 and outside < 0.02


def test_a_circle_seen_slantwise_is_cut_out_by_its_shape() -> None:
    picture = np.zeros((300, 300, 3), np.uint8)
    cv2.ellipse(picture, (150, 140), (60, 25), 30, 0, 360, (255, 255, 255), -1, cv2.LINE_AA)
    turn = np.array([[np.cos(np.pi / 6), -np.sin(np.pi / 6)], [np.sin(np.pi / 6), np.cos(np.pi / 6)]])
    circle = (150.0, 140.0, 42.5)
    shaped = crop_circles(picture, [circle], shapes=(turn @ np.diag([60.0, 25.0]))[None])[0]
    inside, outside = disc_share(shaped, FINE, MARGIN)
    assert inside > 0.98 and outside < 0.02
    assert disc_share(crop_circles(picture, [circle])[0], FINE, MARGIN)[0] < 0.8


def test_crops_come_in_ring_order_and_the_boards_way_up() -> None:
    size = (900, 600)
    h = camera(size, 180, 10, 30, 10, np.array([2.5, 0.5]))  # the picture is upside down, the crops must not be
    where = places(2, 6)
    view = view_of(h, where, 0.35, size)
    picture = np.zeros((600, 900, 3), np.uint8)
    for n, (r, c) in enumerate(ring_order(2, 6)):
        q = project(h, where[r, c] + [[0, 0], [0.2, 0]])
        cv2.circle(picture, tuple(round(v) for v in q[0]), 3, (40 + 15 * n,) * 3, -1)
        cv2.circle(picture, tuple(round(v) for v in q[1]), 3, (0, 0, 255), -1)
    for n, crop in enumerate(crop_view(picture, view)):
        assert abs(int(crop[FINE // 2, FINE // 2, 0]) - (40 + 15 * n)) <= 2
        east = FINE // 2 + round(0.2 / 0.35 * FINE / 2 / MARGIN)  # as South sees it
        assert crop[FINE // 2, east, 2] > 150


def test_fine_detail_is_averaged_not_aliased() -> None:
    picture = np.zeros((1200, 1200, 3), np.uint8)
    picture[::2, ::2] = picture[1::2, 1::2] = 255
    crop = crop_circles(picture, [(600, 600, 400)])[0]
    assert crop.min() > 100 and crop.max() < 155


def test_circles_beyond_the_edge_and_bad_ones() -> None:
    picture = np.full((50, 60, 3), 90, np.uint8)
    assert (crop_circles(picture, [(-5, 2, 30), (55, 49, 10)]) == 90).all()
    assert crop_circles(picture, []).shape == (0, FINE, FINE, 3)
    with pytest.raises(ValueError, match=r"pit 2.*0"):
        crop_circles(picture, [(5, 5, 3), (5, 5, 0)])
    with pytest.raises(ValueError, match="uint8"):
        crop_circles(picture[..., 0], [(5, 5, 3)])
