"""What the canvas usually looks like without a hand, and which of two pictures of a region looks more usual."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.canvas import UNIT
from vision.hands.parameters import REFERENCE

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]



@dataclass(frozen=True, slots=True)
class ReferenceStats:
    """What the canvas looks like without a hand: the middle and the spread of each strip's colours.

    Beside the board every line along its edge is a strip of its own, so that a narrow border and the table beyond it do
    not share one. strips: int[h, w], -1 where none is known; middle, spread: float32[strips, 3].
    """

    strips: NDArray[np.int64]
    middle: Float
    spread: Float

    @classmethod
    def of(cls, picture: Float, strips: NDArray[np.int16], free: Mask) -> ReferenceStats:
        """Measure a picture of the canvas float32[h, w, 3], natural log of light. strips: int16[h, w], as in
        `vision.hands.canvas.Canvas`; free: bool[h, w], where no hand is."""
        n = int(strips.max()) + 1
        middle, spread = np.zeros((2, n, 3), np.float32)
        known = np.zeros(n + 1, np.bool_)  # the last entry stands for the pits, which belong to no strip
        at = np.flatnonzero(free & (strips >= 0))
        at = at[np.argsort(strips.ravel()[at], kind="stable")]
        bounds = np.searchsorted(strips.ravel()[at], np.arange(n + 1))
        for k in range(n):
            pixels = picture.reshape(-1, 3)[at[bounds[k]:bounds[k + 1]]]
            known[k] = len(pixels) >= REFERENCE.fewest_pixels
            if known[k]:
                middle[k] = np.median(pixels, axis=0)
                off = np.median(np.abs(pixels - middle[k]), axis=0)
                spread[k] = off * REFERENCE.spread_factor + REFERENCE.least_spread
        return cls(np.where(known[strips], strips, -1).astype(np.int64), middle, spread)

    def less_typical(self, then: Float, now: Float, one: Mask) -> bool:
        """Whether the region `one` looks clearly less usual in `then` than in `now`, averaged by area over ridge and
        surroundings."""
        odd = [0.0, 0.0]
        weight = 0
        for zone in (self.strips == 0, self.strips > 0):
            asked = one & zone
            n = int(asked.sum())
            if n >= REFERENCE.least_area * UNIT**2:
                weight += n
                strip = self.strips[asked]
                for k, picture in enumerate((then, now)):
                    off = np.abs((picture[asked] - self.middle[strip]) / self.spread[strip]).max(1)
                    odd[k] += n * float(np.median(off))
        return weight > 0 and odd[1] / weight + REFERENCE.odder_by < REFERENCE.odder_share * odd[0] / weight


def spread(one: Mask, over: Mask, others: Mask) -> Mask:
    """Return the region together with all parts of `over` that touch it, except what lies nearer to another region."""
    own = over & (_distance(one) < _distance(others)) if others.any() else over
    _, parts = cv2.connectedComponents((one | own).astype(np.uint8), connectivity=8)
    return np.asarray((one | own) & np.isin(parts, np.unique(parts[one])), np.bool_)


def _distance(part: Mask) -> Float:
    """float32[h, w], the distance in pixels of every pixel from the part bool[h, w]."""
    return np.asarray(cv2.distanceTransform((~part).astype(np.uint8), cv2.DIST_L2, 3), np.float32)
