"""`python -m web`: serves the page of one data folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from waitress.server import create_server

from web import create_app

THREADS = 32
"""Each open feed holds one; with waitress's usual four, four open pages would freeze the fifth."""


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until stopped. Exit status 2 for unusable arguments, 1 where the port cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m web", description="The referee's page.")
    parser.add_argument("--data", type=Path, required=True, help="folder with the journal")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve on (default 127.0.0.1; 0.0.0.0: all)")
    parser.add_argument("--port", type=_port, default=8000, help="1 to 65535 (default 8000)")
    given = parser.parse_args(argv)
    app = create_app({"DATA": str(given.data)})
    try:
        server = create_server(app, host=given.host, port=given.port, threads=THREADS, channel_request_lookahead=1,
                               ident="inkeek", clear_untrusted_proxy_headers=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        print(f"the page cannot be served on {given.host} port {given.port}: {reason}", file=sys.stderr)
        return 1
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
    return 0


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 1 to 65535")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
