"""Patience with things that happen on another thread or in another process."""

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], object], seconds: float = 5.0, every_s: float = 0.005) -> None:
    """Return as soon as the condition holds, which is looked at every so many seconds; fail where it does not within
    `seconds`."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(every_s)
