import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.boards import camera, places, view_of
from vision.board.geometry import (
    board_box,
    camera_columns,
    ellipse_of,
    fit_homographies,
    fit_homography,
    jacobian,
    pit_affines,
    pit_ellipses,
    pit_places,
    project,
)
from vision.board.lattice import ring_order

views = st.tuples(st.floats(0, 360), st.floats(0, 35), st.floats(0, 360), st.floats(9, 20))


@settings(max_examples=60, deadline=None)
@given(views)
def test_a_homography_is_fitted_back_from_its_points(v: tuple[float, float, float, float]) -> None:
    h = camera((1280, 720), v[0], v[1], v[2], v[3], np.array([3.5, 0.5]))
    p = places(2, 8, 1.2).reshape(-1, 2)
    back = fit_homography(p, project(h, p))
    assert np.allclose(project(back, p), project(h, p), atol=1e-4)
    assert np.allclose(jacobian(back, p), jacobian(h, p), rtol=1e-4, atol=1e-3)


@settings(max_examples=40, deadline=None)
@given(views)
def test_the_jacobian_is_the_derivative(v: tuple[float, float, float, float]) -> None:
    h = camera((1280, 720), v[0], v[1], v[2], v[3], np.array([3.5, 0.5]))
    p, e = np.array([2.0, 1.0]), 1e-5
    d = [(project(h, p + s) - project(h, p - s)) / (2 * e) for s in ([e, 0], [0, e])]
    assert np.allclose(jacobian(h, p), np.stack(d, -1), rtol=1e-5, atol=1e-4)


@settings(max_examples=40, deadline=None)
@given(views)
def test_the_axes_are_square_under_the_assumed_camera(v: tuple[float, float, float, float]) -> None:
    h = camera((1280, 720), v[0], v[1], v[2], v[3], np.array([3.5, 0.5]))
    x, y = camera_columns(h, (1280, 720))
    assert abs(x @ y) < 0.01 * np.linalg.norm(x) * np.linalg.norm(y)
    assert np.linalg.norm(y) == pytest.approx(np.linalg.norm(x), rel=0.01)


def test_several_homographies_are_fitted_as_each_alone_whatever_fills_up_the_smaller_sets() -> None:
    rng = np.random.default_rng(3)
    corners_first = places(2, 8).reshape(-1, 2)[[0, 7, 8, 15, *range(1, 7), *range(9, 15)]]
    sets = [(p, project(camera((1280, 720), turn, 20, 60, 14, np.array([3.5, 0.5])), p) + rng.normal(0, 2, p.shape))
            for turn, p in ((10, corners_first[:4]), (80, corners_first[:9]), (200, corners_first))]
    full = [[np.vstack([points, np.repeat(points[:1], 16 - len(points), 0)]) for points in one] for one in sets]
    there = np.array([np.arange(16) < len(p) for p, _ in sets], np.float64)
    line = np.stack([np.arange(16.0), np.zeros(16)], 1)
    source, target = (np.array([one[k] for one in full] + [line]) for k in (0, 1))
    fitted = fit_homographies(source, target, np.vstack([there, np.ones(16)]))
    for h, (p, q) in zip(fitted, sets, strict=False):
        assert np.allclose(h, fit_homography(p, q), rtol=1e-6, atol=1e-9)
    assert np.isnan(fitted[-1]).all()


def test_points_on_a_line_give_no_homography() -> None:
    line = [(i, 2 * i) for i in range(5)]
    with pytest.raises(ValueError, match=r"one line|fold"):
        fit_homography([(0, 0), (1, 0), (2, 0), (1, 1), (3, 1)], line)
    with pytest.raises(ValueError, match="four pairs"):
        fit_homography(line[:3], line[:3])


def test_an_ellipse_has_the_axes_of_its_map() -> None:
    c, s = math.cos(0.5), math.sin(0.5)
    e = ellipse_of(np.array([[c, -s], [s, c]]) @ np.diag([30.0, 20.0]), (5, 6), 2)
    assert (e.x, e.y) == (5, 6)
    assert e.rx == pytest.approx(60) and e.ry == pytest.approx(40)
    assert e.angle % 180 == pytest.approx(math.degrees(0.5))


def test_pits_places_shapes_and_the_outline_of_a_view() -> None:
    h = camera((800, 600), 20, 15, 70, 12, np.array([2.5, 0.5]))
    where = places(2, 6, 1.1, 0.3)
    view = view_of(h, where, 0.4, (800, 600))
    assert np.allclose(pit_places(view), where, atol=1e-6)
    areas = np.abs(np.linalg.det(pit_affines(view)))
    assert np.allclose(np.sqrt(areas), view.radii)
    e = pit_ellipses(view)[1][4]
    assert math.sqrt(e.rx * e.ry) == pytest.approx(view.radii[1, 4])
    assert np.allclose(project(view.homography, board_box(view, 0.5))[0], project(h, (-0.5, -0.5)))


def test_the_ring_goes_round_as_the_rules_say() -> None:
    assert ring_order(2, 3) == [(1, 0), (1, 1), (1, 2), (0, 2), (0, 1), (0, 0)]
    ring = ring_order(4, 8)
    assert ring[0] == (3, 0) and ring[7] == (3, 7)  # South's i … p
    assert ring[8] == (2, 7) and ring[15] == (2, 0)  # h … a
    assert ring[16] == (0, 7) and ring[31] == (1, 7)  # North's I, from her left, and her A
    assert ring[23] == (0, 0) and ring[24] == (1, 0)  # P and H stand in column 0
    assert sorted(ring) == [(r, c) for r in range(4) for c in range(8)]
    with pytest.raises(ValueError, match="not 3"):
        ring_order(3, 6)
