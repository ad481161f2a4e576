"""Hypotheses laid on the picture: what of them is mended there."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.boards import camera, paint, places, view_of
from vision.board.hypothesis import Scene, fit_aspect, roughness, shrink_to_lattice
from vision.board.rims import WORK, edges_of

SIZE = (960, 640)


@pytest.mark.parametrize(("picture_shows", "least", "most"), [("rims", 0.0, 0.3), ("nothing", 0.7, 0.8)])
@pytest.mark.parametrize("sag", [0.0, 0.3])
def test_a_stray_pit_is_brought_the_nearer_to_even_steps_the_less_of_its_rim_is_seen(
        sag: float, picture_shows: str, least: float, most: float) -> None:
    where = places(2, 8, 1.2)
    where[..., 1] += sag * np.linspace(-1, 1, 8) ** 2
    view = view_of(camera(SIZE, 10, 20, 75, 12, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)
    stray = where.copy()
    stray[0, 3, 0] += 0.12
    seen = view_of(view.homography, stray, 0.42, SIZE)
    picture = paint(seen, stray) if picture_shows == "rims" else np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    scene = Scene(edges_of(picture, WORK), edges_of(picture, WORK // 2))
    still = shrink_to_lattice(scene, seen).centres
    back = np.linalg.norm(still - seen.centres, axis=-1) / np.linalg.norm(view.centres[0, 3] - seen.centres[0, 3])
    assert least < back[0, 3] < most
    assert back[1].max() < 0.05


def test_the_rows_of_a_board_that_sags_are_not_rough() -> None:
    where = places(2, 8, 1.2)
    bow = np.linspace(-1, 1, 8) ** 2
    sagging, apart = where + np.stack([0 * bow, 0.4 * bow], -1), where.copy()
    apart[0, :, 1] += 0.4 * bow
    assert roughness(sagging) == pytest.approx(0, abs=1e-9)
    assert roughness(apart) > 0.05, "one row alone is bent"


def test_four_rows_may_be_parted_in_the_middle_alone() -> None:
    parted, uneven = places(4, 8, 1.2), places(4, 8, 1.2)
    parted[2:, :, 1] += 0.5
    uneven[3, :, 1] += 0.5
    assert roughness(parted) == pytest.approx(0, abs=1e-9)
    assert roughness(uneven) > 0.1, "its outer rows lie unequally far from the inner ones"


def test_rows_supposed_too_far_apart_are_moved_until_the_pits_are_about_as_flat_as_their_rims() -> None:
    where = places(2, 6, 1.2)
    view = view_of(camera(SIZE, 0, 45, 90, 10, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)
    picture = paint(view, where, noise=2)
    scene = Scene(edges_of(picture, WORK), edges_of(picture, WORK // 2))
    flat = replace(view, homography=view.homography @ np.diag([1.0, 1.4, 1.0]), pit_radius=view.pit_radius / 1.4**0.5)
    mended = fit_aspect(scene, flat)
    ratio = np.linalg.norm(mended.homography[:2, 1]) / np.linalg.norm(view.homography[:2, 1])
    assert ratio == pytest.approx(1.0, abs=0.2), "1.4 as supposed"
