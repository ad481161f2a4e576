"""Play a recording as a live camera: frames come in real time, and late ones are dropped."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from device.cameras.base import Camera, EndOfRecording
from vision.reading import Frame


@dataclass
class InRealTime(Camera):
    """A live camera that plays a recording. clock: seconds; sleep: waits for some seconds.

    dropped: frames that were skipped, since the next one was due already.
    """

    recording: Camera
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    dropped: int = 0
    live = True
    _offset: float | None = field(default=None, init=False)
    _first: float = field(default=0.0, init=False)
    _next: Frame | None = field(default=None, init=False)
    _end: EndOfRecording | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Take the recording's name."""
        self.name = self.recording.name

    def open(self) -> None:
        """Open the recording; its time begins with its first frame. Raises what the recording's `open` raises."""
        self.recording.open()
        self._offset, self._next, self._end, self.dropped = None, None, None, 0

    def close(self) -> None:
        """Close the recording."""
        self.recording.close()

    def read(self, timeout_s: float) -> Frame | None:
        """Wait until a frame is due and return the newest due one. Raises what the recording's `read` raises."""
        frame = self._next or self._following(timeout_s)
        if frame is None:
            raise self._end or EndOfRecording()
        if self._offset is None:
            self._first = frame.time_ns / 1e9
            self._offset = self.clock() - self._first
        self._next = self._following(timeout_s)
        while self._next is not None and self._due(self._next) <= 0:
            frame, self.dropped = self._next, self.dropped + 1
            self._next = self._following(timeout_s)
        self.sleep(max(0.0, self._due(frame)))
        return frame

    @property
    def passed(self) -> float:
        """Seconds by the clock since the recording's first frame, without those of `stand_still`; 0 before it."""
        return 0.0 if self._offset is None else self.clock() - self._offset - self._first

    def stand_still(self, seconds: float) -> None:
        """Do not count these seconds, in which somebody waited, as time of the recording."""
        if self._offset is not None:
            self._offset += seconds

    def _due(self, frame: Frame) -> float:
        """Seconds until the frame is due, negative if it is late."""
        assert self._offset is not None
        return frame.time_ns / 1e9 + self._offset - self.clock()

    def _following(self, timeout_s: float) -> Frame | None:
        """The recording's next frame; None at its end."""
        if self._end is not None:
            return None
        try:
            return self.recording.read(timeout_s)
        except EndOfRecording as end:
            self._end = end
            return None
