"""Clips of what was called a foul: the live pictures of the last seconds, in one file named by its SHA-256.

A clip is a zip of JPEGs and of `clip.json` with their times, so that a page can show it at any speed, and picture by
picture, and anybody can unpack it. The pictures are those that were packed for the live view already. It is written
beside the table's work, and an event of its own names it once it is on the disk: no verdict waits for it.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import zipfile
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from device.journal.events import ClipKept, VerdictGiven
from device.journal.head import write_lasting

log = logging.getLogger(__name__)

MOST_PICTURES = 200
"""Pictures of the last seconds that are kept at most; of a longer move the end is shown."""
MOST_BYTES = 16 << 20
"""Bytes of them that are kept at most."""
BEFORE_S = 0.8
"""Seconds before the first hand with which a clip begins."""
UNSEEN_S = 6.0
"""Seconds that are shown where no hand was seen."""
ACCUSING = ("illegal", "not-sure", "tampered")
WIDEST, QUALITY = 960, 70
"""Pixels and JPEG quality of a clip's pictures: hands and seeds are plain to see, in under half of the bytes."""
MOST_WAITING = 4
"""Clips that may wait for a slow disk; more are given up."""


class Clips:
    """Keeps the last pictures, and writes a clip of them when a verdict wants it. One thread uses it."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None] = write_lasting) -> None:
        """folder: of the evidence; write: puts bytes into a file for good."""
        self._folder, self._write = folder, write
        self._lately: deque[tuple[float, bytes]] = deque(maxlen=MOST_PICTURES)
        self._bytes = 0
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clip")
        self._waiting: deque[tuple[int, Future[str]]] = deque()

    def picture(self, t: float, jpeg: bytes) -> None:
        """A picture of time `t`, seconds of the table's clock."""
        if self._lately and t < self._lately[-1][0]:  # a recording begins anew
            self._lately.clear()
            self._bytes = 0
        if len(self._lately) == MOST_PICTURES:
            self._bytes -= len(self._lately[0][1])
        self._lately.append((t, jpeg))
        self._bytes += len(jpeg)
        while self._bytes > MOST_BYTES:
            self._bytes -= len(self._lately.popleft()[1])

    def keep(self, verdict: VerdictGiven, number: int) -> None:
        """Write the clip of that verdict's move, if it accuses somebody or asks people. number: of its event."""
        if verdict.kind not in ACCUSING or len(self._waiting) >= MOST_WAITING:
            return
        first = verdict.hands_in - BEFORE_S if verdict.hands_in else verdict.t - UNSEEN_S
        shown = [(t, jpeg) for t, jpeg in self._lately if t >= first]
        if len(shown) > 1:
            cut = shown[0] == self._lately[0] and len(self._lately) > 1 and shown[0][0] > first + 1.0
            self._waiting.append((number, self._writer.submit(self._save, shown, cut)))

    def kept(self) -> list[ClipKept]:
        """The clips that are on the disk by now, each told once."""
        done = []
        while self._waiting and self._waiting[0][1].done():
            number, future = self._waiting.popleft()
            try:
                done.append(ClipKept(verdict=number, clip=future.result()))
            except OSError as error:
                log.warning("a clip could not be kept: %s", error.strerror or error)
        return done

    def close(self) -> list[ClipKept]:
        """Wait for what is being written; the clips that this adds."""
        self._writer.shutdown(wait=True)
        return self.kept()

    def _save(self, shown: list[tuple[float, bytes]], cut: bool) -> str:
        data = packed([(t, narrowed(jpeg)) for t, jpeg in shown], cut)
        name = hashlib.sha256(data).hexdigest() + ".zip"
        path = self._folder / name
        if not path.exists():
            self._write(path, data)
        return name


def narrowed(jpeg: bytes) -> bytes:
    """The picture at `WIDEST`; as it is where it is no wider, or cannot be read."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg.startswith(b"\xff\xd8") else None
    if image is None or image.shape[1] <= WIDEST:
        return jpeg
    size = (WIDEST, round(image.shape[0] * WIDEST / image.shape[1]))
    ok, data = cv2.imencode(".jpg", cv2.resize(image, size, interpolation=cv2.INTER_AREA),
                            [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if ok else jpeg


def packed(shown: list[tuple[float, bytes]], cut: bool = False) -> bytes:
    """A clip's file. shown: (seconds, JPEG) in order; cut: the beginning is missing. The same in makes the same out."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        index = {"times": [round(t - shown[0][0], 3) for t, _ in shown], "cut": cut}
        file.writestr(zipfile.ZipInfo("clip.json"), json.dumps(index))
        for number, (_, jpeg) in enumerate(shown):
            file.writestr(zipfile.ZipInfo(f"{number:03d}.jpg"), jpeg)
    return out.getvalue()
