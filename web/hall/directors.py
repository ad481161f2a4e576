"""Who is signed in as director, and the keys for orders that come of the PIN.

The PIN itself stays in the memory of this process, by a token that is in the visitor's cookie: each table's key is made
of it with that table's salt. Nothing of it is written down, and when the hall starts anew everybody signs in again.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from device.publishing.messages import Derivation, key_of

LASTS_S = 12 * 3600.0
MOST = 50
"""Directors that are signed in at a time; who came first goes."""
MOST_KEYS = 1000


@dataclass
class Director:
    """Somebody who is signed in. mark: of the hall's PIN that it was done with. until: seconds of the clock."""

    pin: str = field(repr=False)
    mark: str
    until: float
    keys: OrderedDict[Derivation, bytes] = field(default_factory=OrderedDict, repr=False)

    def key(self, of: Derivation) -> bytes:
        """The key for the orders of the table that tells this; made once, which takes some tenths of a second."""
        found = self.keys.get(of)
        if found is None:
            found = self.keys[of] = key_of(self.pin, of.salt, of.n, of.r, of.p)
            while len(self.keys) > MOST_KEYS:
                self.keys.popitem(last=False)
        return found


class Directors:
    """All who are signed in."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nobody is yet."""
        self._clock = clock
        self._lock = threading.Lock()
        self._in: OrderedDict[str, Director] = OrderedDict()

    def sign_in(self, pin: str, mark: str) -> str:
        """Let somebody in, who has the PIN; the token for their cookie."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._in[_named(token)] = Director(pin, mark, self._clock() + LASTS_S)
            while len(self._in) > MOST:
                self._in.popitem(last=False)
        return token

    def sign_out(self, token: str) -> None:
        """That token opens nothing any more."""
        with self._lock:
            self._in.pop(_named(token), None)

    def find(self, token: str, mark: str) -> Director | None:
        """Who has that token; None where it is none, or too old, or of another PIN than is set now."""
        with self._lock:
            found = self._in.get(_named(token))
            if found is None or not mark or found.mark != mark or self._clock() > found.until:
                return None
            return found


def _named(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
