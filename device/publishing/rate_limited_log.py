"""Rate-limited logging: what comes from outside must not fill the log."""

import logging
import time

PAUSE_S = 60.0


class RateLimitedLog:
    """Logs one kind of warning at most every `PAUSE_S` seconds, with the number of those left out."""

    def __init__(self, log: logging.Logger) -> None:
        """Start with nothing logged."""
        self._log, self._said = log, -PAUSE_S
        self._unsaid = 0

    def warn(self, text: str) -> None:
        """Log the warning, or count it for the next one."""
        now = time.monotonic()
        if now - self._said < PAUSE_S:
            self._unsaid += 1
            return
        more = f" (and {self._unsaid} more like it since the last such line)" if self._unsaid else ""
        self._said, self._unsaid = now, 0
        self._log.warning("%s%s", text, more)
