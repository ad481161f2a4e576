"""How every pit looks, small: the same as its picture, area by area, in all sizes and at the picture's edge."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.boards import camera, places, view_of
from vision.reading import BoardView
from vision.seeds.appearance import CELLS, CellSampler
from vision.seeds.crops import FINE, crop_view


def table(width: int, at: tuple[float, float], tilt: float = 20) -> tuple[NDArray[np.uint8], BoardView]:
    """A picture of smooth and of fine patterns, and a board of 2 × 6 in it."""
    size = (width, width * 3 // 4)
    view = view_of(camera(size, 25, tilt, 80, 11, np.array(at)), places(2, 6, 1.2), 0.4, size)
    rng = np.random.default_rng(3)
    coarse = cv2.resize(rng.integers(0, 256, (24, 32, 3), np.uint8), size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.GaussianBlur(coarse, (0, 0), width / 320), np.uint8), view


def by_area(picture: NDArray[np.uint8], view: BoardView) -> NDArray[np.float64]:
    """The mean grey of each cell of the pits' own pictures."""
    grey = [cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crop_view(picture, view)]
    parts = np.array(grey, float).reshape(-1, CELLS, FINE // CELLS, CELLS, FINE // CELLS)
    return np.asarray(parts.mean((2, 4)))


@pytest.mark.parametrize("at", [(2.5, 0.5), (5.5, 1.5)], ids=["whole", "cut by the picture's edge"])
@pytest.mark.parametrize("width", [320, 640, 1280, 2600])
def test_a_cell_is_the_mean_of_what_it_covers(width: int, at: tuple[float, float]) -> None:
    picture, view = table(width, at)
    cells = CellSampler(view).of(picture)
    assert cells.shape == (12, CELLS, CELLS) and cells.dtype == np.float32
    assert np.abs(cells - by_area(picture, view)).max() < 6
    assert np.abs(cells - by_area(picture, view)).mean() < 1


def test_the_cameras_noise_is_averaged_away_and_a_seed_is_not() -> None:
    picture, view = table(1280, (2.5, 0.5))
    cells = CellSampler(view)
    still = cells.of(picture)
    noisy = np.clip(picture + np.random.default_rng(4).normal(0, 8, picture.shape), 0, 255).astype(np.uint8)
    assert np.abs(cells.of(noisy) - still).mean() < 2
    x, y = view.centres[1, 2].round().astype(int).tolist()
    seed = 0.2 * float(view.radii[1, 2])
    with_seed = picture.copy()
    cv2.circle(with_seed, (x, y), round(seed), (255, 255, 255), -1)
    changed = np.abs(cells.of(with_seed) - still)
    assert (changed.max(axis=(1, 2)) > 40).tolist() == [pit == 2 for pit in range(12)]


def test_a_board_that_hardly_shows_has_cells_all_the_same() -> None:
    picture, view = table(640, (2.5, 0.5))
    beyond = replace(view, centres=view.centres + np.array((600.0, 0.0)))
    assert CellSampler(beyond).of(picture).shape == (12, CELLS, CELLS)
