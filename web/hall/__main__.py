"""`python -m web.hall`: starts `web.hall.program`, whose libraries take seconds to load. Meanwhile Ctrl-C ends the
process silently, even a Ctrl-C from before this module ran, which `inkeek hall` held back."""

import signal
import sys


def main() -> int:
    """Run the program; return its exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    from web.hall.program import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
