"""Tokens for programs: whoever knows the PIN gets one, and it opens `/api` as the PIN opens the page.

Nothing is kept of them. A token is the mark of the PIN, signed with the page's key and dated (`itsdangerous`); so it
ends when its time is over, when the PIN is changed or removed, and when the key is.
"""

from __future__ import annotations

import hashlib
import hmac

from flask import current_app, g, request
from itsdangerous import BadData, URLSafeTimedSerializer

from web.pin import PinFile

LASTS_S = 12 * 3600
"""How long a token opens anything: as long as a session of the page, an afternoon of games."""
LONGEST = 400
"""Letters of a token that is looked at."""
IN_URL = ("token", "access_token", "bearer", "authorization", "pin")
"""Names of a query that could only be meant to open something. Addresses stand in logs and histories."""


class AccessTokens:
    """Makes tokens and knows them again."""

    def __init__(self, key: str | bytes, pin: PinFile) -> None:
        """key: the page's; pin: of the table."""
        self._signer = URLSafeTimedSerializer(key, salt="inkeek token", signer_kwargs={"digest_method": hashlib.sha256})
        self._pin = pin

    def make(self) -> str:
        """A new token, for somebody who has just told the PIN."""
        return str(self._signer.dumps(self._pin.mark))

    def holds(self, token: str) -> bool:
        """Whether it opens anything now."""
        if not token or len(token) > LONGEST:
            return False
        try:
            mark = self._signer.loads(token, max_age=LASTS_S)
        except BadData:
            return False
        now = self._pin.mark
        return bool(now) and isinstance(mark, str) and hmac.compare_digest(mark, now)


def given() -> str | None:
    """The token that a request to `/api` carries, whether it opens anything or not; None where it carries none."""
    if not request.path.startswith("/api/"):
        return None
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else None


def opens() -> bool:
    """Whether the request carries a token that opens the orders. It is asked once a request."""
    if "token_opens" not in g:
        token = given()
        g.token_opens = token is not None and known().holds(token)
    return bool(g.token_opens)


def in_url() -> bool:
    """Whether a token or a PIN stands in the request's address, by its name or by what it is."""
    return any(name.casefold() in IN_URL or known().holds(value)
               for name, values in request.args.lists() for value in values)


def known() -> AccessTokens:
    """Those of this page."""
    found: AccessTokens = current_app.extensions["tokens"]
    return found
