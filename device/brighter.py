"""Dim pictures are shown to the eye brighter: it learned from pictures that a camera had exposed well, and in a board
that is nearly black it finds no pits that a person would. By how much is settled when the board is looked for, and
holds, so that no frame differs from the one before by it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.eyes import Looking, Placeable, Teachable
from vision.reading import BoardView, Frame, Reading

DIM = 65.0
"""Grey level of a picture's lights below which it is dim. Clips of dim tables were refereed no better brightened at 83
and 89; at 44 and 56 nothing was found, or nothing was said, unless they were.
"""
LIT = 230.0
"""The level to which they are brought."""
MOST = 5.0
"""Times as bright at most: noise grows as well."""
NIGHT = 20.0
"""Level below which nothing is to be seen, and that is for the eye to say."""
LIGHTS = 99.5
"""Percentile of a picture that counts as its lights: a lamp's mirror image is brighter than the table that it lights.
"""
EVERY = 8
"""Pixels between those that are looked at."""


class Brighter:
    """An eye that is shown dim pictures brighter."""

    def __init__(self, eye: Looking) -> None:
        self._eye = eye
        self._gain = 0.0

    @property
    def view(self) -> BoardView | None:
        """The board as it was found; None before."""
        return self._eye.view

    def look(self, frame: Frame, *, count: bool = True, afresh: bool = True) -> Reading:
        """What the frame says."""
        if self.view is None or self._gain != 1.0:
            lights = lights_of(frame.image)
            if self.view is None or self._gain == 0.0 or lights * self._gain > 2 * LIT:
                self._gain = min(MOST, LIT / lights) if NIGHT <= lights < DIM else 1.0
            if self._gain > 1.0 and lights >= NIGHT:
                bright = np.asarray(cv2.convertScaleAbs(frame.image, alpha=self._gain), np.uint8)
                frame = replace(frame, image=bright)
        return self._eye.look(frame, count=count, afresh=afresh)

    def place(self, view: BoardView) -> None:
        """From now on the board lies there."""
        assert isinstance(self._eye, Placeable)
        self._eye.place(view)

    def told(self, counts: NDArray[np.int64]) -> None:
        """The pits, as they were counted last, hold so many."""
        assert isinstance(self._eye, Teachable)
        self._eye.told(counts)


def lights_of(image: NDArray[np.uint8]) -> float:
    """The grey level, 0…255, of the brightest parts of a picture uint8[h, w, 3]."""
    return float(np.percentile(image[::EVERY, ::EVERY].max(axis=2), LIGHTS))
