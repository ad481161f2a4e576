"""The PIN that ruling needs: kept as a salted scrypt hash, and guessed at no faster than people type
(`device/journal/pin.py`)."""

from __future__ import annotations

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
"""Digits of a PIN."""


class PinError(Exception):
    """The PIN cannot be that, or cannot be kept. `key` names the message, `values` fill it in."""

    def __init__(self, key: str, **values: int | str | Message) -> None:
        """key, values: of the message."""
        super().__init__(key)
        self.key, self.values = key, values


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
        stored = stored_pin(self.path)
        return "" if stored is None else hashlib.sha256(f"{stored.salt}{stored.digest}".encode()).hexdigest()[:32]

    def fits(self, pin: str) -> bool:
        """Whether this is the PIN. Takes the time that scrypt takes."""
        stored = stored_pin(self.path)
        if stored is None or not _written(pin):
            return False
        return hmac.compare_digest(stored.key, key_of(pin, stored.salt, stored.n, stored.r, stored.p))

    def set(self, pin: str) -> None:
        """Keep a PIN from now on. Raises PinError for one that is none, and where the folder cannot be written."""
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
        """Set a PIN by lot, and return it: it is told once. Raises PinError."""
        pin = f"{secrets.randbelow(10**SHORTEST):0{SHORTEST}d}"
        self.set(pin)
        return pin


def _written(pin: str) -> bool:
    """Whether it is a PIN at all: scrypt makes the same of a PIN and of one followed by a zero byte."""
    return pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST


def _why(error: OSError) -> Message | str:
    """Why a file cannot be written: in the machine's own words only where there are no others."""
    keys = {errno.ENOSPC: "disk.full", errno.EROFS: "disk.read-only", errno.EACCES: "disk.denied",
            errno.EPERM: "disk.denied"}
    key = keys.get(error.errno or 0)
    return error.strerror or str(error) if key is None else message(key)
