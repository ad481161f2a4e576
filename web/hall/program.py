"""The hall as a program, started by `inkeek hall`: one page over the tables that publish to a broker."""

import ctypes
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

from device.journal.store import JournalError
from device.publishing.address import HallError, HallPage, hall_address
from web.__main__ import show_link, tell_pin
from web.addresses import announcement, here
from web.hall.app import create_app
from web.hall.context import HallContext
from web.server import Server

THREADS = 40
"""Threads of the server; each visitor who waits for a table's picture occupies one."""


def main(given: HallPage) -> int:
    """Serve until stopped. Exit status 2 for unusable options, 1 if the port or the disk cannot be used."""
    logging.basicConfig(format="inkeek: %(message)s", stream=sys.stderr)
    logging.getLogger("hall").setLevel(logging.INFO)  # other loggers, such as the server's, give only warnings
    try:
        context = HallContext.open(Path(given.data), hall_address(given.broker, given.ca, given.password_file))
    except HallError as error:
        print(f"inkeek: {error}", file=sys.stderr)
        return 2
    except JournalError as error:
        print(f"inkeek: {error}", file=sys.stderr)
        return 1
    app = create_app(context, {"HOSTS": given.names})
    tell_pin(app, given.host, "Director")
    give_back()
    try:
        server = Server(app, given.host, given.port, THREADS)
    except (OSError, ValueError) as error:
        print(f"inkeek: the hall cannot be served on {given.host} port {given.port}: "
              f"{getattr(error, 'strerror', None) or error}", file=sys.stderr)
        context.store.close()
        return 1
    address = here(given.host, given.port)
    print(f"inkeek: the hall is at {address} (Ctrl-C ends it)", flush=True)
    if text := announcement(given.host, given.port, drawn=sys.stdout.isatty()):
        print(text, flush=True)
    show_link(app, address)
    try:
        _hear(signal.default_int_handler)  # a shell that starts a program in the background makes it ignore Ctrl-C
        context.start()
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        _hear(signal.SIG_DFL)  # a second Ctrl-C ends the process at once; what is on the disk is safe
        server.close()
        context.stop()
    return 0


def _hear(ends: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    """Set what Ctrl-C and a service's stop signal do from now on."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ends)


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
