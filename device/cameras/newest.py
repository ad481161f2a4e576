"""Newest-frame semantics for a device that blocks: a thread reads, whoever asks gets the latest frame not yet given."""

from __future__ import annotations

import threading
from collections.abc import Callable

from vision.reading import Frame

Grab = Callable[[], Frame | None]
"""Blocks for the device's next frame; None when it had none this time. Raises to end the thread."""


class NewestFrame:
    """Runs `grab` in a thread and keeps one frame: the table must never work off a queue of old pictures.

    at_end: called in the thread when it ends, however late. passed: frames that were replaced by newer ones before
    anybody took them.
    """

    def __init__(self, grab: Grab, name: str, at_end: Callable[[], None] = lambda: None) -> None:
        """grab: gives the device's next frame; name: of the thread; at_end: called in it when it ends."""
        self._grab, self._at_end = grab, at_end
        self._wake = threading.Condition()
        self._frame: Frame | None = None
        self._error: Exception | None = None
        self._ending = False
        self.passed = 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def take(self, timeout_s: float) -> Frame | None:
        """The newest frame not yet taken, waiting up to `timeout_s` for one; raises what ended the thread."""
        with self._wake:
            self._wake.wait_for(lambda: self._frame is not None or self._error is not None, timeout_s)
            frame, self._frame = self._frame, None
            if frame is None and self._error is not None:
                raise self._error
            return frame

    def stop(self, timeout_s: float = 5.0) -> bool:
        """Ask the thread to end and wait for it; False when the device still holds it."""
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
            except Exception as error:  # handed over to the thread that asks: see take()
                with self._wake:
                    self._error = error
                    self._wake.notify_all()
                return
            if frame is not None:
                with self._wake:
                    self.passed += self._frame is not None
                    self._frame = frame
                    self._wake.notify_all()
