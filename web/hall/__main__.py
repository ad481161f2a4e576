"""`python -m web.hall OPTIONS`, as `inkeek hall` runs it: starts `web.hall.program`, whose libraries take seconds to
load. Meanwhile Ctrl-C ends the process silently, even a Ctrl-C from before this module ran, which `inkeek hall` held
back."""

import signal
import sys


def main() -> int:
    """Run the program; return its exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    import msgspec

    from device.publishing.address import HallPage
    from web.hall.program import main as run

    return run(msgspec.json.decode(sys.argv[1], type=HallPage))


if __name__ == "__main__":
    sys.exit(main())
