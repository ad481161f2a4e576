"""Log messages on standard error, one line each, with levels if systemd's journal reads them."""

import logging
import os
import sys
from collections.abc import Mapping
from contextlib import suppress

LEVELS = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""Syslog's level for each of Python's; systemd reads it at the start of a line."""


class LineFormatter(logging.Formatter):
    """Formats each message as one line, even if it holds several."""

    def __init__(self, levels: bool) -> None:
        """levels: begin each line with its level, for journald."""
        super().__init__("%(message)s")
        self._levels = levels

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        text = " | ".join(line for line in super().format(record).splitlines() if line.strip())
        return f"<{LEVELS.get(record.levelno, 6)}>{text}" if self._levels else f"inkeek: {text}"


class StandardError(logging.Handler):
    """Writes to the current `sys.stderr`."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line; a closed standard error is ignored."""
        with suppress(OSError, ValueError):
            print(self.format(record), file=sys.stderr, flush=True)


def to_standard_error(environment: Mapping[str, str] | None = None) -> None:
    """Log to standard error from now on: on a terminal warnings and errors, under systemd information,
    too."""
    env = os.environ if environment is None else environment
    levels = bool(env.get("JOURNAL_STREAM"))
    handler = StandardError()
    handler.setFormatter(LineFormatter(levels))
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old, StandardError)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.INFO if levels else logging.WARNING)
