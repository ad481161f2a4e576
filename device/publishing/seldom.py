"""Rate-limited logging: what comes from outside must not fill the log."""

import logging
import time
from collections.abc import Callable


class Seldom:
    """Logs one kind of warning at most every `pause_s` seconds, with the number of those left out. clock: monotonic,
    seconds."""

    def __init__(self, log: logging.Logger, pause_s: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with nothing logged."""
        self._log, self._pause_s, self._clock = log, pause_s, clock
        self._said = -pause_s
        self._unsaid = 0

    def warn(self, text: str) -> None:
        """Log the warning, or count it for the next one."""
        now = self._clock()
        if now - self._said < self._pause_s:
            self._unsaid += 1
            return
        more = f" (and {self._unsaid} more like it since the last such line)" if self._unsaid else ""
        self._said, self._unsaid = now, 0
        self._log.warning("%s%s", text, more)
