"""The eyes of the judge's bench: what they say of a move fits the heaps that lie there."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.judge import COUNTS
from tests.bench.eye_errors import bound, packed
from tests.bench.readings import STEP, Asked, Eye, Library, Measured, Modelled, Passing

BOARDS = np.array([[3, 2, 0, 1], [0, 2, 0, 1], [0, 3, 0, 1], [0, 3, 1, 1], [0, 3, 1, 2]])
"""The first pit is sown into the others."""
HANDS = (0.3, 0.0)


def quiet(counts: NDArray[np.int64], lead: float = 8.0) -> NDArray[np.uint8]:
    loglik = np.full((len(counts), COUNTS), -lead)
    loglik[np.arange(len(counts)), counts] = 0.0
    return packed(loglik)


@pytest.fixture
def kept(tmp_path: Path) -> Library:
    """One table where two heaps of each of 0, 2 and 5 were measured, each read as itself."""
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
        assert seen.sum() <= 3  # of four, some lie under the arm


def test_heaps_that_were_not_measured_are_read_as_the_nearest_that_was(kept: Library) -> None:
    eye = Measured(random.Random(1), kept)
    seen = eye.watch(random.Random(2), BOARDS, HANDS, 0.3)
    assert seen.loglik.argmax(axis=1).tolist() == BOARDS[-1].tolist()
    assert seen.during is not None and len(seen.during.seen)
    assert {tuple(row) for row in seen.during.loglik.argmax(axis=2).tolist()} <= {tuple(b) for b in BOARDS.tolist()}


def test_a_heap_that_nobody_touches_is_read_alike_and_speaks_plainly(kept: Library) -> None:
    eye = Measured(random.Random(1), kept)
    still = BOARDS[:1].repeat(3, axis=0)
    first = eye.watch(random.Random(2), still, HANDS, 0.3)
    eye.lies(still)
    again = eye.watch(random.Random(3), still, HANDS, 0.3)
    lead = np.sort(again.loglik, axis=1)
    assert (first.loglik.argmax(axis=1) == again.loglik.argmax(axis=1)).all()
    assert ((lead[:, -1] - lead[:, -2]) >= 7).all()  # its picture is the one of before


def test_now_and_then_a_pit_that_has_changed_looks_as_it_did(tmp_path: Path) -> None:
    """As often as was measured; and never where it never was."""
    true = np.repeat([0, 2, 5], 2)
    rates = []
    for same in ([1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 1, 0]):
        path = tmp_path / f"{sum(same)}.npz"
        np.savez(path, table=np.zeros(6, np.int16), true=true, quiet=quiet(true), before=np.repeat([0, 1, 4], 2),
                 same=np.array(same, np.uint8), looks=np.repeat(quiet(true)[:, None], 3, axis=1))
        eye, some = Measured(random.Random(1), Library(path)), random.Random(2)
        looks = [eye.watch(some, BOARDS, HANDS, 0.3) for _ in range(100)]
        touched = (BOARDS[0] != BOARDS).any(axis=0)
        rates.append(np.mean([s.touched[touched] < 0 for s in looks if s.touched is not None]))
    assert rates[0] == 0.0 and 0.15 < rates[1] < 0.35


def test_of_several_moves_watched_the_one_that_stands_leaves_its_heaps(kept: Library) -> None:
    """Else pits that nobody touches would hold the heaps of a move that was only tried."""
    tried = np.array([[3, 2, 0, 1], [3, 0, 0, 1], [3, 0, 1, 1], [3, 0, 1, 2]])
    for moves in ((BOARDS, tried), (tried, BOARDS)):
        eye = Measured(random.Random(1), kept)
        for boards in moves:
            eye.watch(random.Random(2), boards, HANDS, 0.3)
        eye.lies(BOARDS)
        later = BOARDS[-1:].repeat(3, axis=0)
        assert eye.watch(random.Random(3), later, HANDS, 0.3).loglik.argmax(axis=1).tolist() == BOARDS[-1].tolist()
    with pytest.raises(ValueError, match="not watched"):
        eye.lies(tried)


@pytest.mark.parametrize("eye", [Modelled(), Modelled(40.0)], ids=["as supposed", "forty times worse"])
def test_the_modelled_eye_errs_as_often_as_it_should(eye: Eye) -> None:
    rng = random.Random(4)
    wrong = sum(int((eye.watch(rng, BOARDS, HANDS, 0.1).loglik.argmax(axis=1) != BOARDS[-1]).sum()) for _ in range(250))
    worse = 40.0 if isinstance(eye, Modelled) and eye.worse > 1 else 1.0
    assert wrong <= 8 if worse == 1.0 else 10 <= wrong <= 70  # of a thousand pits


@pytest.mark.parametrize(("seeds", "often"), [(0, 0.0), (4, 0.001), (8, 0.005), (14, 0.03), (20, 0.1)])
def test_the_eye_that_is_asked_for_errs_as_often_as_it_may(seeds: int, often: float) -> None:
    rng, boards = random.Random(8), np.full((2, 400), seeds)
    wrong = sum(int((Asked().watch(rng, boards, HANDS, 0.01).loglik.argmax(axis=1) != seeds).sum()) for _ in range(10))
    assert 0.5 * 4000 * often - 3 <= wrong <= 1.6 * 4000 * often + 3 * bool(often)


def test_while_hands_are_in_play_it_errs_as_single_frames_may() -> None:
    boards = np.stack((np.full(400, 20), np.zeros(400, np.int64)))
    during = Asked().watch(random.Random(9), boards, HANDS, 2.0).during
    assert during is not None
    before = during.loglik.argmax(axis=2)[0]
    assert (before > 10).all() and 0.18 <= (before != 20).mean() <= 0.32


def test_it_sees_what_has_changed_and_what_was_brushed() -> None:
    rng, boards, brushed = random.Random(3), np.hstack((BOARDS, np.full((len(BOARDS), 1), 5))), 0
    for _ in range(400):
        seen = Asked().watch(rng, boards, HANDS, 0.1)
        assert seen.touched is not None and seen.touched.all()
        assert (seen.touched[:4] > 0).all()
        brushed += bool(seen.touched[4] > 0)
    assert 0 < brushed < 20


def test_what_the_measured_eye_sees_changed_is_what_was_touched(kept: Library) -> None:
    seen = Measured(random.Random(1), kept).watch(random.Random(2), BOARDS, HANDS, 0.3)
    assert seen.touched is not None
    touched = (BOARDS[0] != BOARDS).any(axis=0)
    assert (seen.touched[touched & (BOARDS[0] + BOARDS[-1] > 0)] >= 0).all() and (seen.touched[~touched] <= 0).all()


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
