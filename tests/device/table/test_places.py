"""Where a board lies: as people placed it, and where it was last seen, by what the journal tells."""

import pytest

from device.journal.events import BoardFound, Body, Event, PlaceBoard, TableStarted
from device.table.arranging import Arrangement, Places, placed
from engine.board import Board

SIZE = (1280, 720)
HERE = BoardFound(size=SIZE, pits=[(1.0, 2.0, 3.0)] * 16)
THERE = BoardFound(size=SIZE, pits=[(4.0, 5.0, 6.0)] * 16)


def told(*bodies: Body) -> Places:
    """The places that events tell of."""
    return Arrangement.recalled((Event.spoken(n, body) for n, body in enumerate(bodies, 1)), "").places


def test_the_newest_place_counts() -> None:
    start = TableStarted(camera="USB camera", version="1")
    assert told(start).last(SIZE, 16) is None
    assert told(start, HERE, THERE).last(SIZE, 16) == THERE
    assert told(start, HERE, start).last(SIZE, 16) == HERE


def test_it_is_that_of_the_same_camera_picture_and_board() -> None:
    usb, pi = TableStarted(camera="USB camera", version="1"), TableStarted(camera="Pi camera", version="1")
    assert told(usb, HERE, pi).last(SIZE, 16) is None
    assert told(usb, HERE, pi, THERE, usb).last(SIZE, 16) == HERE
    assert told(usb, HERE).last((1920, 1080), 16) is None
    assert told(usb, HERE).last(SIZE, 24) is None


def test_where_people_have_it_looked_for_anew_the_place_is_forgotten() -> None:
    usb = TableStarted(camera="USB camera", version="1")
    assert told(usb, HERE, PlaceBoard()).last(SIZE, 16) is None
    assert told(usb, HERE, PlaceBoard(), THERE).last(SIZE, 16) == THERE
    assert told(usb, HERE, PlaceBoard(pits=[(0.1, 0.2, 0.3)])).last(SIZE, 16) == HERE


def test_placed_view_has_the_pits_where_they_are_said_to_lie() -> None:
    row = [0.1 + 0.1 * col for col in range(8)]
    pits = (*((x, 0.7, 0.04) for x in row), *((x, 0.3, 0.04) for x in reversed(row)))
    view = placed(pits, Board(2, 8), (1000, 500))
    assert view.centres[1, 0].tolist() == pytest.approx([100, 350]) and view.centres[0, 7][1] == pytest.approx(150)
    assert view.radii[0, 0] == pytest.approx(40) and (view.rows, view.cols) == (2, 8)
