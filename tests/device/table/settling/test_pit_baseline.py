"""A pit that is in the stay that it was in still holds what it held."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.journal.events import VerdictGiven
from device.table.context import TableContext
from device.table.orders import game_started
from device.table.parameters import EVIDENCE
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window, misread_again
from device.table.settling.hand_readings import HandReadings
from device.table.settling.pit_baseline import PitBaseline
from device.table.verdict_events import FOLLOWS, position_set
from engine.judge.parameters import PICTURES
from tests.device.played_table import begun
from tests.device.told_stays import HARDLY, PLAINLY, in_stays
from vision.reading import COUNTS, Reading
from vision.seeds.parameters import CHANGE

PITS = 6
HELD = (4, 9, 0, 3, 12, 1)
STAYS = (0, 3, 1, 0, 2, 2)


def reading(says: tuple[int, ...], touched: tuple[int, ...] = (), seen: list[bool] | None = None,
            odds: float | tuple[float, ...] = PLAINLY) -> Reading:
    """Pits that are in `STAYS`, but for those that were touched."""
    loglik = np.full((PITS, COUNTS), -6.0, np.float32)
    loglik[np.arange(PITS), list(says)] = 0.0
    stays = [stay + 1 if pit in touched else stay for pit, stay in enumerate(STAYS)]
    return in_stays(Reading(0, loglik, np.array(seen if seen is not None else [True] * PITS)), stays, odds)


def kept() -> PitBaseline:
    return PitBaseline.of(np.array(STAYS), HELD)


def test_the_judge_is_told_how_surely_each_pit_was_touched() -> None:
    window = Window(PITS, touched=True, baseline=kept())
    window.add(reading(HELD, (0, 4), odds=(2.5, *[PLAINLY] * 5)))
    told = Disturbance(0.0, 1.0, window, HandReadings()).evidence.touched
    assert told is not None and told[[0, 4]].tolist() == [2.5, PLAINLY] and (told[[1, 2, 3, 5]] < -3).all()
    window = Window(PITS, touched=True)
    window.add(reading(HELD))
    assert Disturbance(0.0, 1.0, window, HandReadings()).evidence.touched is None


def test_what_vision_says_of_a_pit_is_not_weighed_once_more() -> None:
    window = Window(PITS, touched=True, baseline=kept())
    window.add(reading((5, 8, 0, 3, 12, 1), (0,)))
    assert window.counts.tolist() == [5, 8, 0, 3, 12, 1] and (window.loglik == window.raw).all()


def test_a_pit_that_was_hidden_then_or_is_now_tells_nothing() -> None:
    once = PitBaseline.of(np.where([True, False, True, True, True, True], STAYS, -1), HELD)
    window = Window(PITS, touched=True, baseline=once)
    window.add(reading((5, 8, 0, 2, 12, 1), (0,), [True, True, True, False, True, True]))
    assert window.unchanged.tolist() == [False, False, True, False, True, True]


def test_of_the_readings_the_newest_one_that_shows_a_pit_tells_in_which_stay_it_is() -> None:
    window = Window(PITS, touched=True, baseline=kept())
    window.add(reading(HELD, (1, 2, 3)))
    window.add(reading(HELD, (2,), [True, True, True, False, True, True]))
    assert window.stays is not None and window.stays.tolist() == [0, 3, 2, 1, 2, 2]
    assert window.unchanged.tolist() == [True, True, False, False, True, True]


def test_a_pit_that_plainly_looks_otherwise_is_changed_and_one_that_may_is_neither() -> None:
    window = Window(PITS, touched=True, baseline=kept())
    window.add(reading(HELD, (0, 4), odds=(*[PLAINLY] * 4, HARDLY, PLAINLY)))
    assert window.changed is not None
    assert window.changed.tolist() == [True, False, False, False, False, False]
    assert window.unchanged.tolist() == [False, True, True, True, False, True]


def test_it_is_not_known_what_has_changed_where_nothing_was_kept_or_another_board() -> None:
    window = Window(PITS, touched=True)
    window.add(reading(HELD))
    assert window.changed is None
    window = Window(PITS, touched=True, baseline=PitBaseline.of(np.array(STAYS[:4]), HELD[:4]))
    window.add(reading(HELD))
    assert window.changed is None and not window.unchanged.any()
    window = Window(PITS, touched=True, baseline=kept())
    window.add(Reading(0, np.zeros((PITS, COUNTS), np.float32), np.ones(PITS, np.bool_)))
    assert window.changed is None and window.stays is None, "an eye that tells no stays"


def test_a_pit_that_is_hidden_is_not_changed() -> None:
    window = Window(PITS, touched=True, baseline=kept())
    window.add(reading(HELD, (0, 1), [False] + [True] * 5))
    assert window.changed is not None and window.changed.tolist() == [False, True, False, False, False, False]


def test_a_pit_that_was_misread_and_plainly_changed_is_read_anew() -> None:
    # Pit 0 held four and was read as five, pit 1 held nine and was read as eight: now each has one more.
    window = Window(PITS, {0: (5, 4), 1: (8, 9)}, touched=True, baseline=kept())
    window.add(reading((5, 8, *HELD[2:]), (0, 1)))
    assert window.counts.tolist()[:2] == [5, 8], "what was misread as five is not there any more"
    odds = np.exp(window.loglik[:2])
    assert [odds[0, 4], odds[1, 9]] == pytest.approx([EVIDENCE.misread_again] * 2, rel=0.1)
    assert odds[:, [3, 6, 10]].max() < 0.02


def test_a_pit_that_was_misread_and_may_have_changed_is_one_or_the_other() -> None:
    window = Window(PITS, {0: (5, 4)}, touched=True, baseline=kept())
    window.add(reading((5, *HELD[1:]), (0, 4), odds=(HARDLY, *[PLAINLY] * 5)))
    assert window.changed is not None and not window.changed[0] and not window.unchanged[0]
    assert window.loglik[0, 4] == window.loglik[0, 5] == window.loglik[0].max()


def test_a_pit_that_was_counted_holds_that_though_vision_knows_it_by_now() -> None:
    for says in (5, 4):  # as the camera reads it, and once vision was told
        window = Window(PITS, {0: (5, 4)}, baseline=kept())
        window.add(reading((says, *HELD[1:])))
        assert window.loglik[0, 4] == 0 and (np.delete(window.loglik[0], 4) == EVIDENCE.against_counted).all()


@given(st.lists(st.floats(-15.0, 0.0), min_size=COUNTS, max_size=COUNTS), st.integers(-25, 25))
def test_what_was_misread_before_still_leaves_every_count_possible(loglik: list[float], by: int) -> None:
    said = misread_again(np.array(loglik), by)
    plain = np.array(loglik) - np.logaddexp.reduce(loglik)
    assert np.isfinite(said).all() and (said >= plain + np.log(1 - EVIDENCE.misread_again) - 1e-9).all()


def remembering() -> TableContext:
    """The context of a game that has begun, which knows the stays of the pits and what they hold."""
    context = begun().table._context
    _, position = context.game.playing
    context.baseline = PitBaseline.of(np.zeros(len(position.counts), np.int64), position.counts)
    return context


def touched_once(pits: int, loglik: np.ndarray) -> Reading:
    """A reading of pits of which one was touched."""
    return in_stays(Reading(0, loglik, np.ones(pits, np.bool_)), (np.arange(pits) == 1).astype(np.int64))


def test_in_which_stays_the_pits_were_is_known_though_it_is_not_known_any_more_what_they_hold() -> None:
    context = remembering()
    rules, position = context.game.playing
    pits = len(position.counts)
    context.say(position_set(position, FOLLOWS))
    baseline = context.baseline
    assert baseline is not None and (baseline.counts == -1).all() and not baseline.stays.any()
    window = context.new_window(touched=True)
    says = tuple(range(pits))
    loglik = np.full((pits, COUNTS), -6.0, np.float32)
    loglik[np.arange(pits), says] = 0.0
    window.add(touched_once(pits, loglik))
    assert tuple(window.counts) == says, "nothing is known of what they hold"
    assert window.changed is not None and np.flatnonzero(window.changed).tolist() == [1]
    context.note_baseline(window, None)
    baseline = context.baseline
    assert baseline is not None and (baseline.counts == -1).all() and np.flatnonzero(baseline.stays).tolist() == [1]
    context.say(game_started(rules, position, "test"))
    assert context.baseline is None


def test_the_eye_hears_that_what_the_pits_hold_is_not_known_any_more() -> None:
    for another in (False, True):
        context = remembering()
        rules, position = context.game.playing
        context.say(game_started(rules, position, "test") if another else position_set(position, FOLLOWS))
        assert context.to_teach is not None and set(context.to_teach.counts) == {-1}


def test_after_a_doubt_it_is_known_still_what_those_pits_hold_that_look_as_before() -> None:
    context = remembering()
    _, position = context.game.playing
    pits = len(position.counts)
    context.say(VerdictGiven(kind="not-sure", player="S", before=str(position), position=str(position),
                             sentence="Look."))
    window = Window(pits, touched=True, baseline=context.baseline)
    window.add(touched_once(pits, np.zeros((pits, COUNTS), np.float32)))
    context.note_baseline(window, None)
    assert context.baseline is not None and context.baseline.counts.tolist() == [-1 if k == 1 else n for k, n in
                                                                  enumerate(position.counts)]


def test_all_rooms_mean_the_same_by_a_pit_that_looks_as_it_did() -> None:
    assert EVIDENCE.same_log_odds == PICTURES.same_log_odds == CHANGE.same_log_odds


def test_how_the_eye_errs_is_told_by_legal_moves_alone() -> None:
    """What leaves out what was misread, or is told of a fault, was made of what was read."""
    played = begun()
    played.table.counts_to_teach()
    played.play()
    lesson = played.table.counts_to_teach()
    assert lesson is not None and lesson.errors and lesson.counts == played.game.playing[1].counts
    window = played.table.window
    context = played.table._context
    context.note_baseline(window, played.game.playing[1], but=[2])
    assert context.to_teach is not None and not context.to_teach.errors
