"""Which pits are looked at when there is time for few: those that were touched come first. Noise touches none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import COUNTS, BoardView
from vision.seeds.adaptation import Adaptation
from vision.seeds.counter import Reader
from vision.seeds.coverage import Covers
from vision.seeds.evidence import PitEvidence
from vision.seeds.parameters import STAYS

PITS = 12
VIEW = BoardView(2, 6, np.stack(np.meshgrid(np.arange(40.0, 640, 100), [100.0, 250.0]), axis=-1),
                 np.full((2, 6), 30.0), np.eye(3), 1.0, (640, 360))
IMAGE = np.full((360, 640, 3), 120, np.uint8)
BARE = np.ones(PITS, np.bool_)


class Unsure(Reader):
    """A counter that is sure of nothing, and of no hand."""

    def read(self, pictures: NDArray[np.uint8], *_args: Any, **_known: Any
             ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        n = len(pictures)
        return np.full((n, COUNTS), -math.log(COUNTS), np.float32), np.zeros(n, np.float32)


@pytest.fixture
def evidence() -> PitEvidence:
    return PitEvidence(Unsure(), Covers(), Adaptation())


def looked(evidence: PitEvidence, cells: NDArray[np.float32], most: int | None, *, afresh: bool = True) -> int:
    """At how many pits the counter looks."""
    return evidence.look(IMAGE, VIEW, cells, BARE, 0.5, afresh=afresh, most=most)[2]


def touched(cells: NDArray[np.float32], *pits: int) -> NDArray[np.float32]:
    """The same pits, some of which look otherwise."""
    other = cells.copy()
    other[list(pits), 0, 0] += 50
    return other


def test_touched_pits_are_looked_at_first_and_a_share_of_the_others_again(evidence: PitEvidence) -> None:
    cells, most = np.zeros((PITS, 4, 4), np.float32), 8
    share = math.ceil(STAYS.again_share * most)
    assert 1 < share < most < PITS
    assert looked(evidence, cells, most) == most, "as many as there is time for"
    assert looked(evidence, cells, most) == PITS - most, "then the rest, and none again"
    assert evidence.look(IMAGE, VIEW, cells, BARE, 0.5, afresh=False)[1].all(), "of all of them something is known"
    assert looked(evidence, cells, most) == share
    cells = touched(cells, 2, 7)
    assert looked(evidence, cells, most) == share, "two that were touched, the others again"
    assert looked(evidence, touched(cells, *range(6)), most, afresh=False) == 6
    assert looked(evidence, touched(cells, *range(6)), None) == PITS, "where there is time, all"


def test_those_with_the_fewest_looks_are_looked_at_again_before_the_others(evidence: PitEvidence) -> None:
    cells, most = np.zeros((PITS, 4, 4), np.float32), 8
    looked(evidence, cells, None)
    share = math.ceil(STAYS.again_share * most)
    for _ in range(math.ceil(PITS / share)):
        looked(evidence, cells, most)
    stays = evidence._stays
    assert stays is not None and set(stays.looks.tolist()) <= {2, 3} and stays.looks.sum() == PITS + share * math.ceil(
        PITS / share)


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
    """The same pits, some of which have a darker half."""
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
        evidence.look(IMAGE, VIEW, shaded(still, few, by), few, 0.5, afresh=True)
    assert evidence.numbers[:4].tolist() == [4, 4, 4, 0]
    evidence.look(IMAGE, VIEW, still, np.zeros(PITS, np.bool_), 0.5, afresh=True)
    assert evidence.numbers[:4].tolist() == [4, 4, 4, 0], "of no pit is anything seen"


class Enlarging(Reader):
    """A counter that takes five seeds for six, of all pits at once."""

    def read(self, pictures: NDArray[np.uint8], *_args: Any, **_known: Any
             ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        off = np.arange(COUNTS) - 1.2 * SET_UP[:, None]
        return np.asarray(-1.2 * off**2, np.float32), np.zeros(len(pictures), np.float32)


SET_UP = np.array([0, 0, 5, 5, 4, 3] * 2)


def test_what_the_known_counts_teach_holds_for_what_is_said_next_and_wherever_the_board_lies() -> None:
    cells, knowledge = np.zeros((PITS, 4, 4), np.float32), (Covers(), Adaptation())
    evidence = PitEvidence(Enlarging(), *knowledge)
    read = evidence.look(IMAGE, VIEW, cells, BARE, 0.5, afresh=False)[0].argmax(axis=1)
    assert (read[[2, 3, 4]] == [6, 6, 5]).all()
    for _ in range(3):
        evidence.learn(SET_UP)
    for one in (evidence, PitEvidence(Enlarging(), *knowledge)):
        assert (one.look(IMAGE, VIEW, cells, BARE, 0.5, afresh=False)[0].argmax(axis=1) == SET_UP).all()
