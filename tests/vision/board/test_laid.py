"""Hypotheses laid on the picture: what of them is mended there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.boards import camera, paint, places, view_of
from vision.board.hypothesis import Scene, fit_aspect, shrink_to_lattice
from vision.board.rims import WORK, edges_of

SIZE = (960, 640)


def test_a_stray_pit_is_brought_a_quarter_of_the_way_to_even_steps() -> None:
    where = places(2, 8, 1.2)
    view = view_of(camera(SIZE, 10, 20, 75, 12, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)
    off = np.zeros((2, 8, 2))
    off[0, 3] = (0.3 * view.radii[0, 3], 0.0)
    still = shrink_to_lattice(replace(view, centres=view.centres + off)).centres - view.centres
    assert np.allclose(still[0, 3], 0.75 * off[0, 3], atol=0.02 * view.radii[0, 3])
    assert np.abs(still[1]).max() < 0.01 * view.radii[0, 3]


def test_rows_supposed_too_far_apart_are_moved_until_the_pits_are_about_as_flat_as_their_rims() -> None:
    where = places(2, 6, 1.2)
    view = view_of(camera(SIZE, 0, 45, 90, 10, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)
    picture = paint(view, where, noise=2)
    scene = Scene(edges_of(picture, WORK), edges_of(picture, WORK // 2))
    flat = replace(view, homography=view.homography @ np.diag([1.0, 1.4, 1.0]), pit_radius=view.pit_radius / 1.4**0.5)
    mended = fit_aspect(scene, flat)
    ratio = np.linalg.norm(mended.homography[:2, 1]) / np.linalg.norm(view.homography[:2, 1])
    assert ratio == pytest.approx(1.0, abs=0.2), "1.4 as supposed"
