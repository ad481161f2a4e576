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


def seen(*stretches: tuple[tuple[float, float], int], still: tuple[float, float] = NONE
         ) -> Iterator[tuple[int, Observed]]:
    """Observations of a board that stays as it is, each with the index of its stretch: hands, and number of frames.
    still: hands that do not move, and hide a pit."""
    observer, stays, ns = Observer(), Stays(), 0
    stays.show([1] * PITS)
    for k, (hands, frames) in enumerate(stretches):
        for _ in range(frames):
            ns += round(1e9 / FPS)
            lies = any(hands) and hands == still
            reading = Reading(ns, likelihoods([1] * PITS), np.arange(PITS) >= lies, hands,
                              motion=0.05 * (any(hands) and not lies))
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


def test_what_is_left_of_a_hand_and_lies_still_is_soon_part_of_the_rest() -> None:
    """Seeds beside a pit are taken for a hand's end; the next hand comes before a plain hand would count as lying."""
    wide, remnant = (0.0, 0.2), (0.0, 0.02)
    observed = [(k, o.over, bool(o.observation.seen[0]))
                for k, o in seen((NONE, 15), (wide, 10), (remnant, 10), ((0.08, 0.02), 5), still=remnant) if k >= 2]
    assert observed[0] == (2, False, False) and observed[-1] == (3, True, False), observed
    assert sum(over for _, over, _ in observed) == 1
    plain = [o for k, o in seen((NONE, 15), (SOUTH, 10), (NORTH, 10), still=NORTH) if k == 2 and not o.over]
    assert not plain


def test_an_observation_stays_as_it_was_while_the_rest_is_read_on() -> None:
    """The referee may read it later, on another thread."""
    observer, stays, said = Observer(), Stays(), list[Observed]()
    stays.show([1] * PITS)
    for k in range(20):
        if k == 10:
            stays.show([1] * PITS, [2])
        reading = Reading(round((k + 1) * 1e9 / FPS), likelihoods([1] * PITS), np.ones(PITS, np.bool_))
        said += [one for one in observer.add(stays.told(reading)) if isinstance(one, Observed)]
    first, last = said[0].observation, said[-1].observation
    assert first.stays.tolist() == [0] * PITS and last.stays[2] != 0
    assert not np.shares_memory(first.changed, last.changed)
