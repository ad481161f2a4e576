"""A table arranged while it runs: the camera, South's edge, the board placed by hand, the empty board."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from device.cameras.base import Camera, CameraError
from device.eyes.clearness import brightness, sharpness
from device.eyes.pipeline import InlineRunner, JobRunner, ThreadRunner
from device.journal import Journal
from device.journal.backup import stills
from device.journal.events import Any as AnyBody
from device.journal.events import (
    Blind,
    BoardFound,
    Body,
    EmptySeen,
    Event,
    LookEmpty,
    OrderAnswered,
    PlaceBoard,
    SeatSouth,
    TableStarted,
    TurnPicture,
    UseCamera,
)
from device.journal.game import Game
from device.journal.live_state import CameraChoice
from device.south import South
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from device.table.arranging import Arrangement, empty_seen
from device.table.window import Window
from device.turn import Turn
from engine.board import Board
from engine.rules import ruleset
from tests.device.painted import PaintedCamera, PaintedEye, Script
from tests.device.played_table import likelihoods
from vision.reading import BoardView, Frame, Lesson, Reading

BOARD = Board(2, 8)
ROW = [0.1 + 0.1 * col for col in range(8)]
PITS = [(x, 0.7, 0.04) for x in ROW] + [(x, 0.3, 0.04) for x in reversed(ROW)]


class PlacedEye(PaintedEye):
    """A painted eye that is told where the board lies."""

    made: ClassVar[list[PlacedEye]] = []
    heard: ClassVar[list[list[int]]] = []

    def __init__(self, board: Board, south: South) -> None:
        super().__init__(board, south)
        PlacedEye.made.append(self)

    def place(self, view: BoardView) -> None:
        self.view = view

    def learn(self, lesson: Lesson) -> None:
        PlacedEye.heard.append(list(lesson.counts))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.evidence.live_picture.EVERY_S", 0.05)
    monkeypatch.setattr("device.system.table_process.RETRY_S", (0.01,))
    found = [CameraChoice("usb:3", "Eye of a cow"), CameraChoice("usb:4", "broken one")]
    monkeypatch.setattr("device.system.table_process.cameras", lambda _data: found)
    PlacedEye.made.clear()
    PlacedEye.heard.clear()


def run(path: Path, orders: Callable[[Journal], object], script: Script | None = None,
        wanted: Wanted | None = None, counting: JobRunner | None = None) -> tuple[list[AnyBody], dict[str, object]]:
    """A table over a quiet board, to which `orders` are given; its bodies, and its last live state."""
    left, data = [14], DataFolder(path)
    lives: list[dict[str, object]] = [{}]

    def at_end() -> None:
        left[0] -= 1
        if left[0] == 13:
            with Journal(data.journal) as page:
                orders(page)
        if (data.live / "state.json").exists():
            lives[0] = json.loads((data.live / "state.json").read_text())

    def other(word: str, _game: Game, _south: South) -> Camera:
        if word == "usb:4":
            raise CameraError("the camera usb:4 cannot be opened: it is broken")
        camera = PaintedCamera(Script(ruleset("enkeshui")).rest(1.0), live=True, at_end=at_end)
        camera.name = "Eye of a cow"
        return camera

    first = PaintedCamera(script or Script(ruleset("enkeshui")).rest(1.0), live=True, at_end=at_end)
    judge = InlineRunner()
    Loop(wanted or Wanted(data), lambda _game: first, lambda: left[0] <= 0, PlacedEye, judge, other,
         counting or ThreadRunner()).run()
    with Journal(data.journal, readonly=True) as journal:
        return [e.body for e in journal.read()], lives[0]  # type: ignore[misc]  # nothing unknown was written


def answers(bodies: list[AnyBody]) -> list[tuple[bool, str]]:
    return [(b.done, b.sentence) for b in bodies if isinstance(b, OrderAnswered)]


def test_board_placed_by_hand_is_read_there(tmp_path: Path) -> None:
    bodies, live = run(tmp_path, lambda page: page.append(PlaceBoard(pits=PITS)))
    assert answers(bodies) == [(True, "Board position saved.")]
    found = [b for b in bodies if isinstance(b, BoardFound)]
    assert [b.placed for b in found] == [False, True]
    assert found[1].pits[0] == pytest.approx((6.4, 33.6, 2.6), abs=0.1)
    assert isinstance(live["pits"], list) and live["pits"][8]["name"] == "A" and live["pits"][8]["x"] == 51.2

    again, _ = run(tmp_path, lambda _page: None)  # and a table that starts anew knows it
    assert again[-1] != bodies[-1] and [b.placed for b in again if isinstance(b, BoardFound)][2:] == [True]

    run(tmp_path, lambda page: page.append(PlaceBoard()))
    last, _ = run(tmp_path, lambda _page: None)
    assert isinstance(last[-1], object) and [b.placed for b in last if isinstance(b, BoardFound)][-1] is False


@pytest.mark.parametrize(("pits", "why"), [
    (PITS[:15], "15 positions were given for the 16 pits"),
    ([*PITS[:15], (1.2, 0.3, 0.04)], "Pit H cannot lie at 1.2, 0.3"),
    ([(x, y, 0.5) for x, y, _ in PITS], "Pit a cannot lie"), (PITS[8:] + PITS[:8], None),
    ([(1 - x, y, r) for x, y, r in PITS], "The pits must follow the board round"),
    ([(0.5, 0.5, 0.04)] * 16, "homography"),
])
def test_places_that_cannot_be(tmp_path: Path, pits: list[tuple[float, float, float]], why: str | None) -> None:
    bodies, _ = run(tmp_path, lambda page: page.append(PlaceBoard(pits=pits)))
    (done, sentence), = answers(bodies)
    assert done is (why is None) and (why or "position saved") in sentence


def test_south_sits_elsewhere(tmp_path: Path) -> None:
    bodies, live = run(tmp_path, lambda page: page.append(SeatSouth(edge="top")))
    assert answers(bodies) == [(True, "South sits at the top of the picture.")]
    assert [eye.south for eye in PlacedEye.made] == ["bottom", "top"] and live["south"] == "top"
    run(tmp_path, lambda _page: None)
    run(tmp_path, lambda _page: None, wanted=Wanted(DataFolder(tmp_path), south="left"))
    # What the table is started with anew is the newer word.
    assert [eye.south for eye in PlacedEye.made[2:]] == ["top", "left"]


def test_the_picture_is_turned_by_people_and_stays_so(tmp_path: Path) -> None:
    bodies, _ = run(tmp_path, lambda page: page.append(TurnPicture(turn="mirrored", by="page")))
    assert answers(bodies) == [(True, "Left and right are exchanged in the picture now.")]
    with Journal(DataFolder(tmp_path).journal, readonly=True) as journal:
        again = Arrangement.recalled(journal.read(), Wanted(DataFolder(tmp_path)).asked)
    image = np.arange(6, dtype=np.uint8).reshape(1, 2, 3)
    assert again.upright(Frame(image, 0, 0), "bottom").image.tolist() == image[:, ::-1].tolist()
    again.take(TurnPicture(turn="turned"))
    assert again.upright(Frame(image, 0, 0), "bottom").image.tolist() == image[::-1].tolist()


def test_a_start_that_lies_there_in_a_mirror_has_the_table_turn_the_picture(tmp_path: Path) -> None:
    rules = ruleset("enkeshui")
    setup = rules.setup()
    mirrored = Script(rules, setup.with_counts(Turn.COLUMNS.counts(setup))).rest(3.0)
    bodies, _ = run(tmp_path, lambda _page: None, mirrored, counting=InlineRunner())
    (ordered,) = [b for b in bodies if isinstance(b, TurnPicture)]
    assert (ordered.turn, ordered.by) == ("mirrored", "table") and answers(bodies)[0][0]
    assert "the picture shows the board in a mirror" in [b.why for b in bodies if isinstance(b, Blind)]


def test_another_camera(tmp_path: Path) -> None:
    bodies, live = run(tmp_path, lambda page: page.append(UseCamera(camera="usb:3")))
    assert answers(bodies) == [(True, "Opening the Eye of a cow.")]
    assert [b.camera for b in bodies if isinstance(b, TableStarted)] == ["painted table", "Eye of a cow"]
    assert live["cameras"] == [["usb:3", "Eye of a cow", None], ["usb:4", "broken one", None]]
    assert live["state"] != "blind"
    again, _ = run(tmp_path, lambda _page: None)
    assert [b.camera for b in again if isinstance(b, TableStarted)][-1] == "Eye of a cow"


@pytest.mark.parametrize(("word", "why"), [
    ("usb:9", "There is no camera 'usb:9'"), ("/etc/passwd", "There is no camera"), ("usb:4", "it is broken")])
def test_cameras_that_cannot_be_had(tmp_path: Path, word: str, why: str) -> None:
    bodies, _ = run(tmp_path, lambda page: page.append(UseCamera(camera=word)))
    (done, sentence), = answers(bodies)
    assert not done and why in sentence and sum(isinstance(b, TableStarted) for b in bodies) == 1


def test_empty_board_is_looked_at(tmp_path: Path) -> None:
    script = Script(ruleset("enkeshui"))
    script.position = script.position.with_counts((0,) * 16)
    bodies, _ = run(tmp_path, lambda page: page.append(LookEmpty()), script.rest(1.0))
    assert answers(bodies) == [(True, "16 of 16 pits look empty.")]
    assert PlacedEye.heard == [[0] * 16], "the eye remembers how the pits look empty"
    seen, = [b for b in bodies if isinstance(b, EmptySeen)]
    assert seen.counts == [0] * 16 and (tmp_path / "evidence" / seen.still).is_file()
    with Journal(tmp_path / "journal.sqlite3", readonly=True) as journal:
        assert seen.still in {name for name, _ in stills(journal.read())}, "it goes into the backup"


def test_board_that_is_not_empty(tmp_path: Path) -> None:
    bodies, _ = run(tmp_path, lambda page: page.append(LookEmpty()))
    (done, sentence), = answers(bodies)
    assert not done and sentence.startswith("12 of 16 pits do not look empty, such as c (4)"), sentence
    assert all(any(told) for told in PlacedEye.heard)


def window(counts: list[int], hidden: int = -1) -> Window:
    made = Window(16)
    seen = np.ones(16, np.bool_)
    if hidden >= 0:
        seen[hidden] = False
    made.add(Reading(1, likelihoods(counts), seen))
    return made


def test_what_is_said_of_an_empty_board() -> None:
    assert str(empty_seen(window([0] * 16), BOARD)[1]) == "16 of 16 pits look empty."
    event, sentence = empty_seen(window([0, 2] + [0] * 14, hidden=8), BOARD)
    assert str(sentence) == "14 of 16 pits look empty; check b (2), A (not seen)." and event.counts[8] == -1
    with pytest.raises(ValueError, match="cannot be read just now"):
        empty_seen(Window(16), BOARD)


def event(number: int, body: Body) -> Event:
    return Event.spoken(number, body)


def test_arrangements_are_recalled_and_given_up() -> None:
    told = [event(1, TableStarted(camera="x", version="0", asked="usb bottom")),
            event(2, UseCamera(camera="usb:3")), event(3, OrderAnswered(order=2, done=True, sentence="")),
            event(4, UseCamera(camera="usb:7")), event(5, OrderAnswered(order=4, done=False, sentence="")),
            event(6, SeatSouth(edge="left")), event(7, OrderAnswered(order=6, done=True, sentence="")),
            event(8, PlaceBoard(pits=PITS)), event(9, OrderAnswered(order=8, done=True, sentence=""))]
    made = Arrangement.recalled(told, "usb bottom")
    assert (made.camera, made.south, len(made.pits), made.pending) == ("usb:3", "left", 16, {})
    moved = [*told, event(10, BoardFound(size=(1, 1), pits=[])), event(11, SeatSouth(edge="top"))]
    made = Arrangement.recalled(moved, "usb bottom")
    assert made.pits == () and made.south == "left" and list(made.pending) == [11]
    assert Arrangement.recalled(told, "pi bottom") == Arrangement()


def test_clearness() -> None:
    rng = np.random.default_rng(4)
    sharp = np.kron(rng.integers(0, 255, (45, 80, 1)), np.ones((16, 16, 3))).astype(np.uint8)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 6), np.uint8)
    assert sharpness(sharp) > 2.2 > 1.4 > sharpness(soft) > 0.9
    assert sharpness(np.full((40, 60, 3), 7, np.uint8)) == 0.0
    assert brightness(np.full((40, 60, 3), 7, np.uint8)) == 7.0
