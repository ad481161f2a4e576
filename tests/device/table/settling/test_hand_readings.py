"""Readings while hands are in play: bounded, in order, and none of the board after the hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from device.table.settling.hand_readings import MOST, HandReadings
from vision.reading import COUNTS, Reading


def reading(number: int, *, counted: bool = True) -> Reading:
    """A reading of one pit that holds its number, as far as that goes."""
    loglik = np.full((1, COUNTS), -9.0, np.float32)
    loglik[0, number % 25] = 0.0
    return Reading(number, loglik, np.ones(1, bool), counted=counted)


def told(readings: HandReadings) -> list[int]:
    return [int(row[0].argmax()) for row in readings.timeline(1).loglik]


def test_nothing_read_is_a_timeline_of_nothing() -> None:
    assert HandReadings().timeline(12).seen.shape == (0, 12)


def test_a_frame_that_was_not_counted_says_nothing() -> None:
    readings = HandReadings()
    readings.add(reading(3))
    readings.add(reading(4, counted=False))
    assert told(readings) == [3]


def test_the_board_after_the_hands_is_no_part_of_it_until_they_come_back() -> None:
    readings, later = HandReadings(), HandReadings()
    readings.add(reading(1))
    readings.add(reading(2), quiet=True)
    assert told(readings) == [1]
    later.add(reading(3))
    readings.follow(later)
    assert told(readings) == [1, 2, 3]
    readings.add(reading(4), quiet=True)
    assert told(readings) == [1, 2, 3]


def test_what_was_read_last_is_that_of_the_pits_that_lay_open_in_all_of_the_last_readings() -> None:
    readings = HandReadings()
    for number in (5, 5):
        readings.add(reading(number))
    assert not readings.lately(1)[1].any(), "two are too few"
    readings.add(replace(reading(5), seen=np.zeros(1, bool)))
    assert not readings.lately(1)[1].any(), "a hand was over it"
    later = readings.copy()
    for number in (3, 4, 4):
        later.add(reading(number))
    loglik, seen = later.lately(1)
    assert seen.all() and loglik[0].argmax() == 4 and not readings.lately(1)[1].any()
    readings.follow(later)
    assert readings.lately(1)[0][0].argmax() == 4


def test_a_long_move_is_thinned_out_evenly() -> None:
    readings = HandReadings()
    for number in range(5 * MOST):
        readings.add(reading(number * 24 // (5 * MOST)))
    kept = told(readings)
    assert MOST // 3 < len(kept) <= MOST
    assert kept == sorted(kept)
    shares = np.bincount(kept, minlength=24) / len(kept)
    assert shares.max() < 0.08 and shares.min() > 0.02
