"""The host names and the path below which the page may be requested.

A foreign name that resolves to this machine (DNS rebinding) would let a stranger's page in a visitor's browser read
this one and rule with it. A proxy may name the path below which it serves the page in `X-Forwarded-Prefix`.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Collection, Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?", re.IGNORECASE)
PREFIX = re.compile(r"(?:/[A-Za-z0-9][A-Za-z0-9._~-]{0,62}){1,8}")
"""The form of a valid prefix: no other host's address, and no step upwards."""


def own_names() -> frozenset[str]:
    """Return this machine's names: localhost, its host name, and its `.local` name in the network."""
    name = socket.gethostname().casefold().rstrip(".")
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local"} - {"", ".local"})


def is_own(header: str | None, names: Collection[str]) -> bool:
    """Return whether a `Host` header is one of this machine's names, or an IP address, which nobody can rebind."""
    found = HOST.fullmatch(header or "")
    if found is None:
        return False
    name = found["name"].casefold().rstrip(".")
    if name in names or name.endswith(".localhost"):
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class _Below:
    """The application served below a prefix, whether or not the proxy removes the prefix from the path."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        """app: the WSGI application."""
        self._app = app

    def __call__(self, environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        """Serve one request."""
        prefix = environ.get("HTTP_X_FORWARDED_PREFIX", "").rstrip("/")
        if PREFIX.fullmatch(prefix):
            environ["SCRIPT_NAME"], path = prefix, environ["PATH_INFO"]
            if path == prefix or path.startswith(f"{prefix}/"):
                environ["PATH_INFO"] = path[len(prefix):] or "/"
        return self._app(environ, start)


class _Sessions(SecureCookieSessionInterface):
    """Keeps the sessions of two tables behind one proxy apart by their paths."""

    def get_cookie_path(self, app: Flask) -> str:
        """Return the path below which the browser sends the cookie."""
        del app
        return request.script_root or "/"


def serve_below(app: Flask) -> None:
    """Make the application's addresses begin with the prefix that a proxy names."""
    app.wsgi_app = _Below(app.wsgi_app)  # type: ignore[assignment]  # as Flask describes it
    app.session_interface = _Sessions()
