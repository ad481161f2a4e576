"""The bench's eye without pictures: its readings of a move fit the true heaps."""

import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.referee.observation import COUNTS
from tests.bench.eye_errors import bound, packed
from tests.bench.readings import STEP, Library, Measured, Passing

BOARDS = np.array([[3, 2, 0, 1], [0, 2, 0, 1], [0, 3, 0, 1], [0, 3, 1, 1], [0, 3, 1, 2]])
"""The first pit is sown into the others."""
HANDS = (0.3, 0.0)


def quiet(counts: NDArray[np.int64], lead: float = 8.0) -> NDArray[np.uint8]:
    loglik = np.full((len(counts), COUNTS), -lead)
    loglik[np.arange(len(counts)), counts] = 0.0
    return packed(loglik)


@pytest.fixture
def kept(tmp_path: Path) -> Library:
    """A library with one table where two heaps of each of 0, 2 and 5 were measured, each read correctly."""
    true = np.repeat([0, 2, 5], 2)
    looks = np.repeat(quiet(true, 4.0)[:, None], 3, axis=1)
    np.savez(tmp_path / "eye.npz", table=np.zeros(6, np.int16), true=true.astype(np.uint8), quiet=quiet(true),
             before=true.astype(np.uint8), same=np.ones(6, np.uint8), looks=looks)
    return Library(tmp_path / "eye.npz")


def test_what_a_hand_is_at_is_hidden_and_stays_count_the_touches() -> None:
    passing = Passing(random.Random(1), BOARDS, 1.0)
    assert passing.stay[-1].tolist() == [1, 1, 1, 1]
    assert sorted(set(passing.frames)) == list(range(len(BOARDS)))
    for k, seen in zip(passing.frames, passing.seen, strict=True):
        assert k == 0 or not seen[BOARDS[k] != BOARDS[k - 1]].any()
        assert seen.sum() <= 3  # some of the four are under the arm


def test_heaps_that_were_not_measured_are_read_as_the_nearest_that_was(kept: Library) -> None:
    eye = Measured(random.Random(1), kept)
    seen = eye.watch(random.Random(2), BOARDS, HANDS, 0.3)
    assert seen.after.loglik.argmax(axis=1).tolist() == BOARDS[-1].tolist()
    read = {tuple(look.loglik.argmax(axis=1).tolist()) for look in seen.after.looks}
    assert read and read <= {tuple(board) for board in BOARDS.tolist()}


def test_a_heap_that_nobody_touches_is_read_alike_and_speaks_plainly(kept: Library) -> None:
    eye = Measured(random.Random(1), kept)
    still = BOARDS[:1].repeat(3, axis=0)
    first = eye.watch(random.Random(2), still, HANDS, 0.3)
    eye.lies(still)
    again = eye.watch(random.Random(3), still, HANDS, 0.3)
    lead = np.sort(again.after.loglik, axis=1)
    assert (first.after.loglik.argmax(axis=1) == again.after.loglik.argmax(axis=1)).all()
    assert ((lead[:, -1] - lead[:, -2]) >= 7).all()  # they look as before


def test_now_and_then_a_pit_that_has_changed_looks_as_it_did(tmp_path: Path) -> None:
    """As often as was measured, and never if that was never."""
    true = np.repeat([0, 2, 5], 2)
    rates = []
    for same in ([1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 1, 0]):
        path = tmp_path / f"{sum(same)}.npz"
        np.savez(path, table=np.zeros(6, np.int16), true=true, quiet=quiet(true), before=np.repeat([0, 1, 4], 2),
                 same=np.array(same, np.uint8), looks=np.repeat(quiet(true)[:, None], 3, axis=1))
        eye, some = Measured(random.Random(1), Library(path)), random.Random(2)
        looks = [eye.watch(some, BOARDS, HANDS, 0.3) for _ in range(100)]
        touched = (BOARDS[0] != BOARDS).any(axis=0)
        rates.append(np.mean([s.after.changed[touched, 0] < 0 for s in looks]))
    assert rates[0] == 0.0 and 0.15 < rates[1] < 0.35


def test_of_several_moves_watched_the_one_that_stands_leaves_its_heaps(kept: Library) -> None:
    """Otherwise untouched pits would hold the heaps of a move that was only tried."""
    tried = np.array([[3, 2, 0, 1], [3, 0, 0, 1], [3, 0, 1, 1], [3, 0, 1, 2]])
    for moves in ((BOARDS, tried), (tried, BOARDS)):
        eye = Measured(random.Random(1), kept)
        for boards in moves:
            eye.watch(random.Random(2), boards, HANDS, 0.3)
        eye.lies(BOARDS)
        later = BOARDS[-1:].repeat(3, axis=0)
        seen = eye.watch(random.Random(3), later, HANDS, 0.3)
        assert seen.after.loglik.argmax(axis=1).tolist() == BOARDS[-1].tolist()
    with pytest.raises(ValueError, match="not watched"):
        eye.lies(tried)


def test_what_the_measured_eye_sees_changed_is_what_was_touched(kept: Library) -> None:
    seen = Measured(random.Random(1), kept).watch(random.Random(2), BOARDS, HANDS, 0.3)
    changed, touched = seen.after.changed[:, 0], (BOARDS[0] != BOARDS).any(axis=0)
    assert (changed[touched & (BOARDS[0] + BOARDS[-1] > 0)] >= 0).all() and (changed[~touched] <= 0).all()


def test_the_bound_is_all_where_the_eye_is_certain_and_nothing_where_it_doubts() -> None:
    true = np.tile([0, 1, 2, 3], 500)
    same = np.tile([True, False], 1000)
    before = np.where(same, true, true + 1)
    share_of = {lead: bound(true, quiet(true, lead).astype(float), before, same)[-2:] for lead in (15.9, 1.0, 9.0)}
    assert all(row.value == "100.00 %" for row in share_of[15.9])
    assert all(float(row.value.split()[0]) < 0.5 for row in share_of[1.0])
    board, pictures = (float(row.value.split()[0]) for row in share_of[9.0])
    assert board < pictures
    assert quiet(true, 9.0).max() == 9 * STEP
