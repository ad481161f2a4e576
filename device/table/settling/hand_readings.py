"""Readings taken while hands are in play: not of a quiet board, but each pit that is open shows what it holds just
then."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from device.table.parameters import HANDS
from engine.judge.verdict import Timeline
from vision.reading import COUNTS, Reading

MOST = 128
"""Readings kept of one move; of a longer one every second is let go, again and again."""


class HandReadings:
    """The readings of one disturbance, in order of time."""

    def __init__(self) -> None:
        """Nothing was read."""
        self._readings: list[tuple[NDArray[np.float32], NDArray[np.bool_]]] = []
        self._newest: deque[tuple[NDArray[np.float32], NDArray[np.bool_]]] = deque(maxlen=HANDS.last_readings)
        self._every, self._skipped = 1, 0
        self._quiet = 0
        self._last, self._usual = 0, float(HANDS.usual_interval_ns)

    def add(self, reading: Reading, *, quiet: bool = False) -> None:
        """Take in a counted reading. quiet: it is of the board after the hands have left, as far as is known, and so
        no part of what went on before."""
        if not reading.counted:
            return
        passed, self._last = reading.time_ns - self._last, reading.time_ns
        if 0 < passed < HANDS.longest_interval_ns and not quiet:
            self._usual += HANDS.newest_interval_weight * (passed - self._usual)
        self._add(reading.loglik, reading.seen, quiet)

    def missed(self, time_ns: int, pits: int) -> None:
        """Nothing could be seen until then. That is told by readings in which every pit is hidden, as many as there
        would have been: they say of no pit what it held, and that a hand may have been over any of them."""
        nothing = np.zeros((pits, COUNTS), np.float32), np.zeros(pits, np.bool_)
        for _ in range(round((time_ns - self._last) / self._usual) - 1 if self._last else 0):
            self._add(*nothing)
        self._last = time_ns

    def _add(self, loglik: NDArray[np.float32], seen: NDArray[np.bool_], quiet: bool = False) -> None:
        self._newest.append((loglik, seen))
        self._skipped += 1
        if self._skipped < self._every and not quiet:
            return
        self._skipped = 0
        self._readings.append((loglik, seen))
        self._quiet = self._quiet + 1 if quiet else 0
        if len(self._readings) > MOST:
            self._readings = self._readings[::2]
            self._every *= 2
            self._quiet //= 2

    def follow(self, later: HandReadings) -> None:
        """The hands came back, and it is one move: what lay there was not yet the end."""
        self._readings += later._readings
        self._newest.extend(later._newest)
        self._quiet = 0
        self._last = max(self._last, later._last)

    def copy(self) -> HandReadings:
        """The same readings, to be gone on with otherwise."""
        other = HandReadings()
        other._readings, other._newest = list(self._readings), self._newest.copy()
        other._every, other._skipped, other._quiet = self._every, self._skipped, self._quiet
        other._last, other._usual = self._last, self._usual
        return other

    def lately(self, pits: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """What the newest readings say, float64[pits, 26], a mean; and bool[pits], which pits were
        open in all of them: no hand had anything to do there any more."""
        if len(self._newest) < HANDS.last_readings:
            return np.zeros((pits, COUNTS)), np.zeros(pits, np.bool_)
        loglik, seen = (np.array([one[k] for one in self._newest]) for k in (0, 1))
        return np.asarray(loglik.mean(axis=0), np.float64), np.asarray(seen.all(axis=0), np.bool_)

    def timeline(self, pits: int) -> Timeline:
        """The readings up to when the hands left."""
        told = self._readings[: len(self._readings) - self._quiet]
        loglik = np.array([row for row, _ in told], np.float64).reshape(-1, COUNTS)
        return Timeline(loglik.reshape(-1, pits, COUNTS),
                        np.array([seen for _, seen in told], np.bool_).reshape(-1, pits))
