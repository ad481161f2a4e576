"""A pit that looks as it did still holds what it held."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from device.journal.events import VerdictGiven
from device.table.context import TableContext
from device.table.orders import game_started
from device.table.parameters import BASELINE, EVIDENCE
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window, misread_again
from device.table.settling.hand_readings import HandReadings
from device.table.settling.pit_baseline import PitBaseline
from device.table.verdict_events import FOLLOWS, position_set
from tests.device.played_table import begun
from vision.reading import COUNTS, Reading

Cells = NDArray[np.float32]
PITS = 6
HELD = (4, 9, 0, 3, 12, 1)


def looks(rng: np.random.Generator) -> Cells:
    return rng.uniform(60, 180, (PITS, 16, 16)).astype(np.float32)


def reading(cells: Cells, says: tuple[int, ...],
            seen: list[bool] | None = None) -> Reading:
    loglik = np.full((PITS, COUNTS), -6.0, np.float32)
    loglik[np.arange(PITS), list(says)] = 0.0
    return Reading(0, loglik, np.array(seen if seen is not None else [True] * PITS), cells=cells)


def kept(cells: Cells) -> PitBaseline:
    return PitBaseline.of(cells, np.ones(PITS, np.bool_), HELD)


def one_seed(cells: Cells, pit: int, by: float = 80.0
             ) -> Cells:
    out = cells.copy()
    out[pit, 5:8, 5:8] -= by
    return out


@pytest.fixture
def before() -> Cells:
    return looks(np.random.default_rng(1))


def test_a_misread_pit_that_nobody_touched_counts_as_what_it_holds(before: Cells) -> None:
    window = Window(PITS, touched=True, baseline=kept(before))
    window.add(reading(one_seed(before, 0), (5, 8, 0, 3, 12, 1)))
    assert window.unchanged.tolist() == [False, True, True, True, True, True]
    assert window.counts.tolist() == [5, 9, 0, 3, 12, 1]  # read 8 where 9 lie
    assert not window.clearly_otherwise((5, 9, 0, 3, 12, 1))


def test_the_judge_is_told_which_pits_have_been_weighed_so_already(before: Cells) -> None:
    window = Window(PITS, touched=True, baseline=kept(before))
    window.add(reading(one_seed(before, 0), (5, 8, 0, 3, 12, 1)))
    told = Disturbance(0.0, 1.0, window, HandReadings()).evidence.weighed
    assert told is not None and told.tolist() == [-1, *HELD[1:]]
    window = Window(PITS, touched=True)
    window.add(reading(before, HELD))
    assert Disturbance(0.0, 1.0, window, HandReadings()).evidence.weighed is None


def test_a_heap_that_gained_a_seed_is_not_unchanged(before: Cells) -> None:
    window = Window(PITS, touched=True, baseline=kept(before))
    changed = one_seed(one_seed(before, 0), 4, by=30.0)
    window.add(reading(changed, (5, 9, 0, 3, 13, 1)))
    assert window.counts.tolist() == [5, 9, 0, 3, 13, 1]


def test_light_that_changes_for_the_whole_board_is_no_change_of_a_pit(before: Cells) -> None:
    window = Window(PITS, touched=True, baseline=kept(before))
    window.add(reading(one_seed(before, 2) + np.float32(12), (4, 9, 1, 3, 12, 1)))
    assert window.unchanged.tolist() == [True, True, False, True, True, True]


def test_nothing_is_said_while_nothing_has_changed_or_all_has(before: Cells) -> None:
    noise = np.random.default_rng(2).normal(0, 1.0, before.shape).astype(np.float32)
    for cells in (before + noise, looks(np.random.default_rng(3))):
        window = Window(PITS, touched=True, baseline=kept(before))
        window.add(reading(cells, HELD))
        assert not window.unchanged.any()


def test_in_dim_light_a_small_change_is_one(before: Cells) -> None:
    dim = np.asarray(before / 20, np.float32)
    window = Window(PITS, touched=True, baseline=kept(dim))
    window.add(reading(one_seed(one_seed(dim, 0, by=8.0), 4, by=3.0), (5, 9, 0, 3, 13, 1)))
    assert not window.unchanged[4]


def test_a_pit_that_was_hidden_then_or_is_now_tells_nothing(before: Cells) -> None:
    once = PitBaseline.of(before, np.array([True, False, True, True, True, True]), HELD)
    window = Window(PITS, touched=True, baseline=once)
    window.add(reading(one_seed(before, 0), (5, 8, 0, 2, 12, 1), [True, True, True, False, True, True]))
    assert window.unchanged.tolist() == [False, False, True, False, True, True]
    assert window.counts[1] == 8


def test_pictures_of_another_board_tell_nothing(before: Cells) -> None:
    assert not kept(before).unchanged(before[:4], np.ones(4, np.bool_)).any()


def test_the_next_likeliest_count_is_still_the_camera_s(before: Cells) -> None:
    window = Window(PITS, touched=True, baseline=kept(before))
    window.add(reading(one_seed(before, 0), (5, 8, 0, 3, 12, 1)))
    order = np.argsort(-window.loglik[1])
    assert order[:2].tolist() == [9, 8]


@given(st.integers(0, 1000), st.integers(0, PITS - 1), st.floats(BASELINE.same_grey / BASELINE.same_share, 200))
def test_only_pits_that_look_alike_are_unchanged(seed: int, pit: int, by: float) -> None:
    rng = np.random.default_rng(seed)
    before = looks(rng)
    now = one_seed(before, pit, by) + rng.normal(0, 0.5, before.shape).astype(np.float32)
    same = kept(before).unchanged(now, np.ones(PITS, np.bool_))
    assert not same[pit]
    assert same.sum() == PITS - 1


def test_a_pit_that_plainly_looks_otherwise_is_changed_and_one_that_may_is_neither(before: Cells) -> None:
    window = Window(PITS, touched=True, baseline=kept(before))
    window.add(reading(one_seed(one_seed(before, 0), 4, by=10.0), HELD))
    assert window.changed is not None
    assert window.changed.tolist() == [True, False, False, False, False, False]
    assert window.unchanged.tolist() == [False, True, True, True, False, True]


def test_it_is_not_known_what_has_changed_where_nothing_was_kept(before: Cells) -> None:
    window = Window(PITS, touched=True)
    window.add(reading(before, HELD))
    assert window.changed is None
    window = Window(PITS, touched=True, baseline=PitBaseline.of(before[:, :8, :8], np.ones(PITS, np.bool_), HELD))
    window.add(reading(before, HELD))
    assert window.changed is not None and not window.changed.any()


def test_a_pit_that_is_hidden_is_not_changed(before: Cells) -> None:
    window = Window(PITS, touched=True, baseline=kept(before))
    window.add(reading(one_seed(one_seed(before, 0), 1), HELD, [False] + [True] * 5))
    assert window.changed is not None and window.changed.tolist() == [False, True, False, False, False, False]


def test_seeds_of_the_next_pit_that_show_at_the_edge_make_no_change(before: Cells) -> None:
    now = one_seed(before, 0)
    now[2, 6:9, 0] -= 90.0
    window = Window(PITS, touched=True, baseline=kept(before))
    window.add(reading(now, HELD))
    assert window.changed is not None and np.flatnonzero(window.changed).tolist() == [0]
    assert not window.unchanged[2]


def test_a_pit_that_was_misread_and_plainly_changed_is_read_anew(before: Cells) -> None:
    # Pit 0 held four and was read as five, pit 1 held nine and was read as eight: now each has one more.
    window = Window(PITS, {0: (5, 4), 1: (8, 9)}, touched=True, baseline=kept(before))
    window.add(reading(one_seed(one_seed(before, 0), 1), (5, 8, *HELD[2:])))
    assert window.counts.tolist()[:2] == [5, 8], "what was misread as five is not there any more"
    odds = np.exp(window.loglik[:2])
    assert [odds[0, 4], odds[1, 9]] == pytest.approx([EVIDENCE.misread_again] * 2, rel=0.1)
    assert odds[:, [3, 6, 10]].max() < 0.02


def test_a_pit_that_was_misread_and_may_have_changed_is_one_or_the_other(before: Cells) -> None:
    window = Window(PITS, {0: (5, 4)}, touched=True, baseline=kept(before))
    window.add(reading(one_seed(one_seed(before, 0, by=10.0), 4), (5, *HELD[1:])))
    assert window.changed is not None and not window.changed[0] and not window.unchanged[0]
    assert window.loglik[0, 4] == window.loglik[0, 5] == window.loglik[0].max()


@given(st.lists(st.floats(-15.0, 0.0), min_size=COUNTS, max_size=COUNTS), st.integers(-25, 25))
def test_what_was_misread_before_still_leaves_every_count_possible(loglik: list[float], by: int) -> None:
    said = misread_again(np.array(loglik), by)
    plain = np.array(loglik) - np.logaddexp.reduce(loglik)
    assert np.isfinite(said).all() and (said >= plain + np.log(1 - EVIDENCE.misread_again) - 1e-9).all()


def remembering(before: Cells) -> tuple[TableContext, Cells]:
    """The context of a game that has begun, which knows how the pits look and what they hold; and how they look."""
    context = begun().table._context
    _, position = context.game.playing
    cells = np.resize(before, (len(position.counts), 16, 16))
    context.baseline = PitBaseline.of(cells, np.ones(len(cells), np.bool_), position.counts)
    return context, cells


def test_how_the_pits_look_is_known_though_it_is_not_known_any_more_what_they_hold(before: Cells) -> None:
    context, cells = remembering(before)
    pits, (rules, position) = len(cells), context.game.playing
    context.say(position_set(position, FOLLOWS))
    baseline = context.baseline
    assert baseline is not None and (baseline.counts == -1).all() and (baseline.cells == cells).all()
    window = context.new_window(touched=True)
    says = tuple(range(pits))
    loglik = np.full((pits, COUNTS), -6.0, np.float32)
    loglik[np.arange(pits), says] = 0.0
    window.add(Reading(0, loglik, np.ones(pits, np.bool_), cells=one_seed(cells, 1)))
    assert tuple(window.counts) == says, "nothing is known of what they hold"
    assert window.changed is not None and np.flatnonzero(window.changed).tolist() == [1]
    context.note_baseline(window, None)
    baseline = context.baseline
    assert baseline is not None and (baseline.counts == -1).all() and not (baseline.cells == cells).all()
    context.say(game_started(rules, position, "test"))
    assert context.baseline is None


def test_after_a_doubt_it_is_known_still_what_those_pits_hold_that_look_as_before(before: Cells) -> None:
    context, cells = remembering(before)
    pits, (_, position) = len(cells), context.game.playing
    context.say(VerdictGiven(kind="not-sure", player="S", before=str(position), position=str(position),
                             sentence="Look."))
    window = Window(pits, touched=True, baseline=context.baseline)
    loglik = np.zeros((pits, COUNTS), np.float32)
    window.add(Reading(0, loglik, np.ones(pits, np.bool_), cells=one_seed(cells, 1)))
    context.note_baseline(window, None)
    assert context.baseline is not None and context.baseline.counts.tolist() == [-1 if k == 1 else n for k, n in
                                                                  enumerate(position.counts)]
