"""What came to lie in a pit, by the counter's maps of now and of when it was known what lay there."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.crops import SIZE
from vision.seeds.knowledge.added_seeds import AddedSeedModel, likely, otherwise

Crops = NDArray[np.uint8]
Maps = NDArray[np.float32]
CELLS = SIZE // 4
PLACES = ((16, 16), (40, 20), (64, 16), (20, 44), (42, 44), (66, 44), (20, 66), (44, 66))


def pit(seeds: tuple[int, ...], each: float = 1.0, light: float = 1.0) -> tuple[Crops, Maps]:
    """A pit with seeds at those places, and a map that takes each of them for so many."""
    crop = np.full((SIZE, SIZE, 3), (60, 90, 130), np.uint8)
    crop[::7] = (50, 80, 115)
    seen = np.zeros((CELLS, CELLS), np.float32)
    for k in seeds:
        cv2.circle(crop, PLACES[k], 8, (190, 215, 225), -1, cv2.LINE_AA)
        seen[PLACES[k][1] // 4, PLACES[k][0] // 4] = each
    return np.asarray(np.clip(crop * light, 0, 255), np.uint8), seen


def held(seeds: tuple[int, ...], each: float = 1.0) -> AddedSeedModel:
    """A board of one pit that holds these, as is known."""
    added, (crop, seen) = AddedSeedModel(), pit(seeds, each)
    added.learn(crop[None], seen[None], np.array([len(seeds)]))
    return added


def said(added: AddedSeedModel, crop: Crops, seen: Maps) -> NDArray[np.float32]:
    return np.asarray(added.say(crop[None], seen[None], np.array([0]))[0], np.float32)


@pytest.mark.parametrize("more", [1, 2, 3])
def test_what_the_counter_makes_of_seeds_that_stay_is_no_matter(more: int) -> None:
    """It takes every seed of the heap for one and a half; the new ones it reads as they are."""
    added, (crop, seen) = held((0, 1, 2, 3), 1.5), pit(tuple(range(4 + more)))
    seen[:CELLS // 2, :] += pit((0, 1, 2), 0.5)[1][:CELLS // 2, :]
    seen[PLACES[3][1] // 4, PLACES[3][0] // 4] = 1.5
    told = said(added, crop, seen)
    assert told.argmax() == 4 + more and told[4 + more] - np.delete(told, 4 + more).max() > 1.0


def test_a_seed_that_was_taken_is_missed() -> None:
    crop, seen = pit((0, 1, 3))
    assert said(held((0, 1, 2, 3)), crop, seen).argmax() == 3


def test_of_a_pit_that_looks_as_it_did_and_of_one_that_was_not_known_nothing_is_said() -> None:
    crop, seen = pit((0, 1))
    assert not said(AddedSeedModel(), crop, seen).any()
    assert not said(held((0, 1)), crop, seen + 0.3).any(), "how it looks says more than what the counter makes of it"
    unknown = AddedSeedModel()
    unknown.learn(crop[None], seen[None], np.array([-1]))
    assert not said(unknown, *pit((0, 1, 2))).any()
    assert not said(held(()), *pit((0,))).any(), "in an empty pit there is nothing that it may take for more"
    many = AddedSeedModel()
    many.learn(crop[None], seen[None], np.array([COUNTS - 1]))
    assert not said(many, *pit((0, 1, 2))).any(), "more than can be told apart is no number to add to"


def test_what_is_told_stays_known_of_the_pits_of_which_nothing_is_told_later() -> None:
    added = held((0, 1))
    crop, seen = pit((0, 1, 2))
    added.learn(crop[None], seen[None], np.array([-1]))
    assert said(added, crop, seen).argmax() == 3


def test_a_change_of_the_light_is_no_seed() -> None:
    assert not otherwise(pit((0, 1), light=0.85)[0], pit((0, 1))[0], CELLS).any()
    assert otherwise(pit((0, 1, 4), light=0.85)[0], pit((0, 1))[0], CELLS).any()


def test_a_larger_picture_is_taken_as_the_counter_takes_it() -> None:
    added, crop, seen = AddedSeedModel(), *pit((0, 1))
    large = cv2.resize(crop, (2 * SIZE, 2 * SIZE), interpolation=cv2.INTER_NEAREST)
    added.learn(np.asarray(large, np.uint8)[None], seen[None], np.array([2]))
    assert not said(added, crop, seen).any()


def test_a_table_whose_differences_are_off_is_believed_the_less() -> None:
    added = held((0, 1, 2))
    assert added.spread == 1.0
    sharp = said(added, *pit((0, 1, 2, 4)))
    for k in range(20):
        crop, seen = pit((0, 1, 2, 4) if k % 2 == 0 else (0, 1, 2), 1.0 + 0.9 * (k % 2 == 0))
        added.learn(crop[None], seen[None], np.array([3 + (k % 2 == 0)]))
    assert (wide := added.spread) > 1.5
    vague = said(added, *pit((0, 1, 2, 4)))
    assert vague[4] - vague[5] < sharp[4] - sharp[5]
    for k in range(60):
        crop, seen = pit((0, 1, 2, 4) if k % 2 == 0 else (0, 1, 2))
        added.learn(crop[None], seen[None], np.array([3 + (k % 2 == 0)]))
    assert added.spread < wide - 0.5, "and where they are right, the more again"


def test_one_difference_that_is_wide_of_the_mark_changes_little() -> None:
    added, (crop, seen) = held((0, 1, 2)), pit((0, 1, 2, 4), 8.0)
    added.learn(crop[None], seen[None], np.array([4]))
    assert 1.0 < added.spread < 1.5


def test_what_lies_next_to_what_looks_otherwise_counts_as_well() -> None:
    """A mark on the map is broader than what is seen of a seed."""
    crop, _ = pit(())
    other = crop.copy()
    other[40:44, 40:44] = 255
    assert otherwise(other, crop, CELLS).sum() == 9


def test_another_number_of_pits_is_another_board() -> None:
    added = held((0, 1))
    crop, seen = pit((0, 1, 2))
    added.learn(np.stack([crop] * 3), np.stack([seen] * 3), np.array([-1, 3, -1]))
    more, much = pit((0, 1, 2, 4))
    told = added.say(np.stack([more] * 3), np.stack([much] * 3), np.arange(3))
    assert told.any(axis=1).tolist() == [False, True, False] and told[1].argmax() == 4


def test_of_a_heap_that_is_gone_less_is_known() -> None:
    one, anew = likely(1.0, 0.0, 4), likely(5.0, 4.0, 4)
    assert one.argmax() == anew.argmax() == 5
    assert one[5] - one[6] > anew[5] - anew[6] > 0
    assert np.isfinite(likely(-0.1, 40.0, 0)).all()


def test_nothing_speaks_so_loudly_that_it_could_not_be_for_another_reason() -> None:
    told = likely(1.0, 0.0, 4)
    assert np.ptp(told) < 7.0
