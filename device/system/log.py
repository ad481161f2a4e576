"""What the program says beside the page: one line each on standard error, with levels where systemd's journal reads."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from contextlib import suppress

LEVELS = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""Python's levels as syslog's, which systemd takes from the front of a line."""


class LineFormatter(logging.Formatter):
    """One line a message, whatever is in it. levels: with syslog's level in front."""

    def __init__(self, levels: bool) -> None:
        """levels: each line begins with its level, as journald reads it."""
        super().__init__("%(message)s")
        self._levels = levels

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        text = " | ".join(line for line in super().format(record).splitlines() if line.strip())
        return f"<{LEVELS.get(record.levelno, 6)}>{text}" if self._levels else f"inkeek: {text}"


class StandardError(logging.Handler):
    """Writes to whatever standard error is at the time."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line. A standard error that nobody reads any more is no reason to stop."""
        with suppress(OSError, ValueError):
            print(self.format(record), file=sys.stderr, flush=True)


def to_standard_error(environment: Mapping[str, str] | None = None, level: int = logging.INFO) -> None:
    """Log from now on; by people's terminals warnings and worse alone, into systemd's journal all from `level` on."""
    env = os.environ if environment is None else environment
    levels = bool(env.get("JOURNAL_STREAM"))
    handler = StandardError()
    handler.setFormatter(LineFormatter(levels))
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old, StandardError)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level if levels else logging.WARNING)
