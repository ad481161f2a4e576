"""Average away the noise of pictures in little light where nothing moves: brightened, it would look like movement all
over the board, and no moment would be quiet. This starts with the first picture, so that the board is found, and its
pits' look is learnt, in pictures with less noise."""

from typing import Any

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from device.eyes.parameters import DENOISING
from vision.hands.pixels import most_of, quantile

HALVINGS = 2
"""How often a picture is halved for comparisons: blocks of four pixels a side are narrower than a seed and have little
noise."""
APART = np.array([[0.114, 0.587, 0.299], [-0.081, -0.419, 0.5], [0.5, -0.331, -0.169]], np.float32)
"""From blue, green and red to brightness and two chroma values: compressed pictures jump farther in chroma."""


class Denoiser:
    """Denoises one camera's pictures, in order. frames: how many it has had."""

    def __init__(self) -> None:
        """Start without any picture."""
        self.frames = 0
        self._jumps: list[NDArray[np.float32]] = []
        self._leaps: NDArray[np.float64] = np.full(3, DENOISING.widest_leap_grey)
        self._last: NDArray[np.float32] | None = None
        self._mean: NDArray[np.float32] | None = None
        self._coarse: NDArray[np.float32] | None = None
        self._share: NDArray[np.float32] | None = None

    def look(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        """float32[h, w, 3]: the picture uint8[h, w, 3] with less noise; new things in it show at once."""
        coarse = _coarsely(image)
        if self._last is None or self._last.shape != coarse.shape:
            self._mean = None
        elif len(self._jumps) < DENOISING.listened_frames:
            apart = _apart(coarse, self._last)[::3, ::3]
            leapt = np.asarray(np.percentile(apart, DENOISING.leap_percentile, axis=(0, 1)), np.float32)
            if leapt.max() > DENOISING.repeated_grey:
                self._jumps.append(leapt)
                calm = np.percentile(self._jumps, DENOISING.calm_percentile, axis=0)
                self._leaps = np.minimum(DENOISING.widest_leap_grey, DENOISING.leap_factor * calm)
        self._last = coarse
        self.frames += 1
        return self._steadied(image, coarse)

    def _steadied(self, image: NDArray[np.uint8], now: NDArray[np.float32]) -> NDArray[np.float32]:
        fine = image.astype(np.float32)
        if self._mean is None or self._coarse is None or self._share is None:
            self._mean, self._coarse, self._share = fine, now, np.ones(now.shape[:2], np.float32)
            return fine
        lit = _middle(now) / _middle(self._coarse)
        if abs(lit - 1) > DENOISING.light_change:
            self._mean *= np.float32(lit)
            self._coarse *= np.float32(lit)
        off = _apart(now, self._coarse)
        least, most = DENOISING.usual_factor, DENOISING.new_factor
        middle = np.array([quantile(off[::3, ::3, k].ravel(), 0.5) for k in range(3)])
        usual = np.maximum(middle + DENOISING.least_grey, self._leaps / least)
        new = most_of(off * (1 / usual).astype(np.float32))
        alike = np.maximum(np.float32(DENOISING.newest_share), self._share / (1 + self._share))
        share = np.clip((new - least) / (most - least), alike, 1.0).astype(np.float32)
        share = np.asarray(cv2.dilate(share, np.ones((3, 3), np.uint8)), np.float32)
        self._coarse, self._share = _mixed(now, self._coarse, share), share
        self._mean = _mixed(fine, self._mean, cv2.resize(share, (image.shape[1], image.shape[0])))
        return self._mean


def _coarsely(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """float32[h, w, 3]: the picture, halved `HALVINGS` times."""
    small: NDArray[Any] = image
    for _ in range(HALVINGS):  # five times as fast as in one step
        small = cv2.resize(small, (small.shape[1] // 2, small.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32[h, w, 3]: how much two coarse pictures differ around every pixel, in brightness and chroma."""
    return np.asarray(cv2.blur(np.abs(cv2.transform(one - other, APART)), (3, 3)), np.float32)


def _middle(picture: NDArray[np.float32]) -> float:
    """The median grey level, plus 1."""
    return float(quantile(picture[::3, ::3].ravel(), 0.5)) + 1


def _mixed(new: NDArray[np.float32], old: NDArray[np.float32], share: MatLike) -> NDArray[np.float32]:
    """The weighted mean of two pictures. share: float32[h, w], the weight of the new one at every pixel."""
    return np.asarray(cv2.blendLinear(new, old, share, 1 - share), np.float32)
