"""`python -m web`: serves the page of one data folder."""

import argparse
import os
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from flask import Flask

from web import create_app
from web.addresses import announcement, here, only_here
from web.at_machine import OneTimeLink
from web.pin import PinError, PinFile
from web.server import Server
from web.words import say

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
"""Environment variables that are set where this machine has a screen."""


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until stopped. Exit status 2 for unusable arguments, 1 if the port cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m web", description="The referee's page.")
    parser.add_argument("--data", type=Path, required=True, help="folder with the journal")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve on (default 127.0.0.1; 0.0.0.0: all)")
    parser.add_argument("--port", type=port, default=8000, help="1 to 65535 (default 8000)")
    parser.add_argument("--name", action="append", default=[], help="further name that the page may be asked for by, "
                                                                    "such as table.club.example; may be repeated")
    parser.add_argument("--open", action="store_true", help="open the page in this machine's browser")
    given = parser.parse_args(argv)
    app = create_app({"DATA": str(given.data), "SERVED_HOST": given.host, "SERVED_PORT": given.port,
                      "HOSTS": tuple(given.name)})
    tell_pin(app, given.host)
    try:
        server = Server(app, given.host, given.port)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        print(f"the page cannot be served on {given.host} port {given.port}: {reason}", file=sys.stderr)
        return 1
    if text := announcement(given.host, given.port, drawn=sys.stdout.isatty()):
        print(text, flush=True)
    show_link(app, here(given.host, given.port), opens=given.open)
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
    return 0


def tell_pin(app: Flask, host: str, where: str = "Referee") -> None:
    """Make a random PIN and print it once, at the first start of a page that other machines can reach. where: the part
    of the page where the PIN can be changed."""
    pin: PinFile = app.extensions["pin"]
    if pin.is_set or not pin.path.parent.is_dir() or only_here(host):
        return
    try:
        made = pin.make()
    except PinError as error:
        print(f"inkeek: nobody can rule from another machine: {say(error.key, **error.values)}", file=sys.stderr)
        return
    print(f"inkeek: ruling needs the PIN {made}; note it, it is told this once (the page's “{where}” changes it)",
          flush=True)


def show_link(app: Flask, address: str, *, opens: bool = False) -> None:
    """Print the link that lets a browser rule as this machine's own, while no PIN is set; and a new one after each use.
    address: of the page, without a slash at the end; opens: also open the link, if this machine has a screen."""
    pin: PinFile = app.extensions["pin"]
    link: OneTimeLink = app.extensions["link"]
    if pin.is_set:
        return

    def tell(again: str = "") -> None:
        print(f"inkeek: to rule from {again or 'this machine'}, open {address}{link.path} (it works once)", flush=True)

    tell()
    link.tell = lambda: tell("another browser")
    if opens and sys.stdout.isatty() and any(os.environ.get(name) for name in SCREENS):
        webbrowser.open(address + link.path)


def port(text: str) -> int:
    """Parse a port number of the command line. Raises argparse.ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 1 to 65535")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
