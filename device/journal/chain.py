"""The hash chain of a journal's events, and the checks of the chain and of the file that holds it."""

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from device.journal.events import Any as AnyBody
from device.journal.events import Body, Unknown
from device.journal.head import Head

GENESIS = "0" * 64
"""Stands for the hash before the first event."""

COLUMNS = "number, at, type, body, hash"

_decoder: msgspec.json.Decoder[AnyBody] = msgspec.json.Decoder(AnyBody)


@dataclass(frozen=True, slots=True)
class BadEvent:
    """The first event that breaks the chain, and why. number: 0 where the check failed before reading the chain."""

    number: int
    reason: str


def event_hash(previous: str, number: int, at: str, kind: str, body: str) -> str:
    """The hex SHA-256 that binds an event to the one before it."""
    content = "\n".join((previous, str(number), at, kind, body))
    return hashlib.sha256(content.encode()).hexdigest()


def encode(body: Body) -> str:
    """An event's body as JSON; equal bodies give equal text."""
    return msgspec.json.encode(body, order="sorted").decode()


def decode(kind: str, body: str) -> AnyBody | Unknown:
    """An event's body from its JSON; `Unknown` for a type, or a form of one, that this version does not know."""
    try:
        return _decoder.decode(body)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return Unknown(kind, body)


def utc_now() -> str:
    """The current time as events write it: ISO 8601 UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def walk(db: sqlite3.Connection, head: Head | None) -> tuple[int, BadEvent | None]:
    """Check the whole chain: the last good event's number, and the first bad event or None. head: the last event as it
    was noted beside the file."""
    previous, expected = GENESIS, 1
    try:
        for number, at, kind, body, digest in db.execute(f"SELECT {COLUMNS} FROM event ORDER BY number"):
            reason = _fault(previous, expected, (number, at, kind, body, digest))
            if not reason and head is not None and head.number == number and head.hash != digest:
                reason = f"event {number} ({kind}) is not the one that was noted as written"
            if reason:
                return expected, BadEvent(min(number, expected), reason)
            previous, expected = digest, expected + 1
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return expected, BadEvent(expected, f"event {expected} cannot be read: {error}")
    if head is not None and head.number >= expected:
        return expected, BadEvent(expected, f"event {expected} is missing: the journal ends before it, and event "
                                            f"{head.number} was written")
    return expected - 1, None


def sound(db: sqlite3.Connection) -> Iterator[tuple[int, str, str, str, str]]:
    """Yield the rows before the first one that breaks the chain or cannot be read."""
    previous, expected = GENESIS, 1
    try:
        for row in db.execute(f"SELECT {COLUMNS} FROM event ORDER BY number"):
            if _fault(previous, expected, row):
                return
            yield row
            previous, expected = row[4], expected + 1
    except (sqlite3.Error, UnicodeDecodeError):
        return


def whole(db: sqlite3.Connection, last: int) -> BadEvent | None:
    """Run SQLite's integrity check: what is wrong with the file, or None. last: number to report it under."""
    try:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        return BadEvent(last, f"the file is damaged: {error}")
    return None if found == "ok" else BadEvent(last, f"the file is damaged: {str(found).splitlines()[-1]}")


def _fault(previous: str, expected: int, row: tuple[int, str, str, str, str]) -> str:
    """What is wrong with one row of the chain, "" if nothing."""
    number, at, kind, body, digest = row
    if number != expected:
        return f"event {expected} is missing: {number} follows {expected - 1}" if expected > 1 else "event 1 is missing"
    if not all(isinstance(value, str) for value in (at, kind, body, digest)):
        return f"event {number} holds something other than text"
    if event_hash(previous, number, at, kind, body) != digest:
        return f"event {number} ({kind}) was changed: its hash does not fit its content and the event before it"
    read = decode(kind, body)
    if not isinstance(read, Unknown) and type(read).__name__ != kind:
        return f"event {number} is filed as {kind} but holds {type(read).__name__}"
    return ""
