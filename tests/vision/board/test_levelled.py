"""Boards seen slantwise: the picture levelled on them, and the board found in it."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.board.test_find import NO_BOARDS, furthest, none
from tests.vision.boards import Image, camera, paint, places, view_of
from vision.board.find import Candidate, NotFound, _search_levelled, find
from vision.board.geometry import project
from vision.board.hypothesis import Scene
from vision.board.levelling import Level, guessed, level_on, slant
from vision.board.odds import Odds
from vision.board.rims import edges_of
from vision.reading import BoardView

SIZE = (960, 640)
FRONT, SIDE, CORNER = 90, 0, 50


def seen(cols: int, turn: float, tilt: float, way: float, room: float = 1.3, rows: int = 2) -> BoardView:
    where = places(rows, cols, 1.2)
    return view_of(camera(SIZE, turn, tilt, way, (cols + 1) * room, where.reshape(-1, 2).mean(0)), where, 0.42, SIZE)


def painted(view: BoardView, seeds: int = 3) -> Image:
    return paint(view, places(view.rows, view.cols, 1.2), seeds=seeds, noise=4)


def through(level: Level, view: BoardView) -> BoardView:
    """A view as it lies in the levelled picture."""
    there = Level(np.asarray(np.linalg.inv(level.matrix), np.float64), level.size)
    return there.back(view, level.size)


@pytest.mark.parametrize("way", [FRONT, SIDE, CORNER, 200])
def test_in_the_levelled_picture_pits_are_round_and_alike_and_all_there(way: float) -> None:
    view = seen(8, 15, 50, way)
    assert slant(view) > 1.4
    level = level_on(view)
    assert level is not None and max(level.size) <= 1121
    flat = through(level, view)
    assert slant(flat) == pytest.approx(1, abs=1e-6)
    assert (flat.centres > 0).all() and (flat.centres < np.asarray(level.size)).all()
    assert level.draw(painted(view)).shape == (level.size[1], level.size[0], 3)


def test_what_is_found_there_is_brought_back() -> None:
    view = replace(seen(6, 20, 45, FRONT), stores=((100.0, 300.0, 30.0, 40.0),), score=0.7)
    level = level_on(view)
    assert level is not None
    back = level.back(through(level, view), SIZE)
    assert np.allclose(back.centres, view.centres) and np.allclose(back.radii, view.radii)
    assert np.allclose(back.homography, view.homography)
    assert np.allclose(back.stores, view.stores)
    assert (back.rows, back.cols, back.picture_size, back.score, back.cut) == (2, 6, SIZE, 0.7, False)


def test_a_board_over_the_frames_edge_is_named_as_cut() -> None:
    view = seen(6, 0, 45, FRONT)
    over = replace(view, centres=view.centres + np.array([view.centres[..., 0].max() / 2, 0.0]))
    level = level_on(over)
    assert level is not None and level.back(through(level, over), SIZE).cut


def test_a_plane_that_reaches_behind_the_camera_is_redrawn_as_far_as_it_may_be_seen() -> None:
    steep = seen(12, 0, 62, SIDE, room=0.62)
    level = level_on(steep)
    if level is not None:
        assert max(level.size) <= 1121 and np.isfinite(level.matrix).all()
    edge_on = replace(steep, homography=np.array([[50.0, 0, 9], [0, 50, 9], [0.2, 0.4, -1.0]]))
    assert level_on(edge_on) is None


def test_pits_beside_the_board_that_was_seen_are_redrawn_with_it() -> None:
    """Of a long board the first search may see only a half."""
    whole = seen(12, 0, 45, SIDE)
    half = replace(whole, cols=6, centres=whole.centres[:, :6], radii=whole.radii[:, :6])
    bare, more = level_on(half), level_on(half, whole.centres.reshape(-1, 2))
    assert bare is not None and more is not None
    assert project(bare.matrix, whole.centres[0, -1])[0] > bare.size[0]
    assert 0 < project(more.matrix, whole.centres[0, -1])[0] < more.size[0]


def test_a_camera_held_straight_is_guessed() -> None:
    view = seen(6, 0, 45, FRONT)
    level = guessed((0, 0, *SIZE), SIZE, np.radians(45))
    assert level is not None
    assert slant(view) > 1.3 and slant(through(level, view)) < 1.05


@pytest.mark.parametrize(("cols", "turn", "tilt", "way", "rows"), [
    (6, 0, 55, FRONT, 2), (8, 85, 50, FRONT, 2)])
def test_a_board_seen_slantwise_is_found(cols: int, turn: float, tilt: float, way: float, rows: int) -> None:
    view = seen(cols, turn, tilt, way, rows=rows)
    found = find(painted(view), propose=none)
    assert isinstance(found, BoardView)
    assert (found.rows, found.cols) == (rows, cols)
    assert furthest(found, view) < 0.25
    assert found.picture_size == SIZE and not found.cut
    assert found.centres[-1, :, 1].mean() > found.centres[0, :, 1].mean()  # South below


@pytest.mark.parametrize(("score", "levels"), [(0.6, 1), (0.3, 2)])
def test_a_tilt_is_guessed_only_where_levelling_on_what_was_there_found_no_board(
        score: float, levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    view = replace(seen(6, 0, 40, FRONT), score=0.3)
    picture = painted(view)
    tried: list[object] = []

    def found(_: Image, level: object, *__: object) -> Iterator[tuple[BoardView, float, Odds]]:
        tried.append(level)
        yield replace(view, score=score), 9.0, Odds(9.0, ())

    monkeypatch.setattr("vision.board.find._boards_when_levelled", found)
    monkeypatch.setattr("vision.board.find._continues_beyond", lambda *_: False)
    best, odds = _search_levelled(picture, view, Scene(edges_of(picture), edges_of(picture)), None, none, 2, 6)
    assert best is not None and best.score == score and odds.board == 9
    assert len(tried) == levels


def test_only_a_board_seen_slantwise_is_looked_for_again() -> None:
    looked: list[Image] = []

    def counts(image: Image) -> list[Candidate]:
        looked.append(image)
        return []

    assert isinstance(find(painted(seen(6, 10, 10, FRONT, room=1.6)), propose=counts), BoardView)
    assert len(looked) == 1
    assert isinstance(find(painted(seen(6, 10, 50, FRONT)), propose=counts), BoardView)
    assert len(looked) > 1


@pytest.mark.parametrize("what", ["seven rows of spots", "three rows of spots", "a keyboard"])
def test_what_is_no_board_is_none_seen_slantwise(what: str) -> None:
    flat = NO_BOARDS[what]
    h, w = flat.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    slanting = np.array([[260, 140], [700, 140], [940, 600], [20, 600]], np.float32)
    picture = cv2.warpPerspective(flat, cv2.getPerspectiveTransform(corners, slanting), SIZE,
                                  borderMode=cv2.BORDER_CONSTANT, borderValue=(120, 130, 140))
    assert isinstance(find(np.asarray(picture, np.uint8), propose=none), NotFound)
