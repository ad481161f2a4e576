"""The observer alone: when the board is observed while hands come and go."""

from collections.abc import Iterator

import numpy as np

from device.table.observing import Observed, Observer
from engine.board import Side
from tests.device.played_table import FPS, likelihoods
from tests.device.told_stays import Stays
from vision.reading import Reading

PITS = 4
SOUTH, NORTH, BOTH, NONE = (0.08, 0.0), (0.0, 0.08), (0.08, 0.08), (0.0, 0.0)


def seen(*stretches: tuple[tuple[float, float], int]) -> Iterator[tuple[int, Observed]]:
    """Observations of a board that stays as it is, each with the index of its stretch: hands, and number of frames."""
    observer, stays, ns = Observer(PITS), Stays(), 0
    stays.show([1] * PITS)
    for k, (hands, frames) in enumerate(stretches):
        for _ in range(frames):
            ns += round(1e9 / FPS)
            reading = Reading(ns, likelihoods([1] * PITS), np.ones(PITS, np.bool_), hands, motion=0.05 * any(hands))
            for said in observer.add(stays.told(reading)):
                if isinstance(said, Observed):
                    yield k, said


def test_a_hand_gives_way_to_one_that_stays() -> None:
    """The board is observed once, at the change, and it is the first hand's doing."""
    handed = [o for k, o in seen((NONE, 15), (SOUTH, 10), (BOTH, 5), (NORTH, 10)) if k == 3 and o.over]
    assert [o.observation.hands[Side.SOUTH] for o in handed] == [0.08]
    assert handed[0].observation.hands[Side.NORTH] < 0.04


def test_when_both_hands_have_left_the_next_one_takes_over_from_nobody() -> None:
    """Both leave within a frame, the board rests; then a hand comes: only the rest ends."""
    observed = list(seen((NONE, 15), (SOUTH, 10), (BOTH, 5), (NORTH, 1), (NONE, 30), (NORTH, 20)))
    ends = [o.observation for k, o in observed if k == 5 and o.over]
    assert [o.rest_s > 0 for o in ends] == [True]
