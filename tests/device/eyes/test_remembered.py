"""A board is taken to lie where it lay only where it does: pictures of the simulated table, moved and turned."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from device.eyes.eyes import find_board
from device.eyes.remembered import Remembered, board_found, lies_there, view_of
from device.journal.events import BoardFound
from device.sim.picture import TablePicture
from engine.board import Board
from tests.device.painted import PaintedEye
from vision.board.lattice import oriented
from vision.reading import BoardView, Frame
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

Image = NDArray[np.uint8]
BOARD = Board.parse("2x8")
SIZE = (960, 540)
LAID, PLAYED = (4,) * 16, (0, 5, 5, 5, 5, 4, 4, 4, 0, 5, 6, 1, 0, 2, 3, 4)


@cache
def table(board: Board = BOARD) -> TablePicture:
    """The simulated table's own board."""
    rng = np.random.default_rng(2)
    return TablePicture(board, SceneStyle.house(board.rows, board.cols), (HandStyle.random(rng), HandStyle.random(rng)),
                        size=SIZE, samples=1)


@cache
def picture(counts: tuple[int, ...], board: Board = BOARD) -> Image:
    """What the camera sees of it."""
    drawn = table(board)
    drawn.show(counts)
    return drawn.frame((), np.random.default_rng(sum(counts)))


@cache
def place(board: Board = BOARD) -> BoardView:
    """Where the board is found, as the journal gives it back."""
    found = find_board(picture((4,) * board.pits, board), board)
    assert isinstance(found, BoardView)
    again = view_of(board_found(found, placed=False), board)
    assert again is not None
    return again


def moved(image: Image, x: float = 0.0, y: float = 0.0, degrees: float = 0.0) -> Image:
    """The picture with everything moved by so many board units along and across the rows, and turned about the board's
    middle."""
    h, turn, middle = place().homography, math.radians(degrees), ((BOARD.cols - 1) / 2, 0.56)
    c, s = math.cos(turn), math.sin(turn)
    there = np.array([[1, 0, middle[0] + x], [0, 1, middle[1] + y], [0, 0, 1.0]])
    back = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    m = h @ there @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ back @ np.linalg.inv(h)
    return np.asarray(cv2.warpPerspective(image, m, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_the_journal_gives_the_place_back() -> None:
    found = find_board(picture(LAID), BOARD)
    assert isinstance(found, BoardView)
    again = place()
    np.testing.assert_allclose(again.centres, found.centres, atol=0.051)
    np.testing.assert_allclose(again.radii, found.radii, atol=0.051)
    np.testing.assert_allclose(again.homography, found.homography, rtol=1e-8)
    assert again.pit_radius == pytest.approx(found.pit_radius, rel=0.02) and again.picture_size == SIZE


def test_a_board_that_lies_where_it_lay_is_taken_whatever_lies_in_it() -> None:
    for counts in (LAID, PLAYED, (0,) * 16):
        assert lies_there(picture(counts), place())


def test_it_is_so_in_another_light_too() -> None:
    dim = np.asarray(picture(PLAYED) * 0.3, np.uint8)
    assert lies_there(dim, place())


@pytest.mark.parametrize(("x", "y"), [
    (1 / 3, 0), (-1 / 3, 0), (0, 1 / 3), (0, -1 / 3), (1 / 2, 0), (1, 0), (-1, 0), (2, 0), (0, 1.12), (0, -1.12),
    (0.1, 0), (-0.1, 0), (0, 0.1), (0, -0.1)])
def test_a_board_that_was_moved_does_not_lie_there(x: float, y: float) -> None:
    assert not lies_there(moved(picture(PLAYED), x, y), place())


def test_nor_one_that_was_turned() -> None:
    assert not any(lies_there(moved(picture(PLAYED), degrees=turn), place()) for turn in (2, -2, 5, 90))


def test_one_that_was_turned_by_half_a_turn_into_its_place_lies_there() -> None:
    """South sits at an edge of the picture, and every pit is numbered from there, whichever way the wood lies."""
    assert lies_there(moved(picture(PLAYED), degrees=180), place())


def test_a_table_without_a_board_has_none_where_it_lay() -> None:
    bare = cv2.resize(picture(PLAYED)[:60], SIZE)
    assert not lies_there(np.asarray(bare, np.uint8), place())


@pytest.mark.parametrize("other", ["2x7", "2x9", "4x8"])
def test_a_board_of_another_size_does_not_lie_there(other: str) -> None:
    board = Board.parse(other)
    assert not lies_there(picture((4,) * board.pits, board), place())
    assert not lies_there(picture(LAID), place(board))


def test_a_picture_of_another_size_shows_it_nowhere() -> None:
    small = cv2.resize(picture(LAID), (640, 360))
    assert not lies_there(np.asarray(small, np.uint8), place())


def test_it_is_asked_for_as_south_sees_it_now() -> None:
    assert lies_there(picture(PLAYED), oriented(place(), "top"))


@pytest.mark.parametrize("spoil", [
    lambda found: {"homography": found.homography[:0]},
    lambda found: {"homography": found.homography[:-1]},
    lambda found: {"homography": [0.0 for _ in found.homography]},
    lambda found: {"homography": [math.nan for _ in found.homography]},
    lambda found: {"pits": found.pits[:-1]},
    lambda found: {"pits": found.pits[::-1]},
    lambda found: {"pits": [(x, y, 0.0) for x, y, _ in found.pits]}])
def test_an_event_that_tells_of_no_place_gives_none(spoil: Callable[[BoardFound], dict[str, Any]]) -> None:
    found = board_found(place(), placed=False)
    assert view_of(found, BOARD) is not None
    assert view_of(msgspec.structs.replace(found, **spoil(found)), BOARD) is None


class Eye(PaintedEye):
    """Notes where it is placed."""

    def place(self, view: BoardView) -> None:
        """The board lies there."""
        self.view = view


def test_the_place_is_looked_at_until_the_board_is_found() -> None:
    eye, remembered = Eye(BOARD, "bottom"), Remembered(place())
    covered = Frame(np.zeros_like(picture(LAID)), 0, 0)
    assert remembered.due(covered, eye)
    remembered.look(covered, eye)
    assert eye.view is None and not remembered.due(replace(covered, time_ns=100_000_000), eye)
    seen = Frame(picture(PLAYED), 500_000_000, 5)
    assert remembered.due(seen, eye)
    remembered.look(seen, eye)
    assert eye.view is not None and np.array_equal(eye.view.centres, place().centres)
    assert not remembered.due(replace(seen, time_ns=5_000_000_000), eye)


def test_a_board_that_was_found_elsewhere_is_not_looked_for_where_it_lay() -> None:
    eye, remembered = Eye(BOARD, "bottom"), Remembered(place())
    eye.view = oriented(place(), "top")
    assert not remembered.due(Frame(picture(PLAYED), 0, 0), eye)
    eye.view = None
    assert not remembered.due(Frame(picture(PLAYED), 1_000_000_000, 1), eye)
    assert not Remembered().due(Frame(picture(PLAYED), 0, 0), eye), "nothing is known"
