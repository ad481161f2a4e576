"""Whatever keeps the camera from the board is said within half a second, and a board that was pushed is found again."""

import copy
from collections.abc import Callable
from concurrent.futures import Future

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.journal.events import Blind
from device.journal.states import State
from device.table.sight import Sight
from tests.device.played_table import begun
from vision.board.lattice import NotFound
from vision.eye import Eye
from vision.reading import BoardView, Frame
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle

Image = NDArray[np.uint8]
FPS = 15
SIZE = (480, 270)
COUNTS = np.array([[3, 0, 1, 2, 4, 0], [4, 4, 0, 1, 0, 2]])


@pytest.fixture(scope="module")
def frames() -> list[Image]:
    """The house board as a noisy camera sees it."""
    scene = RenderedTable(SceneStyle.house(2, 6), SIZE, COUNTS, samples=1)
    picture = scene.image()
    return [scene.finish(picture, np.random.default_rng(k)) for k in range(3)]


class Watched:
    """An eye and what it is said of its sight, frame by frame."""

    def __init__(self, frames: list[Image]) -> None:
        self.eye, self.sight, self.number = Eye(2, 6), Sight(), 0
        self._noise = np.random.default_rng(9)
        for k in range(20):
            self.show(frames[k % 3])
        assert self.sight.usable

    def show(self, image: Image, noise: float = 0.0) -> None:
        taken = image if not noise else np.clip(image + self._noise.normal(0, noise, image.shape), 0, 255)
        frame = Frame(np.asarray(taken, np.uint8), 1_000_000_000 + self.number * 1_000_000_000 // FPS, self.number)
        self.sight.feed(self.eye.look(frame, count=False))
        self.number += 1

    def blind_after(self, image: Image, seconds: float) -> float | None:
        """Seconds until it is said, of so many of this picture."""
        for k in range(round(seconds * FPS)):
            self.show(image, 2.0)
            if self.sight.blind is not None:
                return (k + 1) / FPS
        return None


def colour(b: int, g: int, r: int) -> Callable[[Image], Image]:
    return lambda image: np.full_like(image, (b, g, r))


@pytest.mark.parametrize(("what", "word"), [
    (colour(3, 3, 3), "dark"),
    (colour(90, 120, 180), "hides"),
    (lambda image: cv2.GaussianBlur(image, (0, 0), 30), "hides"),
    (lambda image: cv2.GaussianBlur(image, (0, 0), 4), "blurred"),
], ids=["light off", "a hand on the lens", "the board is gone", "out of focus"])
def test_blindness_is_said_within_half_a_second(frames: list[Image], what: Callable[[Image], Image], word: str) -> None:
    watched = Watched(frames)
    after = watched.blind_after(np.asarray(what(frames[0]), np.uint8), 1.0)
    assert after is not None and after <= 0.5
    assert watched.sight.blind is not None and word in str(watched.sight.blind.why)
    for k in range(round(1.2 * FPS)):
        watched.show(frames[k % 3])
    assert watched.sight.usable


def test_a_pushed_board_is_found_again(frames: list[Image]) -> None:
    watched = Watched(frames)
    assert watched.eye.view is not None
    where = watched.eye.view.centres
    for k in range(round(1.5 * FPS)):
        watched.show(np.roll(frames[k % 3], 45, axis=1))
    assert watched.sight.usable
    assert np.abs(watched.eye.view.centres - where - [45, 0]).max() < 0.25 * watched.eye.view.radii.min()


def test_a_pencil_on_the_board_is_no_blindness(frames: list[Image]) -> None:
    watched = Watched(frames)
    crossed = frames[0].copy()
    cv2.line(crossed, (150, 270), (210, 125), (40, 60, 90), 30, cv2.LINE_AA)
    assert watched.blind_after(crossed, 1.5) is None


# ---- ten of each

COVERS = ((90, 120, 180), (60, 80, 110), (30, 30, 45), (120, 150, 200), (205, 205, 205), (40, 70, 40), (15, 15, 90),
          (140, 60, 50), (70, 90, 100), (25, 50, 80))
"""BGR of fingers, sleeves, cloth, paper."""


@pytest.fixture(scope="module")
def ready(frames: list[Image]) -> Watched:
    """A table that sees."""
    return Watched(frames)


def beside_the_frames(search: Callable[[], BoardView | NotFound]) -> Future[BoardView | NotFound]:
    """A search for the board that takes longer than the test, as at a live table: what is said does not wait for it."""
    return Future()


def again(ready: Watched) -> Watched:
    """The same table once more, as it saw then."""
    one = copy.copy(ready)
    one.sight = copy.deepcopy(ready.sight)
    one.eye = Eye(2, 6, search=beside_the_frames)
    assert ready.eye.view is not None
    one.eye.place(ready.eye.view)
    one.eye._watch = copy.deepcopy(ready.eye._watch)
    one._noise = np.random.default_rng(9)  # whatever was shown before
    return one


def covered(number: int, image: Image) -> Image:
    """Something over the lens: of one colour, a little brighter to one side, and out of focus."""
    slope = np.linspace(0.85, 1.15, image.shape[1])[None, :, None]
    return np.asarray(np.clip(np.full(image.shape, COVERS[number], float) * slope, 0, 255), np.uint8)


def away(number: int, image: Image) -> Image:
    """The bare table: large soft patches about as bright as the picture was."""
    rng = np.random.default_rng(number)
    grain = rng.uniform(0.6, 1.3, (3 + number, 5 + 2 * number, 1)) * rng.uniform(50, 140, 3)
    table = cv2.resize(grain, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(table, 0, 255), np.uint8)


def unlit(number: int, image: Image) -> Image:
    """The light is off: so much is left of it."""
    return np.asarray(image * (0.01 * number), np.uint8)


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("how", [covered, away, unlit])
def test_ten_of_each_are_said_within_half_a_second(
    ready: Watched, frames: list[Image], how: Callable[[int, Image], Image], number: int
) -> None:
    watched = again(ready)
    after = watched.blind_after(how(number, frames[0]), 0.8)
    assert after is not None and after <= 0.5


@pytest.mark.parametrize("number", range(10))
def test_a_camera_that_is_gone_is_said_at_once_whatever_is_going_on(number: int) -> None:
    played = begun()
    if number:
        played.frames(0.15 * number, hands=(0.1, 0.0) if number % 2 else (0.0, 0.0))
    played.table.camera_gone(f"the camera was pulled out, {number}")
    (blind,) = played.said(Blind)
    assert blind.why.endswith(str(number)) and played.at(State.BLIND)
