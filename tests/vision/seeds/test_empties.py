"""The pits' empty pictures: where they come from, when they are used, and when not."""

from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.counter import prepare
from vision.seeds.knowledge.empty_pits import EmptyPitReference
from vision.seeds.parameters import EMPTY_PITS

Crops = NDArray[np.uint8]


def pits(*shades: int) -> Crops:
    """Pits of one shade each."""
    return np.stack([np.full((8, 8, 3), shade, np.uint8) for shade in shades])


class Beside:
    """Says `alone` of every pit, and `beside` of one whose empty picture it is shown."""

    def __init__(self, alone: int, beside: int) -> None:
        self.alone, self.beside = alone, beside

    def read(
        self, pictures: Crops, turns: int = 1, first: int = 0, empties: Crops | None = None,
        again: bool = True
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        loglik = np.full((len(pictures), COUNTS), -5.0, np.float32)
        for k in range(len(pictures)):
            loglik[k, self.alone if empties is None or not empties[k].any() else self.beside] = 0.0
        return loglik, np.zeros(len(pictures), np.float32)


def test_only_what_is_known_to_be_empty_is_remembered() -> None:
    empties = EmptyPitReference(Beside(0, 0))
    assert empties.for_counter(np.arange(3)) is None and not len(empties.known)
    empties.learn(pits(10, 20, 30), np.array([0, 4, -1]))
    assert empties.known.tolist() == [True, False, False]
    empty = empties.for_counter(np.array([2, 0]))
    assert empty is not None and not empty[0].any() and (empty[1] == 10).all()
    assert empties.for_counter(np.array([1, 2])) is None
    empties.learn(pits(11, 21, 31), np.array([3, 0, -1]))
    empty = empties.for_counter(np.arange(3))
    assert empty is not None and empty[:, 0, 0, 0].tolist() == [10, 21, 0], "the old one stands until it is empty again"


def test_they_are_not_used_where_they_do_harm_until_they_help_again() -> None:
    counter = Beside(2, 3)
    empties = EmptyPitReference(counter)
    empties.learn(pits(10, 20, 30), np.array([0, 0, 0]))
    assert empties.helpful
    empties.learn(pits(40, 50, 60), np.array([2, 2, 2]))  # read right without them, wrong with them
    assert not empties.helpful and empties.for_counter(np.arange(3)) is None
    counter.alone, counter.beside = 3, 2
    for _ in range(2):
        empties.learn(pits(40, 50, 60), np.array([2, 2, 2]))
    assert empties.helpful and empties.for_counter(np.arange(3)) is not None


def test_one_misread_pit_does_not_speak_against_them() -> None:
    empties = EmptyPitReference(Beside(2, 3))
    empties.learn(pits(10, 20), np.array([0, 0]))
    empties.learn(pits(40, 50), np.array([2, -1]))
    assert empties.helpful


def test_at_a_lesson_a_few_pits_are_tried_each_time_others() -> None:
    class Asked(Beside):
        shown: ClassVar[list[list[int]]] = []

        def read(
            self, pictures: Crops, turns: int = 1, first: int = 0, empties: Crops | None = None,
            again: bool = True
        ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            if empties is not None:
                self.shown.append(sorted(int(p[0, 0, 0]) for p in pictures))
            return super().read(pictures, turns, first, empties, again)

    empties, board = EmptyPitReference(Asked(0, 0)), pits(*range(10, 26))
    for _ in range(3):
        empties.learn(board, np.zeros(16, np.int64))
    first, second = Asked.shown
    assert len(first) == len(second) == EMPTY_PITS.tried_pits and not set(first) & set(second)


def test_where_bowls_mirror_a_pit_without_an_empty_picture_gets_the_usual_one() -> None:
    """Something is read in every pit that is known to be empty: it is there in all of them."""
    empties = EmptyPitReference(Beside(1, 0))
    empties.learn(pits(10, 20, 30, 90), np.array([0, 0, 0, -1]))
    empty = empties.for_counter(np.array([3, 0]))
    assert empties.mirrors and empty is not None and empty[:, 0, 0, 0].tolist() == [20, 10]


@pytest.mark.parametrize(("read", "empty"), [(0, EMPTY_PITS.mirrored_pits), (1, EMPTY_PITS.mirrored_pits - 1)])
def test_pits_that_are_read_as_empty_or_are_few_stand_for_no_others(read: int, empty: int) -> None:
    empties = EmptyPitReference(Beside(read, 0))
    empties.learn(pits(*range(10, 16)), np.array([0] * empty + [-1] * (6 - empty)))
    assert not empties.mirrors and empties.for_counter(np.array([5])) is None


def test_the_usual_empty_picture_is_not_used_where_it_does_harm() -> None:
    counter = Beside(1, 0)
    empties = EmptyPitReference(counter)
    empties.learn(pits(10, 20, 30, 90, 91, 92), np.array([0, 0, 0, -1, -1, -1]))
    counter.alone, counter.beside = 4, 3
    empties.learn(pits(10, 20, 30, 90, 91, 92), np.array([-1, -1, -1, 4, 4, 4]))
    assert not empties.helpful and empties.for_counter(np.array([3])) is None


def test_another_board_begins_anew() -> None:
    empties = EmptyPitReference(Beside(0, 0))
    assert not empties.pictures(pits(1, 2), np.array([1])).any()
    empties.learn(pits(10, 20), np.array([0, 0]))
    assert (empties.pictures(pits(1, 2), np.array([1])) == 20).all()
    assert not empties.pictures(pits(1, 2, 3), np.array([1, 2])).any()
    empties.learn(pits(10, 20, 30), np.array([-1, 0, 4]))
    assert empties.known.tolist() == [False, True, False]


def test_what_has_not_changed_is_the_same_in_both_pictures() -> None:
    rng = np.random.default_rng(2)
    empty = rng.integers(40, 90, (2, 80, 80, 3)).astype(np.uint8)
    full = empty.copy()
    full[:, 30:50, 30:50] = 220
    both = prepare(full, empty)
    assert both.shape == (2, 6, 80, 80)
    assert np.abs(both[:, :3, :30] - both[:, 3:, :30]).max() < 1e-5 < np.abs(both[:, :3] - both[:, 3:]).max()
    assert not prepare(full)[:, 3:].any() and not prepare(full, np.zeros_like(full))[:, 3:].any()
