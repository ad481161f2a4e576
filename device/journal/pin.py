"""The director's PIN as the table stores it, the key derived from it, and a rate limit for wrong guesses.

The page sets the PIN (`web/pin.py`). An order from a hall is signed with the same key, so the table checks it without
anybody typing the PIN there; see `device.publishing.messages`.
"""

import hashlib
import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

PIN_FILE = "page.pin"
"""Its name in the data folder."""

COST, BLOCK, LANES = 2**14, 8, 1
"""scrypt's parameters: 16 MiB and some tenths of a second on a small computer."""

FREE = 10
"""Wrong guesses of one address before it is slowed."""
FIRST_WAIT_S, LONGEST_WAIT_S = 10.0, 900.0
"""An address waits `FIRST_WAIT_S` after its tenth wrong guess, twice as long after each further one, at most
`LONGEST_WAIT_S`."""
MANY, HOUR_S, GAP_S = 100, 3600.0, 10.0
"""After `MANY` wrong guesses within `HOUR_S`, from any addresses, all guesses must be `GAP_S` apart."""
MOST_ADDRESSES = 1000


class Derivation(msgspec.Struct, frozen=True):
    """How scrypt derives a key from a PIN; public. salt: hexadecimal; n, r, p: scrypt's parameters, within what a small
    computer can do."""

    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
    n: Annotated[int, Meta(ge=2**10, le=2**15)] = COST
    r: Annotated[int, Meta(ge=1, le=8)] = BLOCK
    p: Annotated[int, Meta(ge=1, le=2)] = LANES


class StoredPin(Derivation, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`page.pin`: how the key is derived, and digest, the key itself, hexadecimal."""

    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]

    @property
    def derivation(self) -> Derivation:
        """How the key is derived from the PIN."""
        return Derivation(salt=self.salt, n=self.n, r=self.r, p=self.p)

    @property
    def key(self) -> bytes:
        """The key: what `key_of` returns for the PIN."""
        return bytes.fromhex(self.digest)


def key_of(pin: str, salt: str, n: int = COST, r: int = BLOCK, p: int = LANES) -> bytes:
    """Derive a PIN's key, 32 bytes, by scrypt; this takes some tenths of a second. salt: hexadecimal. Raises ValueError
    for an invalid salt or invalid parameters."""
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=n, r=r, p=p, maxmem=64 << 20, dklen=32)


def stored_pin(path: Path) -> StoredPin | None:
    """The PIN stored in a file; None if it is missing or unreadable."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=StoredPin)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


class Gate:
    """Limits the rate of wrong guesses at the PIN, one guess at a time. A restart of the server forgets them. clock:
    monotonic, seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start without any guess."""
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lately: deque[float] = deque(maxlen=MANY)

    def guess(self, who: str, fits: Callable[[], bool]) -> int | None:
        """Check a guess from address `who`: 0 if it is right, None if it is wrong; else the whole seconds that this
        address has to wait before its guesses are checked."""
        with self._lock:
            wait = self._wait(who)
            if wait > 0:
                return math.ceil(wait)
            if fits():
                self._wrong.pop(who, None)
                return 0
            now = self._clock()
            count = self._wrong.get(who, (0, 0.0))[0] + 1
            pause = 0.0 if count < FREE else min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(count - FREE, 20))
            self._wrong[who] = (count, now + pause)
            self._wrong.move_to_end(who)
            while len(self._wrong) > MOST_ADDRESSES:
                self._wrong.popitem(last=False)
            self._lately.append(now)
            return None

    def _wait(self, who: str) -> float:
        now, until = self._clock(), self._wrong.get(who, (0, 0.0))[1]
        if len(self._lately) == MANY and now - self._lately[0] < HOUR_S:
            until = max(until, self._lately[-1] + GAP_S)
        return until - now
