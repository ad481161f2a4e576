"""Memory that is let go goes back to the machine.

Many threads write pages of a hundred kilobytes and more. glibc gives each thread an arena of its own, and keeps in it
what was let go, in holes between what is still used: a hall that used twenty megabytes there held sixty after five
minutes, and held more with every minute. Here all threads share one arena, and what is large has pages of its own,
which go back at once.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

MMAP_THRESHOLD, ARENA_MAX = -3, -8
"""Names of settings in glibc's `malloc.h`."""
LARGE = 64 << 10
"""Bytes from which on something has pages of its own. To set it also ends glibc's raising it by itself."""


def give_back() -> None:
    """To be called before the first thread begins. Where the C library is not glibc, nothing happens."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for name, value in ((ARENA_MAX, 1), (MMAP_THRESHOLD, LARGE)):
            library.mallopt(name, value)
