"""A PIN whose key scrypt derives at the least cost that a file may ask for: no test waits for that."""

import secrets
from pathlib import Path

import msgspec

from device.journal.pin import StoredPin, key_of

LEAST_COST = 2**10


def set_pin(path: Path, pin: str) -> None:
    """Keep the PIN in that file, as `PinFile.set` does."""
    salt = secrets.token_hex(16)
    stored = StoredPin(salt=salt, n=LEAST_COST, digest=key_of(pin, salt, LEAST_COST).hex())
    path.write_bytes(msgspec.json.encode(stored))
