"""How much of the time counting may take. A machine that falls behind follows the hands first.

The camera's frames never queue up: whoever asks gets the newest (`device.cameras.newest`), so a slow machine sees fewer
of them. Counting costs the most; while hands are in play it may take a share of the time and no more, lest it keep the
table from seeing what the hands do. Pictures are not made smaller instead: what is saved would be paid with seeds that
run into one another, and a false accusation is worse than a late verdict.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from device.eyes.parameters import BUDGET


class Budget:
    """Allows the next counting once the last has been paid for. clock: seconds, of what work costs; frames bring their
    own time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds."""
        self._clock = clock
        self._cost = 0.0
        self._counted_ns = 0

    def allows(self, time_ns: int) -> bool:
        """Whether a frame of that time may be counted while hands are in play. A clock that was set back allows it."""
        passed = (time_ns - self._counted_ns) / 1e9
        return passed < 0 or passed >= self._cost / BUDGET.count_share

    @contextmanager
    def counting(self, time_ns: int) -> Iterator[None]:
        """Around the work on a frame of that time that is counted."""
        began = self._clock()
        yield
        took = self._clock() - began
        self._cost = took if not self._cost else (1 - BUDGET.newest_weight) * self._cost + BUDGET.newest_weight * took
        self._counted_ns = time_ns
