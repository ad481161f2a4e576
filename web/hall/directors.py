"""The directors who are signed in, and the keys for their orders, derived from the PIN.

The PIN itself stays in this process's memory, under the token in the visitor's cookie: each table's key is derived from
it with that table's salt. Nothing is written down; after a restart of the hall everybody signs in again.
"""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from device.publishing.messages import Derivation, key_of

LASTS_S = 12 * 3600.0
MOST = 50
"""Directors signed in at a time; beyond that the earliest is signed out."""
MOST_KEYS = 1000


@dataclass
class Director:
    """A signed-in director. mark: of the hall's PIN at sign-in; until: when the sign-in ends, monotonic seconds."""

    pin: str = field(repr=False)
    mark: str
    until: float
    keys: OrderedDict[Derivation, bytes] = field(default_factory=OrderedDict, repr=False)

    def key(self, of: Derivation) -> bytes:
        """Return the key for orders to the table that published this derivation; the first call takes tenths of a
        second."""
        found = self.keys.get(of)
        if found is None:
            found = self.keys[of] = key_of(self.pin, of.salt, of.n, of.r, of.p)
            while len(self.keys) > MOST_KEYS:
                self.keys.popitem(last=False)
        return found


class Directors:
    """All signed-in directors."""

    def __init__(self) -> None:
        """Start with nobody signed in."""
        self._lock = threading.Lock()
        self._in: OrderedDict[str, Director] = OrderedDict()

    def sign_in(self, pin: str, mark: str) -> str:
        """Sign somebody in who has entered the PIN; return the token for the cookie."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._in[_named(token)] = Director(pin, mark, time.monotonic() + LASTS_S)
            while len(self._in) > MOST:
                self._in.popitem(last=False)
        return token

    def sign_out(self, token: str) -> None:
        """Make a token invalid."""
        with self._lock:
            self._in.pop(_named(token), None)

    def find(self, token: str, mark: str) -> Director | None:
        """Return the director with that token; None if it is unknown or expired, or the PIN has changed since."""
        with self._lock:
            found = self._in.get(_named(token))
            if found is None or not mark or found.mark != mark or time.monotonic() > found.until:
                return None
            return found


def _named(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
