"""The page below a path of its own, behind a proxy that names it in `X-Forwarded-Prefix`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

PREFIX = re.compile(r"(?:/[A-Za-z0-9][A-Za-z0-9._~-]{0,62}){1,8}")
"""What a prefix may look like: no address of another host, and no step upwards."""


class _Below:
    """The application below its prefix, whether the proxy takes that off the path or not."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        """app: of WSGI."""
        self._app = app

    def __call__(self, environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        """One request."""
        prefix = environ.get("HTTP_X_FORWARDED_PREFIX", "").rstrip("/")
        if PREFIX.fullmatch(prefix):
            environ["SCRIPT_NAME"], path = prefix, environ["PATH_INFO"]
            if path == prefix or path.startswith(f"{prefix}/"):
                environ["PATH_INFO"] = path[len(prefix):] or "/"
        return self._app(environ, start)


class _Sessions(SecureCookieSessionInterface):
    """Sessions of two tables behind one proxy are kept apart by their paths."""

    def get_cookie_path(self, app: Flask) -> str:
        """Below which the browser sends the cookie."""
        del app
        return request.script_root or "/"


def serve_below(app: Flask) -> None:
    """Have the application's addresses begin with the prefix that a proxy names."""
    app.wsgi_app = _Below(app.wsgi_app)  # type: ignore[assignment]  # as Flask describes it
    app.session_interface = _Sessions()
