"""Recognises browsers at this machine: those that have opened the link which the page prints where it was started.

The client's address proves nothing: behind a proxy or a tunnel everybody comes from 127.0.0.1. The link works once, and
only while no PIN is set; after each use a new one is printed for another browser.
"""

import hmac
import secrets
import threading
from collections.abc import Callable, Mapping

from flask import Blueprint, abort, current_app, redirect, request, session
from werkzeug.wrappers import Response

blueprint = Blueprint("at_machine", __name__)

HERE = "here"
"""Key in the session of a browser that has opened the link."""


class OneTimeLink:
    """The link that marks a browser as being at this machine."""

    def __init__(self) -> None:
        """Make the first link; nothing is printed yet."""
        self._lock = threading.Lock()
        self._token = secrets.token_urlsafe(16)
        self.tell: Callable[[], object] = lambda: None
        """Called when the link was used and another one holds."""

    @property
    def path(self) -> str:
        """The link's path below the page's address."""
        return f"/here/{self._token}"

    def take(self, token: str) -> bool:
        """Use the link up; return whether `token` is that of the current link."""
        with self._lock:
            if not hmac.compare_digest(token.encode(), self._token.encode()):
                return False
            self._token = secrets.token_urlsafe(16)
        self.tell()
        return True


@blueprint.get("/here/<token>")
def here(token: str) -> Response:
    """Mark the session as being at this machine."""
    link: OneTimeLink = current_app.extensions["link"]
    if request.method != "GET" or not link.take(token):
        abort(404)
    session[HERE] = True
    session.permanent = True
    return redirect(f"{request.script_root}/", 303)


def at_machine(kept: Mapping[str, object]) -> bool:
    """Return whether a session was opened with the link."""
    return kept.get(HERE) is True
