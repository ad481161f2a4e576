"""The PIN that ruling needs: kept as a salted scrypt hash, and guessed at no faster than people type."""

from __future__ import annotations

import errno
import hashlib
import hmac
import math
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from device.journal.messages import message
from engine.messages import Message

SHORTEST, LONGEST = 6, 12
"""Digits of a PIN."""

COST, BLOCK, LANES = 2**14, 8, 1
"""scrypt's parameters: 16 MiB and some tenths of a second on a small computer."""

FREE = 10
"""Wrong guesses of one address before it is slowed."""
FIRST_WAIT_S, LONGEST_WAIT_S = 10.0, 900.0
"""After the tenth wrong guess an address waits so long, twice as long after each further one."""
MANY, HOUR_S, GAP_S = 100, 3600.0, 10.0
"""After so many wrong guesses within an hour, whoever made them, everybody's guesses are so far apart."""
MOST_ADDRESSES = 1000


class PinError(Exception):
    """The PIN cannot be that, or cannot be kept. `key` names the message, `values` fill it in."""

    def __init__(self, key: str, **values: int | str | Message) -> None:
        """key, values: of the message."""
        super().__init__(key)
        self.key, self.values = key, values


class StoredPin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`page.pin`. salt, digest: hexadecimal; n, r, p: scrypt's parameters."""

    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    n: Annotated[int, Meta(ge=2**10, le=2**15)] = COST
    r: Annotated[int, Meta(ge=1, le=8)] = BLOCK
    p: Annotated[int, Meta(ge=1, le=2)] = LANES


class PinFile:
    """The PIN of one data folder. A file that cannot be read counts as a PIN that nobody knows: it opens nothing."""

    def __init__(self, path: Path) -> None:
        """path: of the file, there or not."""
        self.path = path

    @property
    def is_set(self) -> bool:
        """Whether there is one; a spoilt file too."""
        return self.path.exists()

    @property
    def mark(self) -> str:
        """Names the PIN that is set, without telling it: who signed in with another one is signed out. "" for none."""
        stored = self._read()
        return "" if stored is None else hashlib.sha256(f"{stored.salt}{stored.digest}".encode()).hexdigest()[:32]

    def fits(self, pin: str) -> bool:
        """Whether this is the PIN. Takes the time that scrypt takes."""
        stored = self._read()
        if stored is None or not _written(pin):
            return False
        digest = _digest(pin, bytes.fromhex(stored.salt), stored.n, stored.r, stored.p)
        return hmac.compare_digest(stored.digest, digest)

    def set(self, pin: str) -> None:
        """Keep a PIN from now on. Raises PinError for one that is none, and where the folder cannot be written."""
        if not _written(pin):
            raise PinError("pin.form", least=SHORTEST, most=LONGEST)
        salt = secrets.token_bytes(16)
        stored = StoredPin(salt=salt.hex(), digest=_digest(pin, salt, COST, BLOCK, LANES))
        half = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(msgspec.json.encode(stored))
                out.flush()
                os.fsync(out.fileno())
            half.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                half.unlink()
            raise PinError("pin.unkept", why=_why(error)) from error

    def make(self) -> str:
        """Set a PIN by lot, and return it: it is told once. Raises PinError."""
        pin = f"{secrets.randbelow(10**SHORTEST):0{SHORTEST}d}"
        self.set(pin)
        return pin

    def _read(self) -> StoredPin | None:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=StoredPin)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None


def _written(pin: str) -> bool:
    """Whether it is a PIN at all; scrypt takes one followed by a zero byte for the same."""
    return pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST


def _digest(pin: str, salt: bytes, n: int, r: int, p: int) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=r, p=p, maxmem=64 << 20, dklen=32).hex()


class Gate:
    """Lets guesses at the PIN through one after the other, and slows who guesses wrong. What it knows of who guessed
    is gone when the server starts anew. clock: seconds, never running back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nobody has guessed yet."""
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lately: deque[float] = deque(maxlen=MANY)

    def guess(self, who: str, fits: Callable[[], bool]) -> int | None:
        """Try a guess of address `who`: 0 where it fits, None where it does not, else the whole seconds to wait before
        any guess of theirs is looked at."""
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


def _why(error: OSError) -> Message | str:
    """Why a file cannot be written: in the machine's own words only where there are no others."""
    keys = {errno.ENOSPC: "disk.full", errno.EROFS: "disk.read-only", errno.EACCES: "disk.denied",
            errno.EPERM: "disk.denied"}
    key = keys.get(error.errno or 0)
    return error.strerror or str(error) if key is None else message(key)
