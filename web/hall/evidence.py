"""Evidence files of the tables: requested when somebody looks at one, checked by their SHA-256, and kept on disk up to
a bound; beyond it the files least recently looked at are deleted."""

import hashlib
import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from device.publishing.messages import MOST_EVIDENCE_BYTES, PART_BYTES

MOST_KEPT_BYTES = 512 << 20
"""The most bytes that all kept files may take."""
MOST_WANTED = 8
"""Most files awaited at a time; each may take `MOST_EVIDENCE_BYTES` of memory."""
AGAIN_S = 30.0
"""Seconds before a file that a table does not have is requested again."""
MOST_WAITING = 12
"""Most visitors who wait for a file at a time: each occupies one of the server's threads."""
MOST_PARTS = MOST_EVIDENCE_BYTES // PART_BYTES


@dataclass
class RequestedFile:
    """A file that is on its way. came: set when the file is there or will not come."""

    parts: dict[int, bytes] = field(default_factory=dict)
    came: threading.Event = field(default_factory=threading.Event)
    waiting: int = 0


class EvidenceCache:
    """The files that are kept. ask: requests a file (by its SHA-256) from a table."""

    def __init__(self, folder: Path, ask: Callable[[str, str], None], most: int = MOST_KEPT_BYTES) -> None:
        """folder: of the files; most: bytes that they may take."""
        self._folder, self._ask, self._most = folder, ask, most
        self._lock = threading.Lock()
        self._wanted: dict[tuple[str, str], RequestedFile] = {}
        self._missing: dict[tuple[str, str], float] = {}

    def get(self, table: str, sha: str, seconds: float) -> Path | None:
        """Return the file of that SHA-256, requested from the table if it is not here; None if it does not come in
        time."""
        path = self._folder / sha
        if path.is_file():
            _looked_at(path)
            return path
        key = (table, sha)
        with self._lock:
            lately = time.monotonic() - self._missing.get(key, -AGAIN_S) < AGAIN_S
            full = sum(wanted.waiting for wanted in self._wanted.values()) >= MOST_WAITING
            if lately or full or (key not in self._wanted and len(self._wanted) >= MOST_WANTED):
                return None
            wanted = self._wanted.setdefault(key, RequestedFile())
            wanted.waiting += 1
            first = wanted.waiting == 1
        if first:
            self._ask(table, sha)
        wanted.came.wait(seconds)
        with self._lock:
            wanted.waiting -= 1
            if not wanted.waiting:
                self._wanted.pop(key, None)
        return path if path.is_file() else None

    def arrived(self, table: str, sha: str, payload: bytes, part: int, parts: int) -> str:
        """Take one part of a file; return what is wrong with it in a few words, "" if nothing is."""
        key = (table, sha)
        with self._lock:
            wanted = self._wanted.get(key)
            if wanted is None:
                return "" if self._known(sha) else "evidence that nobody asked for"
            if parts == 0:
                self._give_up(key, wanted)
                return ""
            if not (1 <= part <= parts <= MOST_PARTS and len(payload) <= PART_BYTES):
                return "evidence in parts that cannot be"
            wanted.parts[part] = payload
            if any(number not in wanted.parts for number in range(1, parts + 1)):
                return ""
            data = b"".join(wanted.parts[number] for number in range(1, parts + 1))
            wanted.parts.clear()
            if hashlib.sha256(data).hexdigest() != sha:
                self._give_up(key, wanted)
                return "evidence that is not what its name says"
        self._keep(sha, data)
        wanted.came.set()
        return ""

    def _known(self, sha: str) -> bool:
        return (self._folder / sha).is_file()

    def _give_up(self, key: tuple[str, str], wanted: RequestedFile) -> None:
        now = time.monotonic()
        self._missing = {one: at for one, at in self._missing.items() if now - at < AGAIN_S} | {key: now}
        wanted.came.set()

    def _keep(self, sha: str, data: bytes) -> None:
        """Write a file whole or not at all. A disk error is ignored, so that pages still work without the file."""
        half = self._folder / f"{sha}.{secrets.token_hex(4)}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            half.write_bytes(data)
            _looked_at(half)
            half.replace(self._folder / sha)
            self._make_room()
        except OSError:
            half.unlink(missing_ok=True)

    def _make_room(self) -> None:
        found = sorted((file.stat().st_mtime, file.stat().st_size, file) for file in self._folder.iterdir())
        total = sum(size for _, size, _ in found)
        for _, size, file in found[:-1]:
            if total <= self._most:
                return
            file.unlink(missing_ok=True)
            total -= size


def _looked_at(file: Path) -> None:
    """Mark a file as just looked at, so that others are deleted before it."""
    now = time.time_ns()
    with suppress(OSError):
        os.utime(file, ns=(now, now))
