"""A table that starts anew looks where the board lay, and searches the whole picture where it does not lie there."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.cameras.base import Camera
from device.eyes.eyes import open_eye
from device.eyes.pipeline import InlineRunner
from device.journal import Journal
from device.journal.events import BoardFound, PlaceBoard, SeatSouth
from device.sim.picture import TablePicture
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from engine.board import Board
from vision.board.find import find
from vision.reading import Frame
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

Image = NDArray[np.uint8]
BOARD = Board.parse("2x8")
SIZE = (640, 360)
FRAMES = 6
PITCH = 69
"""Pixels from one column of the board to the next."""


def aside(image: Image, pixels: float) -> Image:
    """The picture moved so far to the right."""
    way = np.array([[1.0, 0, pixels], [0, 1, 0]])
    return np.asarray(cv2.warpAffine(image, way, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


class Still(Camera):
    """A camera over a table where nobody moves."""

    name, live = "still camera", False

    def __init__(self, image: Image, after: Callable[[int], None]) -> None:
        """image: what it sees; after: told of every frame."""
        self._image, self._after, self._number = image, after, 0

    def open(self) -> None:
        """As any camera."""

    def close(self) -> None:
        """As any camera."""

    def read(self, timeout_s: float) -> Frame | None:
        """The table, with a sensor's noise."""
        noise = np.random.default_rng(self._number).normal(0, 2, self._image.shape)
        self._number += 1
        self._after(self._number)
        image = np.clip(self._image + noise, 0, 255).astype(np.uint8)
        return Frame(image, self._number * 500_000_000, self._number - 1)


class Runs:
    """Runs tables over still pictures, one after the other. searches: how often the last one looked for the board
    in the whole picture."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.data, self.searches = DataFolder(path), 0

        def counted(*args: object, **kinds: object) -> object:
            self.searches += 1
            return find(*args, **kinds)  # type: ignore[arg-type]  # as it was called

        monkeypatch.setattr("vision.eye.find", counted)
        monkeypatch.setattr("device.system.table_process.time.sleep", lambda _: None)

    def run(self, image: Image, orders: Callable[[Journal], object] = lambda _: None, frames: int = FRAMES) -> None:
        """A table over this picture. orders: given in its middle."""
        self.searches = 0
        number = [0]

        def after(count: int) -> None:
            number[0] = count
            if count == frames // 2:
                with Journal(self.data.journal) as page:
                    orders(page)

        loop = Loop(Wanted(self.data), lambda _game: Still(image, after), lambda: number[0] >= frames, open_eye,
                    InlineRunner(), counting=InlineRunner())
        loop.run()

    @property
    def found(self) -> list[BoardFound]:
        """Where the board was found."""
        with Journal(self.data.journal, readonly=True) as journal:
            return [event.body for event in journal.read() if isinstance(event.body, BoardFound)]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(tmp_path / "data", monkeypatch)


@pytest.fixture(scope="module")
def picture() -> Image:
    """The simulated table's board, each pit with four seeds."""
    rng = np.random.default_rng(2)
    hands = (HandStyle.random(rng), HandStyle.random(rng))
    table = TablePicture(BOARD, SceneStyle.house(BOARD.rows, BOARD.cols), hands, size=SIZE, samples=1)
    table.show((4,) * BOARD.pits)
    return table.frame((), rng)


def test_a_board_that_lies_where_it_lay_is_not_searched_for(runs: Runs, picture: Image,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("device.evidence.live_picture.LivePicture.say",
                        lambda _live, _table, _t, why="": told.append(str(why)))
    runs.run(picture)
    assert runs.searches == 1
    runs.run(picture)
    assert runs.searches == 0 and told[-1] == "looking where the board was"
    first, second = runs.found
    assert second == first
    runs.run(picture, lambda page: page.append(SeatSouth(edge="top")))
    assert runs.searches == 0 and len(runs.found) == 4
    assert runs.found[-1].pits[0] == pytest.approx(first.pits[8]), "the pits are numbered from where South sits now"
    runs.run(picture, lambda page: page.append(PlaceBoard()))
    assert runs.searches == 1, "people have it looked for anew"


def test_one_that_was_moved_by_a_pit_is_searched_for_and_found(runs: Runs, picture: Image) -> None:
    runs.run(aside(picture, PITCH / 2))
    runs.run(aside(picture, -PITCH / 2))
    assert runs.searches >= 1
    first, second = runs.found
    assert np.allclose(np.array(second.pits) - first.pits, (-PITCH, 0, 0), atol=2.7)
