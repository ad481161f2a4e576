"""Boards for chess are told from those with pits, however their seeds lie."""

import cv2
import numpy as np
import pytest

from tests.vision.boards import Image, camera, paint, places, view_of
from vision.board.chains import Candidate
from vision.board.chequered import chequered
from vision.board.find import find
from vision.board.geometry import project
from vision.board.lattice import NotFound
from vision.reading import BoardView

SIZE = (640, 480)


def laid(rows: int, cols: int, tilt: float) -> BoardView:
    where = places(rows, cols)
    return view_of(camera(SIZE, 8, tilt, 75, 1.5 * cols, where.reshape(-1, 2).mean(0)), where, 0.45, SIZE)


def squares(view: BoardView, noise: float) -> Image:
    """Squares at a view's places."""
    picture = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    for row, col in np.ndindex(view.rows, view.cols):
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([col - 0.5, row - 0.5])
        tone = (60, 90, 120) if (row + col) % 2 else (150, 190, 220)
        cv2.fillConvexPoly(picture, np.rint(project(view.homography, corners)).astype(np.int32), tone, cv2.LINE_AA)
    noisy = picture + np.random.default_rng(1).normal(0, noise, picture.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


@pytest.mark.parametrize("tilt", [0, 40])
@pytest.mark.parametrize(("rows", "cols"), [(4, 8), (2, 8), (2, 5)])
def test_squares_are_chequered_and_pits_are_not(rows: int, cols: int, tilt: float) -> None:
    view = laid(rows, cols, tilt)
    assert chequered(squares(view, 8), view)
    for seeds in (0, 4):
        assert not chequered(paint(view, places(rows, cols), seeds=seeds), view)


@pytest.mark.parametrize("seeds", [1, 4, 12, 20])
def test_pits_with_seeds_in_turn_with_empty_ones_are_not(seeds: int) -> None:
    view = laid(4, 8, 20)
    bare, full = (paint(view, places(4, 8), seeds=n) for n in (0, seeds))
    yours = np.zeros((SIZE[1], SIZE[0], 1), bool)
    for row, col in np.ndindex(4, 8):
        if (row + col) % 2:
            x, y = np.rint(view.centres[row, col]).astype(int)
            r = int(view.radii[row, col] * 1.1)
            yours[y - r : y + r, x - r : x + r] = True
    assert not chequered(np.where(yours, full, bare), view)


def test_men_on_half_the_rows_change_nothing() -> None:
    view = laid(4, 8, 20)
    picture = squares(view, 8)
    for row, col in np.ndindex(2, 8):
        if (row + col) % 2:
            middle = np.rint(view.centres[row, col]).astype(int).tolist()
            cv2.circle(picture, middle, round(0.6 * float(view.radii[row, col])), (230, 240, 250), -1, cv2.LINE_AA)
    assert chequered(picture, view)


def test_squares_that_rims_and_network_take_for_pits_are_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    view = laid(4, 8, 20)
    named = [Candidate(float(x), float(y), float(r), 0.4)
             for (x, y), r in zip(view.centres.reshape(-1, 2), view.radii.ravel(), strict=True)]
    picture = squares(view, 0)
    assert isinstance(find(picture, 4, 8, propose=lambda _: named), NotFound)
    monkeypatch.setattr("vision.board.find.chequered", lambda *_: False)
    assert isinstance(find(picture, 4, 8, propose=lambda _: named), BoardView), "their colours alone speak against it"
