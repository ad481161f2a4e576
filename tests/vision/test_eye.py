"""The eye: finds the board without a click, says when it cannot, and reads only what can be seen."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board.lattice import NotFound
from vision.eye import Eye
from vision.parameters import SEARCH
from vision.reading import COUNTS, BoardView, Frame, Lesson
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.seeds.counter import Reader

COUNTS_LAID = np.array([[3, 0, 1, 2, 4, 0], [4, 4, 0, 1, 0, 2]])


class Brightness(Reader):
    """A counter that tells empty pits from others by nothing but the crop's middle, and calls skin-red ones covered."""

    def __init__(self) -> None:
        self.asked = 0
        self.known = 0
        """Pits whose former look, with all their pixels, it was told the last time."""
        self.again = False
        """Whether it was given time for a second look, the last time."""
        self.beside = 0
        """Pits that it was shown with their empty pictures, the last time."""

    def read(
        self,
        pictures: NDArray[np.uint8],
        turns: int = 1,
        first: int = 0,
        empties: NDArray[np.uint8] | None = None,
        again: bool = True,
        fine: NDArray[np.float32] | None = None,
        drawn: NDArray[np.float32] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        self.asked += len(pictures)
        self.again = again
        if fine is not None:
            self.known = int((~np.isnan(fine[:, 0, 0])).sum())
            fine[:] = 0.0
        self.beside = 0 if empties is None else int(empties.reshape(len(empties), -1).any(axis=1).sum())
        loglik = np.full((len(pictures), COUNTS), -9.0, np.float32)
        loglik[:, 0] = 0.0
        return loglik, np.zeros(len(pictures), np.float32)


@pytest.fixture(scope="module")
def frame() -> Frame:
    """The house board, some seeds, from straight above."""
    scene = RenderedTable(SceneStyle.house(2, 6), (960, 540), COUNTS_LAID, samples=1)
    return Frame(scene.finish(scene.image(), np.random.default_rng(0)), 1_000_000_000, 0)


def later(frame: Frame, seconds: float, image: NDArray[np.uint8] | None = None) -> Frame:
    """The frame again (or another picture), later."""
    return replace(frame, time_ns=frame.time_ns + int(seconds * 1e9), image=frame.image if image is None else image)


def test_finds_and_reads_the_board(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Brightness())
    reading = eye.look(frame)
    assert reading.found and reading.counted and eye.view is not None
    assert (eye.view.rows, eye.view.cols) == (2, 6)
    assert reading.loglik.shape == (12, COUNTS) and reading.seen.all()


def test_the_size_is_found_out_when_not_told(frame: Frame) -> None:
    eye = Eye(None, None, counter=Brightness())
    eye.look(frame)
    assert eye.view is not None and (eye.view.rows, eye.view.cols) == (2, 6)


@pytest.mark.parametrize(("south", "turn"), [("top", cv2.ROTATE_180), ("left", cv2.ROTATE_90_CLOCKWISE),
                                             ("right", cv2.ROTATE_90_COUNTERCLOCKWISE)])
def test_south_sits_where_he_is_said_to(frame: Frame, south: str, turn: int) -> None:
    """The first pit of the ring is South's leftmost, wherever he sits."""
    upright, turned = Eye(2, 6, counter=Brightness()), Eye(2, 6, south, counter=Brightness())
    upright.look(frame)
    image = np.asarray(cv2.rotate(frame.image, turn), np.uint8)
    turned.look(later(frame, 0, image))
    assert upright.view is not None and turned.view is not None
    mark = np.zeros(frame.image.shape[:2], np.uint8)
    x, y = upright.view.centres[1, 0]
    mark[int(y), int(x)] = 255
    ty, tx = np.argwhere(cv2.rotate(mark, turn) > 0)[0]
    assert np.hypot(*(turned.view.centres[1, 0] - [tx, ty])) < 0.25 * turned.view.radii[1, 0]


def test_only_hands_are_looked_for_when_nothing_is_to_be_counted(frame: Frame) -> None:
    counter = Brightness()
    eye = Eye(2, 6, counter=counter)
    eye.look(frame)
    asked = counter.asked
    reading = eye.look(later(frame, 0.1), count=False)
    assert counter.asked == asked
    assert not reading.counted and not reading.seen.any()


def test_a_pit_that_looks_as_before_is_not_counted_again_unless_afresh(frame: Frame) -> None:
    counter = Brightness()
    eye = Eye(2, 6, counter=counter)
    first = eye.look(frame)
    assert counter.asked == 12
    assert eye.view is not None
    x, y = (round(float(v)) for v in eye.view.centres[1, 2])
    other = frame.image.copy()
    cv2.circle(other, (x, y), 9, (250, 250, 250), -1)
    noisy = np.clip(other + np.random.default_rng(3).normal(0, 3, other.shape), 0, 255).astype(np.uint8)
    again = eye.look(later(frame, 0.1), revisit=False)
    assert counter.asked == 12
    assert (again.loglik == first.loglik).all()
    eye.look(later(frame, 0.2, noisy), revisit=False)
    assert counter.asked == 13
    eye.look(later(frame, 0.3, noisy))
    assert counter.asked == 25


def test_the_empty_pits_pictures_are_laid_beside_them_until_the_board_moves(frame: Frame) -> None:
    counter = Brightness()
    eye = Eye(2, 6, counter=counter)
    eye.learn(Lesson((0,) * 12))  # before anything was seen
    eye.look(frame)
    assert counter.beside == 0
    eye.learn(Lesson((0, 0, -1, 4, 0, 2, 1, 1, 1, 1, 1, 1)))
    eye.learn(Lesson((0,) * 8))  # of another board: passed over
    eye.look(later(frame, 0.1))
    assert counter.beside == 3
    assert eye.view is not None
    eye.place(eye.view)
    eye.look(later(frame, 0.2))
    assert counter.beside == 0


def test_how_much_of_their_pits_known_heaps_cover_is_held_beside_what_the_counter_says(frame: Frame) -> None:
    """The counter takes every pit for empty; the eye soon does not."""
    eye = Eye(2, 6, counter=Brightness())
    eye.look(frame)
    lies = np.array([4, 4, 0, 1, 0, 2, 0, 4, 2, 1, 0, 3])
    bare = RenderedTable(SceneStyle.house(2, 6), (960, 540), np.zeros((2, 6), np.int64), samples=1)
    empty = bare.finish(bare.image(), np.random.default_rng(1))
    eye.look(later(frame, 1, empty))
    nothing = Lesson((-1,) * 12)  # of what they hold is known any more; of seeds it still is
    eye.learn(Lesson((0,) * 12))
    eye.learn(nothing)
    before = eye.look(later(frame, 2))
    assert (before.loglik.argmax(axis=1) == 0).all()
    eye.learn(Lesson(tuple(lies.tolist())))
    eye.learn(nothing)
    after = eye.look(later(frame, 3))
    said = after.loglik - before.loglik
    assert (said[np.arange(12), lies] - said[:, 0] > 1.5)[lies > 0].all()
    assert (said[:, 0] - said[:, 1] > 0.5)[lies == 0].all()


class Vague(Brightness):
    """It does not know how many lie in any pit, but draws as many seeds into its middle as it is bidden."""

    seeds, sure = 0.0, False

    def read(self, *told: Any, **more: Any) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        loglik, covered = super().read(*told, **more)
        if (drawn := more.get("drawn")) is not None:
            drawn[:, 10, 10] = self.seeds
        return (loglik if self.sure else np.full_like(loglik, -np.log(COUNTS))), covered


def test_what_has_come_to_lie_in_a_pit_is_held_beside_what_the_counter_says(frame: Frame) -> None:
    counter = Vague()
    eye = Eye(2, 6, counter=counter)
    eye.look(frame)
    eye.learn(Lesson((3,) * 12))
    assert eye.view is not None
    x, y = eye.view.centres[1, 2]
    other, counter.seeds = frame.image.copy(), 1.0
    cv2.circle(other, (round(x), round(y)), round(eye.view.radii[1, 2] * 0.6), (250, 250, 250), -1)
    hasty = eye.look(later(frame, 1, other), revisit=False)
    assert not np.ptp(hasty.loglik[2]), "in a glance at moving hands"
    said = eye.look(later(frame, 2, other)).loglik
    assert said[2].argmax() == 4 and said[2, 4] - said[2, 3] > 1.0
    assert said[3].argmax() == 3 and not np.ptp(np.delete(said[3], 3)), "nothing has changed there"
    cv2.circle(other, (round(x), round(y)), round(eye.view.radii[1, 2] * 0.4), (20, 20, 20), -1)
    counter.seeds = 1.0
    assert eye.look(later(frame, 2.8, other)).loglik[2].argmax() == 4, "another stay has begun"
    cv2.circle(other, (round(x), round(y)), round(eye.view.radii[1, 2] * 0.5), (250, 250, 250), -1)
    counter.sure = True
    known = eye.look(later(frame, 3, other)).loglik[2]
    assert known[0] == 0 and not np.ptp(known[1:]), "where the counter is sure it is believed"
    counter.sure = False
    eye.place(eye.view)
    assert not np.ptp(eye.look(later(frame, 4, other)).loglik[2]), "the light falls otherwise there"


class Suspicious(Brightness):
    """It calls every pit covered and reads nothing in any."""

    def read(self, *told: Any, **more: Any) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        loglik, covered = super().read(*told, **more)
        return loglik, np.full_like(covered, 0.97)


def test_pits_that_are_known_to_be_open_are_not_taken_for_covered_again(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Suspicious())
    assert not eye.look(frame).seen.any()
    eye.learn(Lesson((3,) * 12))
    assert not eye.look(later(frame, 0.1)).seen.any(), "something else was read there than lies there"
    eye.learn(Lesson((0,) * 12))
    assert eye.look(later(frame, 0.2)).seen.all()
    assert eye.view is not None
    eye.place(eye.view)
    assert not eye.look(later(frame, 0.3)).seen.any()


def test_no_board_is_said(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Brightness())
    reading = eye.look(later(frame, 0, np.full_like(frame.image, 120)))
    assert not reading.found and eye.view is None


def test_darkness_is_said(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Brightness())
    eye.look(frame)
    reading = eye.look(later(frame, 0.1, (frame.image * 0.04).astype(np.uint8)))
    assert reading.dark and not reading.seen.any()


def test_a_picture_of_another_size_is_searched_anew(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Brightness())
    eye.look(frame)
    small = np.asarray(cv2.resize(frame.image, (720, 405), interpolation=cv2.INTER_AREA), np.uint8)
    reading = eye.look(later(frame, 1.0, small))
    assert reading.found and eye.view is not None and eye.view.picture_size == (720, 405)


def test_an_arm_over_the_board_hides_its_pits(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Brightness())
    for k in range(4):
        eye.look(later(frame, 0.1 * k))
    assert eye.view is not None
    x, y = (int(v) for v in eye.view.centres[1, 2])
    r = int(eye.view.radii[1, 2])
    image = frame.image.copy()
    cv2.line(image, (x, frame.image.shape[0] + 50), (x, y), (110, 140, 190), int(1.6 * r), cv2.LINE_AA)
    reading = eye.look(later(frame, 0.5, image))
    assert reading.hands[0] > 0.02 > reading.hands[1]
    assert not reading.seen[2] and reading.seen[[0, 5, 8]].all()


def test_a_board_that_was_pushed_is_found_again(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Brightness())
    for k in range(5):
        eye.look(later(frame, 0.1 * k))
    assert eye.view is not None
    before = eye.view.centres.copy()
    push = np.array([[1.0, 0, 14], [0, 1, 20]])
    image = np.asarray(cv2.warpAffine(frame.image, push, (960, 540), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    said = [eye.look(later(frame, 0.5 + 0.1 * k, image)).moved for k in range(25)]
    assert not said[-1]
    assert np.abs(eye.view.centres - before - [14, 20]).max() < 0.25 * eye.view.radii.min()


@pytest.mark.parametrize("there", [True, False])
def test_a_board_that_has_moved_is_looked_for_with_pits_as_large_as_it_had(
    frame: Frame, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else there is looks more like a board only where no such board is left."""
    eye = Eye(2, 6, counter=Brightness())
    eye.look(frame)
    known, asked = eye.view, list[float | None]()
    assert known is not None

    def find(_image: object, rows: int, cols: int, radius: float | None = None, **_: object) -> BoardView | NotFound:
        assert (rows, cols) == (2, 6)
        asked.append(radius)
        return known if there or radius is None else NotFound("none like it")

    monkeypatch.setattr("vision.eye.find", find)
    eye._search(frame.image, 9.0)
    assert asked == [pytest.approx(known.radii.mean()), *(() if there else (None,))]


def test_a_board_that_the_edge_cuts_is_believed_once_no_whole_one_shows(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye = Eye(2, 6, counter=Brightness())
    eye.look(frame)
    whole = eye.view
    assert whole is not None
    cut = replace(whole, cut=True)
    shown: list[BoardView] = []
    monkeypatch.setattr("vision.eye.find", lambda *_, **__: shown[0])

    def views(found: list[BoardView]) -> list[BoardView | None]:
        eye, out = Eye(2, 6, counter=Brightness()), list[BoardView | None]()
        for k, shown[:] in enumerate([one] for one in found):
            eye.look(later(frame, k * SEARCH.whole_s / 4))
            out.append(eye.view)
        return out

    assert views([cut, whole]) == [None, whole]
    assert views([cut] * 5) == [None] * 4 + [cut]
    again = Eye(2, 6, counter=Brightness())
    for k, one in enumerate((cut, whole, cut)):
        shown[:] = [one]
        other = np.zeros((500, 900, 3), np.uint8) if k == 2 else None
        again.look(later(frame, k * 0.75 * SEARCH.whole_s, other))
    assert again.view is None, "a picture of another size shows another one"


def test_there_is_no_second_look_while_hands_are_in_play(frame: Frame) -> None:
    eye = Eye(2, 6, counter=(counter := Brightness()))
    eye.look(frame)
    assert counter.again
    hidden = frame.image.copy()
    hidden[:, : hidden.shape[1] // 2] //= 3
    eye.look(later(frame, 0.2, hidden), revisit=False)
    assert not counter.again


def test_a_pit_is_looked_at_with_all_its_pixels_until_it_changes(frame: Frame) -> None:
    eye = Eye(2, 6, counter=(counter := Vague()))
    eye.look(frame)
    assert counter.known == 0
    eye.look(later(frame, 0.1))
    assert counter.known == 12
    assert eye.view is not None
    other = frame.image.copy()
    x, y = eye.view.centres[1, 2]
    cv2.circle(other, (int(x), int(y)), int(eye.view.radii[1, 2] * 0.6), (20, 20, 20), -1)
    eye.look(later(frame, 0.2, other))
    assert counter.known == 11


def test_a_stay_is_looked_at_until_it_is_settled_and_no_longer(frame: Frame) -> None:
    """A sure pit costs two looks, one in doubt as many as there are positions; then a still board costs none."""
    for counter, looks in ((Brightness(), 2), (Vague(), 8)):
        eye = Eye(2, 6, counter=counter)
        for k in range(12):
            eye.look(later(frame, k / 10))
        assert counter.asked == 12 * looks


def test_pits_under_a_hand_are_not_counted(frame: Frame) -> None:
    eye = Eye(2, 6, counter=(counter := Brightness()))
    for k in range(4):
        eye.look(later(frame, 0.1 * k))
    assert eye.view is not None
    asked, (x, y), r = counter.asked, eye.view.centres[1, 2].astype(int), int(eye.view.radii[1, 2])
    image = frame.image.copy()
    cv2.line(image, (int(x), frame.image.shape[0] + 50), (int(x), int(y)), (110, 140, 190), int(1.6 * r), cv2.LINE_AA)
    reading = eye.look(later(frame, 0.5, image))
    assert not reading.seen[2] and counter.asked - asked < (~reading.seen).sum()


class LaterSearch:
    """Searches when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Callable[[], None]] = []

    def __call__(self, search: Callable[[], BoardView | NotFound]) -> Future[BoardView | NotFound]:
        later: Future[BoardView | NotFound] = Future()
        self.asked.append(lambda: later.set_result(search()))
        return later


def test_frames_go_on_while_the_board_is_looked_for(frame: Frame) -> None:
    eye = Eye(2, 6, counter=Brightness(), search=(search := LaterSearch()))
    for k in range(4):
        assert not eye.look(later(frame, k / 10)).found
    assert len(search.asked) == 1, "one search at a time"
    search.asked.pop()()
    assert eye.look(later(frame, 0.4)).found and not search.asked


@pytest.mark.parametrize("moved", [False, True])
def test_a_board_that_was_moved_while_it_was_looked_for_is_looked_for_again(frame: Frame, moved: bool) -> None:
    eye = Eye(2, 6, counter=Brightness(), search=(search := LaterSearch()))
    eye.look(frame)
    search.asked.pop()()
    by = np.array([[1, 0, 40.0 * moved], [0, 1, 0]])
    image = cv2.warpAffine(frame.image, by, frame.image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    reading = eye.look(later(frame, 1.0, np.asarray(image, np.uint8)))
    assert reading.found is not moved
    if moved:
        eye.look(later(frame, 2.0, np.asarray(image, np.uint8)))
        search.asked.pop()()
        assert eye.look(later(frame, 3.0, np.asarray(image, np.uint8))).found


def test_where_people_laid_the_board_no_former_search_says_otherwise(frame: Frame) -> None:
    known = Eye(2, 6, counter=Brightness())
    known.look(frame)
    assert known.view is not None
    eye = Eye(2, 6, counter=Brightness(), search=(search := LaterSearch()))
    eye.look(frame)
    eye.place(known.view)
    search.asked.pop()()
    eye.look(later(frame, 1.0))
    assert eye.view is known.view
