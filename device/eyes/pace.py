"""Count the pictures that the camera gives, those that the table looks at, and those it had no time for."""

from collections import deque

from device.eyes.parameters import PACE
from vision.reading import Frame


class Pace:
    """Follows the frames that a table takes from its cameras.

    dropped: frames that newer ones replaced before the table took them. uncounted: frames that were due to be counted
    while the counter was busy. Both count from the table's start.
    """

    def __init__(self) -> None:
        """Start without any frame."""
        self.dropped = self.uncounted = 0
        self._taken: deque[tuple[float, int]] = deque(maxlen=PACE.frames)

    def opened(self) -> None:
        """Note that a camera was opened, whose frame numbers may start again."""
        self._taken.clear()

    def take(self, frame: Frame) -> None:
        """Note that the table takes this frame. Gaps in the frame numbers count as dropped frames."""
        if self._taken:
            self.dropped += max(0, frame.number - self._taken[-1][1] - 1)
        self._taken.append((frame.time_ns / 1e9, frame.number))

    @property
    def looked(self) -> float:
        """Frames a second that the table takes; 0 if unknown."""
        return self._rate(len(self._taken) - 1)

    @property
    def given(self) -> float:
        """Frames a second that the camera gives; 0 if unknown."""
        return self._rate(self._taken[-1][1] - self._taken[0][1]) if self._taken else 0.0

    @property
    def behind(self) -> bool:
        """Whether the table has for a while looked at too small a share of the camera's frames."""
        return len(self._taken) == PACE.frames and self.looked < PACE.good_part * self.given

    def _rate(self, frames: int) -> float:
        """Frames per second, if that many frames came within the tracked time."""
        seconds = self._taken[-1][0] - self._taken[0][0] if self._taken else 0.0
        return round(frames / seconds, 1) if seconds > 0 else 0.0
