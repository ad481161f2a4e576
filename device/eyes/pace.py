"""How many pictures the camera gives, how many of them the table looks at, and what it had no time for."""

from __future__ import annotations

from collections import deque

from device.eyes.parameters import PACE
from vision.reading import Frame


class Pace:
    """Follows the frames that a table takes from its cameras.

    dropped: frames that a camera gave and that newer ones replaced before the table took them. uncounted: frames that
    were to be counted while the counter was busy. Both are counted from the table's start.
    """

    def __init__(self) -> None:
        """No frame was taken yet."""
        self.dropped = self.uncounted = 0
        self._taken: deque[tuple[float, int]] = deque(maxlen=PACE.frames)

    def opened(self) -> None:
        """A camera was opened (again): it may count its frames anew."""
        self._taken.clear()

    def take(self, frame: Frame) -> None:
        """The table takes this frame. What is missing in the numbers was dropped on the way."""
        if self._taken:
            self.dropped += max(0, frame.number - self._taken[-1][1] - 1)
        self._taken.append((frame.time_ns / 1e9, frame.number))

    @property
    def looked(self) -> float:
        """Frames a second that the table takes; 0 where that is not known."""
        return self._rate(len(self._taken) - 1)

    @property
    def given(self) -> float:
        """Frames a second that the camera gives; 0 where that is not known."""
        return self._rate(self._taken[-1][1] - self._taken[0][1]) if self._taken else 0.0

    @property
    def behind(self) -> bool:
        """Whether the table looks at fewer of them than it should, and has for a while."""
        return len(self._taken) == PACE.frames and self.looked < PACE.good_part * self.given

    def _rate(self, frames: int) -> float:
        """So many frames in the time of those that are followed, a second."""
        seconds = self._taken[-1][0] - self._taken[0][0] if self._taken else 0.0
        return round(frames / seconds, 1) if seconds > 0 else 0.0
