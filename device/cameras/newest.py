"""Newest-frame semantics for a blocking device: a thread reads, and callers get the latest frame not yet given."""

import logging
import threading
from collections.abc import Callable, Sequence

from device.cameras.base import Camera, CameraGone, Size, size_for
from device.cameras.guard import FrameCounts, Guard
from engine.messages import Message
from vision.reading import Frame

log = logging.getLogger(__name__)

Grab = Callable[[], Frame | None]
"""Waits for the device's next frame; None if there was none this time. An exception ends the thread."""


class NewestFrame:
    """Runs `grab` in a thread and keeps only the newest frame: the table must never work off a queue of old pictures.

    passed: frames that newer ones replaced before anybody took them.
    """

    def __init__(self, grab: Grab, name: str, at_end: Callable[[], None] = lambda: None) -> None:
        """grab: see `Grab`; name: the thread's; at_end: called in the thread when it ends, however late."""
        self._grab, self._at_end = grab, at_end
        self._wake = threading.Condition()
        self._frame: Frame | None = None
        self._error: Exception | None = None
        self._ending = False
        self.passed = 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def take(self, timeout_s: float) -> Frame | None:
        """The newest frame not yet taken; None if none comes within `timeout_s`. Raises what ended the thread."""
        with self._wake:
            self._wake.wait_for(lambda: self._frame is not None or self._error is not None, timeout_s)
            frame, self._frame = self._frame, None
            if frame is None and self._error is not None:
                raise self._error
            return frame

    def stop(self, timeout_s: float = 5.0) -> bool:
        """Ask the thread to end and wait for it; False if the device still blocks it."""
        self._ending = True
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._follow()
        finally:
            self._at_end()

    def _follow(self) -> None:
        while not self._ending:
            try:
                frame = self._grab()
            except Exception as error:  # take() raises it in the caller's thread
                with self._wake:
                    self._error = error
                    self._wake.notify_all()
                return
            if frame is not None:
                with self._wake:
                    self.passed += self._frame is not None
                    self._frame = frame
                    self._wake.notify_all()


class DeviceCamera(Camera):
    """A live camera that blocks until its next frame: a thread reads it, and a guard watches its frames.

    A subclass defines `open`, which calls `_read_from` with a `NewestFrame`, and what grabs a frame for it, which
    passes each through `_guard.check`.
    """

    live = True
    let_go_s = 5.0
    """How long the thread may take to end, seconds."""

    def __init__(self, name: Message | str, closed: Message, sizes: Sequence[Size] = ()) -> None:
        """name: for people; closed: the message for reading while not open; sizes: picture sizes, ascending, if there
        is a choice."""
        self.name, self._closed, self._sizes = name, closed, sizes
        self._size = sizes[0] if sizes else (0, 0)
        self._guard = Guard(name)
        self._newest: NewestFrame | None = None

    @property
    def counts(self) -> FrameCounts:
        """The counts of the camera's frames."""
        return self._guard.counts

    def notes(self) -> list[str]:
        """See `Camera.notes`."""
        return self._guard.notes()

    def fit(self, columns: int) -> bool:
        """See `Camera.fit`."""
        before = self._size
        self._size = size_for(columns, self._sizes) if self._sizes else before
        return self._size != before

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        if self._newest is None:
            raise CameraGone(self._closed)
        return self._newest.take(timeout_s)

    def close(self) -> None:
        """See `Camera.close`."""
        newest, self._newest = self._newest, None
        if newest is not None:
            log.info("the %s is closed: %s", self.name, self._guard.counts.sentence())
            if not newest.stop(self.let_go_s):
                log.warning("the %s does not let go: its last picture is still waited for", self.name)

    def _read_from(self, newest: NewestFrame) -> None:
        """Begin to read the opened device."""
        self._guard.begin()
        self._newest = newest
        newest.start()
