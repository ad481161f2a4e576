"""A dim picture is shown to the eye brighter, by as much in every frame."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from device.eyes.brightening import Brightening, lights_of
from device.eyes.eyes import find_board, open_eye
from device.eyes.parameters import BRIGHTENING
from engine.board import Board
from tests.device.painted import IdleEye
from vision.board.geometry import fit_homography
from vision.board.lattice import NotFound, view_on
from vision.reading import COUNTS, BoardView, Frame, Lesson, Reading, Watched


def board_at(left: float) -> BoardView:
    """A board of two rows of six pits, eighty pixels wide."""
    places = np.stack(np.meshgrid(np.arange(6.0), np.arange(2.0)), -1)
    corners = np.array([(left, 10), (left + 80, 10), (left + 80, 30), (left, 30)], np.float64)
    return view_on(fit_homography(places[[0, 0, -1, -1], [0, -1, -1, 0]], corners), places, (400, 240))


VIEW = board_at(10)


class Shown(IdleEye):
    """An eye that keeps what it is shown, and finds the board when it is told to."""

    def __init__(self) -> None:
        self.images: list[NDArray[np.uint8]] = []
        self.lessons = 0
        self.hands = (0.0, 0.0)
        self.motion = 0.0

    def watch(self, frame: Frame, *, count: bool = True, revisit: bool = True) -> Watched:
        self.shown = frame.image
        self.images.append(frame.image)
        return Watched(Reading(frame.time_ns, np.zeros((12, COUNTS), np.float32), np.ones(12, np.bool_), self.hands,
                               counted=count, motion=self.motion), self.view)

    def place(self, view: BoardView) -> None:
        self.view = view

    def learn(self, lesson: Lesson) -> None:
        self.lessons += len(lesson.counts)

    @property
    def level(self) -> float:
        """Of what was shown last."""
        return lights_of(self.images[-1])


def of(level: int) -> Frame:
    """A grey picture with a few bright spots, as a lamp's mirror image is."""
    image = np.full((240, 400, 3), level, np.uint8)
    image[:8, :8] = 255
    return Frame(image, 0, 0)


@pytest.mark.parametrize(("level", "shown"), [
    (57, 230), (64, 230), (30, 30 * BRIGHTENING.most_gain), (77, 230), (79, 79), (200, 200), (19, 19), (0, 0)])
def test_a_dim_picture_is_brought_to_a_usual_level_and_no_other(level: int, shown: float) -> None:
    inner = Shown()
    eye = Brightening(inner)
    for _ in range(BRIGHTENING.first_frames):
        reading = eye.watch(of(level), count=False).counted()
    assert inner.level == pytest.approx(shown, abs=2) and not reading.counted


def test_in_little_light_some_pictures_are_put_together_before_a_board_is_looked_for() -> None:
    inner = Shown()
    eye = Brightening(inner)
    found = [eye.watch(of(80)).counted().found for _ in range(BRIGHTENING.first_frames)]
    assert found == [False] * (BRIGHTENING.first_frames - 1) + [True] and len(inner.images) == 1
    assert eye.watch(of(150)).counted().found, "and in good light at once"


class Film:
    """Frames one after the other, a tenth of a second apart, before an eye that has found the board in the first;
    known: and what lies there."""

    def __init__(self, level: int, *, known: bool = True) -> None:
        self.inner = Shown()
        self.eye = Brightening(self.inner)
        self.t = 0.0
        self.show(level, BRIGHTENING.first_frames / 10)
        self.eye.place(VIEW)
        self.show(level)
        if known:
            self.eye.learn(Lesson((0,) * 12))

    def show(self, level: int, seconds: float = 0.1, hands: tuple[float, float] = (0.0, 0.0)) -> float:
        """The table so bright for so long; how bright the last picture was that the eye was shown."""
        self.inner.hands = hands
        for _ in range(round(seconds * 10)):
            self.t += 0.1
            self.eye.watch(replace(of(level), time_ns=round(self.t * 1e9))).counted()
        return self.inner.level


def test_while_the_board_is_looked_for_every_picture_has_its_own() -> None:
    inner = Shown()
    eye = Brightening(inner)
    for level in (200, *[50] * BRIGHTENING.first_frames):
        eye.watch(of(level)).counted()
    assert inner.level == pytest.approx(230, abs=2)
    eye.place(VIEW)
    assert eye.view is VIEW


def test_what_holds_when_the_board_is_found_holds_from_then_on() -> None:
    film = Film(50)
    assert film.show(25) == pytest.approx(115, abs=2), "a hand's shadow is no other light"
    assert film.show(10, 2.0) == pytest.approx(10, abs=1), "when the light goes out it is dark"
    assert film.show(50) == pytest.approx(230, abs=2), "and when it is back all is as it was"


@pytest.mark.parametrize(("level", "times"), [(60, 0.85), (60, 1.2), (60, 2.0), (90, 0.5), (90, 1.2), (90, 2.0)])
def test_light_that_changes_for_good_is_taken_out(level: int, times: float) -> None:
    film = Film(level)
    before = film.inner.level
    assert film.show(round(level * times), 2.0) == pytest.approx(before, rel=0.04)
    assert film.show(level, 2.0) == pytest.approx(before, rel=0.04), "and when it comes back"


def test_from_one_frame_to_the_next_it_does_not_jump() -> None:
    film = Film(120)
    shown = [film.show(40) for _ in range(16)]
    assert max(b / a for a, b in pairwise(shown)) < 1.25
    assert shown[-1] == pytest.approx(120, rel=0.04)


def test_as_long_as_nothing_is_known_of_the_pits_it_may_come_to_be_seen_better() -> None:
    """A camera that has just been switched on."""
    film = Film(80, known=False)
    assert film.show(150, 2.0) == 150
    film.eye.learn(Lesson((0,) * 12))
    assert film.show(110, 2.0) == pytest.approx(150, rel=0.04)


def test_light_that_wavers_changes_nothing() -> None:
    film = Film(150)
    for level in (140, 158, 145, 100, 150):  # a shadow falls for a frame
        assert film.show(level) == level


def test_a_bright_hand_is_no_other_light() -> None:
    """Not in a dim picture either, whose lights it outshines."""
    film = Film(50)
    bright = of(50).image.copy()
    bright[:, :30] = 200
    film.inner.hands = (0.1, 0.0)
    for k in range(30):
        film.eye.watch(Frame(bright, round((film.t + k / 10) * 1e9), 0))
    assert film.inner.images[-1][100, 200, 0] == 230


def test_hands_that_stay_keep_no_lamp_from_being_seen() -> None:
    film = Film(100)
    assert film.show(70, 3.0, hands=(0.1, 0.0)) == 70
    assert film.show(50, 3.0, hands=(0.1, 0.0)) == pytest.approx(100, rel=0.04)


def test_a_board_that_is_found_elsewhere_is_lit_as_it_is_there() -> None:
    film = Film(120)
    film.eye.place(board_at(210))
    shown = []
    for k, level in enumerate([60] * 20 + [45] * 20):
        image = of(120).image.copy()
        image[:, 200:] = level
        film.eye.watch(Frame(image, round((film.t + k / 10) * 1e9), 0))
        shown.append(int(film.inner.images[-1][100, 300, 0]))
    assert set(shown[:20]) == {60} and shown[-1] == pytest.approx(60, rel=0.04)


def test_where_a_board_was_taken_away_and_laid_again_it_is_lit_as_before() -> None:
    film = Film(100)
    assert film.show(200, 2.0) == pytest.approx(100, rel=0.04), "the table under it is pale"
    film.eye.place(replace(VIEW, score=0.9))
    assert film.show(100, 2.0) == 100


def test_a_board_found_in_good_light_is_shown_as_it_is() -> None:
    film = Film(150)
    frame = of(60)
    film.eye.watch(frame).counted()
    assert film.inner.images[-1] is frame.image


@pytest.mark.parametrize(("level", "motion", "calm", "dark"), [
    (60, 0.05, False, True), (60, 0.005, False, False), (60, 0.05, True, False), (150, 0.05, False, False)],
    ids=["restless", "calm", "calm once", "in good light"])
def test_in_little_light_a_picture_that_never_comes_to_rest_is_too_dark(level: int, motion: float, calm: bool,
                                                                        dark: bool) -> None:
    film = Film(level)
    film.eye.place(replace(VIEW, score=0.9))
    said = []
    for k in range(round(10 * BRIGHTENING.restless_s) + 5):
        film.inner.motion = 0.0 if calm and k == 20 else motion
        film.t += 0.1
        said.append(film.eye.watch(Frame(of(level).image, round(film.t * 1e9), k)).counted().dark)
    assert said[-1] is dark and not any(said[:round(10 * BRIGHTENING.restless_s) - 1])


def test_the_search_for_a_board_sees_a_dim_picture_brighter(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    def find(image: NDArray[np.uint8], *_: int | None, sizes: object) -> NotFound:
        seen.append(lights_of(image))
        return NotFound("nothing")

    monkeypatch.setattr("vision.board.find.find", find)
    for level in (57, 150, 10):
        find_board(of(level).image)
    assert seen == pytest.approx([230, 150, 10], abs=2)


def test_it_takes_what_people_and_rules_tell() -> None:
    inner = Shown()
    eye = Brightening(inner)
    eye.learn(Lesson((0,) * 12))
    assert inner.lessons == 12


def test_it_tells_what_the_eye_was_shown() -> None:
    film = Film(50)
    assert film.eye.shown is film.inner.images[-1]
    assert Brightening(Shown()).shown is None


def test_the_products_eye_has_it() -> None:
    assert isinstance(open_eye(Board(2, 6), "bottom"), Brightening)
