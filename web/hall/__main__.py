"""`python -m web.hall`: see `web.hall.program`, whose libraries take seconds to load. A Ctrl-C meanwhile ends it
without a word, even one that came before this was reached, while `inkeek hall` held it back."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run the program; its exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    from web.hall.program import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
