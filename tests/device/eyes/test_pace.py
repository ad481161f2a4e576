"""How many pictures the table looks at, of those that the camera gives."""

import numpy as np

from device.eyes.pace import Pace
from device.eyes.parameters import PACE
from vision.reading import Frame


def taken(pace: Pace, numbers: range, per_second: float) -> Pace:
    """The same, after the table took the frames with these numbers of a camera that gives so many a second."""
    for number in numbers:
        pace.take(Frame(np.zeros((1, 1, 3), np.uint8), round(number / per_second * 1e9), number))
    return pace


def test_where_the_table_takes_every_frame_nothing_is_missing() -> None:
    pace = taken(Pace(), range(40), 30.0)
    assert (pace.looked, pace.given, pace.dropped, pace.behind) == (30.0, 30.0, 0, False)


def test_what_is_missing_in_the_numbers_was_dropped() -> None:
    pace = taken(Pace(), range(0, 120, 3), 30.0)
    assert (pace.looked, pace.given, pace.dropped, pace.behind) == (10.0, 30.0, 78, True)


def test_a_few_that_are_missing_are_counted_and_not_complained_of() -> None:
    pace = taken(taken(Pace(), range(40), 30.0), range(42, 60), 30.0)
    assert pace.dropped == 2 and not pace.behind


def test_it_is_not_said_before_it_has_lasted() -> None:
    pace = taken(Pace(), range(0, 3 * (PACE.frames - 1), 3), 30.0)
    assert not pace.behind
    assert taken(pace, range(3 * (PACE.frames - 1), 3 * PACE.frames, 3), 30.0).behind


def test_another_camera_counts_anew() -> None:
    pace = taken(Pace(), range(0, 60, 2), 30.0)
    pace.opened()
    assert (pace.looked, pace.given, pace.dropped) == (0.0, 0.0, 29)
    assert taken(pace, range(1000, 1002), 30.0).dropped == 29


def test_nothing_is_known_of_nothing() -> None:
    assert (Pace().looked, Pace().given, Pace().behind) == (0.0, 0.0, False)
    assert (taken(Pace(), range(1), 30.0).looked, taken(Pace(), range(1), 30.0).given) == (0.0, 0.0)
