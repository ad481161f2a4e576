"""Tokens for programs: whoever knows the PIN gets one, and it opens `/api` as the PIN opens the page.

The server stores none. A token is the mark of the PIN, signed with the page's key and dated (`itsdangerous`); so it
becomes invalid when its time is over, when the PIN is changed or removed, and when the key is lost.
"""

import hashlib
import hmac

from flask import current_app, g, request
from itsdangerous import BadData, URLSafeTimedSerializer

from web.pin import PinFile

LASTS_S = 12 * 3600
"""Seconds for which a token is valid: as long as a session of the page, an afternoon of games."""
LONGEST = 400
"""Characters of the longest token that is checked."""
IN_URL = ("token", "access_token", "bearer", "authorization", "pin")
"""Query names that can only carry a secret. Addresses end up in logs and histories."""


class AccessTokens:
    """Makes and checks tokens."""

    def __init__(self, key: str | bytes, pin: PinFile) -> None:
        """key: the page's; pin: the table's."""
        self._signer = URLSafeTimedSerializer(key, salt="inkeek token", signer_kwargs={"digest_method": hashlib.sha256})
        self._pin = pin

    def make(self) -> str:
        """Return a new token, for somebody who has just given the PIN."""
        return str(self._signer.dumps(self._pin.mark))

    def holds(self, token: str) -> bool:
        """Return whether the token is valid now."""
        if not token or len(token) > LONGEST:
            return False
        try:
            mark = self._signer.loads(token, max_age=LASTS_S)
        except BadData:
            return False
        now = self._pin.mark
        return bool(now) and isinstance(mark, str) and hmac.compare_digest(mark, now)


def given() -> str | None:
    """Return the token of a request to `/api`, valid or not; None if there is none."""
    if not request.path.startswith("/api/"):
        return None
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else None


def opens() -> bool:
    """Return whether the request carries a valid token; checked once per request."""
    if "token_opens" not in g:
        token = given()
        g.token_opens = token is not None and known().holds(token)
    return bool(g.token_opens)


def in_url() -> bool:
    """Return whether the request's address contains a token or a PIN, by its name or its value."""
    return any(name.casefold() in IN_URL or known().holds(value)
               for name, values in request.args.lists() for value in values)


def known() -> AccessTokens:
    """Return this app's tokens."""
    found: AccessTokens = current_app.extensions["tokens"]
    return found
