"""Which pits are looked at when there is time for few: those that were touched come first. Noise touches none."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import COUNTS, BoardView, Lesson
from vision.seeds.counter import Reader
from vision.seeds.evidence import PitEvidence
from vision.seeds.knowledge.adaptation import Adaptation
from vision.seeds.knowledge.changes import touched_since
from vision.seeds.knowledge.seed_area import SeedAreaModel
from vision.seeds.parameters import STAYS, TOUCH

PITS = 12
VIEW = BoardView(2, 6, np.stack(np.meshgrid(np.arange(40.0, 640, 100), [100.0, 250.0]), axis=-1),
                 np.full((2, 6), 30.0), np.eye(3), 1.0, (640, 360))
IMAGE = np.full((360, 640, 3), 120, np.uint8)
UNCOVERED = np.ones(PITS, np.bool_)


class Unsure(Reader):
    """A counter that is sure of nothing, and of no hand."""

    def read(self, pictures: NDArray[np.uint8], *_args: Any, **_known: Any
             ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        n = len(pictures)
        return np.full((n, COUNTS), -math.log(COUNTS), np.float32), np.zeros(n, np.float32)


@pytest.fixture
def evidence() -> PitEvidence:
    return PitEvidence(Unsure(), SeedAreaModel(), Adaptation())


def looked(evidence: PitEvidence, cells: NDArray[np.float32], most: int | None, *, revisit: bool = True) -> int:
    """At how many pits the counter looks."""
    return evidence.look(IMAGE, VIEW, cells, UNCOVERED, 0.5, revisit=revisit, most=most)[2]


def touched(cells: NDArray[np.float32], *pits: int) -> NDArray[np.float32]:
    """The same pits; some look otherwise."""
    other = cells.copy()
    other[list(pits), cells.shape[1] // 2, cells.shape[1] // 2] += 50
    return other


def test_touched_pits_are_looked_at_first_and_a_share_of_the_others_again(
        evidence: PitEvidence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.seeds.evidence.STAYS", replace(STAYS, again_share=0.3))
    cells, most = np.zeros((PITS, 4, 4), np.float32), 8
    share = math.ceil(0.3 * most)
    assert 1 < share < most < PITS
    assert looked(evidence, cells, most) == most, "as many as there is time for"
    assert looked(evidence, cells, most) == PITS - most, "then the rest, and none again"
    assert evidence.look(IMAGE, VIEW, cells, UNCOVERED, 0.5, revisit=False)[1].all(), "something is known of each"
    assert looked(evidence, cells, most) == share
    cells = touched(cells, 2, 7)
    assert looked(evidence, cells, most) == share, "two that were touched, the others again"
    assert looked(evidence, touched(cells, *range(6)), most, revisit=False) == 6
    assert looked(evidence, touched(cells, *range(6)), None) == PITS, "where there is time, all"


def test_those_with_the_fewest_looks_are_looked_at_again_before_the_others(evidence: PitEvidence) -> None:
    cells, most = np.zeros((PITS, 4, 4), np.float32), 8
    looked(evidence, cells, None)
    share = math.ceil(STAYS.again_share * most)
    for _ in range(math.ceil(PITS / share)):
        looked(evidence, cells, most)
    looks = evidence._history.stays.looks
    assert set(looks.tolist()) <= {2, 3} and looks.sum() == PITS + share * math.ceil(PITS / share)


@pytest.mark.parametrize("sd", [0.0, 1.0, 3.0])
def test_a_stay_lasts_through_the_cameras_noise_and_ends_with_a_touch(evidence: PitEvidence, sd: float) -> None:
    still, rng = np.full((PITS, 16, 16), 100, np.float32), np.random.default_rng(7)

    def seen(*pits: int) -> NDArray[np.float32]:
        return np.rint(touched(still, *pits) + rng.normal(0, sd, still.shape)).astype(np.float32)

    for _ in range(STAYS.noise_frames + 1):
        looked(evidence, seen(), None)
    began = evidence.numbers
    for _ in range(40):
        looked(evidence, seen(), None)
    assert (evidence.numbers == began).all(), "nobody touched anything"
    looked(evidence, seen(4), None)
    assert np.flatnonzero(evidence.numbers - began).tolist() == [4]
    looked(evidence, seen(*range(9)), None)
    assert np.flatnonzero(evidence.numbers - began).tolist() == list(range(9)), "most may be touched at once"


def shaded(cells: NDArray[np.float32], pits: NDArray[np.bool_], by: float) -> NDArray[np.float32]:
    """The same pits; some have a darker half."""
    other = cells.copy()
    other[pits, :8] -= by
    return other


def test_what_changes_most_of_the_board_at_once_is_no_noise(evidence: PitEvidence) -> None:
    still, rng, every = np.full((PITS, 16, 16), 100, np.float32), np.random.default_rng(7), np.ones(PITS, np.bool_)
    for _ in range(STAYS.noise_frames + 1):
        looked(evidence, still + rng.normal(0, 1, still.shape).astype(np.float32), None)
    began = evidence.numbers
    dark = shaded(still, every, 30)
    looked(evidence, dark, None)
    assert (evidence.numbers == began + 1).all(), "a shade comes over all of it"
    for _ in range(10):
        looked(evidence, dark, None)
    looked(evidence, touched(dark, 3), None)
    assert np.flatnonzero(evidence.numbers - began - 1).tolist() == [3]


def test_of_few_open_pits_all_may_have_been_touched(evidence: PitEvidence) -> None:
    still, few = np.full((PITS, 16, 16), 100, np.float32), np.arange(PITS) < 3
    for _ in range(STAYS.noise_frames + 1):
        looked(evidence, still, None)
    for by in (50, 100, 150, 200):
        evidence.look(IMAGE, VIEW, shaded(still, few, by), few, 0.5, revisit=True)
    assert evidence.numbers[:4].tolist() == [4, 4, 4, 0]
    evidence.look(IMAGE, VIEW, still, np.zeros(PITS, np.bool_), 0.5, revisit=True)
    assert evidence.numbers[:4].tolist() == [4, 4, 4, 0], "of no pit is anything seen"


def test_a_pit_that_looks_as_in_an_earlier_stay_is_in_that_again(evidence: PitEvidence) -> None:
    still, rng = np.full((PITS, 16, 16), 100, np.float32), np.random.default_rng(7)
    for cells in (still, still, touched(still, 3), touched(touched(still, 3), 3)):
        looked(evidence, cells + rng.normal(0, 0.5, still.shape).astype(np.float32), None)
    assert evidence.numbers.tolist() == [0, 0, 0, 2, *[0] * 8]
    looked(evidence, touched(still, 3), None)
    assert evidence.numbers[3] == 1
    earlier, changed = evidence.earlier_stays
    since = touched_since(np.array([0, 0, -1, 0, *[7] * 8]), evidence.numbers, earlier, changed)
    assert since[3] == TOUCH.most_nats and since[:2].tolist() == [-TOUCH.most_nats] * 2
    assert not since[2] and not since[4:].any(), "of stays that are not known nothing is said"


def test_a_hand_beside_a_pit_has_it_looked_at_again_and_touches_nothing(evidence: PitEvidence) -> None:
    still = np.full((PITS, 16, 16), 100, np.float32)
    looked(evidence, still, None)
    beside = still.copy()
    beside[5, 0] -= 60
    looked(evidence, beside, None)
    assert evidence.look(IMAGE, VIEW, beside, UNCOVERED, 0.5, revisit=False)[2] == 0
    assert evidence.look(IMAGE, VIEW, still, UNCOVERED, 0.5, revisit=False)[2] == 1, "without it another look is due"
    assert not evidence.numbers.any()


def test_where_the_board_was_found_elsewhere_only_what_looks_alike_is_known(evidence: PitEvidence) -> None:
    rng = np.random.default_rng(1)
    cells = rng.uniform(60, 180, (PITS, 16, 16)).astype(np.float32)
    looked(evidence, cells, None)
    aside = np.concatenate((cells[:1], np.roll(cells, 1, axis=2)[1:]))
    elsewhere = PitEvidence(Unsure(), SeedAreaModel(), Adaptation(), evidence)
    looked(elsewhere, aside + np.float32(9), None)
    since = touched_since(np.zeros(PITS, np.int64), elsewhere.numbers, *elsewhere.earlier_stays)
    assert since.tolist() == [-TOUCH.most_nats, *[0.0] * (PITS - 1)]
    began = elsewhere.numbers
    looked(elsewhere, touched(aside + np.float32(9), 4), None)
    since = touched_since(began, elsewhere.numbers, *elsewhere.earlier_stays)
    assert np.flatnonzero(since > 0).tolist() == [4]


@pytest.mark.parametrize("alike", [True, False])
def test_pits_that_are_only_supposed_to_be_empty_are_if_they_look_alike(alike: bool) -> None:
    """Lamps are mirrored alike in all bowls; seeds lie elsewhere in each."""
    cells, supposed = np.random.default_rng(0).normal(60, 2, (PITS, 16, 16)).astype(np.float32), (0,) * 4 + (-1,) * 8
    for pit in range(PITS):
        row, col = (7, 9) if alike else (5 + pit * 3 % 7, 5 + pit * 5 % 7)
        cells[pit, row - 1: row + 2, col - 1: col + 2] += 90
    evidence = PitEvidence(Unsure(), SeedAreaModel(), Adaptation())
    looked(evidence, cells, None)
    evidence.learn(Lesson(supposed, supposed=True))
    assert evidence._empties.known.sum() == 4 * alike


def test_a_lesson_holds_for_the_stays_in_which_it_was_known(evidence: PitEvidence) -> None:
    still = np.full((PITS, 16, 16), 100, np.float32)
    looked(evidence, still, None)
    known = evidence.numbers
    looked(evidence, touched(still, 2), None)
    evidence.learn(Lesson((0,) * PITS, known))
    assert np.flatnonzero(~evidence._empties.known).tolist() == [2], "a hand has been there since"


class Enlarging(Reader):
    """A counter that takes five seeds for six, of all pits at once."""

    def read(self, pictures: NDArray[np.uint8], *_args: Any, **_known: Any
             ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        off = np.arange(COUNTS) - 1.2 * SET_UP[:, None]
        return np.asarray(-1.2 * off**2, np.float32), np.zeros(len(pictures), np.float32)


SET_UP = np.array([0, 0, 5, 5, 4, 3] * 2)


def test_what_the_known_counts_teach_holds_for_what_is_said_next_and_wherever_the_board_lies() -> None:
    cells, knowledge = np.zeros((PITS, 4, 4), np.float32), (SeedAreaModel(), Adaptation())
    evidence = PitEvidence(Enlarging(), *knowledge)
    read = evidence.look(IMAGE, VIEW, cells, UNCOVERED, 0.5, revisit=False)[0].argmax(axis=1)
    assert (read[[2, 3, 4]] == [6, 6, 5]).all()
    for _ in range(3):
        evidence.learn(Lesson(tuple(SET_UP.tolist()), errors=True))
    for one in (evidence, PitEvidence(Enlarging(), *knowledge)):
        assert (one.look(IMAGE, VIEW, cells, UNCOVERED, 0.5, revisit=False)[0].argmax(axis=1) == SET_UP).all()


def test_counts_that_leave_out_what_was_misread_do_not_tell_how_the_counter_errs() -> None:
    evidence, adaptation = PitEvidence(Enlarging(), SeedAreaModel(), usual := Adaptation()), Adaptation()
    evidence.look(IMAGE, VIEW, np.zeros((PITS, 4, 4), np.float32), UNCOVERED, 0.5, revisit=False)
    evidence.learn(Lesson((0, 0, -1, -1, -1, 3) * 2))
    assert usual.chosen == adaptation.chosen


class Misreading(Reader):
    """A counter that reads two seeds fewer in every pit than lie there; but it is not sure."""

    def read(self, pictures: NDArray[np.uint8], *_args: Any, **_known: Any
             ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        n = len(pictures)
        loglik = np.full((n, COUNTS), -4.0, np.float32)
        loglik[:, 7], loglik[:, 9] = 0.0, -1.0
        return loglik, np.zeros(n, np.float32)


def test_a_pit_that_looks_as_when_its_count_was_known_holds_that_and_one_that_does_not_is_read() -> None:
    still, evidence = np.full((PITS, 16, 16), 100, np.float32), PitEvidence(Misreading(), SeedAreaModel(), Adaptation())

    def read(cells: NDArray[np.float32]) -> list[int]:
        loglik = evidence.look(IMAGE, VIEW, cells, UNCOVERED, 0.5, revisit=False)[0]
        return [int(n) for n in loglik.argmax(axis=1)]

    assert read(still) == [7] * PITS
    evidence.learn(Lesson((9,) * 6 + (-1,) * 6, evidence.numbers))
    assert read(still) == [9] * 6 + [7] * 6
    assert read(touched(still, 0)) == [7] + [9] * 5 + [7] * 6, "something was laid in or taken out"
    assert read(still) == [9] * 6 + [7] * 6, "it was a shadow"
    evidence.learn(Lesson((-1,) * PITS))
    assert read(still) == [7] * PITS, "nothing is known any more"


def test_what_was_known_before_the_board_was_found_elsewhere_holds_for_pits_that_look_alike() -> None:
    cells = np.random.default_rng(1).uniform(60, 180, (PITS, 16, 16)).astype(np.float32)
    evidence = PitEvidence(Misreading(), SeedAreaModel(), Adaptation())
    looked(evidence, cells, None)
    evidence.learn(Lesson((9,) * PITS, evidence.numbers))
    elsewhere = PitEvidence(Misreading(), SeedAreaModel(), Adaptation(), evidence)
    aside = np.concatenate((cells[:3], np.roll(cells, 1, axis=2)[3:]))
    read = elsewhere.look(IMAGE, VIEW, aside, UNCOVERED, 0.5, revisit=False)[0].argmax(axis=1)
    assert read.tolist() == [9] * 3 + [7] * (PITS - 3)
