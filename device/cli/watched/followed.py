"""A recording whose frames are shown to others while the table looks at them, and whose events several take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from device.cameras.base import Camera
from vision.reading import Frame


class Follower(Protocol):
    """Who follows a recording that is being refereed."""

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """The next frame is being looked at. duration_s: of the recording, None where it is unknown."""

    def event(self, form: dict[str, Any]) -> None:
        """The next event, in its kept form."""


class Followed(Camera):
    """The camera of a recording, and all who follow it. It gives the same frames as the camera."""

    live = False

    def __init__(self, camera: Camera, followers: Sequence[Follower]) -> None:
        """camera: of the recording, not yet open; followers: are shown its frames, and given the events by `emit`."""
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
        """An event, to all of them in their order."""
        for follower in self._followers:
            follower.event(form)
