"""Returns freed memory to the machine.

Many threads write pages of a hundred kilobytes and more. glibc gives each thread an arena of its own and keeps the
freed memory there, in holes between pieces still in use: a hall that used twenty megabytes held sixty after five
minutes, and more every minute. Here all threads share one arena, and large pieces get pages of their own, which are
returned at once.
"""

import ctypes
from contextlib import suppress

MMAP_THRESHOLD, ARENA_MAX = -3, -8
"""Numbers of two settings in glibc's `malloc.h`."""
LARGE = 64 << 10
"""Pieces of at least this many bytes get pages of their own. Setting it stops glibc from raising the bound by
itself."""


def give_back() -> None:
    """Set glibc's allocator up. Call it before the first thread starts; with another C library it does nothing."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        for name, value in ((ARENA_MAX, 1), (MMAP_THRESHOLD, LARGE)):
            library.mallopt(name, value)
