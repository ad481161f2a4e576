"""The PIN that ruling needs, kept as a salted scrypt hash (`device/journal/pin.py`). Guesses are slowed to the pace of
typing."""

import errno
import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

import msgspec

from device.journal.messages import message
from device.journal.pin import (
    FREE,
    GAP_S,
    LONGEST_WAIT_S,
    MANY,
    Gate,
    StoredPin,
    key_of,
    stored_pin,
)
from engine.messages import Message

__all__ = ["FREE", "GAP_S", "LONGEST", "LONGEST_WAIT_S", "MANY", "SHORTEST", "Gate", "PinError", "PinFile"]

SHORTEST, LONGEST = 6, 12
"""The least and the most digits of a PIN."""


class PinError(Exception):
    """A PIN is malformed or cannot be saved. `key` names the message, `values` fill it in."""

    def __init__(self, key: str, **values: int | str | Message) -> None:
        """key, values: of the message."""
        super().__init__(key)
        self.key, self.values = key, values


class PinFile:
    """The PIN of one data folder. An unreadable file counts as a PIN that nobody knows: it lets nobody in."""

    def __init__(self, path: Path) -> None:
        """path: of the file, which need not exist."""
        self.path = path

    @property
    def is_set(self) -> bool:
        """Whether there is a PIN; an unreadable file counts as one."""
        return self.path.exists()

    @property
    def mark(self) -> str:
        """A hash that identifies the PIN without revealing it, "" for none. A new mark ends all earlier sign-ins."""
        stored = stored_pin(self.path)
        return "" if stored is None else hashlib.sha256(f"{stored.salt}{stored.digest}".encode()).hexdigest()[:32]

    def fits(self, pin: str) -> bool:
        """Return whether this is the PIN; takes as long as scrypt does."""
        stored = stored_pin(self.path)
        if stored is None or not _written(pin):
            return False
        return hmac.compare_digest(stored.key, key_of(pin, stored.salt, stored.n, stored.r, stored.p))

    def set(self, pin: str) -> None:
        """Save a new PIN. Raises PinError if it is malformed or the folder cannot be written."""
        if not _written(pin):
            raise PinError("pin.form", least=SHORTEST, most=LONGEST)
        salt = secrets.token_hex(16)
        stored = StoredPin(salt=salt, digest=key_of(pin, salt).hex())
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
        """Save a random PIN and return it, to be shown this once. Raises PinError."""
        pin = f"{secrets.randbelow(10**SHORTEST):0{SHORTEST}d}"
        self.set(pin)
        return pin


def _written(pin: str) -> bool:
    """Return whether the text is well formed. scrypt gives the same hash for a PIN and for the PIN and a zero byte."""
    return pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST


def _why(error: OSError) -> Message | str:
    """Return why a file cannot be written: a message if there is one for this error, else the system's own words."""
    keys = {errno.ENOSPC: "disk.full", errno.EROFS: "disk.read-only", errno.EACCES: "disk.denied",
            errno.EPERM: "disk.denied"}
    key = keys.get(error.errno or 0)
    return error.strerror or str(error) if key is None else message(key)
