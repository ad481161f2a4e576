"""Readings taken while hands are in play: not of a quiet board, but each pit that is open shows what it holds just
then."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.judge.verdict import Timeline
from vision.adapt import Adaptation
from vision.reading import COUNTS, Reading

MOST = 128
"""Readings kept of one move; of a longer one every second is let go, again and again."""


class Meanwhile:
    """The readings of one disturbance, in order of time. adaptation: how this table is to be read."""

    def __init__(self, adaptation: Adaptation) -> None:
        self._adaptation = adaptation
        self._readings: list[tuple[NDArray[np.float32], NDArray[np.bool_]]] = []
        self._every, self._skipped = 1, 0
        self._quiet = 0

    def add(self, reading: Reading, *, quiet: bool = False) -> None:
        """Take in a counted reading. quiet: it is of the board after the hands have left, as far as is known, and so
        no part of what went on before."""
        if not reading.counted:
            return
        self._skipped += 1
        if self._skipped < self._every and not quiet:
            return
        self._skipped = 0
        self._readings.append((reading.loglik, reading.seen))
        self._quiet = self._quiet + 1 if quiet else 0
        if len(self._readings) > MOST:
            self._readings = self._readings[::2]
            self._every *= 2
            self._quiet //= 2

    def follow(self, later: Meanwhile) -> None:
        """The hands came back, and it is one move: what lay there was not yet the end."""
        self._readings += later._readings
        self._quiet = 0

    def copy(self) -> Meanwhile:
        """The same readings, to be gone on with otherwise."""
        other = Meanwhile(self._adaptation)
        other._readings = list(self._readings)
        other._every, other._skipped, other._quiet = self._every, self._skipped, self._quiet
        return other

    def timeline(self, pits: int) -> Timeline:
        """The readings up to when the hands left, as they are to be read at this table."""
        told = self._readings[: len(self._readings) - self._quiet]
        loglik = np.array([row for row, _ in told], np.float64).reshape(-1, COUNTS)
        return Timeline(self._adaptation.apply(loglik).reshape(-1, pits, COUNTS),
                        np.array([seen for _, seen in told], np.bool_).reshape(-1, pits))
