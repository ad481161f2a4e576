"""Send evidence files to a hall that asks for them: one part at a time, at a limited rate, since events come first."""

import logging
import os
import stat
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from device.publishing.messages import MOST_EVIDENCE_BYTES, PART_BYTES, Topic

log = logging.getLogger(__name__)

ENDINGS = (".jpg", ".zip")
"""Suffixes of stills and of clips."""
MOST_ASKED = 16
"""Most files waiting to be sent; further requests are dropped, and the hall asks again."""
BYTES_A_SECOND = 2 << 20


class EvidenceSender:
    """Sends the files that were asked for, oldest request first.

    publish: sends topic, payload and user properties, returns a message number; sent: whether the broker has it.
    """

    def __init__(self, folder: Path, table: str, publish: Callable[[str, bytes, Mapping[str, str]], int],
                 sent: Callable[[int], bool], rate: int = BYTES_A_SECOND) -> None:
        """folder: the evidence folder; table: the table's id; rate: bytes a second."""
        self._folder, self._table, self._publish, self._sent, self._rate = folder, table, publish, sent, rate
        self._asked: deque[str] = deque()
        self._parts: deque[bytes] = deque()
        self._sha, self._number, self._of = "", 0, 0
        self._under_way: int | None = None
        self._free_at = 0.0

    def ask(self, sha: str) -> bool:
        """Queue the file of that SHA-256, once; False if the queue is full."""
        if sha == self._sha or sha in self._asked:
            return True
        if len(self._asked) >= MOST_ASKED:
            return False
        self._asked.append(sha)
        return True

    def tick(self, now: float) -> None:
        """Send the next part if it is due. now: seconds of a monotonic clock."""
        if now < self._free_at or (self._under_way is not None and not self._sent(self._under_way)):
            return
        if not self._parts and not self._begin():
            return
        part = self._parts.popleft()
        self._number += 1
        self._send(part, now)
        if not self._parts:
            self._sha = ""

    def _begin(self) -> bool:
        """Begin the next file; False if there is nothing to send."""
        if not self._asked:
            return False
        self._sha = self._asked.popleft()
        data = _file(self._folder, self._sha)
        self._parts.extend(data[at:at + PART_BYTES] for at in range(0, len(data), PART_BYTES))
        self._number, self._of = 0, len(self._parts)
        if not data:
            self._under_way = self._publish(str(Topic(self._table, "evidence", self._sha)), b"", {"parts": "0"})
            self._sha = ""
        return bool(data)

    def _send(self, part: bytes, now: float) -> None:
        said = {"part": str(self._number), "parts": str(self._of)}
        self._under_way = self._publish(str(Topic(self._table, "evidence", self._sha)), part, said)
        self._free_at = now + len(part) / self._rate


def _file(folder: Path, sha: str) -> bytes:
    """The content of the evidence file of that SHA-256; empty if it is gone or too large. Symbolic links are not
    followed."""
    for ending in ENDINGS:
        with suppress(OSError):
            handle = os.open(folder / f"{sha}{ending}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                about = os.fstat(handle)
                if stat.S_ISREG(about.st_mode) and about.st_size <= MOST_EVIDENCE_BYTES:
                    with os.fdopen(handle, "rb", closefd=False) as file:
                        return file.read(MOST_EVIDENCE_BYTES)
                log.warning("the evidence file %s is too large for the hall, or no file", sha)
            finally:
                os.close(handle)
    return b""
