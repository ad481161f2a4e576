"""A recording with followers: each gets its frames while the table looks at them, and its events."""

from collections.abc import Sequence
from typing import Any, Protocol

from device.cameras.base import Camera
from vision.reading import Frame


class Follower(Protocol):
    """Follows a recording while it is refereed."""

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Take the next frame, before the table. duration_s: the recording's, None if unknown."""

    def event(self, form: dict[str, Any]) -> None:
        """Take the next event, in its output form."""


class Followed(Camera):
    """A camera that gives the frames of a recording's camera, and shows them to its followers."""

    live = False

    def __init__(self, camera: Camera, followers: Sequence[Follower]) -> None:
        """camera: the recording's, not yet open; followers: get its frames, and the events by `emit`."""
        self._camera, self._followers, self.name = camera, followers, camera.name

    def open(self) -> None:
        """See `Camera.open`."""
        self._camera.open()

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        frame = self._camera.read(timeout_s)
        if frame is not None:
            for follower in self._followers:
                follower.frame(frame, self._camera.duration_s)
        return frame

    def close(self) -> None:
        """See `Camera.close`."""
        self._camera.close()

    def emit(self, form: dict[str, Any]) -> None:
        """Pass an event to all followers, in order."""
        for follower in self._followers:
            follower.event(form)
