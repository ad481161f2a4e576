"""The counter: its form, its doubts, and counts on rendered pits that it was not trained on."""

import numpy as np
import pytest

from vision.reading import COUNTS
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.seeds.counter import MARGINS, POSITIONS, Reader, prepare, reader
from vision.seeds.crops import FINE, SIZE, crop_circles
from vision.seeds.parameters import COUNTER
from vision.train.crops import COVERED, MOST, marks, peaks
from vision.train.fine import fine_batch

SEED = 9_100_000


@pytest.fixture(scope="module")
def pits() -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    """Rendered pits and their labels."""
    images, labels, *_ = fine_batch(SEED, 40)
    return images, labels


def test_loglikelihoods_are_normalised_and_floored(pits: tuple[np.ndarray, np.ndarray]) -> None:
    loglik, covered = reader().read(pits[0][:7])
    assert loglik.shape == (7, COUNTS) and covered.shape == (7,)
    assert (loglik <= 0).all() and (loglik >= COUNTER.least_loglik).all()
    assert np.exp(loglik).sum(axis=1) == pytest.approx(np.ones(7), abs=1e-3)
    assert ((covered >= 0) & (covered <= 1)).all()


def test_any_number_of_pits_can_be_read(pits: tuple[np.ndarray, np.ndarray]) -> None:
    one, _ = reader().read(pits[0][:1])
    many, _ = reader().read(pits[0][:32])
    assert one[0] == pytest.approx(many[0], abs=1e-3)
    assert reader().read(pits[0][:0])[0].shape == (0, COUNTS)


def test_few_seeds_on_a_plain_board_are_counted_right() -> None:
    """A guard against broken weights or another order of channels, not a measure: `make bench` measures."""
    rng = np.random.default_rng(SEED)
    counts = rng.integers(0, 5, (2, 8))
    scene = RenderedTable(SceneStyle.house(2, 8), (960, 540), counts, samples=1)
    circles = [(float(x), float(y), float(r)) for x, y, r in scene.circles[: scene.board_pits]]
    loglik, covered = reader().read(crop_circles(scene.finish(scene.image(), rng), circles), turns=8)
    assert (loglik.argmax(axis=1) == counts.ravel()).mean() >= 0.9
    assert covered.max() < 0.5


def test_covered_pits_are_told_from_others(pits: tuple[np.ndarray, np.ndarray]) -> None:
    images, labels = pits
    _, covered = reader().read(images)
    assert covered[labels == COVERED].mean() > 0.7
    assert covered[labels != COVERED].mean() < 0.15


def test_the_light_is_taken_out() -> None:
    rng = np.random.default_rng(0)
    picture = rng.integers(60, 200, (1, 80, 80, 3)).astype(np.uint8)
    dim = (picture * 0.5).astype(np.uint8)
    assert np.abs(prepare(picture) - prepare(dim)).mean() < 0.12


class Told(Reader):
    """Counts four, as sure of it as it is told to be, and of the pit's being covered; its map has five tops, in one
    corner or all over the picture, and so has its heat."""

    def __init__(self, sure: float, covered: float = -9.0, corner: bool = False) -> None:
        self._sure, self._covered, self._corner = sure, covered, corner
        self.asked: list[np.ndarray] = []
        self.bare: list[np.ndarray | None] = []

    def look(self, pictures, empties=None):  # type: ignore[no-untyped-def]  # the signature is Reader's
        self.asked.append(pictures)
        self.bare.append(empties)
        side = pictures.shape[1]
        logits = np.zeros((len(pictures), COUNTS + 1), np.float32)
        logits[:, 4] = self._sure
        logits[:, COUNTS] = self._covered
        return logits, marks(self._middles(pictures), side, side // 4)

    def heats(self, pictures, empties=None):  # type: ignore[no-untyped-def]  # the signature is Reader's
        self.asked.append(pictures)
        self.bare.append(empties)
        side = pictures.shape[1]
        return 0.9 * peaks(self._middles(pictures), np.full(len(pictures), 0.15, np.float32), side, side // 2)

    def _middles(self, pictures: np.ndarray) -> np.ndarray:
        middles = np.full((len(pictures), MOST, 2), np.nan, np.float32)
        at = np.array([(0.3, 0.3), (0.7, 0.3), (0.5, 0.5), (0.3, 0.7), (0.7, 0.7)]) * (0.5 if self._corner else 1.0)
        middles[:, :5] = at * pictures.shape[1]
        return middles


FINE_PITS = np.zeros((2, FINE, FINE, 3), np.uint8)


def test_where_the_first_look_is_not_sure_all_the_pixels_are_looked_at() -> None:
    told = Told(sure=1.5)
    bare = np.full_like(FINE_PITS, 7)
    loglik, _ = told.read(FINE_PITS, empties=bare)
    assert [p.shape[1] for p in told.asked] == [SIZE, FINE]
    assert told.bare[1] is not None and told.bare[1].shape == FINE_PITS.shape
    assert (loglik.argmax(axis=1) == 5).all(), "the peaks weigh more than the counter's doubtful word"
    assert np.exp(loglik).sum(axis=1) == pytest.approx(np.ones(2), abs=1e-3)


def test_what_lies_in_a_corner_is_looked_at_from_close_by_too() -> None:
    told = Told(sure=2.0, corner=True)
    told.read(FINE_PITS)
    assert [p.shape[1] for p in told.asked] == [SIZE, SIZE, FINE]


def test_in_haste_not_all_the_pixels_are_looked_at() -> None:
    told = Told(sure=2.0, corner=True)
    told.read(FINE_PITS, again=False)
    assert [p.shape[1] for p in told.asked] == [SIZE, SIZE]


def test_at_a_table_a_few_are_looked_at_at_once_and_what_they_showed_is_kept() -> None:
    told = Told(sure=1.5)
    pits = np.zeros((COUNTER.fine_pits + 2, FINE, FINE, 3), np.uint8)
    fine = np.full((len(pits), FINE // 2, FINE // 2), np.nan, np.float32)
    loglik, _ = told.read(pits, fine=fine)
    there = ~np.isnan(fine[:, 0, 0])
    assert there.sum() == COUNTER.fine_pits == sum(len(p) for p in told.asked if p.shape[1] == FINE)
    assert (loglik[there].argmax(axis=1) == 5).all()
    told.read(pits, fine=fine)
    assert sum(len(p) for p in told.asked if p.shape[1] == FINE) == len(pits) and not np.isnan(fine).any()
    told.read(pits, fine=fine)
    assert sum(len(p) for p in told.asked if p.shape[1] == FINE) == len(pits)


class Varying(Reader):
    """Is sure of the first pit, and of the second it says more the wider it was cut out."""

    def __init__(self) -> None:
        self.cut: list[float] = []

    def __call__(self, *, margin: float) -> np.ndarray:
        self.cut.append(margin)
        return np.full((2, SIZE, SIZE, 3), 100 * margin, np.uint8) * np.array([0, 1], np.uint8)[:, None, None, None]

    def read(self, pictures, turns=1, *rest, **more):  # type: ignore[no-untyped-def]  # the signature is Reader's
        assert turns == POSITIONS
        loglik = np.full((len(pictures), COUNTS), -9.0, np.float32)
        for k, pit in enumerate(pictures):
            wide = pit.flat[0] / 100
            loglik[k, :3] = (0.0, -9.0, -9.0) if wide == 0 else (-1.0, -4.0 + 3 * wide, -0.9)
        return loglik, np.zeros(len(pictures), np.float32)


def test_with_time_what_is_not_sure_is_cut_out_closer_and_wider_too() -> None:
    told = Varying()
    loglik, covered = told.study(told)
    assert told.cut == list(MARGINS) and covered.shape == (2,)
    assert loglik[0, 0] == 0 and loglik[0, 1] == -9, "what is sure stays as it was"
    middle = -4.0 + 3 * np.mean([np.uint8(100 * m) / 100 for m in MARGINS])
    assert loglik[1, 1] - loglik[1, 0] == pytest.approx(middle + 1.0, abs=1e-3)
    assert np.exp(loglik[1]).sum() == pytest.approx(1, abs=1e-3)


def test_several_ways_to_cut_pits_out_take_turns() -> None:
    told, other = Varying(), Varying()
    told.study(told, other)
    assert told.cut == [MARGINS[0], MARGINS[2]] and other.cut == [MARGINS[1]]


@pytest.mark.parametrize(("sure", "covered"), [(20.0, -9.0), (2.0, 9.0)])
def test_what_is_plain_or_covered_is_not_looked_at_again(sure: float, covered: float) -> None:
    told = Told(sure, covered)
    loglik, _ = told.read(FINE_PITS)
    assert len(told.asked) == 1 and (loglik.argmax(axis=1) == 4).all()


def test_small_pictures_are_looked_at_once() -> None:
    told = Told(sure=2.0)
    told.read(np.zeros((1, SIZE, SIZE, 3), np.uint8))
    assert len(told.asked) == 1


def test_small_balls_in_a_wide_bowl_are_counted() -> None:
    """The shipped weights, on dark balls of a fifteenth of the bowl's width: too small for the first look alone."""
    bowl = np.full((FINE, FINE, 3), 90, np.uint8)
    y, x = np.mgrid[:FINE, :FINE]
    bowl[(x - 80) ** 2 + (y - 80) ** 2 < 64**2] = (205, 215, 210)
    for cx, cy in ((60, 50), (70, 52), (76, 60), (76, 70), (100, 90), (100, 100), (92, 106)):
        bowl[(x - cx) ** 2 + (y - cy) ** 2 < 20] = 35
        bowl[(x - cx + 1) ** 2 + (y - cy + 1) ** 2 < 1.5] = 130
    loglik, _ = reader().read(bowl[None], turns=4)
    assert loglik[0].argmax() == 7
