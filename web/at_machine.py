"""Who is at this machine: whoever has opened the link that the page prints where it was started.

An address says nothing of that: behind a proxy or a tunnel everybody comes from 127.0.0.1. The link works once, and as
long as no PIN is set; then another one is printed for another browser.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Mapping

from flask import Blueprint, abort, current_app, redirect, request, session
from werkzeug.wrappers import Response

blueprint = Blueprint("at_machine", __name__)

HERE = "here"
"""In the session of a browser that has opened the link."""


class OneTimeLink:
    """The link that opens the session of who is at this machine."""

    def __init__(self) -> None:
        """A first one, which nobody was told yet."""
        self._lock = threading.Lock()
        self._token = secrets.token_urlsafe(16)
        self.tell: Callable[[], object] = lambda: None
        """Called when the link was used and another one holds."""

    @property
    def path(self) -> str:
        """The link below the page's address."""
        return f"/here/{self._token}"

    def take(self, token: str) -> bool:
        """Use the link; whether it was the one that holds."""
        with self._lock:
            if not hmac.compare_digest(token.encode(), self._token.encode()):
                return False
            self._token = secrets.token_urlsafe(16)
        self.tell()
        return True


@blueprint.get("/here/<token>")
def here(token: str) -> Response:
    """Open the session of who is at this machine."""
    link: OneTimeLink = current_app.extensions["link"]
    if request.method != "GET" or not link.take(token):
        abort(404)
    session[HERE] = True
    session.permanent = True
    return redirect(f"{request.script_root}/", 303)


def at_machine(kept: Mapping[str, object]) -> bool:
    """Whether a session was opened with the link."""
    return kept.get(HERE) is True
