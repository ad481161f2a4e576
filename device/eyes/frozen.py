"""Detect a camera that repeats one picture, or gives none: it would look as if nobody moved."""

import zlib

import numpy as np
from numpy.typing import NDArray

from device.eyes.parameters import FROZEN_LIMITS
from device.journal.messages import message

ROWS = 45
"""About this many rows of a picture are compared: all have noise, and a hand reaches over several."""
FROZEN = message("reason.frozen")
WHY = str(FROZEN)
SILENCE_S = 15.0
FIRST_S = 120.0
"""The first frame may take longer: a camera warms up, a small machine draws the simulated table."""


class FrozenPictures:
    """Detects repeated pictures of one camera; a sensor's noise makes real pictures differ.

    recorded: the pictures come from a recording, which may have no noise.
    """

    def __init__(self, *, recorded: bool = False) -> None:
        """recorded: see the class."""
        self._recorded = recorded
        self._sample: NDArray[np.uint8] | None = None
        self._unchanged_share = 0.0
        self._picture: int | None = None
        self._frames = 0
        self._same = 0
        self._longest = 0
        self._since = 0.0

    def look(self, image: NDArray[np.uint8], t: float) -> bool:
        """Whether the picture at `t` seconds, uint8[h, w, 3], is frozen."""
        sample = np.ascontiguousarray(image[::max(1, len(image) // ROWS)])
        if sample.max() < FROZEN_LIMITS.dull_grey or sample.min() > 255 - FROZEN_LIMITS.dull_grey:
            return False
        picture = zlib.crc32(sample.tobytes())
        self._frames += 1
        if picture != self._picture:
            if not self._stays(t):  # a freeze does not count as the camera's usual repetition
                self._longest = max(self._longest, self._same)
            self._picture, self._same, self._since = picture, 0, t
            self._compare(sample)
            return False
        self._same += 1
        return self._stays(t)

    def _compare(self, sample: NDArray[np.uint8]) -> None:
        before, self._sample = self._sample, sample if self._recorded else None
        if before is not None and before.shape == sample.shape:
            unchanged = np.count_nonzero(before == sample) / sample.size
            self._unchanged_share += (unchanged - self._unchanged_share) / FROZEN_LIMITS.average_pictures

    def _stays(self, t: float) -> bool:
        if self._unchanged_share > FROZEN_LIMITS.drawn_share:
            return False
        usual = max(FROZEN_LIMITS.frozen_frames, FROZEN_LIMITS.longer_factor * self._longest)
        long = self._same >= usual and t - self._since >= FROZEN_LIMITS.frozen_s
        return long and self._frames - self._same > FROZEN_LIMITS.first_frames


class Arrivals:
    """When a live camera's frames arrive, and how long the next one may take. Times are monotonic seconds.

    last: when the last frame came, or the camera was opened. waiting_since: when the table began to wait for the next.
    longest_s: a camera without a frame for this long counts as gone, even if it reports no error.
    """

    def __init__(self, now: float) -> None:
        """now: when the camera was opened."""
        self.last = self.waiting_since = now
        self.longest_s = FIRST_S
        self._usual = 0.0

    def heard(self, now: float) -> None:
        """Note that a frame came."""
        if self.longest_s == SILENCE_S:
            took = now - self.last
            self._usual += (took - self._usual) / 8 if self._usual else took
        self.last, self.longest_s = now, SILENCE_S

    def silent(self, now: float) -> bool:
        """Whether the wait for the next frame is longer than usual, not counting the time to read the last."""
        longest = max(FROZEN_LIMITS.silent_s, FROZEN_LIMITS.silent_factor * self._usual)
        return self.longest_s == SILENCE_S and now - self.waiting_since >= longest
