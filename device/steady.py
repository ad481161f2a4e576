"""Pictures taken in little light, with their noise averaged away where nothing moves: made brighter, it would look like
something that moves all over the board, and no moment would be quiet."""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.canvas import OFFSET

SHARE = 0.15
"""Of a new picture in the mean, where it shows nothing new."""
COARSE = 4
"""Pixels a side that are held against each other together: a seed is wider, and of their noise little is left."""
USUAL, NEW, LEAST = 2.5, 5.0, 0.2
"""Times what the picture differs by in the middle, and so many grey levels, up to which there is nothing new, and from
which on there is."""
MANY, CALM, BEYOND, WIDEST = 99.0, 25.0, 1.5, 5.0
"""Percentile of the picture that leaps no farther between two frames, the percentile of these over the frames that are
listened to, how many times as far there is nothing new, and grey levels that it is at most: what was packed small
stands as it stood in most of its blocks, so that in the middle nothing differs, and leaps in some."""
FRAMES = 16
"""From one to the next of which the noise is measured, by the calmest: a hand comes and goes."""
SOME, BEARABLE = 95.0, 0.1
"""Percentile of the board, and by how much (natural log of light) so little of it may differ from frame to frame: more
is what `vision.hands` takes for a movement."""
APART = np.array([[0.114, 0.587, 0.299], [-0.081, -0.419, 0.5], [0.5, -0.331, -0.169]], np.float32)
"""Brightness and both colours of blue, green and red: a picture that was packed small leaps farther in its colours."""
LIGHT = 0.03
"""Share by which a whole picture is brighter or darker for its light to have changed."""


class Steady:
    """One camera's pictures, in order. at: pixels of the board, their y and their x; gain: times as bright as they are
    to be shown."""

    def __init__(self, at: tuple[NDArray[np.int64], NDArray[np.int64]], gain: float) -> None:
        self._at, self._gain = at, gain
        self._before: NDArray[np.float32] | None = None
        self._restless: list[float] = []
        self._jumps: list[NDArray[np.float32]] = []
        self._mean: NDArray[np.float32] | None = None
        self._coarse: NDArray[np.float32] | None = None
        self._leaps: NDArray[np.float64] = np.zeros(3)

    def still(self, at: tuple[NDArray[np.int64], NDArray[np.int64]], gain: float) -> bool:
        """Whether it holds on, with all that is known of the noise, where the board is found to lie elsewhere."""
        self._at, self._before = at, None
        return gain == self._gain

    def look(self, image: NDArray[np.uint8]) -> NDArray[np.uint8] | NDArray[np.float32]:
        """float32[h, w, 3]: the picture uint8[h, w, 3] with less noise; what is new in it stands there at once. The
        picture itself as long as its noise is not known, and where it is no more than an eye can bear."""
        if len(self._restless) < FRAMES:
            self._listen(image)
            return image
        if min(self._restless) <= BEARABLE:
            return image
        if self._mean is None:
            self._leaps = np.minimum(WIDEST, BEYOND * np.percentile(self._jumps, CALM, axis=0))
        return self._steadied(image)

    def _listen(self, image: NDArray[np.uint8]) -> None:
        now = np.log(cv2.blur(image, (3, 3))[self._at] * np.float32(self._gain) + np.float32(OFFSET))
        coarse = _coarsely(image)
        if self._before is not None and self._coarse is not None and self._coarse.shape == coarse.shape:
            leapt = _apart(coarse, self._coarse)[::3, ::3]
            self._jumps.append(np.asarray(np.percentile(leapt, MANY, axis=(0, 1)), np.float32))
            off = now - self._before
            self._restless.append(float(np.percentile(np.abs(off - np.median(off, axis=0)).max(axis=1), SOME)))
        self._before, self._coarse = now, coarse

    def _steadied(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        now = _coarsely(image)
        fine = image.astype(np.float32)
        if self._mean is None or self._coarse is None or self._mean.shape != image.shape:
            self._mean, self._coarse = fine, now
            return fine
        lit = _middle(now) / _middle(self._coarse)
        if abs(lit - 1) > LIGHT:
            self._mean *= np.float32(lit)
            self._coarse *= np.float32(lit)
        off = _apart(now, self._coarse)
        usual = np.maximum(np.median(off[::3, ::3], axis=(0, 1)) + LEAST, self._leaps / USUAL)
        new = (off * (1 / usual).astype(np.float32)).max(axis=2)
        share = np.clip((new - USUAL) / (NEW - USUAL), SHARE, 1.0).astype(np.float32)
        share = cv2.dilate(share, np.ones((3, 3), np.uint8))
        self._coarse = _mixed(now, self._coarse, share)
        self._mean = _mixed(fine, self._mean, cv2.resize(share, (image.shape[1], image.shape[0])))
        return self._mean


def _coarsely(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """float32[h, w, 3], a smaller picture, each pixel the mean of `COARSE` times `COARSE`."""
    size = image.shape[1] // COARSE, image.shape[0] // COARSE
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32[h, w, 3], by how much two such pictures differ about every pixel, in brightness and both colours."""
    return np.asarray(cv2.blur(np.abs(cv2.transform(one - other, APART)), (3, 3)), np.float32)


def _middle(picture: NDArray[np.float32]) -> float:
    """The grey level of its middle, and one more."""
    return float(np.median(picture[::3, ::3])) + 1


def _mixed(new: NDArray[np.float32], old: NDArray[np.float32], share: MatLike) -> NDArray[np.float32]:
    """The new picture with so much of a share in every pixel, float32[h, w], and the old one for the rest."""
    return np.asarray(cv2.blendLinear(new, old, share, 1 - share), np.float32)
